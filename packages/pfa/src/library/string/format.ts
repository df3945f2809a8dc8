// Numbers into strings: `s.hex`, `s.int`, `s.number`. Numbers and widths come in, padded text goes out.
import type { Long } from '../../runtime/longs.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { checkLength } from '../size.ts'
import { exponential, fixed } from './decimal.ts'

/** A positive width pads on the left, a negative one on the right. */
function pad(text: string, width: number): string {
  checkLength(Math.abs(width))
  return width < 0 ? text.padEnd(-width) : text.padStart(width)
}

function zeroPadded(text: string, width: number): string {
  checkLength(width)
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

/** A width of zero leaves nothing to write into. Zeros cannot be padded on the right: that raises `code`. */
function integer(site: CallSite, code: number, text: string, width: number, zeroPad: boolean): string {
  if (zeroPad && width < 0) throw site.error(code)
  if (width === 0) return ''
  return zeroPad ? zeroPadded(text, width) : pad(text, width)
}

function integerFormat(code: number): Implementation {
  return (site) => {
    if (site.params.length === 1) return (x: Long) => x.toString()
    return (x: Long, width: number, zeroPad: boolean) => integer(site, code, x.toString(), width, zeroPad)
  }
}

const MIN_WITHOUT_EXPONENT = 0.0001
const MAX_WITHOUT_EXPONENT = 100000
const DEFAULT_PLACES = 6

/** A number without padding; `precision` null: six places without the zeros at their end. */
function number(x: number, precision: number | null, minNoExp: number, maxNoExp: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf'
  const magnitude = Math.abs(x)
  const plain = magnitude === 0 || (magnitude >= minNoExp && magnitude <= maxNoExp)
  const places = precision ?? DEFAULT_PLACES
  const text = plain ? fixed(x, places) : exponential(x, places)
  return precision === null ? text.replace(/(\.[0-9]+?)0+(?=e|$)/, '$1') : text
}

export const format: LibraryModule = {
  's.hex': (site) => {
    const digits = (x: Long) => {
      if (x < 0) throw site.error(39111)
      return x.toString(16)
    }
    if (site.params.length === 1) return digits
    return (x: Long, width: number, zeroPad: boolean) => integer(site, 39110, digits(x), width, zeroPad)
  },
  's.int': integerFormat(39240),
  's.number': (site) => {
    if (site.params.length === 1 || site.params[2]?.kind === 'boolean') return integerFormat(39120)(site)
    return (
      x: number,
      width: number | null,
      precision: number | null,
      minNoExp = MIN_WITHOUT_EXPONENT,
      maxNoExp = MAX_WITHOUT_EXPONENT,
    ) => {
      if (precision !== null && precision < 0) throw site.error(39121)
      checkLength(precision ?? 0)
      const text = number(x, precision, minNoExp, maxNoExp)
      return width === null ? text : pad(text, width)
    }
  },
}
