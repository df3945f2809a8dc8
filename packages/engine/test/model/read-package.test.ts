// The three shapes in which a model is sent, as published clients write them, and everything that can be wrong with them.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/service-options.ts'
import type { ModelPackage } from '../../src/model/package.ts'
import { type PackageContext, readModelPackage } from '../../src/model/read-package.ts'
import type { Registry } from '../../src/registry.ts'
import { makeTarGz, makeZip } from './archives.ts'

const zip = makeZip([{ name: 'a.txt', content: 'A' }])
const gzip = makeTarGz([{ name: 'b.txt', content: 'B' }])
const source = 'def action(x):\n  yield x * x\n'
const python = 'application/vnd.fastscore.model-python3'
const mixed = 'multipart/mixed; boundary=b'
const form = 'multipart/form-data; boundary=b'

const stored: Readonly<Record<string, Buffer>> = { 'm/big.zip': zip, 'm/big.tar.gz': gzip }
const registry: Registry = {
  schema: async () => undefined,
  stream: async () => undefined,
  async attachment(model, name) {
    const bytes = stored[`${model}/${name}`]
    if (bytes === undefined) throw new Error(`model '${model}' has no attachment '${name}'`)
    return {
      type: 'application/octet-stream',
      chunks: pieces(name === 'big.zip' ? bytes : [bytes, new Error('broken pipe')]),
    }
  },
  storeSnapshot: async () => '',
  sensor: async () => undefined,
  storeSensor: async () => undefined,
}

async function* pieces(given: Uint8Array | readonly (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const piece of given instanceof Uint8Array ? [given] : given) {
    if (piece instanceof Error) throw piece
    for (let at = 0; at < piece.length; at += 7) yield piece.subarray(at, at + 7)
  }
}

type Part = readonly [headers: readonly string[], body: string | Buffer]

