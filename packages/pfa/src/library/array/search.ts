// Finding in arrays: a haystack and a needle (an item, a run of items, or a test) come in, places and answers go out.
import { type Equality, equality } from '../../runtime/compare.ts'
import { arrayDepth, isFunction, itemType } from '../argument.ts'
import type { CallSite, LibraryModule } from '../library.ts'

type Items = readonly unknown[]

/** Does the needle stand in the haystack at this place? `width` items are needed there. */
interface Matcher {
  width(needle: unknown): number
  at(haystack: Items, place: number, needle: unknown): boolean
}

/**
 * The needle is a test, a run of items, or one item. An array is always taken for a run, also where the items are arrays
 * themselves: then no run of their items can stand in the haystack, except the empty one.
 */
function matcher(site: CallSite): Matcher {
  if (isFunction(site, 1)) {
    return { width: one, at: (haystack, place, needle) => (needle as (item: unknown) => boolean)(haystack[place]) }
  }
  const equal = equality(itemType(site, 0), 'search')
  if (site.params[1]?.kind !== 'array') {
    return { width: one, at: (haystack, place, needle) => equal(haystack[place], needle) }
  }
  const equalInRun = arrayDepth(site.params[0]) === arrayDepth(site.params[1]) ? equal : () => false
  return {
    width: (needle) => (needle as Items).length,
    at: (haystack, place, needle) => standsAt(equalInRun, haystack, place, needle as Items),
  }
}

function one(): number {
  return 1
}

function standsAt(equal: Equality, haystack: Items, place: number, needle: Items): boolean {
  for (let i = 0; i < needle.length; i++) {
    if (!equal(haystack[place + i], needle[i])) return false
  }
  return true
}

function firstIndex(site: CallSite): (haystack: Items, needle: unknown) => number {
  const { width, at } = matcher(site)
  return (haystack, needle) => {
    const last = haystack.length - width(needle)
    for (let i = 0; i <= last; i++) {
      if (at(haystack, i, needle)) return i
    }
    return -1
  }
}

export const search: LibraryModule = {
  'a.contains': (site) => {
    const find = firstIndex(site)
    return (haystack: Items, needle: unknown) => find(haystack, needle) >= 0
  },
  'a.index': firstIndex,
  'a.rindex': (site) => {
    const { width, at } = matcher(site)
    return (haystack: Items, needle: unknown) => {
      for (let i = haystack.length - width(needle); i >= 0; i--) {
        if (at(haystack, i, needle)) return i
      }
      return -1
    }
  },
  'a.count': (site) => {
    const { width, at } = matcher(site)
    return (haystack: Items, needle: unknown) => {
      const wanted = width(needle)
      if (wanted === 0) return 0
      let count = 0
      for (let i = 0; i <= haystack.length - wanted; i++) {
        if (at(haystack, i, needle)) count++
      }
      return count
    }
  },
  'a.startswith': (site) => {
    const { width, at } = matcher(site)
    return (haystack: Items, needle: unknown) => width(needle) <= haystack.length && at(haystack, 0, needle)
  },
  'a.endswith': (site) => {
    const { width, at } = matcher(site)
    return (haystack: Items, needle: unknown) => {
      const start = haystack.length - width(needle)
      return start >= 0 && at(haystack, start, needle)
    }
  },
}
