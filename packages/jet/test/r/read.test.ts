// Objects of R as records: R itself serialises each row's expression; the record is what the row says for its type.
import { parseSchema } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileConvertR } from '../../src/r/convert.ts'
import { ROutput } from '../../src/r/output.ts'
import { readR } from '../../src/r/read.ts'
import { RForeign, type RList, type RValue } from '../../src/r/value.ts'
import { compileWriteR } from '../../src/r/write.ts'
import { describeR, READ, runR, writing } from './real-r.ts'

const point = {
  type: 'record',
  name: 'Point',
  fields: [
    { name: 'x', type: 'double' },
    { name: 'label', type: ['null', 'string'] },
  ],
}
const color = { type: 'enum', name: 'Color', symbols: ['red', 'blue'] }
const array = (items: unknown) => ({ type: 'array', items })
const map = (values: unknown) => ({ type: 'map', values })
const day = { type: 'int', logicalType: 'date' }
const logical = (logicalType: string) => ({ type: 'long', logicalType })
const instant = 'as.POSIXct("2020-02-29 12:00:00.123456", tz = "UTC")'
const frame = 'data.frame(x = c(1, NA), label = c("a", NA))'

/** R expression, schema (null for none), and the record. */
const rows: readonly (readonly [string, unknown, unknown])[] = [
  ['NULL', null, null],
  ['TRUE', null, true],
  ['NA', null, null],
  ['7L', null, 7],
  ['NA_integer_', null, null],
  ['2.5', null, 2.5],
  ['NaN', null, Number.NaN],
  ['NA_real_', null, null],
  ['-Inf', null, -Infinity],
  ['"gr\\u00fcn"', null, 'grün'],
  ['iconv("gr\\u00fcn", "UTF-8", "latin1")', null, 'grün'],
  ['NA_character_', null, null],
  ['as.raw(1:2)', null, new Uint8Array([1, 2])],
  ['structure("9007199254740993", class = "long")', null, 9007199254740993n],
  ['structure(4.94065645841247e-324, class = "integer64")', null, 1],
  ['c(1, 2)', null, [1, 2]],
  ['1:3', null, [1, 2, 3]],
  ['numeric()', null, []],
  ['c(a = 1)', null, 1],
  ['c(a = 1, b = 2)', null, [1, 2]],
  ['I(1)', null, [1]],
  ['c(TRUE, NA)', null, [true, null]],
  ['c("a", NA)', null, ['a', null]],
  ['list()', null, []],
  ['list(1, "a")', null, [1, 'a']],
  ['list(a = 1, b = NULL)', null, { a: 1, b: null }],
  ['list(a = 1, 2)', null, { a: 1, 2: 2 }],
  ['structure(list(), names = character())', null, {}],
  ['list(a = list(b = list(c = 1:2)))', null, { a: { b: { c: [1, 2] } } }],
  ['factor("blue", levels = c("red", "blue"))', null, 'blue'],
  ['factor(c("b", NA, "a"))', null, ['b', null, 'a']],
  ['as.Date("2020-02-29")', null, '2020-02-29'],
  ['as.POSIXct("2020-02-29 12:00:00", tz = "UTC")', null, '2020-02-29T12:00:00.000Z'],
  ['as.Date(c("2020-02-29", NA))', null, ['2020-02-29', null]],
  [
    frame,
    null,
    [
      { x: 1, label: 'a' },
      { x: null, label: null },
    ],
  ],
  ['data.frame(f = factor(c("u", "v")), n = 1:2)', null, [{ f: 'u', n: 1 }, { f: 'v', n: 2 }]], // biome-ignore format: a row
  ['data.frame(x = 1, row.names = "r")', null, [{ x: 1 }]],
  ['data.frame()', null, []],
  ['data.frame(i = I(list(1:2, "a")))', null, [{ i: [1, 2] }, { i: 'a' }]],
  ['matrix(1:6, 2)', null, [[1, 3, 5], [2, 4, 6]]], // biome-ignore format: a row
  ['matrix(1:2, 2)', null, [[1], [2]]],
  ['array(1:8, c(2, 2, 2))', null, [[[1, 5], [3, 7]], [[2, 6], [4, 8]]]], // biome-ignore format: a row
  ['list("__proto__" = 1)', null, Object.defineProperty({}, '__proto__', { value: 1, enumerable: true })],

  ['3', 'int', 3],
  ['c(a = 3)', 'int', 3],
  ['"7"', 'int', '7'],
  ['c(1, 2)', 'int', [1, 2]],
  ['3', 'long', 3],
  ['"9007199254740993"', 'long', 9007199254740993n],
  ['"12"', 'long', 12],
  ['as.Date("1970-01-11")', 'int', 10],
  ['as.Date("1970-01-11")', 'string', '1970-01-11'],
  ['as.POSIXct(86400, origin = "1970-01-01", tz = "UTC")', 'long', 86400],
  ['as.Date("1970-01-11")', day, 10],
  ['as.Date(10.75, origin = "1970-01-01")', day, 10],
  ['as.POSIXct("1970-01-11", tz = "UTC")', day, 10],
  ['as.POSIXct("1970-01-11 12:00:00", tz = "UTC")', day, '1970-01-11T12:00:00.000Z'],
  ['10L', day, 10],
  ['as.Date("1970-01-02")', logical('timestamp-millis'), 86_400_000],
  [instant, logical('timestamp-millis'), 1_582_977_600_123],
  [instant, logical('timestamp-micros'), 1_582_977_600_123_456],
  [instant, logical('timestamp-nanos'), 1_582_977_600_123_456_000n],
  [instant, logical('local-timestamp-millis'), 1_582_977_600_123],
  ['as.POSIXct(-0.0005, origin = "1970-01-01", tz = "UTC")', logical('timestamp-millis'), -1],
  ['as.POSIXct(Inf, origin = "1970-01-01", tz = "UTC")', logical('timestamp-millis'), Infinity],
  [instant, logical('time-micros'), '2020-02-29T12:00:00.123Z'],
  ['as.POSIXct(c(1, NA), origin = "1970-01-01")', array(['null', logical('timestamp-millis')]), [1000, null]],
  ['as.Date("1970-01-02")', ['string', logical('timestamp-millis')], 86_400_000],
  ['as.Date(NA)', ['null', day], null],
  ['NA_real_', 'double', Number.NaN],
  ['NaN', 'double', Number.NaN],
  ['NULL', 'double', null],
  ['NA', ['null', 'double'], null],
  ['NaN', ['null', 'double'], Number.NaN],
  ['factor("red")', color, 'red'],
  ['as.raw(7)', 'bytes', new Uint8Array([7])],
  ['5', array('double'), [5]],
  ['NULL', array('double'), []],
  ['NA_real_', array('double'), [Number.NaN]],
  ['c(1, NA)', array(['null', 'double']), [1, null]],
  ['list(1, NULL)', array(['null', 'double']), [1, null]],
  ['matrix(1:4, 2)', array(array('int')), [[1, 3], [2, 4]]], // biome-ignore format: a row
  ['matrix(1:2, 2)', array(array('int')), [[1], [2]]],
  ['list(1, 2:3)', array(array('int')), [[1], [2, 3]]],
  [frame, array(point), [{ x: 1, label: 'a' }, { x: Number.NaN, label: null }]], // biome-ignore format: a row
  ['list(x = 1L, label = NA)', point, { x: 1, label: null }],
  ['c(x = 1, y = 2)', point, { x: 1, y: 2 }],
  ['data.frame(x = 1, label = "a")', point, { x: 1, label: 'a' }],
  [frame, point, [{ x: 1, label: 'a' }, { x: null, label: null }]], // biome-ignore format: a row
  ['list(a = 1, b = 2)', map('int'), new Map([['a', 1], ['b', 2]])], // biome-ignore format: a row
  ['c(a = 1, b = 2)', map('int'), new Map([['a', 1], ['b', 2]])], // biome-ignore format: a row
  ['list()', map('int'), new Map()],
  ['list()', point, {}],
  ['"a"', ['null', 'string', array('int')], 'a'],
  ['1:2', ['null', 'string', array('int')], [1, 2]],
  ['TRUE', ['boolean', 'int', point], true],
  ['1L', ['boolean', 'int', point], 1],
  ['list(x = 1, label = "a")', ['boolean', 'int', point], { x: 1, label: 'a' }],
  ['list(int = 1)', ['int', 'double'], { int: 1 }],
  ['as.raw(1)', ['bytes', 'string'], new Uint8Array([1])],
  ['list(k = 1)', ['null', array('int'), map('int')], new Map([['k', 1]])],
  ['factor("red")', ['int', color], 'red'],
]

