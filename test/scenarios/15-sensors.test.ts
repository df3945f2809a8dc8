// What can be seen of a job from outside while it runs: notifications, as a client that waits sees them, and sensors.
import type { Notification } from '@pitot/api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listen, type TestListener } from '../notifications.ts'
import { debugIn, debugOut, type Fleet, restLines, squarePfa, startFleet } from './fleet.ts'

let fleet: Fleet
let listener: TestListener
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())
beforeEach(async () => {
  await fleet.engine.ok('DELETE /1/job')
  listener = await listen(fleet.gateway.url, '/api/1/service/connect/1/notify')
})

function received<Type extends Notification['type']>(type: Type): Extract<Notification, { type: Type }>[] {
  return listener.received.filter((each): each is Extract<Notification, { type: Type }> => each.type === type)
}

const patience = { timeout: 20_000 }

test('eight sensors are there from the beginning, and report what goes in and out', async () => {
  const { engine } = fleet
  const attached = (await engine.json('GET /1/control/sensor')) as { id: number; tap: string; active: boolean }[]
  expect(attached).toHaveLength(8)
  expect(attached.map(({ tap }) => tap)).toEqual(
    [1, 0].flatMap((slot) =>
      ['records.size', 'records.rejected.by.encoding', 'records.count', 'records.rejected.by.schema'].map(
        (point) => `manifold.${slot}.${point}`,
      ),
    ),
  )
  expect(attached.every(({ active }) => active)).toBe(true)
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model('pfa+json', squarePfa)
  await engine.ok('POST /1/job/input', '1\n2\nfoo\n1.5\n3\n')
  const sum = (tap: string) =>
    received('sensor-report')
      .filter((report) => report.tap === tap)
      .reduce((total, { data }) => total + Number(data), 0)
  await expect.poll(() => sum('manifold.1.records.count'), patience).toBe(3)
  await expect.poll(() => sum('manifold.0.records.count'), patience).toBe(5)
  await expect.poll(() => sum('manifold.0.records.rejected.by.encoding'), patience).toBe(1)
  await expect.poll(() => sum('manifold.0.records.rejected.by.schema'), patience).toBe(1)
  expect(sum('manifold.1.records.size')).toBe('149'.length)
})

test('a client that waits sees the end of the output', async () => {
  const { engine } = fleet
  // In the order of the published client: out, in, model.
  await engine.output(debugOut)
  await engine.input(debugIn([1, 2, 3]))
  await engine.model('pfa+json', squarePfa)
  await expect.poll(() => received('output-eof').length, patience).toBe(1)
  expect(received('output-eof')[0]).toMatchObject({ src: 'engine-1', timestamp: expect.stringMatching(/T.*Z$/) })
  expect(received('engine-state').map(({ state }) => state)).toEqual(
    expect.arrayContaining(['running', 'finishing', 'finished']),
  )
  // What it prints next must be there by then.
  expect(await engine.debugOutput()).toEqual(['1', '4', '9'])
})

test('what a model prints, what it rejects and what goes to the console are heard before the end', async () => {
  const { engine } = fleet
  await engine.output({ Transport: 'console', Encoding: 'json' })
  await engine.input(debugIn(['1', 'foo', '2']))
  await engine.model('python3', 'def action(x):\n    print("sees", x)\n    yield x\n', 'talker')
  await expect.poll(() => received('output-eof').length, patience).toBe(1)
  const text = received('model-console').map((each) => each.text)
  expect(text.join('')).toBe('sees 1\nsees 2\n')
  expect(received('output-report').flatMap(({ outputs }) => outputs)).toEqual(['1', '2'])
  expect(received('output-report')[0]).toMatchObject({ model: 'talker', skipped: 0 })
  expect(received('rejected-data-report')).toMatchObject([{ stream: 'input', reason: 'encoding', records: ['foo'] }])
})

test('a model that prints without end is heard in part, and told so', async () => {
  const { engine } = fleet
  await engine.output({ Transport: 'discard', Encoding: 'json' })
  await engine.input(debugIn(Array.from({ length: 5000 }, (_, n) => n)))
  await engine.model('python3', 'def action(x):\n    print("line", x)\n    print("another")\n')
  await expect.poll(() => received('output-eof').length, patience).toBe(1)
  const skipped = received('model-console').reduce((sum, each) => sum + (each.skipped ?? 0), 0)
  expect(received('model-console').length).toBeLessThan(1000)
  expect(skipped).toBeGreaterThanOrEqual(0)
})

