// Sensors of Model Manage, seen as a client of the fleet sees them: through the gateway, with real time.
import type { Notification } from '@pitot/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './http.ts'
import { listen } from './notifications.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { temporaryFolder } from './service-options.ts'

const data = temporaryFolder()
let pitot: PitotProcess

function start(): Promise<PitotProcess> {
  const free = ['gateway', 'connect', 'model-manage', 'engine'].flatMap((service) => [`--${service}-port`, '0'])
  return startPitot(['up', '--data', data, '--log-level', 'error', ...free])
}

beforeAll(async () => {
  pitot = await start()
})
afterAll(() => pitot?.end())

const control = '/api/1/service/model-manage-1/1/control/sensor'
const ask = async (path = '', method = 'GET', body?: object) => {
  const answer = await call(pitot.urls.gateway!, `${control}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return {
    status: answer.status,
    body: answer.headers['content-type'] === 'application/json' ? JSON.parse(answer.text) : answer.text,
  }
}
const attach = async (descriptor: object): Promise<number> => {
  const { status, body } = await ask('', 'POST', descriptor)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id
}
const notify = (query = '') => listen(pitot.urls.gateway!, `/api/1/service/connect/1/notify${query}`)
const dataOf = (received: readonly Notification[], sensor: number) =>
  received.flatMap((message) => (message.type === 'sensor-report' && message.id === sensor ? [message.data] : []))
const regular = (Interval: number) => ({ Type: 'regular', Interval })

test('scenario 15: sensors are listed, attached, reported, described and detached', async () => {
  const available = await ask('/available')
  expect(available.status).toBe(200)
  expect(available.body).toEqual(expect.arrayContaining(['sys.memory', 'sys.cpu.utilization', 'sys.test.int']))
  expect(await ask()).toEqual({ status: 200, body: [] })
  const { received } = await notify()

  const memory = await attach({ Tap: 'sys.memory', Activate: regular(0.5), Report: { Interval: 3 } })
  const Filter = { Type: '>=', Threshold: '1000G' }
  const never = await attach({ Tap: 'sys.memory', Activate: regular(0.1), Filter })
  const always = await attach({ Tap: 'sys.memory', Activate: regular(0.5), Filter: { Type: '>=', Threshold: '1M' } })
  const random = await attach({ Tap: 'sys.test.int', Activate: { Type: 'random', Intensity: 20 }, Aggregate: null })
  const permanent = await attach({ Tap: 'sys.cpu.utilization' })
  expect([memory, never, always, random, permanent]).toEqual([1, 2, 3, 4, 5])

  const list = (await ask()).body as { id: number; tap: string; active: boolean }[]
  expect(list.map(({ id, tap }) => [id, tap])).toEqual([
    [1, 'sys.memory'],
    [2, 'sys.memory'],
    [3, 'sys.memory'],
    [4, 'sys.test.int'],
    [5, 'sys.cpu.utilization'],
  ])
  expect(list.map(({ active }) => active)).toEqual([false, false, false, false, true])
  expect((await ask('/1')).body).toEqual({ id: 1, tap: 'sys.memory', permanent: false })
  expect((await ask('/5')).body).toEqual({ id: 5, tap: 'sys.cpu.utilization', permanent: true })

  await expect.poll(() => dataOf(received, memory).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2)
  for (const readings of dataOf(received, memory).slice(0, 2) as number[][]) {
    expect(readings).toHaveLength(6)
    expect(readings.every((bytes) => Number.isInteger(bytes) && bytes > 1e7)).toBe(true)
  }
  expect(dataOf(received, never)).toEqual([])
  expect(dataOf(received, always).length).toBeGreaterThan(2)
  expect(dataOf(received, random).every((value) => Number.isInteger(value))).toBe(true)
  expect(dataOf(received, random).length).toBeGreaterThan(10)
  expect(dataOf(received, permanent)[0]).toEqual([{ kernel: expect.any(Number), user: expect.any(Number) }])
  const report = received.find((message) => message.type === 'sensor-report' && message.id === memory)
  expect(report).toEqual({
    src: 'model-manage-1',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    type: 'sensor-report',
    id: memory,
    tap: 'sys.memory',
    data: expect.any(Array),
    delta_time: expect.any(Number),
  })

  expect((await ask('/3', 'DELETE')).status).toBe(204)
  expect((await ask('/3', 'DELETE')).status).toBe(404)
  expect((await ask('/3')).status).toBe(404)
  const before = dataOf(received, always).length
  const seen = dataOf(received, random).length
  await expect.poll(() => dataOf(received, random).length, { timeout: 20_000 }).toBeGreaterThan(seen + 20)
  // One may have been under way.
  expect(dataOf(received, always).length).toBeLessThanOrEqual(before + 1)
}, 60_000)

test.each([
  [{}, 'the field Tap is missing'],
  [{ Tap: 'sys.memoru' }, "there is no tap 'sys.memoru' here; did you mean 'sys.memory'?"],
  [
    { Tap: 'sys.memory', Activate: { Type: 'regular', Intensity: 1, Interval: 1 } },
    '/Activate: Intensity and Interval',
  ],
  [{ Tap: 'sys.memory', Activate: { Type: 'often' } }, '/Activate/Type: "often" is not allowed'],
  [{ Tap: 'sys.memory', Filter: { Type: '=>', Threshold: 1 } }, '/Filter/Type: "=>" is not allowed'],
  [{ Tap: 'sys.memory', Agregate: 'sum' }, "did you mean 'Aggregate'?"],
])('scenario 15: %j is 400', async (descriptor, part) => {
  const { status, body } = await ask('', 'POST', descriptor)
  expect(status).toBe(400)
  expect(body).toContain(part)
})

test('sensors are there again after the process was killed, and report', async () => {
  const before = (await ask()).body as { id: number; tap: string }[]
  expect(before.length).toBeGreaterThan(0)
  await pitot.end('SIGKILL')
  pitot = await start()
  const after = (await ask()).body as { id: number; tap: string }[]
  expect(after.map(({ id, tap }) => [id, tap])).toEqual(before.map(({ id, tap }) => [id, tap]))
  const { received } = await notify('?type=sensor-report&src=model-manage-1')
  await expect
    .poll(() => new Set(received.map((message) => (message as { id: number }).id)).size, { timeout: 20_000 })
    .toBe(3)
  const pneumo = await call(pitot.urls.connect!, '/2/pneumo?type=sensor-report')
  expect(JSON.parse(pneumo.text).length).toBeGreaterThan(0)
  expect(await attach({ Tap: 'sys.memory' })).toBe(6)
}, 60_000)
