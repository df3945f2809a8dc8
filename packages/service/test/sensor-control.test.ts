import { commonOperations, sensorControlOperations } from '@pitot/api'
import { afterAll, beforeAll, describe } from 'vitest'
import { testSensorControl } from '../../../test/sensor-control.ts'
import { sensorControlHandlers } from '../src/sensor-control.ts'
import { Sensors } from '../src/sensors.ts'
import { type RunningService, startService } from '../src/service.ts'
import { testOptions } from './things.ts'

describe('sensor control of a service', () => {
  let service: RunningService
  const sensors = new Sensors()
  beforeAll(async () => {
    const operations = { ...commonOperations, ...sensorControlOperations }
    const handlers = sensorControlHandlers(sensors)
    service = await startService({ name: 's', title: 'S API', operations, handlers }, await testOptions())
  })
  afterAll(async () => {
    await service.stop()
    await sensors.close()
  })

  testSensorControl(() => service.url)
})
