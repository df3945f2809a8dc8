// Which schemas mean the same type, and which unions tell their branches.
import { branchName, isPlainUnion, nearestWord, parseSchema, sameType, type UnionType } from '@pitot/avro'
import { expect, test } from 'vitest'

const record = (type: unknown, more: object = {}) => ({
  type: 'record',
  name: 'R',
  fields: [{ name: 'a', type, ...more }],
})
const E = { type: 'enum', name: 'E', symbols: ['a', 'b'] }
const F = { type: 'fixed', name: 'F', size: 2 }

test.each<[unknown, unknown, boolean]>([
  ['int', { type: 'int', logicalType: 'date' }, true],
  ['int', 'long', false],
  [['null', 'int'], ['null', 'int'], true],
  [['null', 'int'], ['int', 'null'], false],
  [{ type: 'array', items: 'int' }, { type: 'array', items: 'long' }, false],
  [{ type: 'map', values: 'int' }, { type: 'map', values: 'int' }, true],
  [{ type: 'map', values: 'int' }, { type: 'array', items: 'int' }, false],
  [record(['null', 'R']), record(['null', 'R'], { doc: 'x', aliases: ['b'] }), true],
  [record('int', { default: 1 }), record('int', { default: 1 }), true],
  [record('int', { default: 1 }), record('int'), false],
  [record(['null', 'int'], { default: null }), record(['null', 'int']), false],
  [record(E), { ...record(E), name: 'Q' }, false],
  [E, { ...E, symbols: ['b', 'a'] }, false],
  [F, { ...F, size: 3 }, false],
  [F, { ...F, aliases: ['G'] }, true],
  [F, { ...E, name: 'F' }, false],
])('%j and %j: %j', (a, b, same) => {
  expect(sameType(parseSchema(a), parseSchema(b))).toBe(same)
  expect(sameType(parseSchema(b), parseSchema(a))).toBe(same)
})

test.each<[unknown[], boolean]>([
  [['null', 'int'], true],
  [
    [
      'null',
      'boolean',
      'double',
      'string',
      'bytes',
      { type: 'array', items: 'int' },
      { type: 'map', values: 'int' },
      record('int'),
    ],
    true,
  ],
  [['int', 'long'], false],
  [['string', E], false],
  [['bytes', F], false],
  [[record('int'), { ...record('int'), name: 'Q' }], false],
])('%j is plain: %j', (schema, plain) => {
  expect(isPlainUnion(parseSchema(schema) as UnionType)).toBe(plain)
})

test('names of branches', () => {
  const union = parseSchema(['null', { type: 'array', items: 'int' }, { ...E, namespace: 'a.b' }]) as UnionType
  expect(union.branches.map(branchName)).toEqual(['null', 'array', 'a.b.E'])
})

test.each<[string, string | undefined]>([
  ['strng', 'string'],
  ['sting', 'string'],
  ['STRING', 'string'],
  ['srting', 'string'],
  ['xyz', undefined],
  ['in', 'int'],
])('the word nearest to %j is %j', (written, meant) => {
  expect(nearestWord(written, ['null', 'int', 'string', 'double'])).toBe(meant)
})
