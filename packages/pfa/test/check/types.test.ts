// biome-ignore-all lint/suspicious/noThenProperty: `then` is a word of the language
// Relations of types, and what values become where a wider type is expected.
import { type AvroType, parseSchema } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accepts, narrowestSupertype, orNull, sameTypes, withoutNull } from '../../src/check/types.ts'
import { compile } from '../../src/index.ts'

const type = (schema: unknown): AvroType => parseSchema(schema)
const array = (items: unknown) => ({ type: 'array', items })
const map = (values: unknown) => ({ type: 'map', values })
const record = { type: 'record', name: 'R', fields: [{ name: 'x', type: 'int' }] }
const other = { type: 'record', name: 'S', fields: [{ name: 'x', type: 'int' }] }
const letters = { type: 'enum', name: 'E', symbols: ['A', 'B'] }
const digits = { type: 'enum', name: 'F', symbols: ['A', 'B'] }
const two = { type: 'fixed', name: 'X', size: 2 }
const three = { type: 'fixed', name: 'Y', size: 3 }

describe('narrowest supertype', () => {
  test.each([
    [['int', 'int'], 'int'],
    [['int', 'long'], 'long'],
    [['long', 'float', 'int'], 'float'],
    [['int', 'double', 'float'], 'double'],
    [
      ['null', 'int'],
      ['null', 'int'],
    ],
    [
      ['string', 'int', 'double'],
      ['string', 'double'],
    ],
    [
      [
        ['int', 'null'],
        ['string', 'int'],
      ],
      ['int', 'null', 'string'],
    ],
    [
      [['int', 'null'], 'double'],
      ['double', 'null'],
    ],
    [[array('int'), array('double')], array('double')],
    [[array('int'), array('string')], array(['int', 'string'])],
    [
      [array('int'), ['null', array('string')]],
      [array(['int', 'string']), 'null'],
    ],
    [[map('int'), map('null')], map(['int', 'null'])],
    [[record, record], record],
    [
      [record, other],
      [record, other],
    ],
    [[letters, letters], letters],
    [
      [letters, 'string'],
      [letters, 'string'],
    ],
    [[letters, digits], undefined],
    [['null', letters, digits], undefined],
    [[two, three], undefined],
  ])('of %j is %j', (given, expected) => {
    const found = narrowestSupertype((given as unknown[]).map(type))
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found !== undefined && sameTypes(found, type(expected)), JSON.stringify(found)).toBe(true)
  })
})

describe('types that look the same', () => {
  test.each([
    ['int', 'int', true],
    ['int', 'long', false],
    [['int', 'null'], ['null', 'int'], true],
    [['string', 'double'], ['string', 'int', 'double'], false],
    [['int', 'string'], ['double', 'string'], false],
    [array(['int', 'null']), array(['null', 'int']), true],
    [record, record, true],
    [record, other, false],
    [letters, { ...letters, symbols: ['A'] }, false],
  ])('%j and %j: %j', (one, another, same) => {
    expect(sameTypes(type(one), type(another))).toBe(same)
    expect(sameTypes(type(another), type(one))).toBe(same)
  })

  test('accept each other', () => {
    expect(accepts(type(['int', 'null']), type(['null', 'int']))).toBe(true)
    expect(accepts(type(['string', 'double']), type(['string', 'int', 'double']))).toBe(true)
  })
})

test('null is added and taken away', () => {
  expect(orNull(type('int'))).toEqual(type(['int', 'null']))
  expect(orNull(type(['null', 'int']))).toEqual(type(['null', 'int']))
  expect(withoutNull(type(['null', 'int']))).toEqual(type('int'))
  expect(withoutNull(type(['null', 'int', 'string']))).toEqual(type(['int', 'string']))
  expect(withoutNull(type(['int', 'string']))).toBeUndefined()
})

// ---- values in wider unions

const literals: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  int: 3,
  long: { long: 4 },
  float: { float: 0.5 },
  double: { double: 1.5 },
  string: { string: 'text' },
  bytes: { base64: 'AAE=' },
}
const kinds = Object.keys(literals)
const numbers = ['int', 'long', 'float', 'double']

/** In a union of its own kind a value keeps it; else it becomes the first number that accepts it. */
function expectedTag(kind: string, union: readonly string[]): string {
  if (union.includes(kind)) return kind
  return union.find((each) => numbers.indexOf(each) > numbers.indexOf(kind)) ?? kind
}

test.each([
  ['generated', true],
  ['interpreted', false],
])('a value in a wider union is written with its tag, %s', (_, generate) => {
  fc.assert(
    fc.property(
      fc.subarray(kinds, { minLength: 2 }),
      fc.subarray(kinds, { minLength: 1 }),
      fc.nat(),
      (output, given, pick) => {
        const union = type(output)
        const fitting = given.filter((kind) => accepts(union, type(kind)))
        fc.pre(fitting.length > 0)
        const chosen = pick % fitting.length
        // One of several expressions: the type of the whole joins them, and is then widened to the output.
        const branches = fitting.map((kind, index) => ({ if: { '==': ['input', index] }, then: [literals[kind]] }))
        const document = { input: 'int', output, action: { cond: branches, else: [literals[fitting[0] as string]] } }
        const written = JSON.parse(compile(document, { generate }).start().actionJson(String(chosen)) as string)
        const joined = narrowestSupertype(fitting.map((kind) => type(kind))) as AvroType
        const inner = joined.kind === 'union' ? joined.branches.map((branch) => branch.kind) : [joined.kind]
        const tag = expectedTag(expectedTag(fitting[chosen] as string, inner), output)
        expect(written === null ? 'null' : Object.keys(written)[0], JSON.stringify(document)).toBe(tag)
      },
    ),
    { numRuns: 300 },
  )
})

test.each([
  ['generated', true],
  ['interpreted', false],
])('a case for several members has their values as its own type has them, %s', (_, generate) => {
  // Values of the whole union carry tags; those of union(int, string) alone do not, those of union(int, double) do.
  const inner = (named: string, cases: readonly unknown[]) => ({ cast: named, cases })
  const to = (as: string, text: string) => ({ as, named: `as_${as}`, do: { string: text } })
  const document = (several: readonly [string, string], single: string) => ({
    input: ['int', 'double', 'string'],
    output: 'string',
    action: {
      cast: 'input',
      cases: [
        {
          as: several,
          named: 'x',
          do: inner(
            'x',
            several.map((kind) => to(kind, `inner ${kind}`)),
          ),
        },
        { as: single, named: 'y', do: { string: `outer ${single}` } },
      ],
    },
  })
  const plain = compile(document(['int', 'string'], 'double'), { generate }).start()
  expect(plain.action({ int: 3 })).toBe('inner int')
  expect(plain.action({ string: 'a' })).toBe('inner string')
  expect(plain.action({ double: 1.5 })).toBe('outer double')
  const tagged = compile(document(['int', 'double'], 'string'), { generate }).start()
  expect(tagged.action({ int: 3 })).toBe('inner int')
  expect(tagged.action({ double: 1.5 })).toBe('inner double')
  expect(tagged.action({ string: 'a' })).toBe('outer string')
})
