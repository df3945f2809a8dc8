// Functions of the document applied to maps: map, filter, zip and tests.
import { isNull } from '../argument.ts'
import type { CallSite, LibraryModule } from '../library.ts'

type Entries = ReadonlyMap<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: functions of the document have the parameters of the signature
type Call<Result = unknown> = (...args: any[]) => Result

function sameKeys(a: Entries, b: Entries): boolean {
  if (a.size !== b.size) return false
  for (const key of a.keys()) if (!b.has(key)) return false
  return true
}

/** Raises `code` where the maps differ in keys. */
function checkAligned(site: CallSite, code: number, first: Entries, ...others: Entries[]): void {
  for (const other of others) if (!sameKeys(first, other)) throw site.error(code)
}

export const functional: LibraryModule = {
  'map.map': () => (m: Entries, fcn: Call) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of m) result.set(key, fcn(value))
    return result
  },
  'map.mapWithKey': () => (m: Entries, fcn: Call) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of m) result.set(key, fcn(key, value))
    return result
  },
  'map.filter': () => (m: Entries, fcn: Call<boolean>) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of m) if (fcn(value)) result.set(key, value)
    return result
  },
  'map.filterWithKey': () => (m: Entries, fcn: Call<boolean>) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of m) if (fcn(key, value)) result.set(key, value)
    return result
  },
  'map.filterMap': () => (m: Entries, fcn: Call) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of m) {
      const made = fcn(value)
      if (!isNull(made)) result.set(key, made)
    }
    return result
  },
  'map.filterMapWithKey': () => (m: Entries, fcn: Call) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of m) {
      const made = fcn(key, value)
      if (!isNull(made)) result.set(key, made)
    }
    return result
  },
  'map.flatMap': () => (m: Entries, fcn: Call<Entries>) => {
    const result = new Map<string, unknown>()
    for (const value of m.values()) for (const [key, made] of fcn(value)) result.set(key, made)
    return result
  },
  'map.flatMapWithKey': () => (m: Entries, fcn: Call<Entries>) => {
    const result = new Map<string, unknown>()
    for (const [outer, value] of m) for (const [key, made] of fcn(outer, value)) result.set(key, made)
    return result
  },
  'map.zipmap': (site) => {
    switch (site.params.length) {
      case 3:
        return (a: Entries, b: Entries, fcn: Call) => {
          checkAligned(site, 26370, a, b)
          const result = new Map<string, unknown>()
          for (const [key, value] of a) result.set(key, fcn(value, b.get(key)))
          return result
        }
      case 4:
        return (a: Entries, b: Entries, c: Entries, fcn: Call) => {
          checkAligned(site, 26370, a, b, c)
          const result = new Map<string, unknown>()
          for (const [key, value] of a) result.set(key, fcn(value, b.get(key), c.get(key)))
          return result
        }
      default:
        return (a: Entries, b: Entries, c: Entries, d: Entries, fcn: Call) => {
          checkAligned(site, 26370, a, b, c, d)
          const result = new Map<string, unknown>()
          for (const [key, value] of a) result.set(key, fcn(value, b.get(key), c.get(key), d.get(key)))
          return result
        }
    }
  },
  'map.zipmapWithKey': (site) => {
    switch (site.params.length) {
      case 3:
        return (a: Entries, b: Entries, fcn: Call) => {
          checkAligned(site, 26380, a, b)
          const result = new Map<string, unknown>()
          for (const [key, value] of a) result.set(key, fcn(key, value, b.get(key)))
          return result
        }
      case 4:
        return (a: Entries, b: Entries, c: Entries, fcn: Call) => {
          checkAligned(site, 26380, a, b, c)
          const result = new Map<string, unknown>()
          for (const [key, value] of a) result.set(key, fcn(key, value, b.get(key), c.get(key)))
          return result
        }
      default:
        return (a: Entries, b: Entries, c: Entries, d: Entries, fcn: Call) => {
          checkAligned(site, 26380, a, b, c, d)
          const result = new Map<string, unknown>()
          for (const [key, value] of a) result.set(key, fcn(key, value, b.get(key), c.get(key), d.get(key)))
          return result
        }
    }
  },
  'map.corresponds': () => (a: Entries, b: Entries, fcn: Call<boolean>) => {
    if (!sameKeys(a, b)) return false
    for (const [key, value] of a) if (!fcn(value, b.get(key))) return false
    return true
  },
  'map.correspondsWithKey': () => (a: Entries, b: Entries, fcn: Call<boolean>) => {
    if (!sameKeys(a, b)) return false
    for (const [key, value] of a) if (!fcn(key, value, b.get(key))) return false
    return true
  },
}
