import { commonOperations, sensorControlOperations } from '@pitot/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sensorControlHandlers } from '../src/sensor-control.ts'
import { type RunningService, startService } from '../src/service.ts'
import { ask } from './calls.ts'
import { testOptions } from './things.ts'

let service: RunningService
beforeAll(async () => {
  const operations = { ...commonOperations, ...sensorControlOperations }
  service = await startService(
    { name: 's', title: 'S API', operations, handlers: sensorControlHandlers() },
    await testOptions(),
  )
})
afterAll(() => service.stop())

describe('a service without taps', () => {
  test.each(['/1/control/sensor', '/1/control/sensor/available'])('has nothing in %s', async (path) => {
    const { status, headers, text } = await ask(service.port, { path })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(text).toBe('[]')
  })

  const refused: [method: string, path: string, body: string | undefined, status: number, sentence: string][] = [
    ['GET', '/1/control/sensor/7', undefined, 404, 'there is no attached sensor 7'],
    ['DELETE', '/1/control/sensor/7', undefined, 404, 'there is no attached sensor 7'],
    ['GET', '/1/control/sensor/0', undefined, 404, "there is no id '0': ids are whole numbers from 1"],
    ['GET', '/1/control/sensor/x', undefined, 404, "there is no id 'x': ids are whole numbers from 1"],
    [
      'GET',
      '/1/control/sensor/2147483648',
      undefined,
      404,
      "there is no id '2147483648': ids are whole numbers from 1",
    ],
    ['POST', '/1/control/sensor', undefined, 400, 'the request has no body; it must hold a sensor descriptor'],
    [
      'POST',
      '/1/control/sensor',
      '{',
      400,
      "the sensor descriptor is not valid JSON: line 1, column 2: expected property name or '}'",
    ],
    [
      'POST',
      '/1/control/sensor',
      '{}',
      400,
      'the sensor descriptor is not right: Tap is missing; it names a tapping point',
    ],
    [
      'POST',
      '/1/control/sensor',
      'null',
      400,
      'the sensor descriptor is not right: Tap is missing; it names a tapping point',
    ],
    [
      'POST',
      '/1/control/sensor',
      '{"Tap":1}',
      400,
      'the sensor descriptor is not right: Tap is missing; it names a tapping point',
    ],
    [
      'POST',
      '/1/control/sensor',
      '{"Tap":"sys.memory"}',
      400,
      "the sensor descriptor is not right: there is no tap 'sys.memory' here; this service has none",
    ],
  ]
  test.each(refused)('%s %s with %j is refused with %i: %s', async (method, path, body, status, sentence) => {
    const answer = await ask(service.port, { method, path, ...(body !== undefined && { body }) })
    expect(answer.status).toBe(status)
    expect(answer.text).toBe(sentence)
  })
})
