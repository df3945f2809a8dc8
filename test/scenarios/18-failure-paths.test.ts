// What can go wrong, goes wrong with a sentence, and leaves the engine ready for the next try.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, modelType, squarePython, startFleet } from './fleet.ts'
import { runnable } from './interpreters.ts'
import { formParts, inlineAttachment, multipart } from './multipart.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.engine.ok('DELETE /1/job'))
afterAll(() => fleet?.stop())

const models: [title: string, language: string, source: string, sentence: RegExp][] = [
  [
    'a Python model that is no Python',
    'python3',
    'def action(x:\n    yield x\n',
    /^the model cannot be used: .*line 1/,
  ],
  ['a Python 2 model that does not compile today', 'python2', 'print "x"\ndef action(x):\n    yield x\n', /Python 3/],
  ['a Python model without action', 'python3', 'def act(x):\n    yield x\n', /action/],
  ['a Python model that imports what is not there', 'python3', 'import no_such_library\n', /no_such_library/],
  [
    'a JavaScript model that is no JavaScript',
    'javascript',
    'export function action(x { }\n',
    /^the model cannot be used: /,
  ],
  ['a JavaScript model without action', 'javascript', 'export const act = 1\n', /action/],
  ['a JavaScript model that imports what is not there', 'javascript', "import 'no-such-library'\n", /no-such-library/],
  ['an R model that is no R', 'r', 'action <- function(x {\n', /^the model cannot be used: /],
  ['an R model without action', 'r', 'act <- function(x) 1\n', /action/],
  ['a PFA document that is no JSON', 'pfa-json', '{"input": ', /^the model cannot be used: /],
  ['a PFA document of the wrong types', 'pfa-json', '{"input":"string","output":"int","action":"input"}', /string|int/],
  [
    'a PFA document with an unknown function',
    'pfa-pretty',
    'input: int\noutput: int\naction: nothing(input)\n',
    /nothing/,
  ],
  [
    'a model whose begin raises',
    'python3',
    'def begin():\n    raise ValueError("no begin")\ndef action(x):\n    yield x\n',
    /no begin/,
  ],
]

describe('a model is refused', () => {
  test.each(runnable(models, 1))('%s', async (_title, language, source, sentence) => {
    const { engine } = fleet
    await engine.input(debugIn([1]))
    await engine.output(debugOut)
    const [status, text] = await engine.says('PUT /1/job/model', source, modelType(language))
    expect([status, text]).toEqual([400, expect.stringMatching(sentence)])
    expect(text).not.toMatch(/\n/)
    expect((await engine.status()).jets).toEqual([])
  })

  test('a corrupt archive', async () => {
    const parts = formParts({ name: 'm', type: 'application/vnd.pitot.model-python3', source: squarePython }, [
      inlineAttachment('broken.zip', 'application/zip', Buffer.from('PK\u0003\u0004 this is no archive')),
    ])
    const { body, headers } = multipart('form-data', parts)
    expect(await fleet.engine.says('PUT /1/job/model', body, headers)).toEqual([
      400,
      expect.stringMatching(/broken\.zip/),
    ])
  })
})

const streams: [title: string, descriptor: string | object, sentence: RegExp][] = [
  ['no JSON', '{"Transport": ', /^the stream descriptor is not valid JSON: line 1, column 15/],
  [
    'an unknown transport',
    { Transport: 'pigeon' },
    /^the stream descriptor is not right: \/Transport: "pigeon" is not allowed/,
  ],
  ['a loop over TCP', { Transport: { Type: 'TCP', Host: '127.0.0.1', Port: 1 }, Loop: true }, /Loop/],
  ['a file that is not there', { Transport: { Type: 'file', Path: '/no/such/file' } }, /\/no\/such\/file/],
  ['an executable that is not allowed', { Transport: { Type: 'exec', Run: '/bin/true' } }, /--allow-exec/],
]
describe('a stream is refused', () => {
  test.each(streams)('%s', async (_title, descriptor, sentence) => {
    expect(await fleet.engine.says('PUT /1/job/stream/in', descriptor)).toEqual([400, expect.stringMatching(sentence)])
  })
})

const picky = 'def action(x):\n    if x == 3:\n        raise ValueError("three!")\n    yield x\n'

test('where errors are to stop the job, they stop it; deleting the job makes way for the next', async () => {
  const { engine } = fleet
  await engine.model('python3', picky)
  await engine.output(debugOut)
  await engine.input(debugIn([1, 2, 3, 4], { OnError: 'fail', Batching: null }))
  const status = await engine.until(({ state }) => state === 'error', 'the error')
  expect(status.reason).toMatch(/three!/)
  expect((await engine.debugOutput()).slice(0, 2)).toEqual(['1', '2'])
  expect(await engine.debugOutput()).not.toContain('4')

  await engine.ok('DELETE /1/job')
  expect(await engine.status()).toMatchObject({ state: 'init', reason: null, model: null })
  await engine.model('python3', squarePython)
  await engine.output(debugOut)
  await engine.input(debugIn([5]))
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['25'])
})

test('rejected records can be sent elsewhere', async () => {
  const { engine, data } = fleet
  const Path = `${data}/dead-letters.json`
  await engine.model('python3', picky)
  await engine.output(debugOut)
  const DeadLetter = { Transport: { Type: 'file', Path }, Encoding: 'json' }
  await engine.input(debugIn([1, 3, 4], { OnError: 'dead-letter', DeadLetter }))
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['1', '4'])
  const letters = await engine.json('POST /1/stream/sample', {
    Transport: { Type: 'file', Path },
    Loop: false,
    Encoding: 'json',
  })
  expect(letters).toHaveLength(1)
  expect(letters[0]).toMatch(/three!/)
})