/** R expressions for what is no data. */
const foreign = [
  ['function(x) x + 1', 'a function'],
  [
    'local({ f <- compiler::cmpfun(function(x, y = 2) { for (i in 1:3) x <- x + switch(y, a = 1, b = "c"); x }); f })',
    'a function',
  ],
  ['lapply', 'a function'],
  ['sum', 'a function'],
  ['`if`', 'a function'],
  ['quote(a + b(c))', 'a piece of R code'],
  ['expression(a, 1)', 'a piece of R code'],
  ['new.env()', 'an environment'],
  ['globalenv()', 'an environment'],
  ['baseenv()', 'an environment'],
  ['asNamespace("stats")', 'an environment'],
  ['as.symbol("abc")', 'a symbol of R'],
  ['complex(real = 1, imaginary = 2)', 'a complex number'],
  ['y ~ x + z', 'a piece of R code'],
  ['methods::setClass("P", representation(x = "numeric"))(x = 1)', 'an S4 object'],
  ['lm(dist ~ speed, cars)', undefined],
  ['pairlist(a = 1)', 'an object of R that is no data'],
] as const

const typeOf = (schema: unknown) => (schema === null ? null : parseSchema(schema))
const environments = 'refhook = function(reference) "environment"'

describeR('reading', () => {
  test('each row is the record it should be', () => {
    const { made } = runR(writing(`list(${rows.map(([expression]) => expression).join(',\n')})`))
    const { values } = readR(made) as RList
    const records = rows.map(([, schema], at) => compileConvertR(typeOf(schema))(values[at]!))
    expect(records).toEqual(rows.map(([, , record]) => record))
  })

  test('other versions of the form are refused', () => {
    const { made } = runR(writing('1', 3))
    expect(() => readR(made)).toThrow('version 3')
    expect(() => readR(new Uint8Array([88, 10, 0, 0, 0, 2]))).toThrow('not of the form')
  })

  test('what is no data is refused, and what stands behind it is read', () => {
    const items = foreign.map(([expression]) => `list(${expression}, "behind")`).join(',\n')
    const code = `made <- serialize(list(${items}), NULL, xdr = FALSE, version = 2L, ${environments})\nwriteBin(made, "made")`
    const { values } = readR(runR(code).made) as RList
    for (const [at, [expression, noun]] of foreign.entries()) {
      const [object, behind] = (values[at] as RList).values as [RValue, RValue]
      expect(behind, expression).toBe('behind')
      if (noun !== undefined) {
        expect(object, expression).toEqual(new RForeign(noun))
        expect(() => compileConvertR(null)(object)).toThrow(noun)
      }
    }
  })

  test('any JSON value comes back from R as it went, arrays of one element and kinds of empty arrays aside', () => {
    const values = fc.sample(jsonValue, { numRuns: 1000, seed: 7 })
    const { made } = runR(READ + writing('given'), listOf(values))
    const back = (readR(made) as RList).values.map(compileConvertR(null))
    expect(back).toEqual(values.map(asRHolds))
  })
})

