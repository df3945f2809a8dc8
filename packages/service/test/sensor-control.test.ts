import { commonOperations, errorCatalogue, type Operation, sensorControlOperations } from '@pitot/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sensorControlHandlers } from '../src/sensor-control.ts'
import { Sensors } from '../src/sensors.ts'
import { type RunningService, startService } from '../src/service.ts'
import { ask, type Call } from './calls.ts'
import { testOptions } from './things.ts'

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

const path = '/1/control/sensor'
const noSuchId = (id: string) => `there is no id '${id}': ids are whole numbers from 1`
const wrong = (reason: string) => `the sensor descriptor is not right: ${reason}`

interface Row {
  readonly operation: keyof typeof sensorControlOperations
  readonly call: Call
  readonly yields: number | keyof typeof errorCatalogue
  readonly body: unknown
}

/** Carried out in this order. */
const rows: Row[] = [
  { operation: 'listAttachedSensors', call: { path }, yields: 200, body: [] },
  {
    operation: 'listTaps',
    call: { path: `${path}/available` },
    yields: 200,
    body: expect.arrayContaining(['sys.memory', 'sys.cpu.utilization', 'sys.test.int', 'sys.test.tagged.bytes']),
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: '{"Tap":"sys.memory"}' },
    yields: 200,
    body: { id: 1 },
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: '{"Tap":"sys.memory","Activate":{"Type":"regular","Interval":60}}' },
    yields: 200,
    body: { id: 2 },
  },
  {
    operation: 'listAttachedSensors',
    call: { path },
    yields: 200,
    body: [
      { id: 1, tap: 'sys.memory', active: true },
      { id: 2, tap: 'sys.memory', active: false },
    ],
  },
  {
    operation: 'getAttachedSensor',
    call: { path: `${path}/1` },
    yields: 200,
    body: { id: 1, tap: 'sys.memory', permanent: true },
  },
  {
    operation: 'getAttachedSensor',
    call: { path: `${path}/2` },
    yields: 200,
    body: { id: 2, tap: 'sys.memory', permanent: false },
  },
  { operation: 'detachSensor', call: { method: 'DELETE', path: `${path}/2` }, yields: 204, body: '' },
  {
    operation: 'detachSensor',
    call: { method: 'DELETE', path: `${path}/2` },
    yields: 'attached-sensor-not-found',
    body: 'there is no attached sensor 2',
  },
  {
    operation: 'getAttachedSensor',
    call: { path: `${path}/2` },
    yields: 'attached-sensor-not-found',
    body: 'there is no attached sensor 2',
  },
  { operation: 'getAttachedSensor', call: { path: `${path}/0` }, yields: 'bad-id', body: noSuchId('0') },
  { operation: 'getAttachedSensor', call: { path: `${path}/x` }, yields: 'bad-id', body: noSuchId('x') },
  {
    operation: 'getAttachedSensor',
    call: { path: `${path}/2147483648` },
    yields: 'bad-id',
    body: noSuchId('2147483648'),
  },
  { operation: 'detachSensor', call: { method: 'DELETE', path: `${path}/-1` }, yields: 'bad-id', body: noSuchId('-1') },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path },
    yields: 'body-missing',
    body: 'the request has no body; it must hold a sensor descriptor',
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: '{' },
    yields: 'bad-json',
    body: "the sensor descriptor is not valid JSON: line 1, column 2: expected property name or '}'",
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: Uint8Array.of(0x22, 0xff, 0x22) },
    yields: 'not-utf8',
    body: 'the sensor descriptor is not valid UTF-8: the byte at offset 1 does not fit',
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: ' '.repeat(1001) },
    yields: 'body-too-large',
    body: 'the body is larger than the limit of 1000 bytes; raise it with --max-document',
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: '{}' },
    yields: 'bad-sensor',
    body: wrong('the field Tap is missing; it must be the name of a tapping point'),
  },
  {
    operation: 'attachSensor',
    call: { method: 'POST', path, body: '{"Tap":"sys.memroy"}' },
    yields: 'bad-sensor',
    body: wrong("/Tap: there is no tap 'sys.memroy' here; did you mean 'sys.memory'?"),
  },
  {
    operation: 'attachSensor',
    call: {
      method: 'POST',
      path,
      body: '{"Tap":"sys.memory","Activate":{"Type":"regular","Interval":1,"Intensity":1}}',
    },
    yields: 'bad-sensor',
    body: wrong('/Activate: Intensity and Interval say the same in two ways; write one of them'),
  },
]

describe('sensor control', () => {
  test.each(rows)('$operation with $call.path and $call.body yields $yields', async ({ call, yields, body }) => {
    const { status, text, headers } = await ask(service.port, call)
    expect(status).toBe(typeof yields === 'number' ? yields : errorCatalogue[yields].status)
    expect(headers['content-type'] === 'application/json' ? JSON.parse(text) : text).toEqual(body)
  })

  test('every reply and error has a row', () => {
    const missing = Object.entries(sensorControlOperations as Record<string, Operation>)
      .flatMap(([id, row]) =>
        [...Object.keys(row.replies).map(Number), ...(row.errors ?? [])].map((reply) => [id, reply]),
      )
      .filter(([id, reply]) => !rows.some((row) => row.operation === id && row.yields === reply))
    expect(missing).toEqual([])
  })
})
