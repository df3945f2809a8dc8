import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldPaths, fieldReader, recordPaths } from '../src/fields.ts'

describe('reading a field', () => {
  const record = { a: 1, b: { c: 'x', d: [5, 6] }, e: null, f: undefined, 'g.h': 7 }
  test.each<[path: string, value: unknown]>([
    ['a', 1],
    ['b.c', 'x'],
    ['b.d.1', 6],
    ['b.d.9', null],
    ['e', null],
    ['e.x', null],
    ['f', null],
    ['missing', null],
    ['toString', null],
    ['b.constructor', null],
    ['a.b', null],
  ])('%s is %j', (path, value) => {
    expect(fieldReader(path)(record)).toEqual(value)
  })

  test('through what stands for a value in the records of a place', () => {
    const bare = (value: unknown) => (typeof value === 'function' ? value() : value)
    const wrapped = () => ({ a: () => 1, b: () => ({ c: () => 'x' }) })
    expect([fieldReader('a', bare)(wrapped), fieldReader('b.c', bare)(wrapped)]).toEqual([1, 'x'])
  })

  test('of what is no record gives nothing', () => {
    for (const value of [null, undefined, 3, 'text']) expect(fieldReader('a')(value)).toBeNull()
  })
})

const record = (...fields: [name: string, type: unknown][]) => ({
  type: 'record',
  name: 'R',
  fields: fields.map(([name, type]) => ({ name, type })),
})

describe('the paths of a schema', () => {
  test.each<[title: string, schema: unknown, paths: string[]]>([
    ['no schema', null, []],
    ['a plain type', 'double', []],
    ['an array', { type: 'array', items: 'int' }, []],
    [
      'simple fields',
      record(['a', 'int'], ['b', 'string'], ['c', 'boolean'], ['d', 'bytes'], ['e', 'null']),
      ['a', 'b', 'c'],
    ],
    ['wrapped types', record(['a', { type: 'long' }], ['b', { type: { type: 'double' } }]), ['a', 'b']],
    ['optional ones', record(['a', ['null', 'int']], ['b', ['string', 'null']], ['c', ['null']]), ['a', 'b']],
    [
      'unions of watchable types',
      record(['a', ['int', 'string']], ['b', ['int', { type: 'array', items: 'int' }]]),
      ['a'],
    ],
    ['enums', record(['a', { type: 'enum', name: 'E', symbols: ['x'] }], ['b', 'E']), ['a', 'b']],
    [
      'records inside',
      record(['a', { type: 'record', name: 'In', fields: [{ name: 'x', type: 'int' }] }], ['b', ['null', 'In']]),
      ['a.x', 'b.x'],
    ],
    [
      'collections inside',
      record(['a', { type: 'map', values: 'int' }], ['b', { type: 'fixed', name: 'F', size: 2 }]),
      [],
    ],
    ['logical types', record(['a', { type: 'long', logicalType: 'timestamp-millis' }]), ['a']],
    ['nonsense', { type: 'record', fields: [null, 3, { name: 7 }, { name: 'a', type: { type: 3 } }] }, []],
  ])('%s', (_title, schema, paths) => {
    expect(fieldPaths(schema)).toEqual(paths)
  })

  test('of any shape at all are found without harm', () => {
    expect(fieldPaths({ type: 'record', name: 'record' })).toEqual([])
    expect(fieldPaths({ type: 'enum', name: 'enum' })).toEqual([])
    const wide = record(...Array.from({ length: 50 }, (_, index): [string, string] => [`f${index}`, 'R']))
    expect(fieldPaths(wide)).toEqual([])
    const schema = fc.letrec((again) => ({
      type: fc.oneof(
        fc.constantFrom('int', 'R', 'record', 'enum', 'null', 3, null),
        fc.array(again('type'), { maxLength: 3 }),
        fc.record(
          {
            type: again('type'),
            name: fc.constantFrom('R', 'record', 'int'),
            fields: fc.array(again('type'), { maxLength: 3 }),
          },
          { requiredKeys: [] },
        ),
      ),
    })).type
    fc.assert(fc.property(schema, (given) => fieldPaths(given).length <= 1000))
  })

  test('that refers to itself are limited in depth', () => {
    const tree = record(['value', 'int'], ['left', ['null', 'R']], ['right', ['null', 'R']])
    const paths = fieldPaths(tree)
    expect(paths).toContain('left.right.value')
    expect(paths.length).toBeLessThanOrEqual(1000)
    expect(Math.max(...paths.map((path) => path.split('.').length))).toBeLessThanOrEqual(8)
  })
})

test('the paths of a record without a schema', () => {
  const nested = { a: 1, b: { c: 'x', d: { e: true, f: 2n } }, g: null, h: [1], i: {} }
  expect(recordPaths(nested)).toEqual(['a', 'b.c', 'b.d.e', 'b.d.f'])
  for (const value of [1, 'x', null, [1]]) expect(recordPaths(value)).toEqual([])
})
