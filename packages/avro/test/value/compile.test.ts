// Checks and conversions: the generated version against the interpreted one, on good values and on spoilt ones.
import {
  AvroError,
  compileCheck,
  compileConvert,
  compileJson,
  generateCheck,
  generateConvert,
  interpretConvert,
  parseSchema,
} from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bare, typed } from '../arbitrary.ts'
import { expectSame } from '../same-value.ts'

const outcome = (run: () => unknown): unknown => {
  try {
    return { value: run() }
  } catch (error) {
    if (error instanceof Error && !(error instanceof AvroError) && !(error instanceof RangeError)) throw error
    return { refused: error instanceof AvroError ? error.message : 'refused' }
  }
}

test('a value of the type passes the check and needs no conversion', () => {
  fc.assert(
    fc.property(typed, ({ type, values }) => {
      const [check, interpreted, generated] = [
        compileCheck(type),
        compileCheck(type, { generate: false }),
        generateCheck(type),
      ]
      for (const value of values) {
        expect(check(value)).toBeUndefined()
        expect(interpreted(value)).toBeUndefined()
        expect(generated(value)).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

const anything = fc.anything({ withBigInt: true, withMap: true, withTypedArray: true, withNullPrototype: true })

test('both versions of the check agree on anything', () => {
  fc.assert(
    fc.property(typed, fc.array(anything), ({ type }, others) => {
      const [interpreted, generated] = [compileCheck(type, { generate: false }), generateCheck(type)]
      for (const other of [...others, Symbol('x'), () => 1, 5n, undefined, new Date(0)]) {
        expect(generated(other)).toBe(interpreted(other) === undefined)
        expect(compileCheck(type)(other)).toEqual(interpreted(other))
        outcome(() => compileConvert(type)(other))
      }
    }),
    { numRuns: 300 },
  )
})

test('both versions of the conversion agree on any JSON, and the generated one gives up only on what is refused', () => {
  fc.assert(
    fc.property(typed, fc.array(fc.jsonValue(), { maxLength: 5 }), ({ type, values }, others) => {
      const codec = compileJson(type)
      const texts = [...values.map((value) => codec.write(value)), ...others.map((other) => JSON.stringify(other))]
      const [interpreted, generated] = [
        compileConvert(type, { generate: false }),
        compileConvert(type, { generate: true }),
      ]
      const [bareInterpreted, bareGenerated] = [interpretConvert(type), generateConvert(type)]
      for (const text of texts) {
        expectSame(
          outcome(() => generated(JSON.parse(text))),
          outcome(() => interpreted(JSON.parse(text))),
        )
        const [a, b] = [
          outcome(() => bareGenerated(JSON.parse(text))),
          outcome(() => bareInterpreted(JSON.parse(text))),
        ]
        expectSame(a, b)
      }
      for (const value of values) {
        const plain = bare(type, value)
        expectSame(
          outcome(() => generated(plain)),
          outcome(() => interpreted(plain)),
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('spoilt values: both versions of reading agree', () => {
  fc.assert(
    fc.property(
      typed,
      fc.nat(),
      fc.constantFrom('null', '1', '1.5', '"x"', '[]', '{}', '-0', '1e400', '{"int":1}', '9223372036854775808'),
      ({ type, values }, at, spoiler) => {
        const generated = compileJson(type)
        const interpreted = compileJson(type, { generate: false })
        for (const value of values) {
          const text = generated.write(value)
          // Replaces one leaf or container by something else, keeping valid JSON most of the time.
          const places = [...text.matchAll(/null|true|false|-?\d[\d.e+-]*|"[^"\\]*"(?!:)/g)]
          const place = places[at % Math.max(1, places.length)]
          const spoilt =
            place === undefined
              ? spoiler
              : text.slice(0, place.index) + spoiler + text.slice(place.index + place[0].length)
          expectSame(
            outcome(() => generated.read(spoilt)),
            outcome(() => interpreted.read(spoilt)),
          )
        }
      },
    ),
    { numRuns: 500 },
  )
})

describe('conversion leaves alone what is right', () => {
  const R = {
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: 'int' },
      { name: 'b', type: { type: 'array', items: 'double' } },
    ],
  }
  for (const generate of [true, false]) {
    test(`generated: ${generate}`, () => {
      const convert = compileConvert(parseSchema(R), { generate })
      const value = { b: [1, Number.NaN], a: 3 }
      expect(convert(value)).toBe(value)
      const spelled = { a: 3, b: [1, 'nan'] }
      expect(convert(spelled)).toEqual({ a: 3, b: [1, Number.NaN] })
      expect(spelled.b[1]).toBe('nan')
      const map = new Map([['a', 1]])
      expect(compileConvert(parseSchema({ type: 'map', values: 'int' }), { generate })(map)).toBe(map)
    })
  }
})

test('a plain union with a record and a map', () => {
  const union = [
    { type: 'map', values: 'int' },
    { type: 'record', name: 'R', fields: [{ name: 'a', type: 'int' }] },
  ]
  for (const generate of [true, false]) {
    const check = compileCheck(parseSchema(union), { generate })
    expect(check({ a: 1 })).toBeUndefined()
    expect(check(new Map([['b', 2]]))).toBeUndefined()
    expect(check({ b: 1 })?.pointer).toBe('/a')
    const convert = compileConvert(parseSchema(union.toReversed()), { generate })
    expect(convert({ a: 1 })).toEqual({ a: 1 })
    expect(convert({ b: 1 })).toEqual(new Map([['b', 1]]))
    expect(() => convert({ b: 'x' })).toThrow(/one of record R or map of int/)
  }
})

describe.each([true, false])('what is no JSON, generated: %s', (generate) => {
  const converted = (schema: unknown, value: unknown) =>
    outcome(() => compileConvert(parseSchema(schema), { generate })(value))
  const long = (logicalType: string) => ({ type: 'long', logicalType })
  const leap = new Date('2020-02-29T00:00:00.000Z')
  const instant = new Date('2020-02-29T12:30:00.001Z')

  test.each<[schema: unknown, date: Date, value: unknown]>([
    [{ type: 'int', logicalType: 'date' }, leap, 18321],
    [{ type: 'int', logicalType: 'date' }, new Date(-86_400_000), -1],
    [{ type: 'int', logicalType: 'date' }, new Date(0), 0],
    [long('timestamp-millis'), instant, 1582979400001],
    [long('timestamp-millis'), new Date(-1), -1],
    [long('timestamp-micros'), instant, 1582979400001000],
    [long('timestamp-nanos'), instant, 1582979400001000000n],
    [long('local-timestamp-millis'), instant, 1582979400001],
    ['string', instant, '2020-02-29T12:30:00.001Z'],
    [['null', long('timestamp-millis')], instant, 1582979400001],
    [['null', 'string', { type: 'int', logicalType: 'date' }], leap, 18321],
    [['null', 'string', { type: 'int', logicalType: 'date' }], instant, '2020-02-29T12:30:00.001Z'],
    [{ type: 'map', values: 'int' }, new Map() as never, new Map()],
  ])('%j of a date', (schema, date, value) => {
    expect(converted(schema, date)).toEqual({ value })
  })

  test.each<[schema: unknown, value: unknown, words: string]>([
    ['long', instant, 'found the date 2020-02-29T12:30:00.001Z'],
    [{ type: 'int', logicalType: 'date' }, instant, 'found the date 2020-02-29T12:30:00.001Z'],
    [long('time-micros'), instant, 'found the date'],
    [{ type: 'string', logicalType: 'uuid' }, instant, 'found the date'],
    [long('timestamp-millis'), new Date(Number.NaN), 'found the date that is none'],
    ['string', new Date(Number.NaN), 'found the date that is none'],
    [{ type: 'map', values: 'int' }, instant, 'found the date'],
    [{ type: 'map', values: 'int' }, new Set([1]), 'found an object of class Set'],
    [['null', { type: 'map', values: 'int' }], new Set([1]), 'found an object of class Set'],
    [{ type: 'record', name: 'empty', fields: [] }, instant, 'found the date'],
    [
      { type: 'record', name: 'r', fields: [{ name: 'a', type: 'int', default: 1 }] },
      /x/,
      'found an object of class RegExp',
    ],
  ])('%j of something else is refused', (schema, value, words) => {
    expect(converted(schema, value)).toEqual({ refused: expect.stringContaining(words) })
  })
})
