// The library module `parse`: text comes in, numbers go out.
import { parse as parseLong } from '../runtime/longs.ts'
import type { LibraryModule } from './library.ts'

const DECIMAL = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/
const INFINITY = /^[-+]?inf(inity)?$/
const BEYOND_ASCII = /[\u0080-\uffff]/
const DIGIT = /\p{Nd}/u

/** Without space around it, and with the decimal digits of every script as 0 to 9. */
function plain(text: string): string {
  const trimmed = text.trim()
  return BEYOND_ASCII.test(trimmed) ? Array.from(trimmed, plainDigit).join('') : trimmed
}

/** Unicode keeps decimal digits together in runs of ten: the place in the run is the digit. */
function plainDigit(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 128 || !DIGIT.test(character)) return character
  let start = code
  while (DIGIT.test(String.fromCodePoint(start - 1))) start--
  return String((code - start) % 10)
}

/** Undefined where the text is no number. */
function parseDouble(text: string): number | undefined {
  const lower = plain(text).toLowerCase()
  if (DECIMAL.test(lower)) return Number(lower)
  if (INFINITY.test(lower)) return lower.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return lower === 'nan' ? Number.NaN : undefined
}

export const parse: LibraryModule = {
  'parse.int': (site) => (text: string, base: number) => {
    if (base < 2 || base > 36) throw site.error(33001)
    const value = parseLong(plain(text), base)
    if (value === undefined || value < -2147483648 || value > 2147483647) throw site.error(33000)
    return value
  },
  'parse.long': (site) => (text: string, base: number) => {
    if (base < 2 || base > 36) throw site.error(33011)
    const value = parseLong(plain(text), base)
    if (value === undefined) throw site.error(33010)
    return value
  },
  'parse.float': (site) => (text: string) => {
    const value = parseDouble(text)
    if (value === undefined) throw site.error(33020)
    return Math.fround(value)
  },
  'parse.double': (site) => (text: string) => {
    const value = parseDouble(text)
    if (value === undefined) throw site.error(33030)
    return value
  },
}
