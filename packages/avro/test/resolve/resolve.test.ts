// Schema resolution: the table of conformance/avro/resolution.json, and widened random schemas.
import { readFileSync } from 'node:fs'
import { compatible, compileBinary, compileJson, compileResolve, parseSchema, printSchema } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { schema, typed } from '../arbitrary.ts'
import { expectSame } from '../same-value.ts'

interface Entry {
  writer: unknown
  reader: unknown
  /** What was written and what is read, both in Avro's JSON. */
  values: [string, string][]
  /** Pointers to what cannot be read. */
  mismatches: string[]
}
const table = JSON.parse(
  readFileSync(new URL('../../../../conformance/avro/resolution.json', import.meta.url), 'utf8'),
) as Entry[]

describe.each(table)('$writer read as $reader', (entry) => {
  const [writer, reader] = [parseSchema(entry.writer), parseSchema(entry.reader)]

  test('mismatches', () => {
    expect(compatible(writer, reader).map((mismatch) => mismatch.pointer)).toEqual(entry.mismatches)
  })

  test('values', () => {
    for (const [written, read] of entry.values) {
      const bytes = compileBinary(writer).encode(compileJson(writer).read(written))
      for (const generate of [true, false]) {
        expect(compileJson(reader).write(compileResolve(writer, reader, { generate }).decode(bytes))).toBe(read)
      }
    }
    // Where nothing at all can be read, that is said at once.
    if (entry.values.length === 0) expect(() => compileResolve(writer, reader)).toThrow(/in the data/)
  })
})

test('a branch that the reader does not have is refused when it is met', () => {
  const [writer, reader] = [parseSchema(['null', 'int']), parseSchema('long')]
  const bytes = compileBinary(writer).encode(null)
  expect(() => compileResolve(writer, reader).decode(bytes)).toThrow(
    'expected a long (a whole number of 64 bits), found null in the data',
  )
})

test('errors point to the field', () => {
  const fields = [
    { name: 'a', type: 'int' },
    { name: 'b', type: { type: 'array', items: 'string' } },
  ]
  const writer = parseSchema({ type: 'record', name: 'R', fields })
  const reader = parseSchema({ type: 'record', name: 'R', fields: fields.toReversed() })
  expect(() => compileResolve(writer, reader).decode(Uint8Array.of(2, 2, 2, 0xff, 0))).toThrow(
    'at /b/0: expected a string',
  )
  expect(() => compileResolve(writer, reader).decode(Uint8Array.of(2, 0, 0))).toThrow('1 more bytes')
})

test('any schema reads its own data, also through another copy of the schema and with fields added', () => {
  fc.assert(
    fc.property(typed, ({ type, values }) => {
      const copy = parseSchema(printSchema(type))
      expect(compatible(type, copy)).toEqual([])
      const wider = parseSchema(JSON.parse(JSON.stringify(printSchema(type)), addField))
      expect(compatible(type, wider)).toEqual([])
      const codec = compileBinary(type)
      for (const value of values) {
        const bytes = codec.encode(value)
        for (const generate of [true, false]) expectSame(compileResolve(type, copy, { generate }).decode(bytes), value)
        const [given, through] = [compileResolve(type, wider).decode(bytes), compileResolve(wider, type)]
        expectSame(through.decode(compileBinary(wider).encode(given)), value)
        expectSame(compileResolve(type, wider, { generate: false }).decode(bytes), given)
      }
    }),
    { numRuns: 200 },
  )
})

test('any two schemas: compatible ones can be read, and both versions of reading agree', () => {
  fc.assert(
    fc.property(typed, schema, ({ type, values }, other) => {
      const reader = parseSchema(other)
      const reads = [true, false].map((generate) => attempt(() => compileResolve(type, reader, { generate })))
      if (compatible(type, reader).length === 0) expect(typeof reads[0]).toBe('object')
      for (const value of values) {
        const bytes = compileBinary(type).encode(value)
        const [generated, interpreted] = reads.map((read) =>
          attempt(() => (typeof read === 'string' ? read : read.decode(bytes))),
        )
        expectSame(generated, interpreted)
      }
    }),
    { numRuns: 600 },
  )
})

/** What comes out, or the message of the error. */
function attempt<Value>(run: () => Value): Value | string {
  try {
    return run()
  } catch (error) {
    return (error as Error).message
  }
}

function addField(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'type') !== 'record') return value
  const { fields, ...rest } = value as { fields: unknown[] }
  return { ...rest, fields: [{ name: 'added', type: 'double', default: 'NaN' }, ...fields] }
}
