// Exact 64-bit arithmetic: longs come in (a number while safe, a bigint beyond), longs go out in the same normal form.
//
// No function throws: one whose result may leave 64 bits gives `undefined` then, and the caller raises its own error.
// BigInt is touched only when an operand or a result is not a safe integer. A long is never -0, so `===` compares.

export type Long = number | bigint

export const MAX_LONG = 9223372036854775807n
export const MIN_LONG = -9223372036854775808n

const SAFE = Number.MAX_SAFE_INTEGER
const BIG_SAFE = BigInt(SAFE)

/** The normal form of an integer, or undefined where it does not fit in 64 bits. */
export function normalise(value: bigint): Long | undefined {
  if (value <= BIG_SAFE && value >= -BIG_SAFE) return Number(value)
  return value > MAX_LONG || value < MIN_LONG ? undefined : value
}

export function add(x: Long, y: Long): Long | undefined {
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y
    if (sum <= SAFE && sum >= -SAFE) return sum
  }
  return normalise(BigInt(x) + BigInt(y))
}

export function subtract(x: Long, y: Long): Long | undefined {
  if (typeof x === 'number' && typeof y === 'number') {
    const difference = x - y
    if (difference <= SAFE && difference >= -SAFE) return difference
  }
  return normalise(BigInt(x) - BigInt(y))
}

export function multiply(x: Long, y: Long): Long | undefined {
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y
    if (product <= SAFE && product >= -SAFE) return product + 0 // + 0 turns -0 into 0
  }
  return normalise(BigInt(x) * BigInt(y))
}

export function negate(x: Long): Long | undefined {
  return typeof x === 'number' ? 0 - x : normalise(-x)
}

export function absolute(x: Long): Long | undefined {
  return x < 0 ? negate(x) : x
}

/** Truncating toward zero. The divisor is not zero: the caller has checked. */
export function divide(x: Long, y: Long): Long | undefined {
  // x - x % y is a multiple of y, so the division is exact where x / y might round up to the next whole number.
  if (typeof x === 'number' && typeof y === 'number') return (x - (x % y)) / y + 0
  return normalise(BigInt(x) / BigInt(y))
}

/** The remainder with the sign of the divisor, which is not zero. */
export function modulo(x: Long, y: Long): Long {
  const rest = remainder(x, y)
  if (rest === 0 || rest < 0 === y < 0) return rest
  return add(rest, y)!
}

/** The remainder with the sign of the dividend; the divisor is not zero. */
export function remainder(x: Long, y: Long): Long {
  if (typeof x === 'number' && typeof y === 'number') return (x % y) + 0
  return normalise(BigInt(x) % BigInt(y))!
}

/** A negative exponent truncates toward zero: 2 ** -1 is 0, and 0 ** -1 does not fit. */
export function power(base: Long, exponent: Long): Long | undefined {
  if (base === 1) return 1
  if (base === -1) return remainder(exponent, 2) === 0 ? 1 : -1
  if (exponent < 0) return base === 0 ? undefined : 0
  if (base === 0) return exponent === 0 ? 1 : 0
  if (exponent > 63) return undefined
  // By repeated multiplication: the engine's own power is not rounded correctly near 2 ** 53.
  let result: Long | undefined = 1
  for (let i = 0; i < exponent && result !== undefined; i++) result = multiply(result, base)
  return result
}

export function and(x: Long, y: Long): Long {
  return isInt(x) && isInt(y) ? x & y : normalise(BigInt(x) & BigInt(y))!
}

export function or(x: Long, y: Long): Long {
  return isInt(x) && isInt(y) ? x | y : normalise(BigInt(x) | BigInt(y))!
}

export function xor(x: Long, y: Long): Long {
  return isInt(x) && isInt(y) ? x ^ y : normalise(BigInt(x) ^ BigInt(y))!
}

export function not(x: Long): Long {
  if (typeof x === 'number' && x < SAFE) return -1 - x
  return normalise(~BigInt(x))!
}

export function compare(x: Long, y: Long): number {
  return x < y ? -1 : x > y ? 1 : 0
}

/** A whole double as a long; undefined for what is not whole, not finite, or beyond 64 bits. */
export function fromDouble(x: number): Long | undefined {
  if (x <= SAFE && x >= -SAFE) return Number.isInteger(x) ? x + 0 : undefined
  if (!(x < 2 ** 63 && x >= -(2 ** 63))) return undefined
  return BigInt(x)
}

/** Rounds half up the way `cast.long` and `m.round` are defined, by the double nearest to x + 0.5. */
export function roundHalfUp(x: number): number {
  return Math.floor(x + 0.5)
}

export function toDouble(x: Long): number {
  return Number(x)
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * Reads an optional sign and digits of the base (2 to 36, letters in either case), and nothing else. Undefined where
 * the text is something else or the number does not fit.
 */
export function parse(text: string, base = 10): Long | undefined {
  const negative = text[0] === '-'
  const start = negative || text[0] === '+' ? 1 : 0
  if (text.length === start) return undefined
  const lower = text.toLowerCase()
  let quick = 0
  let exact: bigint | undefined
  for (let i = start; i < lower.length; i++) {
    const digit = DIGITS.indexOf(lower[i]!)
    if (digit < 0 || digit >= base) return undefined
    if (exact !== undefined) {
      exact = exact * BigInt(base) + BigInt(digit)
      if (exact > -MIN_LONG) return undefined
      continue
    }
    const next = quick * base + digit
    if (next <= SAFE) quick = next
    else exact = BigInt(quick) * BigInt(base) + BigInt(digit)
  }
  if (exact === undefined) return negative ? 0 - quick : quick
  return normalise(negative ? -exact : exact)
}

function isInt(x: Long): x is number {
  return typeof x === 'number' && (x | 0) === x
}
