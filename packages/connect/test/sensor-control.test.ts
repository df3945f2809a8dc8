import { afterAll, beforeAll, describe } from 'vitest'
import { testSensorControl } from '../../../test/sensor-control.ts'
import { testOptions } from '../../../test/service-options.ts'
import { type RunningConnect, startConnect } from '../src/index.ts'

describe('sensor control of Connect', () => {
  let connect: RunningConnect
  beforeAll(async () => {
    connect = await startConnect(await testOptions())
  })
  afterAll(() => connect?.stop())

  testSensorControl(() => connect.url)
})
