// Schemas that are stored, and refer to each other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, modelType, startFleet } from './fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
  const { modelManage } = fleet
  await modelManage.ok('PUT /1/schema/a1', {
    type: 'record',
    name: 'A',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'b', type: { $ref: 'b1' } },
    ],
  })
  await modelManage.ok('PUT /1/schema/b1', { type: 'array', items: { $ref: 'urn:fastscore:schema:c1' } })
  await modelManage.ok('PUT /1/schema/c1', { type: 'array', items: 'double' })
  await modelManage.ok('PUT /1/schema/dangling', { type: 'array', items: { $ref: 'nowhere' } })
  await modelManage.ok('PUT /1/schema/circle', { type: 'array', items: { $ref: 'circle' } })
})
afterAll(() => fleet?.stop())

const sum = `
# fastscore.input: a1
# fastscore.output: double
def action(record):
    yield float(sum(x for row in record['b'] for x in row))
`

test('are followed, wherever they stand', async () => {
  const { engine } = fleet
  await engine.model('python3', sum)
  await engine.output({ ...debugOut, Schema: 'double' })
  const records = [
    { id: 1, b: [[1.5, 2], [3]] },
    { id: 2, b: [] },
    { id: 3, b: [['x']] },
  ]
  await engine.input(debugIn(records, { Schema: { $ref: 'a1' } }))
  const status = await engine.finished()
  expect(await engine.debugOutput()).toEqual(
    ['6.5', '0.0'].map((text) => expect.stringMatching(new RegExp(`^${Number(text)}(\\.0)?$`))),
  )
  expect(status.input?.rejected).toEqual({ by_encoding: 0, by_schema: 1, by_model: 0 })
  expect(await engine.json('GET /1/job/status?return=model')).toMatchObject({
    model: { input_schema: { type: 'record', name: 'A' }, output_schema: 'double' },
  })
})

const missing: [title: string, schema: unknown, sentence: RegExp][] = [
  ['a reference', { $ref: 'nowhere' }, /nowhere/],
  ['a name', 'nowhere', /nowhere/],
  ['one inside of a stored schema', { $ref: 'dangling' }, /nowhere/],
  ['a circle', { $ref: 'circle' }, /circle/],
]
test.each(missing)('%s that leads nowhere is an error', async (_title, Schema, sentence) => {
  const { engine } = fleet
  const answer = await engine.says('PUT /1/job/stream/in', debugIn([1], { Schema }))
  expect(answer).toEqual([400, expect.stringMatching(sentence)])
})

test('also in the annotations of a model', async () => {
  const { engine } = fleet
  const source = '# pitot.input: nowhere\ndef action(x):\n    yield x\n'
  expect(await engine.says('PUT /1/job/model', source, modelType('python3'))).toEqual([
    400,
    expect.stringMatching(/^schema 'nowhere' not found; /),
  ])
})
