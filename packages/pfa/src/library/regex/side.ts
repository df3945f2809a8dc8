// Strings and bytes as regular expressions see them: a haystack or a pattern comes in, units and a compiled pattern go out.
import { makeRegex, type Regex } from '../../regex/regex.ts'
import { bytes, codePoints } from '../../regex/units.ts'
import { hasSurrogates } from '../../runtime/strings.ts'

export interface Haystack<Value> {
  readonly whole: Value
  readonly units: ArrayLike<number>
  slice(start: number, end: number): Value
  join(pieces: Value[]): Value
  /** In UTF-8, where the haystack is a string. */
  byteOffset(unit: number): number
}

export interface Side<Value> {
  haystack(value: Value): Haystack<Value>
  /** Undefined where the value is no pattern. */
  regex(pattern: Value): Regex | undefined
}

const MOST_PATTERNS = 500

/** Patterns may come from records, so only so many are kept. */
class PatternCache {
  readonly #make: (pattern: string) => Regex | undefined
  readonly #known = new Map<string, Regex | undefined>()

  constructor(make: (pattern: string) => Regex | undefined) {
    this.#make = make
  }

  get(pattern: string): Regex | undefined {
    if (this.#known.has(pattern)) return this.#known.get(pattern)
    const made = this.#make(pattern)
    if (this.#known.size >= MOST_PATTERNS) this.#known.clear()
    this.#known.set(pattern, made)
    return made
  }
}

function unitsOf(text: string): ArrayLike<number> {
  if (hasSurrogates(text)) return Array.from(text, (character) => character.codePointAt(0)!)
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return units
}

class StringHaystack implements Haystack<string> {
  readonly whole: string
  readonly units: ArrayLike<number>
  /** By unit: its offset in UTF-16 and in UTF-8; made where they are not the same and asked for. */
  #offsets: { readonly utf16: number[]; readonly utf8: number[] } | undefined
  readonly #isAscii: boolean

  constructor(text: string) {
    this.whole = text
    this.units = unitsOf(text)
    this.#isAscii = !/[^\0-\x7f]/.test(text)
  }

  slice(start: number, end: number): string {
    if (this.units.length === this.whole.length) return this.whole.slice(start, end)
    const { utf16 } = this.#measure()
    return this.whole.slice(utf16[start], utf16[end])
  }

  join(pieces: string[]): string {
    return pieces.join('')
  }

  byteOffset(unit: number): number {
    return this.#isAscii ? unit : this.#measure().utf8[unit]!
  }

  #measure(): { readonly utf16: number[]; readonly utf8: number[] } {
    if (this.#offsets !== undefined) return this.#offsets
    const utf16 = [0]
    const utf8 = [0]
    for (let i = 0; i < this.units.length; i++) {
      const unit = this.units[i]!
      utf16.push(utf16[i]! + (unit > 0xffff ? 2 : 1))
      utf8.push(utf8[i]! + (unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit <= 0xffff ? 3 : 4))
    }
    this.#offsets = { utf16, utf8 }
    return this.#offsets
  }
}

class BytesHaystack implements Haystack<Uint8Array> {
  readonly whole: Uint8Array

  constructor(value: Uint8Array) {
    this.whole = value
  }

  get units(): Uint8Array {
    return this.whole
  }

  slice(start: number, end: number): Uint8Array {
    return this.whole.slice(start, end)
  }

  join(pieces: Uint8Array[]): Uint8Array {
    const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
    let at = 0
    for (const piece of pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    return joined
  }

  byteOffset(unit: number): number {
    return unit
  }
}

const stringPatterns = new PatternCache((pattern) => makeRegex(unitsOf(pattern), codePoints))
const bytesPatterns = new PatternCache((pattern) => makeRegex(unitsOf(pattern), bytes))

export const stringSide: Side<string> = {
  haystack: (text) => new StringHaystack(text),
  regex: (pattern) => stringPatterns.get(pattern),
}

export const bytesSide: Side<Uint8Array> = {
  haystack: (value) => new BytesHaystack(value),
  regex: (pattern) => bytesPatterns.get(Array.from(pattern, (byte) => String.fromCharCode(byte)).join('')),
}
