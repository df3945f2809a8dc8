// The operations of sensor control: they translate between HTTP and the attached sensors, and decide nothing.
import type { Handlers, sensorControlOperations } from '@pitot/api'
import { Sensors } from './sensors.ts'
import { decodeText, parseJson } from './text.ts'

export function sensorControlHandlers(sensors = new Sensors()): Handlers<typeof sensorControlOperations> {
  return {
    listAttachedSensors() {
      const body = sensors.list().map(({ id, sensor }) => ({ id, tap: sensor.descriptor.tap, active: sensor.active }))
      return { status: 200, body }
    },
    listTaps: () => ({ status: 200, body: sensors.taps.names() }),
    async attachSensor({ body }) {
      const descriptor = parseJson(decodeText(body, 'the sensor descriptor'), 'the sensor descriptor')
      return { status: 200, body: { id: await sensors.attach(descriptor) } }
    },
    getAttachedSensor({ path: { id } }) {
      const { tap, activate } = sensors.get(id).descriptor
      return { status: 200, body: { id, tap, permanent: activate.type === 'permanent' } }
    },
    async detachSensor({ path: { id } }) {
      await sensors.detach(id)
      return { status: 204 }
    },
  }
}
