import { type AvroType, Branch } from '@pitot/avro'
import { describe, expect, it } from 'vitest'
import { comparator, equality, keyFunction } from '../../src/runtime/compare.ts'

const int: AvroType = { kind: 'int' }
const string: AvroType = { kind: 'string' }
const double: AvroType = { kind: 'double' }
const bytes = (...values: number[]) => new Uint8Array(values)

const record: AvroType = {
  kind: 'record',
  name: 'R',
  fields: [
    { name: 'up', type: int },
    { name: 'skipped', type: int, order: 'ignore' },
    { name: 'down', type: int, order: 'descending' },
  ],
}

const listFields: { name: string; type: AvroType }[] = [{ name: 'value', type: int }]
const list: AvroType = { kind: 'record', name: 'List', fields: listFields }
listFields.push({ name: 'next', type: { kind: 'union', branches: [{ kind: 'null' }, list] } })

/** Each row: a type, and its values in rising order; values within one inner list are equal. */
const ORDERS: [string, AvroType, unknown[][]][] = [
  ['null', { kind: 'null' }, [[null]]],
  ['boolean', { kind: 'boolean' }, [[false], [true]]],
  ['int', int, [[-2147483648], [-1], [0], [5]]],
  [
    'long',
    { kind: 'long' },
    [[-9223372036854775808n], [-1], [9007199254740991], [9007199254740993n, 9007199254740993n]],
  ],
  [
    'double',
    double,
    [[Number.NEGATIVE_INFINITY], [-1], [-0, 0], [5e-324], [Number.POSITIVE_INFINITY], [Number.NaN, Number.NaN]],
  ],
  ['string', string, [[''], ['A'], ['a', 'a'], ['aa'], ['\uffff'], ['😀']]],
  ['bytes', { kind: 'bytes' }, [[bytes()], [bytes(1), bytes(1)], [bytes(1, 0)], [bytes(128)], [bytes(255)]]],
  ['fixed', { kind: 'fixed', name: 'F', size: 2 }, [[bytes(0, 1)], [bytes(0, 2), bytes(0, 2)], [bytes(200, 0)]]],
  ['enum', { kind: 'enum', name: 'E', symbols: ['z', 'a', 'm'] }, [['z'], ['a'], ['m', 'm']]],
  [
    'array',
    { kind: 'array', items: double },
    [
      [[]],
      [[1], [1]],
      [
        [1, 0],
        [1, -0],
      ],
      [[2]],
      [[Number.NaN], [Number.NaN]],
    ],
  ],
  [
    'map',
    { kind: 'map', values: int },
    [
      [new Map()],
      [new Map([['a', 1]])],
      [
        new Map([
          ['a', 1],
          ['b', 1],
        ]),
        new Map([
          ['b', 1],
          ['a', 1],
        ]),
      ],
      [new Map([['a', 2]])],
      [new Map([['b', 0]])],
    ],
  ],
  [
    'record',
    record,
    [
      [
        { up: 0, skipped: 1, down: 2 },
        { up: 0, skipped: 9, down: 2 },
      ],
      [{ up: 0, skipped: 1, down: 1 }],
      [{ up: 1, skipped: 0, down: 5 }],
    ],
  ],
  [
    'recursive record',
    list,
    [
      [{ value: 1, next: null }],
      [
        { value: 1, next: { value: 0, next: null } },
        { value: 1, next: { value: 0, next: null } },
      ],
      [{ value: 1, next: { value: 1, next: null } }],
      [{ value: 2, next: null }],
    ],
  ],
  [
    'plain union',
    { kind: 'union', branches: [string, { kind: 'null' }, { kind: 'long' }] },
    [['a'], ['b', 'b'], [null, null], [3], [9223372036854775807n]],
  ],
  [
    'tagged union',
    { kind: 'union', branches: [double, int, { kind: 'enum', name: 'n.E', symbols: ['y', 'x'] }] },
    [
      [new Branch('double', 5), new Branch('double', 5)],
      [new Branch('int', 1)],
      [new Branch('int', 5)],
      [new Branch('n.E', 'y')],
      [new Branch('n.E', 'x')],
    ],
  ],
]

describe.each(ORDERS)('values of %s', (_, type, classes) => {
  const rows = classes.flatMap((values, rank) => values.map((value) => ({ value, rank })))
  const pairs = rows.flatMap((x) => rows.map((y) => [x, y] as const))

  it('are ordered', () => {
    const compare = comparator(type)
    for (const [x, y] of pairs) expect(compare(x.value, y.value)).toBe(Math.sign(x.rank - y.rank))
  })
  it('are equal where the order says so', () => {
    const equal = equality(type)
    for (const [x, y] of pairs) expect(equal(x.value, y.value)).toBe(x.rank === y.rank)
  })
  it('have the same key exactly where they are equal', () => {
    const key = keyFunction(type)
    for (const [x, y] of pairs) expect(new Set([key(x.value), key(y.value)]).size).toBe(x.rank === y.rank ? 1 : 2)
  })
})

describe('keys', () => {
  it('do not confuse neighbours', () => {
    const key = keyFunction({ kind: 'array', items: string })
    expect(key(['1:a', 'b'])).not.toBe(key(['1', ':ab']))
    expect(key(['ab', ''])).not.toBe(key(['a', 'b']))
  })
})
