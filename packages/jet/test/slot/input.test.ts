import { compileBinary, parseSchema } from '@pitot/avro'
import { describe, expect, test } from 'vitest'
import type { SlotStream } from '../../src/messages.ts'
import { compileInput } from '../../src/slot/input.ts'
import { framesOf } from './frames.ts'

const stream = (encoding: string, schema: unknown = null, options = {}): SlotStream => ({
  encoding,
  options,
  schema,
  room: 0,
})
const point = { type: 'record', name: 'Point', fields: [{ name: 'x', type: 'double' }] }
const pointInt = { type: 'record', name: 'Point', fields: [{ name: 'x', type: 'int' }] }
const wide = {
  type: 'record',
  name: 'Point',
  fields: [
    { name: 'x', type: 'int' },
    { name: 'y', type: 'string' },
  ],
}
const renamed = {
  type: 'record',
  name: 'Point',
  fields: [
    { name: 'z', type: 'double', aliases: ['x'] },
    { name: 'n', type: 'string', default: 'none' },
  ],
}
const color = (symbols: string[], rest = {}) => ({ type: 'enum', name: 'Color', symbols, ...rest })

interface Row {
  readonly stream: SlotStream
  readonly model?: unknown
  readonly frames: readonly (string | Uint8Array)[]
  readonly records: readonly unknown[]
  /** For each record its frame; one each by default. */
  readonly indexes?: readonly number[]
  /** Frame, step and a part of the reason. */
  readonly rejects?: readonly (readonly [number, string, RegExp])[]
}

const rows: Record<string, Row> = {
  'json without any schema': {
    stream: stream('json'),
    frames: ['1', '"a"', '{"b":[2]}'],
    records: [1, 'a', { b: [2] }],
  },
  'json that is none is refused by encoding, other types by schema': {
    stream: stream('json', 'int'),
    model: 'int',
    frames: ['1', 'foo', '1.5', '4'],
    records: [1, 4],
    indexes: [0, 3],
    rejects: [
      [1, 'encoding', /JSON/],
      [2, 'schema', /expected an int/],
    ],
  },
  'a stream without a schema is read as what the model takes': {
    stream: stream('json'),
    model: 'int',
    frames: ['foo', '1.5', '3'],
    records: [3],
    indexes: [2],
    rejects: [
      [0, 'encoding', /JSON/],
      [1, 'schema', /expected an int/],
    ],
  },
  'blank frames give nothing': {
    stream: stream('json'),
    frames: ['', '1', ' '],
    records: [1],
    indexes: [1],
  },
  'longs keep their digits': {
    stream: stream('json', 'long'),
    model: 'long',
    frames: ['9007199254740993', '-9223372036854775808'],
    records: [9007199254740993n, -9223372036854775808n],
  },
  'int for a model of double': { stream: stream('json', 'int'), model: 'double', frames: ['3'], records: [3] },
  'a long for a model of double loses its bigint': {
    stream: stream('json', 'long'),
    model: 'double',
    frames: ['9007199254740993'],
    records: [9007199254740992],
  },
  'an int for a model of float is rounded': {
    stream: stream('json', 'int'),
    model: 'float',
    frames: ['16777217'],
    records: [16777216],
  },
  'the stream is checked even where the model is wider': {
    stream: stream('json', 'int'),
    model: 'double',
    frames: ['1.5', '1'],
    records: [1],
    indexes: [1],
    rejects: [[0, 'schema', /expected an int/]],
  },
  'text for a model of bytes is UTF-8': {
    stream: stream('json', 'string'),
    model: 'bytes',
    frames: ['"é"'],
    records: [new Uint8Array([0xc3, 0xa9])],
  },
  'fields that the model does not have are left out': {
    stream: stream('json', wide),
    model: point,
    frames: ['{"x":1,"y":"a"}'],
    records: [{ x: 1 }],
  },
  'aliases and defaults of the model': {
    stream: stream('json', pointInt),
    model: renamed,
    frames: ['{"x":1}'],
    records: [{ z: 1, n: 'none' }],
  },
  'symbols that the model does not have': {
    stream: stream('json', color(['red', 'blue'])),
    model: color(['red']),
    frames: ['"red"', '"blue"'],
    records: ['red'],
    rejects: [[1, 'schema', /blue/]],
  },
  'symbols that give way to a default': {
    stream: stream('json', color(['red', 'blue'])),
    model: color(['red'], { default: 'red' }),
    frames: ['"red"', '"blue"'],
    records: ['red', 'red'],
  },
  'branches that the model does not have': {
    stream: stream('json', ['null', 'int']),
    model: 'double',
    frames: ['{"int":3}', 'null'],
    records: [3],
    rejects: [[1, 'schema', /null/]],
  },
  'extra fields are refused unless the stream says otherwise': {
    stream: stream('json', pointInt),
    frames: ['{"x":1,"y":2}'],
    records: [],
    rejects: [[0, 'schema', /\/y/]],
  },
  'extra fields ignored': {
    stream: stream('json', pointInt, { extra: 'ignore' }),
    frames: ['{"x":1,"y":2}'],
    records: [{ x: 1 }],
  },
  'text without a schema is text': { stream: stream('null'), frames: ['a', ''], records: ['a', ''] },
  'text that is no UTF-8 is refused by encoding': {
    stream: stream('null'),
    frames: [new Uint8Array([0xff]), 'a'],
    records: ['a'],
    indexes: [1],
    rejects: [[0, 'encoding', /UTF-8/]],
  },
  'bytes by the schema of the stream': {
    stream: stream('null', 'bytes'),
    frames: [new Uint8Array([0xff])],
    records: [new Uint8Array([0xff])],
  },
  'bytes by the schema of the model': {
    stream: stream('null'),
    model: 'bytes',
    frames: [new Uint8Array([0xff])],
    records: [new Uint8Array([0xff])],
  },
  'cells are typed by the model where the stream has no schema': {
    stream: stream('csv'),
    model: wide,
    frames: ['1,a', 'x,b'],
    records: [{ x: 1, y: 'a' }],
    rejects: [[1, 'schema', /\/x/]],
  },
  msgpack: {
    stream: stream('msgpack', 'int'),
    model: 'long',
    frames: [new Uint8Array([7]), new Uint8Array([0xc1])],
    records: [7],
    rejects: [[1, 'encoding', /./]],
  },
  'avro binary, widened': {
    stream: stream('avro-binary', 'int'),
    model: 'double',
    frames: [new Uint8Array([6])],
    records: [3],
  },
}

