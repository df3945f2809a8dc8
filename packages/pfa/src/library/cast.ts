// The library module `cast`: numbers into other numbers, categories into indicators, values into bytes and text.
import { compileBinary, type EnumType } from '@pitot/avro'
import { fromDouble, type Long, normalise, roundHalfUp, toDouble } from '../runtime/longs.ts'
import { valueType } from './argument.ts'
import { jsonWriter } from './cast/json.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'
import { checkLength } from './size.ts'

const MAX_INT = 2147483647
const MIN_INT = -2147483648

/** Keeps the lowest bits of the two's complement form of x. */
function truncate(x: Long, bits: number, signed: boolean): Long {
  const exact = BigInt(x)
  return normalise(signed ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact))!
}

function toInt(site: CallSite): (x: never) => unknown {
  const kind = valueType(site, 0).kind
  if (kind === 'int') return (x: number) => x
  const whole = kind === 'long' ? (x: Long) => x : (x: number) => roundHalfUp(x) + 0
  return (x: number) => {
    const result = whole(x)
    if (!(result >= MIN_INT && result <= MAX_INT)) throw site.error(17020)
    return result
  }
}

function toLong(site: CallSite): (x: never) => unknown {
  const kind = valueType(site, 0).kind
  if (kind === 'int' || kind === 'long') return (x: Long) => x
  return (x: number) => {
    const result = fromDouble(roundHalfUp(x))
    if (result === undefined) throw site.error(17030)
    return result
  }
}

/**
 * An array with `hit` at the place of x and `miss` elsewhere: among an enum's symbols, a dictionary, or a range of whole
 * numbers. The latter two may have one more place for what is outside.
 */
function fanout(code: number, hit: unknown, miss: unknown): Implementation {
  const indicators = (length: number, place: number) => {
    checkLength(length)
    const result = new Array<unknown>(length).fill(miss)
    if (place >= 0 && place < length) result[place] = hit
    return result
  }
  return (site) => {
    switch (site.params.length) {
      case 1: {
        const symbols = (valueType(site, 0) as EnumType).symbols
        return (x: string) => indicators(symbols.length, symbols.indexOf(x))
      }
      case 3:
        return (x: string, dictionary: readonly string[], outOfRange: boolean) => {
          if (new Set(dictionary).size !== dictionary.length) throw site.error(code)
          const place = dictionary.indexOf(x)
          if (!outOfRange) return indicators(dictionary.length, place)
          return indicators(dictionary.length + 1, place < 0 ? dictionary.length : place)
        }
      default:
        return (x: number, minimum: number, maximum: number, outOfRange: boolean) => {
          const size = Math.max(0, maximum - minimum)
          const place = x < minimum || x >= maximum ? -1 : x - minimum
          return outOfRange ? indicators(size + 1, place < 0 ? size : place) : indicators(size, place)
        }
    }
  }
}

export const cast: LibraryModule = {
  'cast.signed': (site) => (x: Long, bits: number) => {
    if (bits < 2 || bits > 64) throw site.error(17000)
    return truncate(x, bits, true)
  },
  'cast.unsigned': (site) => (x: Long, bits: number) => {
    if (bits < 1 || bits > 63) throw site.error(17010)
    return truncate(x, bits, false)
  },
  'cast.int': toInt,
  'cast.long': toLong,
  'cast.float': () => (x: Long) => Math.fround(toDouble(x)),
  'cast.double': () => toDouble,
  'cast.fanoutBoolean': fanout(17060, true, false),
  'cast.fanoutInt': fanout(17070, 1, 0),
  'cast.fanoutLong': fanout(17080, 1, 0),
  'cast.fanoutFloat': fanout(17090, 1, 0),
  'cast.fanoutDouble': fanout(17100, 1, 0),
  'cast.avro': (site) => compileBinary(valueType(site, 0)).encode,
  'cast.json': (site) => jsonWriter(valueType(site, 0)),
}