describe('round trips', () => {
  test('any JSON value, written and read', () => {
    fc.assert(
      fc.property(fc.array(jsonValue, { maxLength: 20 }), (values) => {
        const back = (readR(listOf(values)) as RList).values.map(compileConvertR(null))
        expect(back).toEqual(values.map(asRHolds))
      }),
    )
  })

  test('any bytes are read or refused', () => {
    const whole = listOf([{ a: 1, b: ['x', null] }, [1.5, 2], 'text'])
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const damaged = whole.slice(0, length)
        damaged[at] = byte
        try {
          readR(damaged)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
    )
  })
})

const key = fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
const scalar = fc.oneof(
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constant(Number.NaN),
  fc.constant(null),
  fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !text.includes('\0')),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }),
)
const { value: jsonValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.double(), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))

function listOf(values: readonly unknown[]): Uint8Array {
  const output = new ROutput(16)
  output.startBatch()
  for (const value of values) compileWriteR(null)(output, value)
  output.endBatch(values.length)
  return output.bytes
}

/** R cannot tell an array of one scalar from the scalar. */
function asRHolds(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isScalar =
      value.length === 1 && (typeof value[0] !== 'object' || value[0] === null) && typeof value[0] !== 'bigint'
    return isScalar ? value[0] : value.map(asRHolds)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asRHolds(member)]))
}
