// Rows of the operation that tries a model.
import { makeZip } from '../model/archives.ts'
import { notUtf8, pfaSquare, type Row, service } from './row.ts'

const operation = 'tryModel'
const input = { Transport: { Type: 'debug', Data: ['1', '2', '3'] }, Encoding: 'json' }
const when = (changes: object = {}): Row['when'] => [
  'POST /1/job/debug',
  { body: JSON.stringify({ input, type: 'pfa', model: pfaSquare, ...changes }) },
]
const javascript = (annotation: string) => ({
  type: 'javascript',
  model: `// ${annotation}\nexport const action = (x) => x\n`,
})
const unsafe = makeZip([{ name: '../x', content: 'y' }]).toString('base64')

export const trialRows: Row[] = [
  {
    title: 'of an idle engine',
    operation,
    when: when(),
    yields: 200,
    body: /^Model\n {2}language {6}pfa-json.*\n\nOutputs\n {2}1\n {2}4\n {2}9\n\n.*\n\nThe model works: 3 of 3 records were scored\..*\n$/s,
    headers: { 'content-type': /^text\/plain; charset=utf-8$/ },
  },
  { title: 'beside a job', operation, given: [...service], when: when(), yields: 200, body: /^The model works: /m },
  {
    title: 'with records that are rejected',
    operation,
    when: when({ input: { ...input, Encoding: 'utf-8' } }),
    yields: 200,
  },
  { title: 'without an input', operation, when: when({ input: null }), yields: 'bad-trial' },
  {
    title: 'with a bad descriptor',
    operation,
    when: when({ output: { Transport: 'reset' } }),
    yields: 'bad-descriptor',
  },
  {
    title: 'with a bad schema',
    operation,
    when: when({ input: { ...input, Schema: { type: 'record' } } }),
    yields: 'bad-schema',
  },
  {
    title: 'with a file that is not there',
    operation,
    when: when({ input: { Transport: { Type: 'file', Path: '/does/not/exist' } } }),
    yields: 'stream-failed',
  },
  {
    title: 'with a stored stream, without Connect',
    operation,
    when: when({ input: 'stored' }),
    yields: 'registry-unavailable',
  },
  {
    title: 'of a model and a stream of different types',
    operation,
    when: when({ input: { ...input, Schema: 'string' } }),
    yields: 'schema-mismatch',
  },
  {
    title: 'of a model that does not load',
    operation,
    when: when({ model: '{"input":"int"}' }),
    yields: 'model-failed',
  },
  { title: 'of no language', operation, when: when({ type: 'x' }), yields: 'bad-model-type' },
  { title: 'of a language that does not run', operation, when: when({ type: 'sas' }), yields: 'language-not-run' },
  {
    title: 'with an unsafe archive',
    operation,
    when: when({ attachments: [{ name: 'a.zip', type: 'zip', data: unsafe }] }),
    yields: 'bad-attachment',
  },
  {
    title: 'of a model that is too long',
    operation,
    when: when({ model: ' '.repeat(16 * 2 ** 20 + 1) }),
    yields: 'model-too-large',
  },
  {
    title: 'with annotations that make no sense',
    operation,
    when: when(javascript('pitot.recordsets: perhaps')),
    yields: 'bad-annotation',
  },
  {
    title: 'with a schema that is none',
    operation,
    when: when(javascript('pitot.input: {"type":"record"}')),
    yields: 'bad-model-schema',
  },
  { title: 'with no JSON', operation, when: ['POST /1/job/debug', { body: '{' }], yields: 'bad-json' },
  { title: 'with no text', operation, when: ['POST /1/job/debug', { body: notUtf8 }], yields: 'not-utf8' },
  { title: 'with nothing', operation, when: ['POST /1/job/debug'], yields: 'body-missing' },
]
