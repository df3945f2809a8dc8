// Arrays of arrays: windows, combinations, permutations, flattening, grouping. Results may grow fast, so time is checked.
import type { CallSite, LibraryModule } from '../library.ts'
import { checkLength, fitsLength } from '../size.ts'

type Items = readonly unknown[]

const TICK_EVERY = 1024

/**
 * Collects results, and looks at the clock and at their size now and then. More than can be kept is an error; where a
 * time limit runs, it is the limit that ends the work, as it would with endless memory.
 */
function collector(site: CallSite): { add(items: Items): void; all(): Items[] } {
  const results: Items[] = []
  let count = 0
  let total = 0
  return {
    add(items) {
      total += items.length
      if (site.host.isLimited?.() === true && !fitsLength(total)) results.length = 0
      else checkLength(total)
      results.push(items)
      if (++count % TICK_EVERY === 0) site.host.tick()
    },
    all() {
      checkLength(total)
      return results
    },
  }
}

/** All ways to choose `size` items, in the order of their indexes. */
function combinations(site: CallSite, a: Items, size: number): Items[] {
  const { add, all } = collector(site)
  if (size > a.length) return all()
  const indexes = Array.from({ length: size }, (_, i) => i)
  for (;;) {
    add(indexes.map((index) => a[index]))
    let moving = size - 1
    while (moving >= 0 && indexes[moving] === a.length - size + moving) moving--
    if (moving < 0) return all()
    indexes[moving]!++
    for (let i = moving + 1; i < size; i++) indexes[i] = indexes[i - 1]! + 1
  }
}

/** All orders of the items, in the order of their indexes. */
function permutations(site: CallSite, a: Items): Items[] {
  const { add, all } = collector(site)
  const indexes = Array.from(a, (_, i) => i)
  for (;;) {
    add(indexes.map((index) => a[index]))
    let rising = indexes.length - 2
    while (rising >= 0 && indexes[rising]! > indexes[rising + 1]!) rising--
    if (rising < 0) return all()
    let greater = indexes.length - 1
    while (indexes[greater]! < indexes[rising]!) greater--
    exchange(indexes, rising, greater)
    for (let low = rising + 1, high = indexes.length - 1; low < high; low++, high--) exchange(indexes, low, high)
  }
}

function exchange(indexes: number[], i: number, j: number): void {
  const kept = indexes[i]!
  indexes[i] = indexes[j]!
  indexes[j] = kept
}

export const restructure: LibraryModule = {
  'a.slidingWindow': (site) => (a: Items, size: number, step: number) => {
    if (size < 1) throw site.error(15770)
    if (step < 1) throw site.error(15771)
    checkLength(Math.max(0, Math.ceil((a.length - size + 1) / step)) * size)
    const { add, all } = collector(site)
    for (let start = 0; start + size <= a.length; start += step) add(a.slice(start, start + size))
    return all()
  },
  'a.combinations': (site) => (a: Items, size: number) => {
    if (size < 1) throw site.error(15780)
    return combinations(site, a, size)
  },
  'a.permutations': (site) => (a: Items) => permutations(site, a),
  'a.flatten': () => (a: readonly Items[]) => {
    checkLength(a.reduce((total, items) => total + items.length, 0))
    return a.flat(1)
  },
  'a.groupby': () => (a: Items, fcn: (item: unknown) => string) => {
    const groups = new Map<string, unknown[]>()
    for (let i = 0; i < a.length; i++) {
      const key = fcn(a[i])
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [a[i]])
      else group.push(a[i])
    }
    return groups
  },
}