test.each(Object.entries(rows))('%s', (_name, row) => {
  const { records, indexes, rejects } = compileInput(row.stream, row.model).decode(framesOf(...row.frames))
  expect(records).toEqual(row.records)
  expect([...indexes]).toEqual(row.indexes ?? row.records.map((_, index) => index))
  expect(rejects.map(({ index, step }) => [index, step])).toEqual(
    (row.rejects ?? []).map(([index, step]) => [index, step]),
  )
  for (const [at, [, , reason]] of (row.rejects ?? []).entries()) expect(rejects[at]!.reason).toMatch(reason)
})

test('a block gives many records, and what is left of it when one is broken', () => {
  const { encode } = compileBinary(parseSchema('int'))
  const block = Buffer.concat([encode(1), encode(2), encode(3)])
  const broken = Buffer.concat([encode(4), Buffer.from([0xff])])
  const frames = { ...framesOf(block, broken), counts: [3, 2] }
  const { records, indexes, rejects } = compileInput(stream('avro-binary', 'int'), 'int').decode(frames)
  expect(records).toEqual([1, 2, 3, 4])
  expect([...indexes]).toEqual([0, 0, 0, 1])
  expect(rejects).toMatchObject([{ index: 1, step: 'encoding', bytes: '/w==' }])
})

test.each([
  ['json', '1'],
  ['msgpack', new Uint8Array([1])],
])('seconds of %s are measured for both steps', (encoding, frame) => {
  const frames = framesOf(...Array.from({ length: 2000 }, () => frame))
  const { seconds } = compileInput(stream(encoding, 'long'), 'long').decode(frames)
  expect(seconds.decode).toBeGreaterThan(0)
  expect(seconds.checkInput).toBeGreaterThan(0)
})

describe('streams that a model cannot take', () => {
  test.each([
    ['no schema that could be read', stream('json', 'string'), 'int', /int/],
    ['an encoding that cannot carry the type', stream('csv', 'int'), 'int', /record/],
    ['a schema that is none', stream('json', 'nonsense'), undefined, /nonsense/],
  ])('%s', (_name, given, model, problem) => {
    expect(() => compileInput(given, model)).toThrow(problem)
  })
})

describe('records as JSON text', () => {
  const optional = ['null', 'string', { type: 'map', values: ['int', 'double'] }]
  test.each([
    ['a plain union is bare', optional, '{"string":"a"}', '"a"'],
    ['null', optional, 'null', 'null'],
    [
      'a union whose values do not tell their branch is tagged',
      optional,
      '{"map":{"a":{"double":1}}}',
      '{"a":{"double":1}}',
    ],
    ['longs', 'long', '9007199254740993', '9007199254740993'],
    ['numbers that JSON lacks', { type: 'array', items: 'double' }, '["nan", "-inf", 1e300]', '[NaN,-Infinity,1e+300]'],
    ['bytes', 'bytes', '"\\u00ff\\u0000"', '"ÿ\\u0000"'],
    ['strings that look like numbers in words', { type: 'array', items: 'string' }, '["NaN"]', '["NaN"]'],
    ['nothing known', null, '{"a":null,"b":12345678901234567890}', '{"a":null,"b":12345678901234567890}'],
  ])('%s', (_name, schema, given, expected) => {
    const input = compileInput(stream('json', schema))
    expect(input.decode(framesOf(given)).records.map(input.toJson)).toEqual([expected])
  })
})

describe('frames that can be handed on as they are', () => {
  const withDefault = { type: 'record', name: 'R', fields: [{ name: 'a', type: 'int', default: 1 }] }
  test.each([
    ['any JSON', stream('json'), undefined, '{"a":1}', true],
    ['the same schema on both sides', stream('json', point), point, '{"x":1}', true],
    ['a model that is wider in the same words', stream('json', 'int'), 'double', '1', true],
    ['a number in words', stream('json', 'double'), 'double', '"nan"', false],
    ['a tag to be left out', stream('json', ['null', 'int']), undefined, '{"int":1}', false],
    ['a field to be filled in', stream('json', withDefault), undefined, '{}', false],
    ['a field to be left out', stream('json', pointInt, { extra: 'ignore' }), undefined, '{"x":1,"y":1}', false],
    ['a conversion', stream('json', 'string'), 'bytes', '"é"', false],
    ['another encoding', stream('utf-8'), undefined, 'a', false],
  ])('%s', (_name, given, model, text, expected) => {
    expect(compileInput(given, model).isVerbatim(framesOf(text))).toBe(expected)
  })
})
