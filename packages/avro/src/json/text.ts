// Leaves of JSON text: strings and numbers go in, their JSON comes out.
import { UNSURE } from '../value/refusal.ts'

/** What JSON.stringify would have to escape: quotes, backslashes, control characters, halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

export function stringText(value: string): string {
  if (!ESCAPED.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw UNSURE
  return JSON.stringify(value)
}

/** Numbers that JSON does not have are written as strings; a negative zero keeps its sign. */
export function doubleText(value: number): string {
  if (value - value === 0) return value === 0 && 1 / value < 0 ? '-0' : `${value}`
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"'
}
