import { Branch, parseExact } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SlotStream } from '../../src/messages.ts'
import { compileInput } from '../../src/slot/input.ts'
import { compileOutput } from '../../src/slot/output.ts'
import { framesOf, textsOf } from './frames.ts'

const stream = (encoding: string, schema: unknown = null, room = 1): SlotStream => ({
  encoding,
  options: {},
  schema,
  room,
})

interface Row {
  readonly stream: SlotStream
  readonly model?: unknown
  readonly records: readonly unknown[]
  readonly texts: readonly string[]
  readonly indexes?: readonly number[]
  /** Index, step, a part of the reason, and the refused output as JSON. */
  readonly rejects?: readonly (readonly [number, string, RegExp, string])[]
}

const line = {
  type: 'record',
  name: 'Line',
  fields: [
    { name: 'a', type: 'int' },
    { name: 'b', type: 'string' },
  ],
}

const rows: Record<string, Row> = {
  anything: {
    stream: stream('json'),
    records: [1, 'é', { a: [null] }, 2n ** 64n],
    texts: ['1', '"é"', '{"a":[null]}', '18446744073709551616'],
  },
  'maps and bytes without a type': {
    stream: stream('json'),
    records: [new Map<string, unknown>([['a', [new Uint8Array([255])]]]), { b: new Map([['c', Number.NaN]]), d: 1 }],
    texts: ['{"a":["ÿ"]}', '{"b":{"c":"NaN"},"d":1}'],
  },
  'outputs of another type are refused': {
    stream: stream('json', 'int'),
    model: 'int',
    records: [1, 'x', 1.5, 4],
    texts: ['1', '4'],
    indexes: [0, 3],
    rejects: [
      [1, 'schema', /expected an int/, '"x"'],
      [2, 'schema', /expected an int/, '1.5'],
    ],
  },
  'the stream alone checks': {
    stream: stream('json', 'int'),
    records: [1, 'x'],
    texts: ['1'],
    rejects: [[1, 'schema', /int/, '"x"']],
  },
  'the model alone checks': {
    stream: stream('json'),
    model: 'int',
    records: [1, 'x'],
    texts: ['1'],
    rejects: [[1, 'schema', /int/, '"x"']],
  },
  'both check': {
    stream: stream('json', 'double'),
    model: 'int',
    records: [1, 1.5],
    texts: ['1'],
    rejects: [[1, 'schema', /int/, '1.5']],
  },
  'the stream takes some of what the model may give': {
    stream: stream('json', 'double'),
    model: ['null', 'int'],
    records: [1, null],
    texts: ['1'],
    rejects: [[1, 'schema', /null/, 'null']],
  },
  'unions are tagged by the type of the model where the stream has none': {
    stream: stream('json'),
    model: ['null', 'string'],
    records: ['a', null],
    texts: ['{"string":"a"}', 'null'],
  },
  'a branch by name': {
    stream: stream('json', ['int', 'double']),
    records: [new Branch('double', 1)],
    texts: ['{"double":1}'],
  },
  'lines of CSV': {
    stream: stream('csv'),
    model: line,
    records: [{ a: 1, b: 'x,y' }, { a: 'no' }],
    texts: ['1,"x,y"'],
    rejects: [[1, 'schema', /\/a/, '{"a":"no"}']],
  },
  text: { stream: stream('utf-8'), records: ['a', 1], texts: ['a'], rejects: [[1, 'encoding', /string/, '1']] },
  'what JSON cannot hold is refused by encoding': {
    stream: stream('json'),
    records: [() => 1, 2],
    texts: ['2'],
    indexes: [1],
    rejects: [[0, 'encoding', /JSON/, '"() => 1"']],
  },
}

test.each(Object.entries(rows))('%s', (_name, row) => {
  const output = compileOutput(row.stream, row.model, { slot: 3 })
  const { frames, indexes, rejects } = output.encode(
    row.records,
    row.records.map((_, index) => index),
  )
  expect(textsOf(frames)).toEqual(row.texts)
  expect([...indexes]).toEqual(row.indexes ?? row.texts.map((_, index) => index))
  expect(
    rejects.map(({ index, step, slot, bytes }) => [index, step, slot, Buffer.from(bytes!, 'base64').toString()]),
  ).toEqual((row.rejects ?? []).map(([index, step, , bytes]) => [index, step, 3, bytes]))
  for (const [at, [, , reason]] of (row.rejects ?? []).entries()) expect(rejects[at]!.reason).toMatch(reason)
})

test('room is left behind each frame, and indexes follow the records', () => {
  const { frames, indexes } = compileOutput(stream('json', 'int', 2), 'int', { slot: 1 }).encode(
    [1, 'x', 23],
    [5, 6, 9],
  )
  expect(frames.bounds).toEqual([0, 1, 3, 5])
  expect(frames.bytes.length).toBe(7)
  expect([...indexes]).toEqual([5, 9])
})

test('what a compiler has checked is not checked again, but still widened', () => {
  const output = compileOutput(stream('avro-binary', 'double'), 'long', { slot: 1, isTrusted: true })
  expect(output.encode([2n ** 62n], [0]).rejects).toEqual([])
})

describe('records from the JSON of a model', () => {
  const output = compileOutput(stream('json'), undefined, { slot: 1 })
  test.each([
    [
      '{"a": [NaN, -Infinity, "NaN", "a \\" Infinity"]}',
      { a: [Number.NaN, Number.NEGATIVE_INFINITY, 'NaN', 'a " Infinity'] },
    ],
    ['NaN', Number.NaN],
    ['["#NaN", Infinity]', ['#NaN', Number.POSITIVE_INFINITY]],
    ['12345678901234567890', 12345678901234567890n],
    ['0.1234567890123456', 0.1234567890123456],
    ['[1.0, 1e3]', [1, 1000]],
  ])('%s', (text, expected) => {
    expect(output.fromJson(text)).toEqual(expected)
  })
  test.each(['', '{', 'Nan', '[NaN', '{"__proto__": NaN'])('no JSON: %s', (text) => {
    expect(() => output.fromJson(text)).toThrow(SyntaxError)
  })
})

test('any JSON goes through the text of a model and back', () => {
  const input = compileInput(stream('msgpack'))
  const output = compileOutput(stream('json'), undefined, { slot: 1 })
  // As JSON has them: -0 is written as 0 by the oracle, but kept by us.
  const values = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)))
  fc.assert(
    fc.property(values, (value) => {
      expect(output.fromJson(input.toJson(value))).toEqual(parseExact(JSON.stringify(value)))
    }),
  )
})

test('doubles keep every digit on the way to a model and back', () => {
  const schema = { type: 'array', items: 'double' }
  const input = compileInput(stream('json', schema))
  const output = compileOutput(stream('json', schema), schema, { slot: 1 })
  fc.assert(
    fc.property(fc.array(fc.double()), (values) => {
      const back = output.fromJson(input.toJson(values))
      const { frames } = output.encode([back], [0])
      const { records } = input.decode(framesOf(...textsOf(frames)))
      expect(records).toEqual([values.map((value) => (value === 0 ? 0 : value))])
    }),
  )
})
