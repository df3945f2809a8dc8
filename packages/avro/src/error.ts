// Where a schema or a value is not what it should be: a place, what was found and what would be right go in, one sentence comes out.

export interface Mismatch {
  /** JSON pointer to the place, `''` for the whole. */
  readonly pointer: string
  /** What stands there, in words: `the string "abc"`. */
  readonly found: string
  /** What could stand there, in words: `an int`. */
  readonly expected: string
  /** What to do about it, when that is known. */
  readonly hint?: string
}

export class AvroError extends Error implements Mismatch {
  override readonly name = 'AvroError'
  readonly pointer: string
  readonly found: string
  readonly expected: string
  readonly hint?: string

  constructor(mismatch: Mismatch) {
    super(explain(mismatch))
    this.pointer = mismatch.pointer
    this.found = mismatch.found
    this.expected = mismatch.expected
    if (mismatch.hint !== undefined) this.hint = mismatch.hint
  }
}

export function explain({ pointer, found, expected, hint }: Mismatch): string {
  const place = pointer === '' ? '' : `at ${pointer}: `
  return `${place}expected ${expected}, found ${found}${hint === undefined ? '' : `; ${hint}`}`
}

/** The pointer of a member of what `parent` points to. */
export function pointTo(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}/${key}`
  return `${parent}/${key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`
}

const SHOWN = 60

/** A value in words, short enough for a log line whatever the value is. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return `the string ${shorten(JSON.stringify(value.slice(0, SHOWN + 1)))}`
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${shorten(String(value))}`
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (value instanceof Map) return `a map of ${value.size}`
  if (value instanceof Date) return `the date ${Number.isNaN(value.getTime()) ? 'that is none' : value.toISOString()}`
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (kind !== 'Object') return `an object of class ${shorten(kind)}`
  const keys = Object.keys(value)
  return keys.length === 0 ? 'an empty object' : `an object with ${shorten(keys.slice(0, 9).map(quoteKey).join(', '))}`
}

function quoteKey(key: string): string {
  return JSON.stringify(key.slice(0, SHOWN))
}

function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}

/** Words as a choice: `a, b or c`. */
export function oneOf(words: Iterable<string>): string {
  const list = [...words]
  if (list.length > 12) return `${list.slice(0, 12).join(', ')}, …`
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`
}
