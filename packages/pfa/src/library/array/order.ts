// Sorting and picking extremes: arrays come in, the same items reordered, the greatest or least, or their indexes go out.
import type { AvroType } from '@pitot/avro'
import { comparator } from '../../runtime/compare.ts'
import { itemType } from '../argument.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'

type Items = readonly unknown[]
type Less = (x: unknown, y: unknown) => boolean

/** Where `before` says which of two items is preferred, the indexes of the `n` most preferred, earlier ones first in ties. */
export function select(a: Items, n: number, before: Less): number[] {
  if (n === 1 && a.length > 0) return [selectOne(a, before)]
  return n <= 16 ? selectFew(a, n, before) : selectMany(a, n, before)
}

export function selectOne(a: Items, before: Less): number {
  let best = 0
  for (let i = 1; i < a.length; i++) {
    if (before(a[i], a[best])) best = i
  }
  return best
}

/** Keeps the best so far in order: no sorting of what is not asked for. */
function selectFew(a: Items, n: number, before: Less): number[] {
  const best: number[] = []
  for (let i = 0; i < a.length; i++) {
    let at = best.length
    while (at > 0 && before(a[i], a[best[at - 1]!])) at--
    if (at >= n) continue
    best.splice(at, 0, i)
    if (best.length > n) best.pop()
  }
  return best
}

function selectMany(a: Items, n: number, before: Less): number[] {
  const indexes = Array.from(a, (_, i) => i)
  indexes.sort((i, j) => (before(a[i], a[j]) ? -1 : before(a[j], a[i]) ? 1 : 0))
  return indexes.slice(0, n)
}

/** From so many items on, sorting as numbers pays for copying them there and back. */
const MANY = 16

/** A sorted copy, in Avro's order. */
export function sorter(type: AvroType): (a: Items) => unknown[] {
  const compare = comparator(type)
  const byComparing = (a: Items) => a.slice().sort(compare)
  switch (type.kind) {
    case 'int':
      return (a) => (a.length < MANY ? byComparing(a) : toArray(new Int32Array(a as readonly number[]).sort()))
    case 'float':
    case 'double':
      // NaN comes last there too.
      return (a) => (a.length < MANY ? byComparing(a) : toArray(new Float64Array(a as readonly number[]).sort()))
    default:
      return byComparing
  }
}

function toArray(numbers: Int32Array | Float64Array): number[] {
  const result = new Array<number>(numbers.length)
  for (let i = 0; i < numbers.length; i++) result[i] = numbers[i]!
  return result
}

type Direction = 'highest' | 'lowest'

/** Which of two items is preferred, in Avro's order. */
export function preference(site: CallSite, direction: Direction): Less {
  const compare = comparator(itemType(site, 0))
  return direction === 'highest' ? (x, y) => compare(x, y) > 0 : (x, y) => compare(x, y) < 0
}

/** Which of two items is preferred, by the document's own less-than. */
export function preferenceBy(lessThan: Less, direction: Direction): Less {
  return direction === 'highest' ? (x, y) => lessThan(y, x) : lessThan
}

function one(direction: Direction, code: number, give: (a: Items, index: number) => unknown): Implementation {
  return (site) => {
    const before = preference(site, direction)
    return (a: Items) => {
      if (a.length === 0) throw site.error(code)
      return give(a, selectOne(a, before))
    }
  }
}

function oneBy(direction: Direction, code: number, give: (a: Items, index: number) => unknown): Implementation {
  return (site) => (a: Items, lessThan: Less) => {
    if (a.length === 0) throw site.error(code)
    return give(a, selectOne(a, preferenceBy(lessThan, direction)))
  }
}

function several(direction: Direction, code: number, give: (a: Items, indexes: number[]) => unknown): Implementation {
  return (site) => {
    const before = preference(site, direction)
    return (a: Items, n: number) => {
      checkSeveral(site, code, a, n)
      return give(a, select(a, n, before))
    }
  }
}

function severalBy(direction: Direction, code: number, give: (a: Items, indexes: number[]) => unknown): Implementation {
  return (site) => (a: Items, n: number, lessThan: Less) => {
    checkSeveral(site, code, a, n)
    return give(a, select(a, n, preferenceBy(lessThan, direction)))
  }
}

function checkSeveral(site: CallSite, code: number, a: Items, n: number): void {
  if (a.length === 0) throw site.error(code)
  if (n < 0) throw site.error(code + 1)
}

const item = (a: Items, index: number) => a[index]
const place = (_: Items, index: number) => index
const items = (a: Items, indexes: number[]) => indexes.map((index) => a[index])
const places = (_: Items, indexes: number[]) => indexes

export const order: LibraryModule = {
  'a.sort': (site) => sorter(itemType(site, 0)),
  'a.sortLT': () => (a: Items, lessThan: Less) =>
    a.slice().sort((x, y) => (lessThan(x, y) ? -1 : lessThan(y, x) ? 1 : 0)),
  'a.shuffle': (site) => (a: Items) => {
    const result = a.slice()
    for (let i = result.length - 1; i > 0; i--) {
      const j = Math.floor(site.host.random() * (i + 1))
      const kept = result[i]
      result[i] = result[j]
      result[j] = kept
    }
    return result
  },
  'a.reverse': () => (a: Items) => a.slice().reverse(),
  'a.max': one('highest', 15240, item),
  'a.min': one('lowest', 15250, item),
  'a.maxLT': oneBy('highest', 15260, item),
  'a.minLT': oneBy('lowest', 15270, item),
  'a.maxN': several('highest', 15280, items),
  'a.minN': several('lowest', 15290, items),
  'a.maxNLT': severalBy('highest', 15300, items),
  'a.minNLT': severalBy('lowest', 15310, items),
  'a.argmax': one('highest', 15320, place),
  'a.argmin': one('lowest', 15330, place),
  'a.argmaxLT': oneBy('highest', 15340, place),
  'a.argminLT': oneBy('lowest', 15350, place),
  'a.argmaxN': several('highest', 15360, places),
  'a.argminN': several('lowest', 15370, places),
  'a.argmaxNLT': severalBy('highest', 15380, places),
  'a.argminNLT': severalBy('lowest', 15390, places),
}
