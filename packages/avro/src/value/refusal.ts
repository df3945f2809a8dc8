// A failure on its way out of nested values: each level adds its key, the outermost makes a Mismatch of it.
import { AvroError, type Mismatch, pointTo } from '../error.ts'

/** Thrown and caught inside this package only. No Error: no stack is wanted, and rejects come in masses. */
export class Refusal {
  readonly found: string
  readonly expected: string
  readonly hint: string | undefined
  /** Innermost first. */
  readonly keys: (string | number)[] = []

  constructor(found: string, expected: string, hint?: string) {
    this.found = found
    this.expected = expected
    this.hint = hint
  }
}

/** Thrown by fast code that leaves explaining to others. What it is does not matter, so it is made once. */
export const UNSURE = Object.freeze({ reason: 'ask the version that explains' })

/** For `catch (error) { throw inside(error, key) }`. */
export function inside(error: unknown, key: string | number): unknown {
  if (error instanceof Refusal) error.keys.push(key)
  return error
}

/** What the outermost caller makes of whatever was thrown. Other errors are bugs and pass as they are. */
export function toMismatch(error: unknown, pointer = ''): Mismatch {
  if (error instanceof RangeError)
    return { pointer, found: 'more levels than the stack holds', expected: 'less nesting' }
  if (!(error instanceof Refusal)) throw error
  const { found, expected, hint } = error
  const place = error.keys.reduceRight<string>((parent, key) => pointTo(parent, key), pointer)
  return hint === undefined ? { pointer: place, found, expected } : { pointer: place, found, expected, hint }
}

export function toError(error: unknown, pointer = ''): AvroError {
  return new AvroError(toMismatch(error, pointer))
}
