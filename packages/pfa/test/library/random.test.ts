import { describe, expect, it } from 'vitest'
import { random } from '../../src/library/random.ts'
import { generator } from '../../src/runtime/random.ts'
import {
  array,
  BYTES,
  bytes,
  callSite,
  DOUBLE,
  FLOAT,
  fails,
  INT,
  LONG,
  record,
  STRING,
  satisfies,
  testTable,
} from './table.ts'

const INTS = array(INT)
const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const WEIGHTED = record({ prob: DOUBLE, label: STRING })
const isInt = (x: number) => Number.isInteger(x) && x >= -2147483648 && x <= 2147483647
const isLong = (x: number | bigint) =>
  typeof x === 'bigint'
    ? !Number.isSafeInteger(Number(x)) && BigInt.asIntN(64, x) === x
    : Number.isSafeInteger(x) && !Object.is(x, -0)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/

testTable('rand.', random, [
  ['rand.int', [], [], satisfies(isInt)],
  ['rand.int', [INT, INT], [-2, 1], satisfies((x) => [-2, -1, 0].includes(x))],
  ['rand.int', [INT, INT], [-2147483648, 2147483647], satisfies(isInt)],
  ['rand.int', [INT, INT], [1, 1], fails(34000)],
  ['rand.long', [], [], satisfies(isLong)],
  ['rand.long', [LONG, LONG], [9223372036854775806n, 9223372036854775807n], 9223372036854775806n],
  ['rand.long', [LONG, LONG], [-9223372036854775808n, 9223372036854775807n], satisfies(isLong)],
  ['rand.long', [LONG, LONG], [5, 7], satisfies((x) => x === 5 || x === 6)],
  ['rand.long', [LONG, LONG], [1, 1], fails(34010)],
  ['rand.float', [FLOAT, FLOAT], [1, 2], satisfies((x) => x >= 1 && x < 2 && Math.fround(x) === x)],
  ['rand.float', [FLOAT, FLOAT], [2, 1], fails(34020)],
  ['rand.double', [DOUBLE, DOUBLE], [1, 2], satisfies((x) => x >= 1 && x < 2)],
  ['rand.double', [DOUBLE, DOUBLE], [-1e308, 1e308], satisfies(Number.isFinite)],
  ['rand.double', [DOUBLE, DOUBLE], [1, 1], fails(34030)],
  ['rand.choice', [INTS], [[7, 8]], satisfies((x) => x === 7 || x === 8)],
  ['rand.choice', [INTS], [[]], fails(34040)],
  ['rand.choices', [INT, INTS], [3, [7]], [7, 7, 7]],
  ['rand.choices', [INT, INTS], [0, [7]], []],
  ['rand.choices', [INT, INTS], [3, []], fails(34050)],
  ['rand.sample', [INT, INTS], [3, [1, 2, 3]], satisfies((a: number[]) => a.toSorted().join() === '1,2,3')],
  ['rand.sample', [INT, INTS], [2, [1, 2, 3]], satisfies((a: number[]) => new Set(a).size === 2)],
  ['rand.sample', [INT, INTS], [1, []], fails(34060)],
  ['rand.sample', [INT, INTS], [3, [1, 2]], fails(34061)],
  ['rand.histogram', [array(DOUBLE)], [[0, 3, 0]], 1],
  ['rand.histogram', [array(DOUBLE)], [[]], fails(34070)],
  ['rand.histogram', [array(DOUBLE)], [[0, 0]], fails(34070)],
  ['rand.histogram', [array(DOUBLE)], [[1, NAN]], fails(34071)],
  ['rand.histogram', [array(DOUBLE)], [[1, INF]], fails(34071)],
  ['rand.histogram', [array(DOUBLE)], [[1, -1]], fails(34072)],
  [
    'rand.histogram',
    [array(WEIGHTED)],
    [
      [
        { prob: 0, label: 'a' },
        { prob: 1, label: 'b' },
      ],
    ],
    { prob: 1, label: 'b' },
  ],
  ['rand.string', [INT], [5], satisfies((s: string) => s.length === 5 && s.isWellFormed())],
  ['rand.string', [INT], [0], fails(34080)],
  ['rand.string', [INT, STRING], [3, '😀'], '😀😀😀'],
  ['rand.string', [INT, STRING], [3, ''], fails(34083)],
  ['rand.string', [INT, STRING], [0, 'a'], fails(34080)],
  ['rand.string', [INT, INT, INT], [4, 97, 98], 'aaaa'],
  ['rand.string', [INT, INT, INT], [4, 98, 98], fails(34081)],
  ['rand.string', [INT, INT, INT], [4, 0, 98], fails(34082)],
  ['rand.string', [INT, INT, INT], [4, 1, 0xd801], fails(34082)],
  ['rand.bytes', [INT], [5], satisfies((b: Uint8Array) => b.length === 5)],
  ['rand.bytes', [INT], [0], fails(34090)],
  ['rand.bytes', [INT, BYTES], [2, bytes(7)], bytes(7, 7)],
  ['rand.bytes', [INT, BYTES], [2, bytes()], fails(34093)],
  ['rand.bytes', [INT, INT, INT], [2, 255, 256], bytes(255, 255)],
  ['rand.bytes', [INT, INT, INT], [2, 7, 7], fails(34091)],
  ['rand.bytes', [INT, INT, INT], [2, -1, 7], fails(34092)],
  ['rand.bytes', [INT, INT, INT], [2, 0, 257], fails(34092)],
  ['rand.uuid', [], [], satisfies((s) => UUID.test(s))],
  ['rand.uuid4', [], [], satisfies((s) => UUID.test(s))],
  ['rand.gaussian', [DOUBLE, DOUBLE], [5, 0], 5],
])

/** With a seed, so that these tests cannot fail by chance. */
const seeded = () => generator(12345n)

describe('distributions', () => {
  const COUNT = 20_000

  it('gaussian has the mean and the deviation it is given', () => {
    const draw = random['rand.gaussian']!(callSite('rand.gaussian', [DOUBLE, DOUBLE], { random: seeded() }))
    const drawn = Array.from({ length: COUNT }, () => draw(10, 2) as number)
    const mean = drawn.reduce((sum, x) => sum + x, 0) / COUNT
    const variance = drawn.reduce((sum, x) => sum + (x - mean) ** 2, 0) / COUNT
    expect(mean).toBeCloseTo(10, 1)
    expect(Math.sqrt(variance)).toBeCloseTo(2, 1)
    expect(drawn.filter((x) => Math.abs(x - 10) < 2).length / COUNT).toBeCloseTo(0.6827, 1)
  })
  it('histogram draws in proportion, normalised', () => {
    const draw = random['rand.histogram']!(callSite('rand.histogram', [array(DOUBLE)], { random: seeded() }))
    const counts = [0, 0, 0]
    for (let i = 0; i < COUNT; i++) counts[draw([1, 3, 4]) as number]!++
    for (const [i, expected] of [0.125, 0.375, 0.5].entries()) expect(counts[i]! / COUNT).toBeCloseTo(expected, 2)
  })
  it('draws depend on the instance alone', () => {
    const draw = () => {
      const { host } = callSite('rand', [], { random: seeded() })
      const of = (name: string, params: Parameters<typeof callSite>[1]) => random[name]!(callSite(name, params, host))
      return [of('rand.int', [])(), of('rand.long', [])(), of('rand.uuid', [])(), of('rand.gaussian', [])(0, 1)]
    }
    expect(draw()).toEqual(draw())
  })
})
