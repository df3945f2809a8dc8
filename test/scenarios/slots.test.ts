// Models with several inputs and outputs: each slot has its own stream.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, restLines, startFleet } from './fleet.ts'
import { runnable } from './interpreters.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.engine.ok('DELETE /1/job'))
afterAll(() => fleet?.stop())

const annotations = (mark: string) => `${mark} pitot.schema.0: int
${mark} pitot.schema.2: string
${mark} pitot.schema.1: int
${mark} pitot.schema.3: string
${mark} pitot.action.2: shout
`
const models = {
  python3: `${annotations('#')}
def action(x, slot):
    yield (1, x * 10)

def shout(x):
    yield (3, x.upper())
`,
  javascript: `${annotations('//')}
export function action(x) { emit(x * 10) }
export function shout(x) { emit(x.toUpperCase(), 3) }
`,
  r: `${annotations('#')}
action <- function(x) emit(x * 10L)
shout <- function(x) emit(toupper(x), 3)
`,
}

interface Slot {
  readonly slot: number
  readonly schema: unknown
  readonly stream: { readonly total_records: number }
}

test.each(runnable(Object.entries(models)))('two inputs and two outputs of a %s model', async (language, source) => {
  const { engine, data } = fleet
  const words = { Transport: { Type: 'file', Path: `${data}/${language}.json` }, Encoding: 'json' }
  await engine.model(language, source)
  await engine.ok('PUT /1/job/stream/0', debugIn([1, 2]))
  await engine.ok('PUT /1/job/stream/1', debugOut)
  expect((await engine.status()).reason).toBe('a stream is missing for slot 2 and 3')
  await engine.ok('PUT /1/job/stream/3', words)
  await engine.ok('PUT /1/job/stream/2', debugIn(['"a"', '"b"']))
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['10', '20'])
  expect(await engine.json('POST /1/stream/sample', { ...words, Loop: false })).toEqual(['"A"', '"B"'])
  const { slots } = (await engine.json('GET /1/job/status?return=slots')) as { slots: Slot[] }
  expect(slots.map(({ slot, schema, stream }) => [slot, schema, stream.total_records])).toEqual([
    [0, 'int', 2],
    [1, 'int', 2],
    [2, 'string', 2],
    [3, 'string', 2],
  ])
})

test('round trips between slots, and records by slot', async () => {
  const { engine } = fleet
  await engine.model('javascript', models.javascript)
  for (const slot of [0, 1, 2, 3]) await engine.ok(`PUT /1/job/stream/${slot}`, restLines)
  expect((await engine.ok('POST /2/active/model/roundtrip/0/1', '4\n')).text).toBe('40\n')
  expect((await engine.ok('POST /2/active/model/roundtrip/2/3', '"x"\n')).text).toBe('"X"\n')
  await engine.ok('POST /1/job/input/2', '"y"\n')
  await expect.poll(async () => (await engine.send('GET /1/job/output/3')).text, { timeout: 10_000 }).toBe('"Y"\n')
  expect((await engine.send('GET /1/job/output/1')).status).toBe(202)
})
