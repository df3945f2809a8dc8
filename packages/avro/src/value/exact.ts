// JSON numbers with all their digits, in both directions: an integer that a number cannot hold is a bigint on our side.

/** What a reviver is told about the text of a primitive value (ECMAScript 2026). */
interface Source {
  readonly source?: string
}

const INTEGER = /^-?\d+$/
/** A text of more digits than this is no 64-bit number, and making a bigint of it would be slow for nothing. */
const MAXIMUM_DIGITS = 40

/** Several times slower than `JSON.parse`: for texts in which such an integer has been seen. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, exactInteger)
}

function exactInteger(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  if (source === undefined || source.length > MAXIMUM_DIGITS || !INTEGER.test(source)) return value
  return BigInt(source)
}

/** A number with exactly these digits, for `JSON.stringify`. TypeScript's library does not know `JSON.rawJSON` yet. */
export function exactNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text)
}

/** The text of any JSON value: bigints with all their digits, NaN and the infinities by name. Throws for what JSON does not have. */
export function writeExact(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
    // Numbers that JSON does not have would be written as null.
    if (text?.includes('null')) text = JSON.stringify(value, exactMember)
  } catch {
    // A bigint is the usual reason.
    text = JSON.stringify(value, exactMember)
  }
  if (text === undefined) throw new TypeError(`expected a JSON value, found a ${typeof value}`)
  return text
}

function exactMember(_key: string, member: unknown): unknown {
  if (typeof member === 'bigint') return exactNumber(String(member))
  return typeof member === 'number' && !Number.isFinite(member) ? String(member) : member
}
