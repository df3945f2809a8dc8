// Avro's binary: the table of conformance/avro/binary.json, avsc as an independent codec, and hostile bytes.
import { readFileSync } from 'node:fs'
import {
  AvroError,
  type AvroType,
  Branch,
  ByteCursor,
  ByteSink,
  branchName,
  compileBinary,
  compileCut,
  compileJson,
  generateRead,
  generateWrite,
  isPlainUnion,
  parseSchema,
  shapeOf,
} from '@pitot/avro'
import avsc from 'avsc'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typed } from '../arbitrary.ts'
import { expectSame } from '../same-value.ts'

interface Entry {
  schema: unknown
  /** Bytes in hexadecimal, and the value in Avro's JSON. */
  values?: [string, string][]
  /** Bytes in hexadecimal, and what the error says of them. */
  refuses?: [string, string][]
}
const table = JSON.parse(
  readFileSync(new URL('../../../../conformance/avro/binary.json', import.meta.url), 'utf8'),
) as Entry[]

const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const versions = [
  ['generated', { generate: true }],
  ['interpreted', { generate: false }],
] as const

describe.each(versions)('%s', (_, options) => {
  for (const { schema, values = [], refuses = [] } of table) {
    describe(JSON.stringify(schema).slice(0, 100), () => {
      const type = parseSchema(schema)
      const [binary, json] = [compileBinary(type, options), compileJson(type, options)]
      if (values.length > 0) {
        test.each(values)('%s is %s', (hex, text) => {
          expect(json.write(binary.decode(fromHex(hex)))).toBe(text)
          expect(json.write(binary.decode(binary.encode(json.read(text))))).toBe(text)
        })
      }
      if (refuses.length > 0) {
        test.each(refuses)('%s is refused: %s', (hex, reason) => {
          expect(() => binary.decode(fromHex(hex))).toThrow(AvroError)
          expect(() => binary.decode(fromHex(hex))).toThrow(reason)
        })
      }
    })
  }

  test('the same bytes as avsc, and the same value from them', () => {
    fc.assert(
      fc.property(typed, ({ schema, type, values }) => {
        // avsc cannot hold fields of these names.
        fc.pre(!/__proto__|constructor|hasOwnProperty|toString/.test(JSON.stringify(schema)))
        const other = avsc.Type.forSchema(schema as avsc.Schema, { wrapUnions: true, registry: { long } })
        const codec = compileBinary(type, options)
        for (const value of values) {
          const bytes = codec.encode(value)
          // avsc keeps maps as objects, which put keys that look like numbers first.
          if (!hasIndexKey(value)) expect(toHex(bytes)).toBe(toHex(other.toBuffer(toAvsc(type, value))))
          expectSame(codec.decode(bytes), value)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('one value after the other, anywhere in a buffer', () => {
    fc.assert(
      fc.property(typed, fc.nat(9), ({ type, values }, before) => {
        const codec = compileBinary(type, options)
        const sink = new ByteSink(1)
        sink.ensure(before)
        sink.length += before
        for (const value of values) codec.write(value, sink)
        const cursor = new ByteCursor(sink.bytes.subarray(before), 0, sink.length - before)
        for (const value of values) expectSame(codec.read(cursor), value)
        expect(cursor.offset).toBe(cursor.end)
      }),
    )
  })

  test('bytes cut short are refused, bytes changed are read or refused, never a crash', () => {
    fc.assert(
      fc.property(typed, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ type, values }, at, byte) => {
        const codec = compileBinary(type, options)
        for (const value of values) {
          const bytes = codec.encode(value)
          if (bytes.length === 0) continue
          expect(() => codec.decode(bytes, 0, at % bytes.length)).toThrow(AvroError)
          bytes[at % bytes.length] = byte
          try {
            codec.decode(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(AvroError)
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  test('an error leaves cursor and sink where they were', () => {
    const codec = compileBinary(parseSchema({ type: 'array', items: 'int' }), options)
    const sink = new ByteSink()
    codec.write([1], sink)
    expect(() => codec.write([1, 'x'], sink)).toThrow('at /1')
    expect(sink.written()).toEqual(Uint8Array.of(2, 2, 0))
    const cursor = new ByteCursor(Uint8Array.of(9, 4, 2, 0x80), 1)
    expect(() => codec.read(cursor)).toThrow('at /1: expected the rest of a number')
    expect(cursor.offset).toBe(1)
  })

  test('a list of a hundred thousand levels is refused', () => {
    const type = parseSchema({ type: 'record', name: 'L', fields: [{ name: 'next', type: ['null', 'L'] }] })
    const codec = compileBinary(type, options)
    expect(() => codec.decode(new Uint8Array(100_000).fill(2))).toThrow(/at most 1000 records/)
  })

  test('a long string keeps its bytes, at every length around the borders', () => {
    const codec = compileBinary(parseSchema('string'), options)
    for (const length of [0, 1, 21, 22, 23, 24, 25, 63, 64, 65, 2730, 2731, 8191, 8192, 100_000]) {
      for (const unit of ['a', 'é', '€', '😀']) {
        const text = unit.repeat(length)
        expect(codec.decode(codec.encode(text))).toBe(text)
        expect(toHex(codec.encode(text))).toBe(toHex(avsc.Type.forSchema('string').toBuffer(text)))
      }
    }
  })
})

test('the end of a value is found, or more bytes are asked for', () => {
  fc.assert(
    fc.property(typed, ({ type, values }) => {
      const [codec, cut] = [compileBinary(type), compileCut(type)]
      for (const value of values) {
        const bytes = codec.encode(value)
        const more = new Uint8Array(bytes.length + 3)
        more.set(bytes)
        expect(cut(more, 0, more.length)).toBe(bytes.length)
        for (let end = 0; end < bytes.length; end++) expect(cut(more, 0, end)).toBe(-1)
      }
    }),
  )
  expect(() => compileCut(parseSchema('string'))(Uint8Array.of(1), 0, 1)).toThrow('a length of -1')
})

test('generated code never gives up on a value of the type', () => {
  fc.assert(
    fc.property(typed, ({ type, values }) => {
      const [read, write] = [generateRead(type), generateWrite(type)]
      for (const value of values) {
        const sink = new ByteSink()
        write(sink, value)
        expectSame(read(new ByteCursor(sink.written())), value)
      }
    }),
    { numRuns: 300 },
  )
})

/** avsc with all 64 bits of a long. */
const long = avsc.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8)
    buffer.writeBigInt64LE(value)
    return buffer
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
})

function hasIndexKey(value: unknown): boolean {
  if (value instanceof Map) return [...value].some(([key, item]) => /^\d+$/.test(key) || hasIndexKey(item))
  return typeof value === 'object' && value !== null && Object.values(value).some(hasIndexKey)
}

/** A value as avsc wants it. */
function toAvsc(type: AvroType, value: unknown): unknown {
  switch (type.kind) {
    case 'long':
      return BigInt(value as number)
    case 'bytes':
    case 'fixed':
      return Buffer.from(value as Uint8Array)
    case 'array':
      return (value as unknown[]).map((item) => toAvsc(type.items, item))
    case 'map':
      return Object.fromEntries(
        Array.from(value as Map<string, unknown>, ([key, item]) => [key, toAvsc(type.values, item)]),
      )
    case 'record':
      return Object.fromEntries(
        type.fields.map((field) => [field.name, toAvsc(field.type, Reflect.get(value as object, field.name))]),
      )
    case 'union': {
      const branch = type.branches.find((each) =>
        isPlainUnion(type) ? shapeOf(each) === shape(value) : branchName(each) === (value as Branch).type,
      )!
      const inner = value instanceof Branch ? value.value : value
      return branch.kind === 'null' ? null : { [branchName(branch)]: toAvsc(branch, inner) }
    }
    default:
      return value
  }
}

function shape(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'number'
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return 'array'
  return value instanceof Map ? 'map' : value instanceof Uint8Array ? 'bytes' : 'record'
}

test('bytes read from a Node Buffer are in memory of their own', () => {
  const buffer = Buffer.from([2, 65])
  const bytes = compileBinary(parseSchema('bytes')).decode(buffer)
  buffer[1] = 66
  expectSame(bytes, Uint8Array.of(65))
})
