// Model and streams may be set in any order; the job starts with the last of them.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, modelType, squarePfa, startFleet } from './fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.engine.ok('DELETE /1/job'))
afterAll(() => fleet?.stop())

type Part = 'model' | 'input' | 'output'
const requests: Readonly<Record<Part, [request: string, body: string | object, headers?: Record<string, string>]>> = {
  model: ['PUT /1/job/model', squarePfa, { ...modelType('pfa-json') }],
  input: ['PUT /1/job/stream/in', debugIn([1, 2, 3])],
  output: ['PUT /1/job/stream/out', debugOut],
}
const orders: Part[][] = [
  ['model', 'input', 'output'],
  ['model', 'output', 'input'],
  ['input', 'model', 'output'],
  ['input', 'output', 'model'],
  ['output', 'input', 'model'],
  ['output', 'model', 'input'],
]

test.each(orders)('%s, %s, %s', async (...order) => {
  const { engine } = fleet
  const set = new Set<Part>()
  for (const part of order) {
    const status = await engine.status()
    expect(status).toMatchObject({ state: 'init', jets: [] })
    for (const section of ['model', 'input', 'output'] as const) {
      expect(status[section] !== null, `${section} after ${[...set].join(', ') || 'nothing'}`).toBe(set.has(section))
    }
    const [request, body, headers] = requests[part]
    expect((await engine.send(request, body, headers)).status).toBe(204)
    set.add(part)
  }
  const status = await engine.finished()
  expect(status).toMatchObject({ input: { eof: true, total_records: 3 }, output: { total_records: 3 } })
  expect(await engine.debugOutput()).toEqual(['1', '4', '9'])
})

test('after the end of a job, all three are needed again', async () => {
  const { engine } = fleet
  const put = async (part: Part) => {
    const [request, body, headers] = requests[part]
    await engine.ok(request, body, headers)
  }
  for (const part of ['output', 'input', 'model'] as const) await put(part)
  await engine.finished()
  await put('model')
  await put('output')
  expect((await engine.status()).state).toBe('init')
  await put('input')
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['1', '4', '9'])
})
