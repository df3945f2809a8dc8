// Hundreds of malformed records, each between two good ones: it is refused with a reason, and the good ones are read.
import { readFileSync } from 'node:fs'
import { type AvroType, compileBinary, compileJson, parseSchema } from '@pitot/avro'
import { countFrames, type EncodingName, encodings, envelopes, type Reject, type Unwrapper } from '@pitot/codec'
import { describe, expect, test } from 'vitest'

const conformance = <Row>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../../conformance/avro/${name}.json`, import.meta.url), 'utf8')) as Row[]
const encode = (text: string) => new TextEncoder().encode(text)
const SYNC = new Uint8Array(16).fill(0x53)

interface Case {
  title: string
  encoding: EncodingName
  type: AvroType | null
  good: Uint8Array
  bad: Uint8Array
}

function run(
  unwrapper: Unwrapper,
  stream: Uint8Array,
  encoding: EncodingName,
  type: AvroType | null,
): { records: unknown[]; rejects: Reject[] } {
  const decoder = encodings[encoding].decoder(type)
  const records: unknown[] = []
  const rejects: Reject[] = []
  for (const result of [unwrapper.push(stream.subarray(0, 7)), unwrapper.push(stream.subarray(7)), unwrapper.end()]) {
    rejects.push(...result.rejects)
    for (const frames of result.frames) {
      for (let index = 0; index < countFrames(frames); index++) {
        const reject = decoder.decode(frames, index, records)
        if (reject !== undefined) rejects.push(reject)
      }
    }
  }
  return { records, rejects }
}

const jsonCases = conformance<{ schema: unknown; accepts: [string, string][]; refuses: [string, string][] }>(
  'json',
).flatMap(({ schema, accepts, refuses }) => {
  const type = parseSchema(schema)
  return refuses
    .filter(([text]) => text.trim() !== '')
    .map(
      ([text]): Case => ({
        title: `${JSON.stringify(schema).slice(0, 60)} ${text}`,
        encoding: 'json',
        type,
        good: encode(accepts[0]![1]),
        bad: encode(text),
      }),
    )
})

const binaryCases = conformance<{ schema: unknown; values: [string, string][]; refuses: [string, string][] }>(
  'binary',
).flatMap(({ schema, values, refuses }) => {
  const type = parseSchema(schema)
  const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
  const title = JSON.stringify(schema).slice(0, 60)
  const good = bytes(values.at(-1)![0])
  // Every beginning of a good record is malformed too.
  const cut = values.flatMap(([hex]) => Array.from({ length: hex.length / 2 }, (_, length) => hex.slice(0, 2 * length)))
  return [...new Set([...refuses.map(([hex]) => hex), ...cut])].map(
    (hex): Case => ({ title: `${title} ${hex}`, encoding: 'avro-binary', type, good, bad: bytes(hex) }),
  )
})

const R = parseSchema({
  type: 'record',
  name: 'R',
  fields: [
    { name: 'a', type: 'double' },
    { name: 'b', type: { type: 'enum', name: 'E', symbols: ['x', 'y'] } },
  ],
})
const CSV_LINES = [
  '',
  'x',
  '1',
  '1,z',
  '1,x,2',
  ',x',
  '"1,x',
  '1,"x"y',
  '1;x',
  '1,"',
  'NaNN,x',
  '0x10,x',
  '1_000,x',
  '--1,x',
  '1e,x',
  '1,X',
  '1, x',
  '\ufeff\ufeff1,x',
  '1.2.3,x',
  '∞,x',
]
const csvCases = CSV_LINES.filter((line) => line !== '').map(
  (line): Case => ({ title: `csv ${line}`, encoding: 'csv', type: R, good: encode('1.5,x'), bad: encode(line) }),
)
const BAD_UTF8 = [
  'ff',
  'c3',
  'c0af',
  'eda080',
  'f8888080',
  'e28',
  '80',
  'f4908080',
  'c328',
  'e282',
  'f09f98',
  'fe',
  'edbfbf',
  'f0808080',
].map((hex) => Uint8Array.from(Buffer.from(hex.padEnd(hex.length + (hex.length % 2), '0'), 'hex')))
const utf8Cases = (['utf-8', 'null', 'json', 'csv'] as const).flatMap((encoding) =>
  BAD_UTF8.map(
    (bad): Case => ({
      title: `${encoding} ${Buffer.from(bad).toString('hex')}`,
      encoding,
      type: encoding === 'csv' ? R : null,
      good: encode(encoding === 'json' ? '1' : encoding === 'csv' ? '1,x' : 'a'),
      bad,
    }),
  ),
)
const DEEP = 100_000
const NESTED = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"a":', '}]'],
  ['[[[', ']]]'],
  ['{"":', '}'],
] as const
const deepCases = NESTED.flatMap(([open, close]) =>
  ([null, 'int', { type: 'array', items: 'long' }] as const).flatMap((schema) =>
    [`${open.repeat(DEEP)}1${close.repeat(DEEP)}`, open.repeat(DEEP)].map(
      (text): Case => ({
        title: `${JSON.stringify(schema)} deep ${open} ${text.length}`,
        encoding: 'json',
        type: schema === null ? null : parseSchema(schema),
        good: encode(schema === null || schema === 'int' ? '1' : '[1]'),
        bad: encode(text),
      }),
    ),
  ),
)

describe.each([...jsonCases, ...csvCases, ...utf8Cases, ...deepCases])('$title', ({ encoding, type, good, bad }) => {
  test('refused between two lines', () => {
    const line = encode('\n')
    const stream = Buffer.concat([good, line, bad, line, good, line])
    const { records, rejects } = run(envelopes.delimited.unwrapper({}), stream, encoding, type)
    // A lost quote or brace has no line break in it, so it costs its own line only.
    expect(rejects.length).toBe(1)
    expect(rejects[0]!.reason).not.toBe('')
    expect(rejects[0]!.position).toBe(good.length + 1)
    expect(records.length).toBe(2)
  })
})

describe.each(binaryCases)('$title', ({ encoding, type, good, bad }) => {
  test('refused between two blocks', () => {
    const wrapper = envelopes['ocf-block'].wrapper({ syncMarker: SYNC }, { type })
    const block = (bytes: Uint8Array) => wrapper.wrap({ bytes, bounds: [0, bytes.length], position: 0 })
    const stream = Buffer.concat([wrapper.start(), block(good), block(bad), block(good)])
    const { records, rejects } = run(envelopes['ocf-block'].unwrapper({}), stream, encoding, type)
    expect(rejects.length).toBe(1)
    expect(rejects[0]!.reason).not.toBe('')
    const value = compileJson(type!).write(compileBinary(type!).decode(good))
    expect([records[0], records.at(-1)].map((record) => compileJson(type!).write(record))).toEqual([value, value])
  })
})

test('these are at least three hundred', () => {
  expect(
    jsonCases.length + binaryCases.length + csvCases.length + utf8Cases.length + deepCases.length,
  ).toBeGreaterThanOrEqual(300)
})
