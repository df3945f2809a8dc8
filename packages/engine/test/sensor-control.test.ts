import { afterAll, beforeAll, describe } from 'vitest'
import { testSensorControl } from '../../../test/sensor-control.ts'
import { engineSettings, testOptions } from '../../../test/service-options.ts'
import { startEngine } from '../src/index.ts'
import { defaultSensors } from '../src/taps/default-sensors.ts'

describe('sensor control of the Engine', () => {
  let engine: Awaited<ReturnType<typeof startEngine>>
  beforeAll(async () => {
    engine = await startEngine({ ...(await testOptions()), ...engineSettings })
  })
  afterAll(() => engine?.stop())

  // An engine has sensors from its first start on.
  const attached = defaultSensors.map((sensor, index) => ({
    id: index + 1,
    tap: (sensor as { Tap: string }).Tap,
    active: true,
  }))
  testSensorControl(() => engine.url, attached.length + 1, attached)
})
