// Numbers of Avro in JavaScript: what came in goes in, the one right representation comes out, or undefined.

const LONG_LIMIT = 2n ** 63n

export function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value
}

/** Whether a long had to be made from a number that may have lost digits; the reader of a text looks, and reads again. */
export const digits = { lost: false }

/** Any integer of 64 bits: a number while it is safe, a bigint beyond. */
export function toLong(value: unknown): number | bigint | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value + 0
    if (!Number.isInteger(value) || value < -(2 ** 63) || value >= 2 ** 63) {
      // A literal just below the limit may have been rounded up to it.
      if (value === 2 ** 63) digits.lost = true
      return undefined
    }
    digits.lost = true
    return BigInt(value)
  }
  if (typeof value !== 'bigint') return undefined
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  return value < -LONG_LIMIT || value >= LONG_LIMIT ? undefined : value
}

export function isLong(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'bigint' || Number.isSafeInteger(Number(value))) return false
  return value >= -LONG_LIMIT && value < LONG_LIMIT
}

/** JSON has no such numbers, so they are written as these strings. */
const SPELLINGS: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['nan', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])

export function toDouble(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'bigint' ? Number(value) : SPELLINGS.get(value)
}
