import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyWords,
  flag,
  integer,
  type Parameter,
  type ParameterSchema,
  required,
  seconds,
  text,
  timeRange,
  word,
  words,
} from '../src/parameters.ts'

interface Case {
  readonly name: string
  readonly parameter: Parameter<unknown>
  readonly allowed: string
  readonly schema: ParameterSchema
  readonly good: readonly (readonly [text: string, value: unknown])[]
  readonly bad: readonly string[]
}

const cases: Case[] = [
  {
    name: 'a text',
    parameter: text('T'),
    allowed: 'a text',
    schema: { type: 'string' },
    good: [
      ['', ''],
      ['a b', 'a b'],
      ['é\n', 'é\n'],
    ],
    bad: [],
  },
  {
    name: 'an integer without bounds',
    parameter: integer('T'),
    allowed: 'a whole number',
    schema: { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
    good: [
      ['0', 0],
      ['007', 7],
      ['-1', -1],
      ['2147483647', 2147483647],
      ['-2147483648', -2147483648],
    ],
    bad: ['', ' 1', '1 ', '+1', '1.0', '1e3', '0x10', '2147483648', '-2147483649', '99999999999', 'one', '١', '1\n'],
  },
  {
    name: 'an integer with a lower bound',
    parameter: integer('T', { minimum: 1 }),
    allowed: 'a whole number from 1',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 },
    good: [
      ['1', 1],
      ['2147483647', 2147483647],
    ],
    bad: ['0', '-1', '2147483648'],
  },
  {
    name: 'an integer with both bounds',
    parameter: integer('T', { minimum: 0, maximum: 65535 }),
    allowed: 'a whole number from 0 to 65535',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 65535 },
    good: [
      ['0', 0],
      ['65535', 65535],
    ],
    bad: ['-1', '65536'],
  },
  {
    name: 'seconds',
    parameter: seconds('T', { minimum: 0.5, maximum: 60 }),
    allowed: 'a number of seconds from 0.5 to 60',
    schema: { type: 'number', minimum: 0.5, maximum: 60 },
    good: [
      ['0.5', 0.5],
      ['1', 1],
      ['59.999', 59.999],
      ['60', 60],
    ],
    bad: ['', '0.499', '60.001', '-1', '1.', '.5', '1e1', 'NaN', 'Infinity', '1.0000000001'],
  },
  {
    name: 'a range of time',
    parameter: timeRange('T'),
    allowed: "two ISO 8601 dates or times with '--' between them",
    schema: { type: 'string' },
    good: [
      ['2026-01-01--2026-01-31', { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) - 1 }],
      ['2026-01-01T10:30--', { from: Date.UTC(2026, 0, 1, 10, 30), to: Number.MAX_SAFE_INTEGER }],
      ['--2026-01-01T00:00:00.5Z', { from: 0, to: Date.UTC(2026, 0, 1, 0, 0, 0, 500) }],
      ['2026-01-01 00:00:00+02:00--', { from: Date.UTC(2025, 11, 31, 22), to: Number.MAX_SAFE_INTEGER }],
      ['--', { from: 0, to: Number.MAX_SAFE_INTEGER }],
    ],
    bad: ['', '2026-01-01', '2026-02-30--', '2026-13-01--', 'now--', '2026-01-01--x', '1--2--3', '2026-01-01T25:00--'],
  },
  {
    name: 'a flag',
    parameter: flag('T'),
    allowed: "'true' or 'false'",
    schema: { type: 'boolean' },
    good: [
      ['true', true],
      ['1', true],
      ['yes', true],
      ['TRUE', true],
      ['false', false],
      ['0', false],
      ['no', false],
      ['No', false],
    ],
    // The last three are what a plain object would know by itself.
    bad: ['', '2', 'on', 'truee', 'constructor', '__proto__', 'valueof'],
  },
  {
    name: 'one of a few words',
    parameter: word('T', ['ok', 'fail']),
    allowed: 'one of ok, fail',
    schema: { type: 'string', enum: ['ok', 'fail'] },
    good: [
      ['ok', 'ok'],
      ['fail', 'fail'],
    ],
    bad: ['', 'OK', 'ok,fail', ' ok', 'constructor'],
  },
  {
    name: 'a list of known words',
    parameter: words('T', ['input', 'output', 'model']),
    allowed: 'a comma-separated list of input, output, model',
    schema: { type: 'string' },
    good: [
      ['input', ['input']],
      ['model,input', ['model', 'input']],
      [' input , output ', ['input', 'output']],
      [',input,,', ['input']],
      ['', []],
    ],
    bad: ['inputs', 'input,jets', 'INPUT', 'input;output', 'constructor'],
  },
  {
    name: 'a list of any words',
    parameter: anyWords('T'),
    allowed: 'a comma-separated list',
    schema: { type: 'string' },
    good: [
      ['host,port', ['host', 'port']],
      [' a b ,', ['a b']],
      ['', []],
    ],
    bad: [],
  },
]

describe.each(cases)('$name', ({ parameter, allowed, schema, good, bad }) => {
  test('says what is allowed', () => {
    expect(parameter.allowed).toBe(allowed)
  })
  test('describes itself to the swagger document', () => {
    expect(parameter.schema).toEqual(schema)
  })
  test('is optional', () => {
    expect(parameter.required).toBeUndefined()
  })
  test.each(good)('reads %j as %j', (given, value) => {
    expect(parameter.read(given)).toEqual(value)
  })
  if (bad.length > 0) {
    test.each(bad)('refuses %j', (given) => {
      expect(parameter.read(given)).toBeUndefined()
    })
  }
})

test('a list of known words names them in its summary', () => {
  expect(words('Sections to give', ['a', 'b']).summary).toBe('Sections to give; a comma-separated list of: a, b')
})

test('required changes nothing but that', () => {
  const parameter = integer('How many.', { minimum: 1 })
  const needed = required(parameter)
  expect(needed.required).toBe(true)
  expect({ ...needed, required: undefined }).toEqual({ ...parameter, required: undefined })
  expect(needed.read('3')).toBe(3)
})

test('every 32-bit integer is read as itself, and no other', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer(), (any, fitting) => {
      expect(integer('').read(String(fitting))).toBe(fitting)
      expect(integer('').read(String(any))).toBe(Math.abs(any) < 2 ** 31 || any === -(2 ** 31) ? any : undefined)
    }),
  )
})

test('any list of words comes back as it was joined', () => {
  const part = fc.stringMatching(/^[a-z_]{1,8}$/)
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(anyWords('').read(parts.join(','))).toEqual(parts)
    }),
  )
})

test('no text makes any kind throw, and what a flag reads is a boolean', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (given) => {
      for (const { parameter } of cases) parameter.read(given)
      expect([true, false, undefined]).toContain(flag('').read(given))
    }),
  )
})
