// From one type to another: what the short way gives is what Avro's rules give for data at rest.
import { type AvroType, compatible, compileBinary, compileResolve, parseSchema, printSchema } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typed } from '../../../avro/test/arbitrary.ts'
import { expectSame } from '../../../avro/test/same-value.ts'
import { compileConversion } from '../../src/slot/conversion.ts'

const WIDER: Readonly<Record<string, readonly string[]>> = {
  int: ['int', 'long', 'float', 'double'],
  long: ['long', 'float', 'double'],
  float: ['float', 'double'],
  string: ['string', 'bytes'],
  bytes: ['bytes'],
}

/** Another schema for the same data: numbers wider, fields left out, renamed and added, symbols added, unions around. */
function evolved(schema: unknown, next: (limit: number) => number): unknown {
  if (typeof schema === 'string') {
    const wider = WIDER[schema] ?? [schema]
    const chosen = wider[next(wider.length)]!
    return next(6) === 0 && chosen !== 'null' ? ['null', chosen] : chosen
  }
  if (Array.isArray(schema)) return next(3) === 0 ? [...schema].reverse() : schema
  const { type, ...rest } = schema as {
    type: string
    items?: unknown
    values?: unknown
    fields?: Field[]
    symbols?: string[]
  }
  if (type === 'array') return { type, items: evolved(rest.items, next) }
  if (type === 'map') return { type, values: evolved(rest.values, next) }
  if (type === 'enum') return next(2) === 0 ? schema : { type, ...rest, symbols: [...rest.symbols!, 'another'] }
  if (type !== 'record') return schema
  const fields = rest.fields!.flatMap((field) => {
    const changed = { ...field, type: evolved(field.type, next) }
    const way = next(5)
    if (way === 0) return []
    return way === 1 ? [{ ...changed, name: `${field.name}_new`, aliases: [field.name] }] : [changed]
  })
  if (next(3) === 0) fields.push({ name: 'added', type: { type: 'array', items: 'int' }, default: [1, 2] })
  return { type, ...rest, fields }
}

interface Field {
  readonly name: string
  readonly type: unknown
  readonly aliases?: readonly string[]
  readonly default?: unknown
}

test('the result is that of writing with the one schema and reading with the other', () => {
  let converted = 0
  fc.assert(
    fc.property(typed, fc.array(fc.nat(), { minLength: 8, maxLength: 40 }), ({ type, values }, choices) => {
      let at = 0
      const schema = evolved(printSchema(type), (limit) => choices[at++ % choices.length]! % limit)
      let reader: AvroType
      try {
        reader = parseSchema(schema)
      } catch {
        return // Two branches of the same name, say.
      }
      if (compatible(type, reader).length > 0) return
      const conversion = compileConversion(type, reader) ?? ((value: unknown) => value)
      const { encode } = compileBinary(type)
      const { decode } = compileResolve(type, reader)
      for (const value of values) {
        let expected: unknown
        try {
          expected = decode(encode(value))
        } catch {
          expect(() => conversion(value)).toThrow()
          continue
        }
        expectSame(conversion(value), expected)
        converted++
      }
    }),
    { numRuns: 2000 },
  )
  expect(converted).toBeGreaterThan(1000)
})

describe('values that need no conversion', () => {
  test.each([
    ['int', 'int'],
    ['int', 'long'],
    ['int', 'double'],
    ['float', 'double'],
    [
      ['null', 'string'],
      ['null', 'string'],
    ],
  ])('%j as %j', (writer, reader) => {
    expect(compileConversion(parseSchema(writer), parseSchema(reader))).toBeUndefined()
  })
})

test('types that share nothing are refused with the reason', () => {
  expect(() => compileConversion(parseSchema('string'), parseSchema('int'))).toThrow(/int/)
})
