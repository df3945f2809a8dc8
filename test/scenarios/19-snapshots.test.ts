// What a model has learned is stored at the end of its stream, and can be taken up again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, modelType, startFleet } from './fleet.ts'
import { runnable } from './interpreters.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())

interface Snapshot {
  readonly id: string
  readonly created_on: string
  readonly type: string
  readonly size: number
}

const models = {
  python3: `
# fastscore.snapshots: eof
import fastscore

def begin():
    if fastscore.cells('sum').get() is None:
        fastscore.cells('sum').set(0)

def action(x):
    yield fastscore.cells('sum').update(lambda old: old + x)
`,
  r: `
# fastscore.snapshots: eof
begin <- function() if (is.null(Get(Cell('sum')))) Set(Cell('sum'), 0)
action <- function(x) emit(Update(Cell('sum'), function(old) old + x))
`,
  'pfa-json': JSON.stringify({
    input: 'int',
    output: 'int',
    metadata: { snapshots: 'eof' },
    cells: { sum: { type: 'int', init: 0 } },
    action: { cell: 'sum', to: { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 'input'] } } },
  }),
}

test.each(runnable(Object.entries(models)))('a sum in %s goes on where it was', async (language, source) => {
  const { engine, modelManage } = fleet
  const name = `sum-${language}`
  await modelManage.ok(`PUT /1/model/${name}`, source, modelType(language))
  const run = async (...records: number[]) => {
    await engine.model(language, source, name)
    await engine.output(debugOut)
    await engine.input(debugIn(records))
    await engine.finished()
    return (await engine.debugOutput()).map(Number)
  }
  const snapshots = (): Promise<Snapshot[]> => modelManage.json(`GET /1/model/${name}/snapshot`)

  await engine.ok('DELETE /1/job')
  expect(await run(1, 2, 3)).toEqual([1, 3, 6])
  const [first] = await snapshots()
  expect(first).toMatchObject({
    id: expect.any(String),
    created_on: expect.stringMatching(/T.*Z$/),
    size: expect.any(Number),
  })
  await engine.ok('DELETE /1/job')
  expect(await run(100)).toEqual([100])
  const all = await snapshots()
  expect(all).toHaveLength(2)
  expect(all[1]).toEqual(first)
  expect(await modelManage.json(`GET /1/model/${name}/snapshot?count=1`)).toEqual([all[0]])

  // By the beginning of its id.
  const contents = await modelManage.ok(`GET /1/model/${name}/snapshot/${first!.id.slice(0, 12)}/contents`)
  await engine.ok('DELETE /1/job')
  expect(
    (await engine.send('PUT /1/job/state', contents.body, { 'content-type': 'application/octet-stream' })).status,
  ).toBe(204)
  expect(await run(4)).toEqual([10])

  // Before or after the model is loaded.
  await engine.ok('DELETE /1/job')
  await engine.model(language, source, name)
  await engine.ok('PUT /1/job/model/state', contents.body)
  await engine.output(debugOut)
  await engine.input(debugIn([14]))
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['20'])

  expect((await modelManage.send(`DELETE /1/model/${name}/snapshot/${first!.id}`)).status).toBe(204)
  expect((await modelManage.send(`GET /1/model/${name}/snapshot/${first!.id}/contents`)).status).toBe(404)
})

test('what is no snapshot is refused', async () => {
  expect((await fleet.engine.send('PUT /1/job/state', 'nonsense')).status).toBe(403)
})
