// What every encoding promises: records come back as they were, what does not fit is refused with a reason, nothing throws.
import { type AvroType, compileCheck, parseSchema } from '@pitot/avro'
import { countFrames, type EncodingName, encodings, type Frames, frameAt, type Reject } from '@pitot/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typed, valuesOf } from '../../../avro/test/arbitrary.ts'
import { expectSame, sameValue } from '../../../avro/test/same-value.ts'

const NAMES = Object.keys(encodings) as EncodingName[]

function decodeAll(
  name: EncodingName,
  type: AvroType | null,
  frames: Frames,
  options?: object,
): { records: unknown[]; rejects: Reject[] } {
  const decoder = encodings[name].decoder(type, options)
  const records: unknown[] = []
  const rejects: Reject[] = []
  for (let index = 0; index < countFrames(frames); index++) {
    const reject = decoder.decode(frames, index, records)
    if (reject !== undefined) rejects.push(reject)
  }
  return { records, rejects }
}

const framesOf = (...texts: (string | Uint8Array)[]): Frames => {
  const parts = texts.map((text) => (typeof text === 'string' ? new TextEncoder().encode(text) : text))
  const bounds: number[] = []
  let at = 0
  for (const part of parts) {
    bounds.push(at, at + part.length)
    at += part.length + 1
  }
  const bytes = new Uint8Array(at).fill(0x0a)
  for (const [index, part] of parts.entries()) bytes.set(part, bounds[2 * index])
  return { bytes, bounds, position: 1000 }
}

/** What a line of CSV can carry and give back: flat records of cells that mean one thing only. */
const flat = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__'),
      fc.constantFrom('boolean', 'int', 'long', 'float', 'double', 'string', 'nullable'),
    ),
    { selector: ([name]) => name, minLength: 1 },
  )
  .chain((columns) => {
    const fields = columns.map(([name, type]) => ({ name, type: type === 'nullable' ? ['null', 'long'] : type }))
    const type = parseSchema({ type: 'record', name: 'R', fields })
    return fc.array(valuesOf(type)).map((values) => ({ type, values }))
  })
const texts = fc
  .array(fc.string({ unit: 'binary' }))
  .map((values) => ({ type: parseSchema('string') as AvroType, values: values as unknown[] }))
const RECORDS: Record<EncodingName, fc.Arbitrary<{ type: AvroType; values: unknown[] }>> = {
  null: fc.oneof(
    texts,
    fc.array(fc.uint8Array()).map((values) => ({ type: parseSchema('bytes') as AvroType, values })),
  ),
  'utf-8': texts,
  csv: flat,
  json: typed,
  'avro-binary': typed,
  msgpack: typed,
}