test('taps of slots and jets are offered, in both spellings, and can be watched', async () => {
  const { engine } = fleet
  const available = (await engine.json('GET /1/control/sensor/available')) as string[]
  expect(available).toEqual(
    expect.arrayContaining([
      'manifold.0.latency',
      'manifold.0.profile',
      'manifold.0.raw.size',
      'manifold.0.records',
      'manifold.1.records.count',
      'manifold.deadlock',
      'manifold.input.records.count',
      'manifold.output.records.size',
      'manifold.queue',
      'sys.memory',
    ]),
  )
  const attach = async (descriptor: object): Promise<number> =>
    ((await engine.json('POST /1/control/sensor', descriptor)) as { id: number }).id
  const records = await attach({ Tap: 'manifold.input.records' })
  const latency = await attach({ Tap: 'manifold.0.latency', Aggregate: 'count', Report: { Interval: 0.5 } })
  const deadlock = await attach({
    Tap: 'manifold.deadlock',
    Activate: { Type: 'regular', Interval: 0.2 },
    Aggregate: null,
  })
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model('pfa+json', squarePfa)
  const { jets } = await engine.status()
  const taps = (await engine.json('GET /1/control/sensor/available')) as string[]
  expect(taps).toContain(`jet.${jets[0]!.sandbox}.input.records.count`)
  await engine.ok('POST /1/job/input', '7\n8\n')
  const data = (sensor: number) => received('sensor-report').flatMap(({ id, data }) => (id === sensor ? [data] : []))
  await expect.poll(() => data(records).flat(), patience).toEqual(['7', '8'])
  await expect.poll(() => data(latency)[0], patience).toBeGreaterThan(0)
  await expect.poll(() => data(deadlock)[0], patience).toBe('ok')
  for (const id of [records, latency, deadlock])
    expect(await engine.says(`DELETE /1/control/sensor/${id}`)).toEqual([204, ''])
})

test('a sensor that is attached while records flow tells of those that come from then on', async () => {
  const { engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model('pfa+json', squarePfa)
  await engine.ok('POST /1/job/input', '10\n20\n{"$pitot":"pig"}\n')
  await engine.linesUntilPig()
  const points = ['0.raw.size', '0.records.size', '1.raw.size', '1.records.size']
  const ids: number[] = []
  for (const point of points) {
    const descriptor = { Tap: `manifold.${point}`, Aggregate: 'sum', Report: { Interval: 0.2 } }
    ids.push(((await engine.json('POST /1/control/sensor', descriptor)) as { id: number }).id)
  }
  await engine.ok('POST /1/job/input', '5\n')
  const sums = () =>
    ids.map((sensor) => received('sensor-report').flatMap(({ id, data }) => (id === sensor ? [data] : [])))
  await expect.poll(sums, patience).toEqual([[2], [1], [3], [2]])
  for (const id of ids) await engine.ok(`DELETE /1/control/sensor/${id}`)
})

test('what sensors see is in the metrics too', async () => {
  const { engine } = fleet
  await engine.output(debugOut)
  await engine.input(debugIn(['1', 'foo', '3']))
  await engine.model('pfa+json', squarePfa)
  await engine.finished()
  const { text } = await engine.ok('GET /metrics')
  expect(text).toContain('pitot_slot_records_total{slot="1",direction="output"} 2')
  expect(text).toContain('pitot_slot_rejected_total{slot="0",direction="input",by="encoding"} 1')
  expect(text).toContain('pitot_slot_record_bytes_total{slot="0",direction="input"} 5')
  expect(text).toContain('pitot_slot_record_bytes_total{slot="1",direction="output"} 2')
  expect(text).toMatch(/^pitot_jet_consumed_bytes_total\{jet="\d+"\} 5$/m)
  expect(text).toMatch(/^pitot_jet_produced_bytes_total\{jet="\d+"\} 2$/m)
  expect(text).toMatch(/pitot_queue_items 0/)
  expect(text).toMatch(/pitot_latency_seconds_total\{slot="0"\} \S+/)
})
