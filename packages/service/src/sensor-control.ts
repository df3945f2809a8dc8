// Sensor control of a service: attached sensors and the taps they can be attached to.
import { failure, type Handlers, type sensorControlOperations } from '@pitot/api'
import { decodeText, parseJson } from './text.ts'

/** For a service that has no taps: everything is answered truthfully, there is just nothing to attach a sensor to. */
export function sensorControlHandlers(): Handlers<typeof sensorControlOperations> {
  return {
    listAttachedSensors: () => ({ status: 200, body: [] }),
    listTaps: () => ({ status: 200, body: [] }),
    attachSensor({ body }) {
      const descriptor = parseJson(decodeText(body, 'the sensor descriptor'), 'the sensor descriptor')
      const tap = (descriptor as { Tap?: unknown } | null)?.Tap
      if (typeof tap !== 'string') throw failure('bad-sensor', { reason: 'Tap is missing; it names a tapping point' })
      throw failure('bad-sensor', { reason: `there is no tap '${tap}' here; this service has none` })
    },
    getAttachedSensor({ path }) {
      throw failure('attached-sensor-not-found', path)
    },
    detachSensor({ path }) {
      throw failure('attached-sensor-not-found', path)
    },
  }
}
