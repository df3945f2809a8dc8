// Types are held to: between streams and models before anything runs, and record by record after that.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, modelType, squarePfa, startFleet } from './fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.engine.ok('DELETE /1/job'))
afterAll(() => fleet?.stop())

const typed = '# pitot.input: string\n# pitot.output: int\ndef action(x):\n    yield len(x)\n'

test('a model that takes something else than its stream carries is refused', async () => {
  const { engine } = fleet
  await engine.input(debugIn([1, 2], { Schema: 'int' }))
  await engine.output(debugOut)
  const [status, sentence] = await engine.says('PUT /1/job/model', typed, modelType('python3'))
  expect([status, sentence]).toEqual([
    400,
    expect.stringMatching(/^the input schemas of stream and model do not fit: .*int/),
  ])
  expect(await engine.status()).toMatchObject({ state: 'init', model: null, jets: [] })
})

test('so is a stream, when the model was there first', async () => {
  const { engine } = fleet
  await engine.model('python3', typed)
  expect(await engine.says('PUT /1/job/stream/in', debugIn([1], { Schema: 'int' }))).toEqual([
    400,
    expect.stringMatching(/^the input schemas of stream and model do not fit: /),
  ])
  expect(await engine.says('PUT /1/job/stream/out', { ...debugOut, Schema: 'string' })).toEqual([
    400,
    expect.stringMatching(/^the output schemas of stream and model do not fit: /),
  ])
  expect(await engine.status()).toMatchObject({ state: 'init', input: null, output: null, jets: [] })
})

test('records that are none, or not of the type, are put aside with their reason; the others are scored', async () => {
  const { engine } = fleet
  const heard = await fleet.listen()
  await engine.model('pfa-json', squarePfa)
  await engine.output({ ...debugOut, Schema: 'int' })
  await engine.input(debugIn(['1', 'foo', '2', '1.5', '3'], { Schema: 'int' }))
  const status = await engine.finished()
  expect(await engine.debugOutput()).toEqual(['1', '4', '9'])
  expect(status.input).toMatchObject({ total_records: 5, rejected: { by_encoding: 1, by_schema: 1, by_model: 0 } })
  expect(status.output).toMatchObject({ total_records: 3 })
  const rejected = await engine.json('GET /1/job/rejected')
  expect(rejected).toEqual([
    expect.objectContaining({
      slot: 0,
      step: 'encoding',
      record: 'foo',
      base64: false,
      time: expect.stringMatching(/Z$/),
    }),
    expect.objectContaining({ slot: 0, step: 'schema', record: '1.5', reason: expect.stringMatching(/int/) }),
  ])
  expect(await engine.json('GET /1/job/rejected?step=schema')).toEqual([rejected[1]])
  expect(await engine.json('GET /1/job/rejected?limit=1')).toEqual([rejected[1]])
  expect(await engine.json('GET /1/job/rejected?slot=1')).toEqual([])
  await heard.first('output-eof')
  expect(heard.of('rejected-data-report')).toEqual([
    expect.objectContaining({ src: 'engine-1', stream: 'input', reason: 'encoding', records: ['foo'], skipped: 0 }),
    expect.objectContaining({ stream: 'input', reason: 'schema', records: ['1.5'] }),
  ])
})

const sometimesWrong = `# pitot.output: int
def action(x):
    yield 'wrong' if x == 2 else x
`
test.each(['python3', 'javascript'])('an output of another type is dropped and told of: %s', async (language) => {
  const { engine } = fleet
  const source =
    language === 'python3'
      ? sometimesWrong
      : '// pitot.output: int\nexport const action = (x) => x === 2 ? "wrong" : x\n'
  await engine.model(language, source)
  await engine.output(debugOut)
  await engine.input(debugIn([1, 2, 3]))
  const status = await engine.finished()
  expect(await engine.debugOutput()).toEqual(['1', '3'])
  expect(status.output?.rejected.by_schema).toBe(1)
  expect(await engine.json('GET /1/job/rejected')).toEqual([
    expect.objectContaining({ slot: 1, step: 'schema', record: '"wrong"' }),
  ])
})

test('a model that raises loses that record alone', async () => {
  const { engine } = fleet
  await engine.model('python3', 'def action(x):\n    yield 10 // x\n')
  await engine.output(debugOut)
  await engine.input(debugIn([1, 0, 2]))
  const status = await engine.finished()
  expect(await engine.debugOutput()).toEqual(['10', '5'])
  expect(status.input?.rejected.by_model).toBe(1)
  const [rejected] = await engine.json('GET /1/job/rejected')
  expect(rejected).toMatchObject({ step: 'model', record: '0', reason: expect.stringContaining('ZeroDivisionError') })
  expect(rejected.trace).toMatch(/line 2/)
})
