import { afterAll, beforeAll, describe } from 'vitest'
import { testSensorControl } from '../../../test/sensor-control.ts'
import { testOptions } from '../../../test/service-options.ts'
import { type RunningModelManage, startModelManage } from '../src/index.ts'

describe('sensor control of Model Manage', () => {
  let service: RunningModelManage
  beforeAll(async () => {
    service = await startModelManage(await testOptions())
  })
  afterAll(() => service?.stop())

  testSensorControl(() => service.url)
})
