import { PitotError } from '@pitot/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { debugInput, leftOf, trying } from './trying.ts'

const good = { input: debugInput(['1']), type: 'javascript', model: 'export const action = (x) => x\n' }
const { input: _input, ...withoutInput } = good
const archive = { name: 'a.zip', type: 'zip', data: 'UEs=' }

const rows: [title: string, body: unknown, code: string, sentence: string][] = [
  ['nothing', '', 'body-missing', 'an object with input, output, type, model, attachments'],
  ['no JSON', '{"input": }', 'bad-json', 'the request is not valid JSON: line 1, column 11'],
  ['no object', '[]', 'bad-trial', 'the request is a list, but must be an object'],
  [
    'a field that is not known',
    { ...good, inptu: {} },
    'bad-trial',
    "there is no field 'inptu' here; did you mean 'input'?",
  ],
  ['no input', withoutInput, 'bad-trial', '/input is missing; it must be a stream descriptor'],
  [
    'an input that is a number',
    { ...good, input: 3 },
    'bad-trial',
    '/input is a number, but must be a stream descriptor',
  ],
  [
    'an output that is a list',
    { ...good, output: [] },
    'bad-trial',
    '/output is a list, but must be a stream descriptor',
  ],
  [
    'a stream that is not stored',
    { ...good, input: 'four' },
    'stream-failed',
    "Model Manage has no stream 'four', which /input names",
  ],
  ['half a descriptor as text', { ...good, input: '{"Transport"' }, 'bad-json', 'the input stream is not valid JSON'],
  [
    'no type',
    { ...good, type: undefined },
    'bad-trial',
    '/type is missing; it must be the content type of the model, or its language',
  ],
  ['an unknown type', { ...good, type: 'pyhton' }, 'bad-model-type', "did you mean 'python'?"],
  [
    'a type that does not run',
    { ...good, type: 'sas' },
    'language-not-run',
    'models in sas are stored but cannot be run',
  ],
  ['no model', { ...good, model: undefined }, 'bad-trial', '/model is missing; it must be the source of the model'],
  [
    'a model that is no text',
    { ...good, model: {} },
    'bad-trial',
    '/model is an object, but must be a text: the source of the model',
  ],
  ['an empty model', { ...good, model: '' }, 'body-missing', 'the source of the model'],
  [
    'attachments that are no list',
    { ...good, attachments: {} },
    'bad-trial',
    '/attachments is an object, but must be a list',
  ],
  [
    'an attachment that is a text',
    { ...good, attachments: ['x'] },
    'bad-trial',
    '/attachments/0 is a string, but must be an object',
  ],
  [
    'an attachment without name',
    { ...good, attachments: [{ ...archive, name: null }] },
    'bad-trial',
    '/attachments/0/name is null, but must be a text',
  ],
  [
    'an attachment of another kind',
    { ...good, attachments: [{ ...archive, type: 'rar' }] },
    'bad-trial',
    "/attachments/0/type is 'rar', but must be 'zip' or 'tgz'",
  ],
  [
    'an attachment without data',
    { ...good, attachments: [{ ...archive, data: undefined }] },
    'bad-trial',
    '/attachments/0/data is missing; it must be the archive in base64',
  ],
  [
    'an attachment that is no base64',
    { ...good, attachments: [{ ...archive, data: 'a$b' }] },
    'bad-attachment',
    "attachment 'a.zip' is refused: its data is not base64",
  ],
  [
    'an attachment that is empty',
    { ...good, attachments: [{ ...archive, data: '' }] },
    'bad-attachment',
    "attachment 'a.zip' is refused: ",
  ],
  [
    'an attachment that is no archive',
    { ...good, attachments: [{ ...archive, type: 'tgz', data: 'AAAAAAAA' }] },
    'bad-attachment',
    'it is neither a zip nor a tar.gz archive',
  ],
  [
    'two attachments of one name',
    { ...good, attachments: [archive, archive] },
    'bad-attachment',
    'there is another one of this name',
  ],
  [
    'more than can be held',
    { ...good, model: 'x'.repeat(33 * 2 ** 20) },
    'model-too-large',
    'the request is larger than the limit of 33554432 bytes',
  ],
]
test.each(rows)('%s', async (_title, body, code, sentence) => {
  await using here = trying()
  await expect(here.run(body)).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) })
  expect(leftOf(here.folder)).toEqual({ files: [], processes: [] })
})

test('a stream may be the JSON text of a descriptor, and an output may be nothing in several ways', async () => {
  await using here = trying()
  for (const output of [undefined, null, '']) {
    const report = await here.run({ ...good, input: JSON.stringify(good.input), output })
    expect(report).toMatch(/^ {2}output {2}none was given: see below$/m)
  }
})

test('whatever else is sent is refused with a sentence', async () => {
  await using here = trying()
  const bodies = fc.oneof(
    fc.json(),
    fc
      .record(
        { input: fc.jsonValue(), type: fc.jsonValue(), model: fc.jsonValue(), attachments: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((body) => JSON.stringify(body)),
  )
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const refusal = await here.run(body).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(PitotError)
      expect((refusal as PitotError).status).toBe(400)
    }),
    { numRuns: 200 },
  )
})
