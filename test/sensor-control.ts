// Sensor control, the same on every service: one row per reply and error, in the order they are carried out.
import { errorCatalogue, type Operation, sensorControlOperations } from '@pitot/api'
import { expect, test } from 'vitest'
import { type Call, call } from './http.ts'

interface Row {
  readonly operation: keyof typeof sensorControlOperations
  /** After `/1/control/sensor`. */
  readonly path?: string
  readonly send?: Call
  readonly yields: number | keyof typeof errorCatalogue
  readonly body: unknown
}

const post = (body?: string | Uint8Array): Call => ({ method: 'POST', ...(body !== undefined && { body }) })
const remove: Call = { method: 'DELETE' }
const noSuchId = (id: string) => `there is no id '${id}': ids are whole numbers from 1`
const wrong = (reason: string) => `the sensor descriptor is not right: ${reason}`
const regular = '{"Tap":"sys.memory","Activate":{"Type":"regular","Interval":60}}'
const twice = '{"Tap":"sys.memory","Activate":{"Type":"regular","Interval":1,"Intensity":1}}'
const spaces = 2 ** 20 + 1

/** `first` is the id that the next sensor gets, `attached` what is there already. */
function rowsOf(first: number, attached: readonly unknown[]): Row[] {
  const [one, two] = [first, first + 1]
  return [
    { operation: 'listAttachedSensors', yields: 200, body: attached },
    {
      operation: 'listTaps',
      path: '/available',
      yields: 200,
      body: expect.arrayContaining(['sys.memory', 'sys.cpu.utilization', 'sys.test.int', 'sys.test.tagged.bytes']),
    },
    { operation: 'attachSensor', send: post('{"Tap":"sys.memory"}'), yields: 200, body: { id: one } },
    { operation: 'attachSensor', send: post(regular), yields: 200, body: { id: two } },
    {
      operation: 'listAttachedSensors',
      yields: 200,
      body: [...attached, { id: one, tap: 'sys.memory', active: true }, { id: two, tap: 'sys.memory', active: false }],
    },
    {
      operation: 'getAttachedSensor',
      path: `/${one}`,
      yields: 200,
      body: { id: one, tap: 'sys.memory', permanent: true },
    },
    {
      operation: 'getAttachedSensor',
      path: `/${two}`,
      yields: 200,
      body: { id: two, tap: 'sys.memory', permanent: false },
    },
    { operation: 'detachSensor', path: `/${two}`, send: remove, yields: 204, body: '' },
    {
      operation: 'detachSensor',
      path: `/${two}`,
      send: remove,
      yields: 'attached-sensor-not-found',
      body: `there is no attached sensor ${two}`,
    },
    {
      operation: 'getAttachedSensor',
      path: `/${two}`,
      yields: 'attached-sensor-not-found',
      body: `there is no attached sensor ${two}`,
    },
    { operation: 'getAttachedSensor', path: '/0', yields: 'bad-id', body: noSuchId('0') },
    { operation: 'getAttachedSensor', path: '/x', yields: 'bad-id', body: noSuchId('x') },
    { operation: 'getAttachedSensor', path: '/2147483648', yields: 'bad-id', body: noSuchId('2147483648') },
    { operation: 'detachSensor', path: '/-1', send: remove, yields: 'bad-id', body: noSuchId('-1') },
    {
      operation: 'attachSensor',
      send: post(),
      yields: 'body-missing',
      body: 'the request has no body; it must hold a sensor descriptor',
    },
    {
      operation: 'attachSensor',
      send: post('{'),
      yields: 'bad-json',
      body: "the sensor descriptor is not valid JSON: line 1, column 2: expected property name or '}'",
    },
    {
      operation: 'attachSensor',
      send: post(Uint8Array.of(0x22, 0xff, 0x22)),
      yields: 'not-utf8',
      body: 'the sensor descriptor is not valid UTF-8: the byte at offset 1 does not fit',
    },
    {
      operation: 'attachSensor',
      send: post(' '.repeat(spaces)),
      yields: 'body-too-large',
      body: expect.stringMatching(/^the body is larger than the limit of \d+ bytes; raise it with --max-document$/),
    },
    {
      operation: 'attachSensor',
      send: post('{}'),
      yields: 'bad-sensor',
      body: wrong('the field Tap is missing; it must be the name of a tapping point'),
    },
    {
      operation: 'attachSensor',
      send: post('{"Tap":"sys.memroy"}'),
      yields: 'bad-sensor',
      body: wrong("/Tap: there is no tap 'sys.memroy' here; did you mean 'sys.memory'?"),
    },
    {
      operation: 'attachSensor',
      send: post(twice),
      yields: 'bad-sensor',
      body: wrong('/Activate: Intensity and Interval say the same in two ways; write one of them'),
    },
  ]
}

/** Declares the tests for a service with a document limit of 1 MiB or less. */
export function testSensorControl(url: () => string, first = 1, attached: readonly unknown[] = []): void {
  const rows = rowsOf(first, attached)
  test.each(
    rows.map((row, index) => [`${index + 1}. ${row.operation} ${row.path ?? ''} -> ${row.yields}`, row] as const),
  )('%s', async (_title, { path = '', send, yields, body }) => {
    const { status, text, headers } = await call(url(), `/1/control/sensor${path}`, send)
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
}
