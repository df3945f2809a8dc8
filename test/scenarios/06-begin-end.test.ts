// What a model does before the first record and after the last, and what it remembers in between.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, restLines, startFleet } from './fleet.ts'
import { runnable } from './interpreters.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())

const models = {
  python3: `
def begin():
    print('begins')
    for name in ('b1', 'b2', 'b3'):
        yield name

def action(x):
    yield x

def end():
    for name in ('e1', 'e2', 'e3'):
        yield name
`,
  javascript: `
export function* begin() { yield* ['b1', 'b2', 'b3'] }
export function action(x) { console.log(x); return x }
export function* end() { yield* ['e1', 'e2', 'e3'] }
`,
  r: `
begin <- function() for (name in c('b1', 'b2', 'b3')) emit(name)
action <- function(x) { cat('sees one\\n'); emit(x) }
end <- function() for (name in c('e1', 'e2', 'e3')) emit(name)
`,
  'pfa-pretty': `
input: string
output: string
method: emit
begin: emit("b1"); emit("b2"); emit("b3")
action: emit(input)
end: emit("e1"); emit("e2"); emit("e3")
`,
}
const printed: Readonly<Record<string, string>> = {
  python3: 'begins\n',
  javascript: 'x\ny\n',
  r: 'sees one\nsees one\n',
}

test.each(runnable(Object.entries(models)))('begin and end of a %s model emit', async (language, source) => {
  const { engine } = fleet
  const heard = await fleet.listen()
  await engine.model(language, source)
  await engine.output(debugOut)
  await engine.input(debugIn(['"x"', '"y"'], { Schema: 'string' }))
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['b1', 'b2', 'b3', 'x', 'y', 'e1', 'e2', 'e3'].map((s) => `"${s}"`))
  // What it printed has been told by then.
  await heard.first('output-eof')
  const told = heard.of('model-console').map((notification) => ('text' in notification ? notification.text : ''))
  expect(told.join('')).toBe(printed[language] ?? '')
})

test('a PFA document counts in a cell', async () => {
  const { engine } = fleet
  const counter = {
    input: 'string',
    output: 'int',
    cells: { count: { type: 'int', init: 0 } },
    action: {
      cell: 'count',
      to: { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } },
    },
  }
  await engine.model('pfa-json', JSON.stringify(counter))
  await engine.output(debugOut)
  await engine.input(debugIn(['"a"', '"b"', '"c"']))
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['1', '2', '3'])
})

test('two jets count each for themselves', async () => {
  const { engine } = fleet
  await engine.ok('DELETE /1/job')
  await engine.ok('POST /1/job/scale?n=2')
  const counter = `
let count = 0
export async function action() {
  await new Promise((resolve) => setTimeout(resolve, 10))
  return ++count
}`
  await engine.model('javascript', counter)
  await engine.output(restLines)
  await engine.input({ ...restLines, Batching: null })
  await engine.until(({ jets }) => jets.length === 2, 'two jets')
  await engine.ok('POST /1/job/input', `${'0\n'.repeat(40)}{"$pitot":"pig"}\n`)
  const counts = (await engine.linesUntilPig()).slice(0, -1).map(Number)
  expect(counts).toHaveLength(40)
  const { jets } = await engine.status()
  const shares = jets.map(({ total_consumed: consumed }) => consumed)
  expect(Math.min(...shares)).toBeGreaterThan(0)
  // Each jet has counted from 1 to what it was given.
  const expected = shares.flatMap((share) => Array.from({ length: share }, (_, index) => index + 1))
  expect(counts.toSorted((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b))
  await engine.ok('POST /1/job/scale?n=1')
})