describe.each(NAMES)('%s', (name) => {
  test.each([0, 1, 3])('records come back, with room %i behind each frame', (room) => {
    fc.assert(
      fc.property(RECORDS[name], ({ type, values }) => {
        const { frames, rejects } = encodings[name].encoder(type).encode(values, room)
        expect(rejects).toEqual([])
        expect(countFrames(frames)).toBe(values.length)
        for (let index = 1; index < values.length; index++) {
          expect(frames.bounds[2 * index]! - frames.bounds[2 * index - 1]!).toBe(room)
        }
        const back = decodeAll(name, type, frames)
        expect(back.rejects).toEqual([])
        expect(back.records.length).toBe(values.length)
        for (const [index, value] of values.entries()) expectSame(back.records[index], value)
      }),
      { numRuns: 150 },
    )
  })

  test('any bytes are records or rejects, with and without a schema, and what is accepted is of the type', () => {
    fc.assert(
      fc.property(
        RECORDS[name],
        fc.array(
          fc.oneof(
            fc.uint8Array(),
            fc.json().map((text) => new TextEncoder().encode(text)),
          ),
        ),
        ({ type, values }, noise) => {
          const good = encodings[name].encoder(type).encode(values).frames
          const spoilt = Array.from({ length: countFrames(good) }, (_, index) => {
            const bytes = frameAt(good, index).slice()
            if (bytes.length > 0) bytes[bytes.length >> 1]! ^= 0x11
            return bytes
          })
          const frames = framesOf(...noise, ...spoilt)
          const check = compileCheck(type)
          const { records, rejects } = decodeAll(name, type, frames)
          for (const record of records) expect(check(record)).toBeUndefined()
          for (const reject of rejects)
            expect(reject).toMatchObject({ fatal: false, reason: expect.stringMatching(/./) })
          if (name === 'avro-binary') expect(decodeAll(name, null, frames).rejects.length).toBe(countFrames(frames))
          else decodeAll(name, null, frames, name === 'csv' ? { columns: ['a', 'b'] } : {})
        },
      ),
      { numRuns: 100 },
    )
  })

  test('what is no value of the type is refused, the others are written', () => {
    fc.assert(
      fc.property(RECORDS[name], fc.array(fc.anything({ withBigInt: true })), ({ type, values }, others) => {
        const check = compileCheck(type)
        const wrong = others.filter((other) => check(other) !== undefined && typeof other !== 'string')
        const { frames, rejects } = encodings[name].encoder(type).encode([...wrong, ...values])
        // A little more than the type allows may be written (a float that is not rounded), but only what can be read.
        expect(rejects.every((reject) => reject.index < wrong.length && reject.reason !== '')).toBe(true)
        expect(countFrames(frames)).toBe(wrong.length + values.length - rejects.length)
        expect(decodeAll(name, type, frames).rejects).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

describe('what each encoding reads', () => {
  const R = {
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: 'int' },
      { name: 'b', type: 'string', default: 'x' },
    ],
  }
  const N = {
    type: 'record',
    name: 'N',
    fields: [
      { name: 'a', type: ['null', 'double'] },
      { name: 'b', type: ['null', 'int', 'string'] },
    ],
  }
  const cases: [encoding: EncodingName, schema: unknown, given: string | Uint8Array, expected: unknown][] = [
    ['null', null, 'text', 'text'],
    ['null', null, '', ''],
    ['null', 'bytes', Uint8Array.of(255), Uint8Array.of(255)],
    ['null', null, Uint8Array.of(255), 'encoding: expected UTF-8'],
    ['null', 'string', 'é', 'é'],
    ['null', 'int', '1', 'schema: expected an int'],
    ['utf-8', null, '😀', '😀'],
    ['utf-8', null, Uint8Array.of(0xed, 0xa0, 0x80), 'encoding: expected UTF-8'],
    ['json', null, '{"a":[1,null]}', { a: [1, null] }],
    ['json', null, '9007199254740993', 9007199254740993n],
    ['json', null, '', undefined],
    ['json', null, ' \t\r', undefined],
    ['json', null, '\ufeff{"a":1}', { a: 1 }],
    ['json', null, '{"a":', 'encoding: expected JSON'],
    ['json', null, '['.repeat(100_000) + ']'.repeat(100_000), 'encoding|schema: expected at most 1000 levels'],
    ['json', R, '{"a":1}', { a: 1, b: 'x' }],
    ['json', R, '{"a":1.5}', 'schema: at /a: expected an int'],
    ['json', R, '{"a":1', 'encoding: expected JSON'],
    ['json', R, 'foo', 'encoding: expected JSON'],
    ['json', 'string', '"\\ud800"', 'schema: expected a string of whole characters'],
    ['avro-binary', 'int', Uint8Array.of(2), 1],
    ['avro-binary', 'int', Uint8Array.of(2, 2), 'encoding: expected 1 records, found 1 bytes behind them'],
    ['avro-binary', 'int', new Uint8Array(), 'encoding: expected the rest of a number'],
    ['csv', R, '1,y', { a: 1, b: 'y' }],
    ['csv', R, '1', { a: 1, b: 'x' }],
    ['csv', R, '1,', { a: 1, b: '' }],
    ['csv', R, '1,"a,""b"""', { a: 1, b: 'a,"b"' }],
    ['csv', R, '1,y,z', 'encoding: expected 2 cells, found 3'],
    ['csv', R, 'x,y', 'schema: at /a: expected an int'],
    ['csv', R, '1,"y', 'encoding: expected a closing "'],
    ['csv', R, '1,"y"z', 'encoding: expected "," behind a quoted cell'],
    ['csv', N, ',', { a: null, b: null }],
    ['csv', N, '1e3,7', { a: 1000, b: 7 }],
    ['csv', N, 'NaN,x', { a: Number.NaN, b: 'x' }],
    ['csv', N, 'abc,x', 'schema: at /a: expected a double'],
    ['msgpack', null, Uint8Array.of(0x81, 0xa1, 0x61, 0x01), { a: 1 }],
    ['msgpack', null, Uint8Array.of(0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 2n ** 64n - 1n],
    ['msgpack', null, Uint8Array.of(0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0), -(2n ** 63n)],
    ['msgpack', null, Uint8Array.of(0xca, 0x3f, 0xc0, 0, 0), 1.5],
    ['msgpack', null, Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), 'encoding: expected the rest of a value'],
    ['msgpack', null, Uint8Array.of(0xc1), 'encoding: expected a value of JSON or bytes, found the type 0xc1'],
    ['msgpack', null, Uint8Array.of(0x81, 0x01, 0x01), 'encoding: expected a string as key'],
    ['msgpack', null, new Uint8Array(100_000).fill(0x91), 'encoding: expected at most 1000 levels'],
    ['msgpack', null, Uint8Array.of(0xa1, 0xff), 'encoding: expected UTF-8'],
    ['msgpack', null, Uint8Array.of(1, 2), 'encoding: expected the end of the record'],
    ['msgpack', R, Uint8Array.of(0x81, 0xa1, 0x61, 0x01), { a: 1, b: 'x' }],
    ['msgpack', R, Uint8Array.of(0x81, 0xa1, 0x61, 0xc0), 'schema: at /a: expected an int'],
  ]
  test.each(cases)('%s %j %s', (encoding, schema, given, expected) => {
    const type = schema === null ? null : parseSchema(schema)
    const { records, rejects } = decodeAll(encoding, type, framesOf('{}', given), encoding === 'csv' ? {} : {})
    const [record] = records.slice(-1)
    const reject = rejects.find((each) => each.position === 1003)
    if (expected === undefined) expect(reject).toBeUndefined()
    else if (typeof expected === 'string' && /^[a-z|]+: /.test(expected)) {
      const [steps, reason] = expected.split(/: (.*)/s) as [string, string]
      expect(steps.split('|')).toContain(reject?.step)
      expect(reject?.reason).toContain(reason)
    } else {
      expect(reject).toBeUndefined()
      expectSame(record, expected)
    }
  })
})

test('a header names the columns, in any order, with columns that the schema does not have', () => {
  const type = parseSchema({
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: 'int' },
      { name: 'b', type: 'string' },
    ],
  })
  const header = new TextEncoder().encode('\ufeffb,other,a')
  expect(decodeAll('csv', type, { ...framesOf('x,?,1'), header }).records).toEqual([{ a: 1, b: 'x' }])
  expect(decodeAll('csv', null, { ...framesOf('x,?,1'), header }).records).toEqual([{ b: 'x', other: '?', a: '1' }])
  expect(decodeAll('csv', null, framesOf('x,?,1')).rejects).toMatchObject([
    { reason: expect.stringContaining('found neither') },
  ])
})

test('records without a schema: bigints, NaN and infinities in JSON', () => {
  const { frames, rejects } = encodings.json
    .encoder(null)
    .encode([{ a: 2n ** 63n - 1n, b: Number.NaN, c: [Number.NEGATIVE_INFINITY, null] }, undefined, 'x'])
  expect(new TextDecoder().decode(frameAt(frames, 0))).toBe(
    '{"a":9223372036854775807,"b":"NaN","c":["-Infinity",null]}',
  )
  expect(rejects.map((reject) => reject.index)).toEqual([1])
  expect(countFrames(frames)).toBe(2)
})

test('MessagePack: maps that look like tags keep their meaning', () => {
  const type = parseSchema(['null', 'int', { type: 'map', values: 'int' }])
  const value = new Map([['int', 3]])
  const { frames } = encodings.msgpack.encoder(type).encode([value])
  expect(sameValue(decodeAll('msgpack', type, frames).records, [value])).toBe(true)
})

test('types that an encoding cannot carry', () => {
  expect(() => encodings['avro-binary'].encoder(null)).toThrow('expected a schema')
  expect(() => encodings.csv.decoder(parseSchema('int'))).toThrow('expected a record')
  const nested = parseSchema({
    type: 'record',
    name: 'R',
    fields: [{ name: 'a', type: { type: 'array', items: 'int' } }],
  })
  expect(() => encodings.csv.decoder(nested)).toThrow('found array')
  expect(() => encodings.csv.decoder(null, { delimiter: '' })).toThrow('one character')
})
