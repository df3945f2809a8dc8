// Rows of the operations on the model.
import { javascript, modelType, notUtf8, put, type Row, service, square } from './row.ts'

const operation = 'putJobModel'
const model = (source: string | Uint8Array, language = 'javascript'): Row['when'] => [
  'PUT /1/job/model',
  { headers: modelType(language), body: source },
]

/** A body of one part and its header lines; lines are joined as HTTP has them. */
const form = (...lines: string[]): Row['when'] => [
  'PUT /1/job/model',
  { headers: { 'content-type': 'multipart/mixed; boundary=b' }, body: ['', ...lines, '--b--', ''].join('\r\n') },
]
const modelPart = ['--b', 'Content-Disposition: x-model; name="m"', 'Content-Type: application/x-python3', '', 'x']

export const modelRows: Row[] = [
  { title: 'loaded', operation, when: square, yields: 204, body: '' },
  {
    title: 'in the place of another',
    operation,
    given: [...service],
    when: javascript('export const action = (x) => x\n'),
    yields: 204,
  },
  {
    title: 'checked only',
    operation,
    when: ['PUT /1/job/model?dry-run=true', square[1]!],
    yields: 200,
    body: {
      slots: [
        { slot: 0, schema: 'int', recordsets: false, action: 'action' },
        { slot: 1, schema: 'int', recordsets: false, action: 'action' },
      ],
      install_libs: [],
      warn_libs: [],
      attach_libs: [],
      snapshots: 'none',
      warnings: [],
    },
  },
  {
    title: 'that does not load',
    operation,
    when: model('export function'),
    yields: 'model-failed',
    body: /^the model cannot be used: /,
  },
  { title: 'of no language', operation, when: ['PUT /1/job/model', { body: 'x' }], yields: 'bad-model-type' },
  { title: 'of a language that does not run', operation, when: model('x', 'sas'), yields: 'language-not-run' },
  { title: 'in no parts', operation, when: form('--c'), yields: 'bad-multipart' },
  {
    title: 'in parts of which two are the model',
    operation,
    when: form(...modelPart, ...modelPart),
    yields: 'bad-model-part',
    body: /^part 2 \('m'\): it is a second model/,
  },
  {
    title: 'with an archive that is none',
    operation,
    when: form(
      '--b',
      'Content-Disposition: attachment; filename="a.zip"',
      'Content-Type: application/zip',
      '',
      'no',
      ...modelPart,
    ),
    yields: 'bad-attachment',
    body: /^attachment 'a\.zip' is refused: /,
  },
  {
    title: 'with an attachment elsewhere, without Connect',
    operation,
    when: form(
      '--b',
      'Content-Type: message/external-body; access-type=x-model-manage; ref="urn:pitot:attachment:m:a.zip"',
      '',
      'Content-Type: application/zip',
      '',
      ...modelPart,
    ),
    yields: 'registry-unavailable',
    body: /^attachment 'a\.zip' of model 'm' is needed from Model Manage, which cannot be asked: /,
  },
  {
    title: 'longer than a model can be',
    operation,
    when: model(new Uint8Array(16 * 2 ** 20 + 1).fill(0x20)),
    yields: 'model-too-large',
  },
  {
    title: 'with annotations that make no sense',
    operation,
    when: model('// pitot.recordsets: perhaps\nexport const action = (x) => x\n'),
    yields: 'bad-annotation',
    body: /^line 1 of the model: /,
  },
  {
    title: 'with a schema that is none',
    operation,
    when: model('// pitot.input: {"type":"record"}\nexport const action = (x) => x\n'),
    yields: 'bad-model-schema',
  },
  {
    title: 'with a schema sent along that names another one',
    operation,
    when: form('--b', 'Content-Disposition: x-schema; name="s"', '', '{', ...modelPart),
    yields: 'bad-json',
  },
  {
    title: 'with a stored schema, without Connect',
    operation,
    when: model('// pitot.input: stored\nexport const action = (x) => x\n'),
    yields: 'registry-unavailable',
  },
  {
    title: 'of another type than its stream',
    operation,
    given: [put('in', { Transport: { Type: 'debug', Data: ['"x"'] }, Encoding: 'json', Schema: 'string' })],
    when: square,
    yields: 'schema-mismatch',
    body: /^the input schemas of stream and model do not fit: /,
  },
  { title: 'that is no text', operation, when: model(notUtf8), yields: 'not-utf8' },
  { title: 'that is nothing', operation, when: model(''), yields: 'body-missing' },

  { title: 'taken away', operation: 'deleteJobModel', given: [square], when: ['DELETE /1/job/model'], yields: 204 },
  {
    title: 'taken away while it runs',
    operation: 'deleteJobModel',
    given: [...service],
    when: ['DELETE /1/job/model'],
    yields: 204,
  },
  { title: 'none there', operation: 'deleteJobModel', when: ['DELETE /1/job/model'], yields: 204 },
]
