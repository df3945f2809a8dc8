// Record sets: what stands between two `set` records is one frame for the model, and one for whoever reads.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fleet, restLines, startFleet } from './fleet.ts'
import { describePython, describeR } from './interpreters.ts'

const set = /^\{"\$\w+":"set"\}$/
const records = [
  { x: 1, y: 2 },
  { x: 3, y: 4 },
]
const more = [{ x: 10, y: 20 }]
const text = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

async function conversation(fleet: Fleet, language: string, source: string): Promise<string[]> {
  const { engine } = fleet
  await engine.ok('DELETE /1/job')
  await engine.output({ ...restLines, Batching: 'explicit' })
  await engine.input({ ...restLines, Batching: 'explicit' })
  await engine.model(language, source)
  expect(await engine.json('GET /1/job/status?return=model')).toMatchObject({ model: { recordsets: 'both' } })
  const end = '{"$fastscore":"set"}\n'
  await engine.ok('POST /1/job/input', `${text(records)}${end}${text(more)}${end}{"$fastscore":"pig"}\n`)
  return engine.linesUntilPig()
}

function expectSets(lines: string[]): void {
  const rows = lines.map((line) => (set.test(line) ? 'set' : line.includes('pig') ? 'pig' : JSON.parse(line)))
  expect(rows).toEqual([
    { x: 1, y: 2, z: 3, rows: 2 },
    { x: 3, y: 4, z: 7, rows: 2 },
    'set',
    { x: 10, y: 20, z: 30, rows: 1 },
    'set',
    'pig',
  ])
}

describePython('in Python', (python) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await startFleet({ python })
  })
  afterAll(() => fleet?.stop())

  test('a data frame comes in, a data frame goes out', async () => {
    const source = `
# fastscore.recordsets: both
def action(frame):
    frame['z'] = frame['x'] + frame['y']
    frame['rows'] = len(frame)
    yield frame
`
    expectSets(await conversation(fleet, 'python3', source))
  })
})

describeR('in R', (rscript) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await startFleet({ rscript })
  })
  afterAll(() => fleet?.stop())

  test('a data frame comes in, a data frame goes out', async () => {
    const source = `
# fastscore.recordsets: both
action <- function(frame) {
  frame$z <- frame$x + frame$y
  frame$rows <- nrow(frame)
  emit(frame)
}
`
    expectSets(await conversation(fleet, 'r', source))
  })
})
