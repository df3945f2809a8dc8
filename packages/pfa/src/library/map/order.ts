// Keys of the greatest and least values: maps come in, keys go out; of equal values, the key that sorts first.
import { comparator } from '../../runtime/compare.ts'
import { compare as compareStrings } from '../../runtime/strings.ts'
import { mapValueType } from '../argument.ts'
import { preferenceBy, select } from '../array/order.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'

type Entries = ReadonlyMap<string, unknown>
type Less = (x: unknown, y: unknown) => boolean
type Direction = 'highest' | 'lowest'

function bestKey(m: Entries, before: Less): string {
  let best: string | undefined
  let bestValue: unknown
  for (const [key, value] of m) {
    const better =
      best === undefined || before(value, bestValue) || (!before(bestValue, value) && compareStrings(key, best) < 0)
    if (!better) continue
    best = key
    bestValue = value
  }
  return best!
}

function bestKeys(m: Entries, n: number, before: Less): string[] {
  const keys = [...m.keys()].sort(compareStrings)
  const values = keys.map((key) => m.get(key))
  return select(values, n, before).map((index) => keys[index]!)
}

function lessThanOf(site: CallSite): Less {
  const compare = comparator(mapValueType(site, 0))
  return (x, y) => compare(x, y) < 0
}

function one(direction: Direction, code: number): Implementation {
  return (site) => {
    const before = preferenceBy(lessThanOf(site), direction)
    return (m: Entries) => {
      if (m.size === 0) throw site.error(code)
      return bestKey(m, before)
    }
  }
}

function oneBy(direction: Direction, code: number): Implementation {
  return (site) => (m: Entries, lessThan: Less) => {
    if (m.size === 0) throw site.error(code)
    return bestKey(m, preferenceBy(lessThan, direction))
  }
}

function several(direction: Direction, code: number): Implementation {
  return (site) => {
    const before = preferenceBy(lessThanOf(site), direction)
    return (m: Entries, n: number) => {
      if (m.size === 0) throw site.error(code)
      if (n < 0) throw site.error(code + 1)
      return bestKeys(m, n, before)
    }
  }
}

function severalBy(direction: Direction, code: number): Implementation {
  return (site) => (m: Entries, n: number, lessThan: Less) => {
    if (m.size === 0) throw site.error(code)
    if (n < 0) throw site.error(code + 1)
    return bestKeys(m, n, preferenceBy(lessThan, direction))
  }
}

export const order: LibraryModule = {
  'map.argmax': one('highest', 26120),
  'map.argmin': one('lowest', 26130),
  'map.argmaxLT': oneBy('highest', 26140),
  'map.argminLT': oneBy('lowest', 26150),
  'map.argmaxN': several('highest', 26160),
  'map.argminN': several('lowest', 26170),
  'map.argmaxNLT': severalBy('highest', 26180),
  'map.argminNLT': severalBy('lowest', 26190),
}
