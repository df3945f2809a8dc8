import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as longs from '../../src/runtime/longs.ts'

const MAX = longs.MAX_LONG
const MIN = longs.MIN_LONG
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Exact values around every border that matters, and between them. */
const integer = fc.oneof(
  fc.bigInt({ min: MIN, max: MAX }),
  fc.bigInt({ min: -100n, max: 100n }),
  fc.bigInt({ min: SAFE - 10n, max: SAFE + 10n }),
  fc.bigInt({ min: -SAFE - 10n, max: -SAFE + 10n }),
  fc.bigInt({ min: MAX - 10n, max: MAX }),
  fc.bigInt({ min: MIN, max: MIN + 10n }),
  fc.bigInt({ min: -(2n ** 32n), max: 2n ** 32n }),
)

const long = (value: bigint): longs.Long => longs.normalise(value)!

function expectLong(actual: longs.Long | undefined, exact: bigint): void {
  expect(actual).toBe(longs.normalise(exact))
  if (typeof actual === 'number') expect(Object.is(actual, -0)).toBe(false)
}

const floorModulo = (x: bigint, y: bigint) => ((x % y) + y) % y

const BINARY: [string, (x: longs.Long, y: longs.Long) => longs.Long | undefined, (x: bigint, y: bigint) => bigint][] = [
  ['add', longs.add, (x, y) => x + y],
  ['subtract', longs.subtract, (x, y) => x - y],
  ['multiply', longs.multiply, (x, y) => x * y],
  ['and', longs.and, (x, y) => x & y],
  ['or', longs.or, (x, y) => x | y],
  ['xor', longs.xor, (x, y) => x ^ y],
]

const DIVISIONS: typeof BINARY = [
  ['divide', longs.divide, (x, y) => x / y],
  ['remainder', longs.remainder, (x, y) => x % y],
  ['modulo', longs.modulo, floorModulo],
]

describe('longs agree with exact integers', () => {
  it.each(BINARY)('%s', (_, operation, exact) => {
    fc.assert(fc.property(integer, integer, (x, y) => expectLong(operation(long(x), long(y)), exact(x, y))))
  })
  it.each(DIVISIONS)('%s', (_, operation, exact) => {
    const divisor = integer.filter((y) => y !== 0n)
    fc.assert(fc.property(integer, divisor, (x, y) => expectLong(operation(long(x), long(y)), exact(x, y))))
  })
  it('negate, absolute, not, compare', () => {
    fc.assert(
      fc.property(integer, integer, (x, y) => {
        expectLong(longs.negate(long(x)), -x)
        expectLong(longs.absolute(long(x)), x < 0n ? -x : x)
        expectLong(longs.not(long(x)), ~x)
        expect(longs.compare(long(x), long(y))).toBe(x < y ? -1 : x > y ? 1 : 0)
        expect(longs.toDouble(long(x))).toBe(Number(x))
      }),
    )
  })
  it('power', () => {
    const base = fc.oneof(fc.bigInt({ min: -3000n, max: 3000n }), integer)
    fc.assert(
      fc.property(base, fc.bigInt({ min: 0n, max: 70n }), (x, y) => expectLong(longs.power(long(x), long(y)), x ** y)),
    )
  })
  it('parse reads what the number writes, in every base', () => {
    fc.assert(
      fc.property(integer, fc.integer({ min: 2, max: 36 }), (x, base) => {
        expectLong(longs.parse(x.toString(base), base), x)
        expectLong(longs.parse(x.toString(base).toUpperCase(), base), x)
      }),
    )
  })
})

describe('corner cases', () => {
  it.each([
    ['negative exponents truncate', longs.power(2, -1), 0],
    ['one to any power', longs.power(1, -100), 1],
    ['minus one, odd', longs.power(-1, -17), -1],
    ['minus one, even', longs.power(-1, MIN), 1],
    ['zero to a negative power', longs.power(0, -1), undefined],
    ['zero to zero', longs.power(0, 0), 1],
    ['the least long, negated', longs.negate(MIN), undefined],
    ['the least long by minus one', longs.divide(MIN, -1), undefined],
    ['a quotient that a double would round up', longs.divide(9007199254740991, 9007199254740990), 1],
    ['beyond the greatest', longs.parse('9223372036854775808'), undefined],
    ['the least', longs.parse('-9223372036854775808'), MIN],
    ['a plus sign', longs.parse('+7'), 7],
    ['minus zero', longs.parse('-0'), 0],
    ['empty', longs.parse(''), undefined],
    ['only a sign', longs.parse('-'), undefined],
    ['spaces', longs.parse(' 1'), undefined],
    ['a digit outside the base', longs.parse('2', 2), undefined],
    ['a whole double', longs.fromDouble(2 ** 60), 2n ** 60n],
    ['a fraction', longs.fromDouble(0.5), undefined],
    ['too great a double', longs.fromDouble(2 ** 63), undefined],
    ['the least double that fits', longs.fromDouble(-(2 ** 63)), MIN],
    ['not a number', longs.fromDouble(Number.NaN), undefined],
    ['minus zero as a double', longs.fromDouble(-0), 0],
    ['half up', longs.roundHalfUp(-2.5), -2],
    ['half up', longs.roundHalfUp(2.5), 3],
  ])('%s', (_, actual, expected) => expect(actual).toBe(expected))
})
