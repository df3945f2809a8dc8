// Strings by code point: JavaScript strings and code point positions come in, the same go out.
//
// PFA counts and orders by code point, JavaScript by UTF-16 unit. They differ only where a string holds surrogates, so
// every function asks that first and does without decoding where it can. A lone surrogate counts as one character.

const SURROGATE = /[\ud800-\udfff]/

export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text)
}

/** Number of code points. */
export function length(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if (isPair(text, i)) {
      count--
      i++
    }
  }
  return count
}

/** The UTF-16 offset of the code point at `index`, or the end where there are fewer; `index` is not negative. */
export function offset(text: string, index: number): number {
  if (!SURROGATE.test(text)) return Math.min(index, text.length)
  let at = 0
  for (let i = 0; i < index && at < text.length; i++) at += isPair(text, at) ? 2 : 1
  return at
}

/** The code point position of a UTF-16 offset: how many code points stand before it. */
export function position(text: string, offset: number): number {
  return SURROGATE.test(text) ? length(text.slice(0, offset)) : offset
}

/** From `start` up to `end`, in code points, both not negative. */
export function slice(text: string, start: number, end: number): string {
  if (end <= start) return ''
  if (!SURROGATE.test(text)) return text.slice(start, end)
  const from = offset(text, start)
  let to = from
  for (let i = start; i < end && to < text.length; i++) to += isPair(text, to) ? 2 : 1
  return text.slice(from, to)
}

/** The characters, one string per code point. */
export function characters(text: string): string[] {
  return SURROGATE.test(text) ? Array.from(text) : text.split('')
}

/** -1, 0 or 1, by code point. */
export function compare(x: string, y: string): number {
  if (x === y) return 0
  const shorter = Math.min(x.length, y.length)
  for (let i = 0; i < shorter; i++) {
    const a = x.charCodeAt(i)
    const b = y.charCodeAt(i)
    if (a !== b) return rank(a) < rank(b) ? -1 : 1
  }
  return x.length < y.length ? -1 : 1
}

/**
 * Where UTF-16 units stand in code point order: surrogates, which make characters from U+10000, after the units from
 * U+E000 to U+FFFF.
 */
function rank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low <= 0xdfff
}