function multipart(parts: readonly Part[], start = ''): Buffer {
  const written = parts.flatMap(([headers, body]) => [
    Buffer.from(['--b', ...headers, '', ''].join('\r\n')),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([Buffer.from(start), ...written, Buffer.from('--b--\r\n')])
}

const model: Part = [['Content-Disposition: x-model; name="square"', `Content-Type: ${python}`], source]
const attachment: Part = [['Content-Disposition: attachment; filename="a.zip"', 'Content-Type: application/zip'], zip]
const external = (type: string, inner: string): Part => [[`Content-Type: message/external-body; ${type}`], inner]

let context: PackageContext
beforeEach(() => {
  context = { folder: temporaryFolder(), registry }
})

function read(
  headers: Record<string, string>,
  body: string | Buffer,
  limits?: PackageContext['limits'],
): Promise<ModelPackage> {
  return readModelPackage({ headers, chunks: pieces(Buffer.from(body)) }, { ...context, ...(limits && { limits }) })
}

/** What a package holds, without where it is kept. */
function shown({ name, language, source: bytes, attachments, schemas }: ModelPackage) {
  const kept = attachments.map(({ name: attached, type, size }) => `${attached} ${type} ${size}`)
  return {
    name,
    language,
    source: Buffer.from(bytes).toString(),
    attachments: kept,
    schemas: Object.fromEntries(schemas),
  }
}

const nothing = { attachments: [], schemas: {} }
const square = { name: 'square', language: 'python3', source, schemas: {} }

describe('alone', () => {
  test.each<[string, Record<string, string>, string | Buffer, Partial<ReturnType<typeof shown>>]>([
    ['named', { 'content-disposition': 'x-model; name="square"' }, source, { name: 'square' }],
    ['a quote missing', { 'content-disposition': 'x-model; name=square"' }, source, { name: 'square' }],
    ['without a name', {}, source, { name: '(unnamed)' }],
    ['python2', { 'content-type': 'application/vnd.service.model-python2' }, source, { language: 'python' }],
    [
      'an old type',
      { 'content-type': 'application/x-r' },
      'action <- emit',
      { language: 'r', source: 'action <- emit' },
    ],
    [
      'PFA',
      { 'content-type': 'application/json' },
      '{"input":"int"}',
      { language: 'pfa-json', source: '{"input":"int"}' },
    ],
    [
      'PFA inside a string',
      { 'content-type': 'application/vnd.pitot.model-pfa+json' },
      ' "{\\"input\\":\\"int\\"}"',
      { language: 'pfa-json', source: '{"input":"int"}' },
    ],
    [
      'PFA inside a string, unwrapped once',
      { 'content-type': 'application/json' },
      '"\\"x\\""',
      { language: 'pfa-json', source: '"x"' },
    ],
  ])('%s', async (_title, headers, body, expected) => {
    const found = shown(await read({ 'content-type': python, ...headers }, body))
    expect(found).toEqual({ name: '(unnamed)', language: 'python3', source, ...nothing, ...expected })
  })
})

describe('in parts', () => {
  const schema: Part = [
    ['Content-Disposition: x-schema; name="s"', 'Content-Type: application/vnd.fastscore.schema-avro'],
    '{"type":"int"}',
  ]
  const reference = 'access-type=x-model-manage; ref="urn:fastscore:attachment:m:big.zip"'
  const inner = 'Content-Type: application/zip\r\nContent-Length: 99\r\n\r\n'
  const big = `big.zip zip ${zip.length}`
  const small = `a.zip zip ${zip.length}`
  test.each<[string, string, readonly Part[], object]>([
    [
      'a form: the model last',
      form,
      [
        [
          ['Content-Disposition: form-data; name="attachment"; filename="b.tar.gz"', 'Content-Type: application/gzip'],
          gzip,
        ],
        [['Content-Disposition: form-data; name="x-model"; filename="square"', `Content-Type: ${python}`], source],
      ],
      { ...square, attachments: [`b.tar.gz gzip ${gzip.length}`] },
    ],
    [
      'a form of older clients',
      form,
      [
        [
          [
            'Content-Disposition: form-data; name="attachments"; filename="a.zip"',
            'Content-Type: application/octet-stream',
          ],
          zip,
        ],
        [['Content-Disposition: form-data; name="model"; filename="(source)"', `Content-Type: ${python}`], source],
      ],
      { ...square, name: '(unnamed)', attachments: [small] },
    ],
    [
      'mixed, with a schema',
      mixed,
      [attachment, schema, model],
      { ...square, attachments: [small], schemas: { s: { type: 'int' } } },
    ],
    [
      'in another order',
      mixed,
      [model, schema, attachment],
      { ...square, attachments: [small], schemas: { s: { type: 'int' } } },
    ],
    [
      'roles by content type alone',
      mixed,
      [
        [['Content-Type: application/x-gzip'], gzip],
        [[`Content-Type: ${python}`], source],
      ],
      { ...square, name: '(unnamed)', attachments: [`attachment-1 gzip ${gzip.length}`] },
    ],
    [
      'the bytes tell what an attachment is',
      mixed,
      [[['Content-Disposition: attachment; filename="x.tar.gz"', 'Content-Type: application/zip'], gzip], model],
      { ...square, attachments: [`x.tar.gz gzip ${gzip.length}`] },
    ],
    [
      'an external attachment without disposition',
      mixed,
      [external(reference, inner), model],
      { ...square, attachments: [big] },
    ],
    [
      'with a name inside',
      mixed,
      [external(reference, `${inner.trim()}\r\nContent-Disposition: attachment; filename="big.zip"\r\n\r\n`), model],
      { ...square, attachments: [big] },
    ],
    [
      'the older spelling',
      mixed,
      [external('access-type=x-model-manage; model="m"; name="big.zip"', inner), model],
      { ...square, attachments: [big] },
    ],
    [
      'the oldest one, of the model that is sent',
      mixed,
      [
        external('access-type=x-model-manage; name="big.zip"', inner),
        [['Content-Disposition: x-model; filename="m"', `Content-Type: ${python}`], source],
      ],
      { ...square, name: 'm', attachments: [big] },
    ],
    [
      'a misplaced quote',
      mixed,
      [external('access-type=x-model-manage; ref="urn:fastscore:attachment:"m:big.zip', inner), model],
      { ...square, attachments: [big] },
    ],
    [
      'a form with an external attachment',
      form,
      [
        [
          [
            'Content-Disposition: form-data; name="attachment"; filename="big.zip"',
            `Content-Type: message/external-body; ${reference}`,
          ],
          inner,
        ],
        [['Content-Disposition: form-data; name="x-model"; filename="square"', `Content-Type: ${python}`], source],
      ],
      { ...square, attachments: [big] },
    ],
    ['any other kind of multipart', 'multipart/related; boundary="b"', [model], { ...square, attachments: [] }],
  ])('%s', async (_title, type, parts, expected) => {
    expect(shown(await read({ 'content-type': type }, multipart(parts)))).toEqual(expected)
    expect(shown(await read({ 'content-type': type }, multipart(parts, '\r\n')))).toEqual(expected)
  })
})

test('attachments stand in files until the package is disposed of, under names of ours', async () => {
  const evil: Part = [['Content-Disposition: attachment; filename="../../evil.zip"'], zip]
  const found = await read({ 'content-type': mixed }, multipart([attachment, evil, model]))
  expect(found.attachments.map(({ name }) => name)).toEqual(['a.zip', '../../evil.zip'])
  for (const { file } of found.attachments) {
    expect(file.startsWith(context.folder)).toBe(true)
    expect(readFileSync(file)).toEqual(zip)
  }
  await found.dispose()
  expect(readdirSync(context.folder)).toEqual([])
})

describe('what is refused', () => {
  afterEach(() => expect(readdirSync(context.folder), 'nothing is left behind').toEqual([]))
  const part = (headers: string[], body: string | Buffer = zip): Part => [headers, body]
  const attached = 'Content-Disposition: attachment; filename="x"'

  test.each<[string, string, string | Buffer | readonly Part[], string, RegExp]>([
    ['no content type', '', source, 'bad-model-type', /content type ''/],
    ['an unknown language', 'application/vnd.pitot.model-pyton3', source, 'bad-model-type', /did you mean 'python3'/],
    [
      'a language without a runner',
      'application/vnd.pitot.model-java',
      source,
      'language-not-run',
      /models in java .* run: javascript, typescript, pfa-json, pfa-yaml, pfa-pretty, python, python3, r$/,
    ],
    ['C', 'application/vnd.pitot.model-c', source, 'language-not-run', /models in c /],
    ['an empty source', python, '', 'body-missing', /the source of the model/],
    ['bytes that are no text', python, Buffer.from([0x61, 0xff]), 'not-utf8', /offset 1/],
    [
      'a long source',
      python,
      'x'.repeat(1001),
      'model-too-large',
      /the source of the model is larger than the limit of 1000 bytes/,
    ],
    ['a broken JSON string', 'application/json', '"{', 'bad-json', /the model is not valid JSON/],
    ['no boundary', 'multipart/mixed', [model], 'bad-multipart', /no boundary parameter/],
    ['another boundary', 'multipart/mixed; boundary=c', [model], 'bad-multipart', /boundary 'c'/],
    ['no parts', mixed, [], 'bad-multipart', /no part of it is the model/],
    ['attachments alone', mixed, [attachment], 'bad-multipart', /no part of it is the model/],
    ['two models', mixed, [model, attachment, model], 'bad-model-part', /^part 3 \('square'\): it is a second model/],
    [
      'a part of no kind',
      mixed,
      [model, part(['Content-Type: text/html'])],
      'bad-model-part',
      /^part 2: nothing tells what it is/,
    ],
    [
      'a field of no kind',
      form,
      [part(['Content-Disposition: form-data; name="x"; filename="y"']), model],
      'bad-model-part',
      /^part 1 \('y'\): nothing tells/,
    ],
    [
      'a model part of no type',
      mixed,
      [part(['Content-Disposition: x-model; name="m"', 'Content-Type: text/plain'])],
      'bad-model-type',
      /'text\/plain'/,
    ],
    [
      'base64',
      mixed,
      [part([attached, 'Content-Transfer-Encoding: base64']), model],
      'bad-model-part',
      /^part 1 \('x'\): Content-Transfer-Encoding 'base64'/,
    ],
    [
      'a schema without a name',
      mixed,
      [part(['Content-Disposition: x-schema'], '1'), model],
      'bad-model-part',
      /^part 1: it has no name/,
    ],
    [
      'a schema twice',
      mixed,
      [part(['Content-Disposition: x-schema; name=s'], '1'), part(['Content-Disposition: x-schema; name=s'], '1')],
      'bad-model-part',
      /schema 's' is there twice/,
    ],
    [
      'a schema that is no JSON',
      mixed,
      [part(['Content-Disposition: x-schema; name=s'], '{')],
      'bad-json',
      /schema 's' is not valid JSON/,
    ],
    [
      'a long schema',
      mixed,
      [part(['Content-Disposition: x-schema; name=s'], ' '.repeat(1001))],
      'model-too-large',
      /schema 's' is larger/,
    ],
    [
      'an attachment that is no archive',
      mixed,
      [part([attached, 'Content-Type: application/gzip'], 'hello'), model],
      'bad-attachment',
      /attachment 'x' is refused: it is neither a zip nor a tar.gz/,
    ],
    ['an empty attachment', mixed, [part([attached], ''), model], 'bad-attachment', /it is empty/],
    [
      'two attachments of one name',
      mixed,
      [attachment, attachment, model],
      'bad-attachment',
      /'a.zip' .* another one of this name/,
    ],
    [
      'large attachments',
      mixed,
      [part([attached], Buffer.concat([zip, Buffer.alloc(5000)])), model],
      'model-too-large',
      /attachment 'x'.* 5000 bytes/,
    ],
    [
      'an external attachment that is not there',
      mixed,
      [external('ref="urn:x:attachment:m:none"', ''), model],
      'attachment-not-fetched',
      /attachment 'none' of model 'm' .*: model 'm' has no attachment 'none'/,
    ],
    [
      'one that breaks off',
      mixed,
      [external('ref="urn:x:attachment:m:big.tar.gz"', ''), model],
      'attachment-not-fetched',
      /broken pipe/,
    ],
    [
      'another access type',
      mixed,
      [external('access-type=ftp; ref="urn:x:attachment:m:a"', ''), model],
      'bad-model-part',
      /^part 1: access-type is 'ftp'/,
    ],
    ['no reference', mixed, [external('access-type=x-model-manage', ''), model], 'bad-model-part', /neither ref=/],
    [
      'a reference of another kind',
      mixed,
      [external('ref="urn:x:schema:m"', ''), model],
      'bad-model-part',
      /ref is 'urn:x:schema:m'/,
    ],
    [
      'a reference without a model',
      mixed,
      [external('ref="urn:x:attachment::a"', ''), model],
      'bad-model-part',
      /ref is/,
    ],
    [
      'long inner headers',
      mixed,
      [external('ref="urn:x:attachment:m:a"', 'x'.repeat(20_000)), model],
      'model-too-large',
      /^part 1/,
    ],
    [
      'inner headers that are none',
      mixed,
      [external('ref="urn:x:attachment:m:a"', 'hello'), model],
      'bad-multipart',
      /part 1 has "hello"/,
    ],
    ['an end inside the model', mixed, multipart([model]).subarray(0, -20), 'bad-multipart', /ends inside part 1/],
  ])('%s', async (_title, type, body, code, sentence) => {
    const limits = { source: 1000, attachments: 5000 }
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : multipart(body as readonly Part[])
    const headers = type === '' ? {} : { 'content-type': type }
    await expect(read(headers, bytes, limits)).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) })
  })
})
