// Parts of maps and maps with parts exchanged: maps and keys come in, answers and new maps go out.
import { equality } from '../../runtime/compare.ts'
import { isFunction, itemType, mapValueType } from '../argument.ts'
import type { LibraryModule } from '../library.ts'
import { setKey } from './set-key.ts'

type Entries = ReadonlyMap<string, unknown>

function overlay(result: Map<string, unknown>, more: Entries): void {
  for (const [key, value] of more) result.set(key, value)
}

export const access: LibraryModule = {
  'map.len': () => (m: Entries) => m.size,
  'map.keys': () => (m: Entries) => [...m.keys()],
  'map.values': () => (m: Entries) => [...m.values()],
  'map.containsKey': (site) => {
    if (!isFunction(site, 1)) return (m: Entries, key: string) => m.has(key)
    return (m: Entries, test: (key: string) => boolean) => {
      for (const key of m.keys()) if (test(key)) return true
      return false
    }
  },
  'map.containsValue': (site) => {
    if (isFunction(site, 1)) {
      return (m: Entries, test: (value: unknown) => boolean) => {
        for (const value of m.values()) if (test(value)) return true
        return false
      }
    }
    const equal = equality(mapValueType(site, 0), 'search')
    return (m: Entries, wanted: unknown) => {
      for (const value of m.values()) if (equal(value, wanted)) return true
      return false
    }
  },
  'map.add': (site) => {
    if (site.params.length === 3) return (m: Entries, key: string, value: unknown) => new Map(m).set(key, value)
    const keyOf = setKey(mapValueType(site, 0))
    return (m: Entries, item: unknown) => new Map(m).set(keyOf(item), item)
  },
  'map.remove': () => (m: Entries, key: string) => {
    if (!m.has(key)) return m
    const result = new Map(m)
    result.delete(key)
    return result
  },
  'map.only': () => (m: Entries, keys: readonly string[]) => {
    const result = new Map<string, unknown>()
    for (const key of keys) if (m.has(key)) result.set(key, m.get(key))
    return result
  },
  'map.except': () => (m: Entries, keys: readonly string[]) => {
    const result = new Map(m)
    for (const key of keys) result.delete(key)
    return result
  },
  'map.update': () => (base: Entries, over: Entries) => {
    const result = new Map(base)
    overlay(result, over)
    return result
  },
  'map.split': () => (m: Entries) => Array.from(m, (entry) => new Map([entry])),
  'map.join': () => (a: readonly Entries[]) => {
    const result = new Map<string, unknown>()
    for (const m of a) overlay(result, m)
    return result
  },
  'map.toset': (site) => {
    const keyOf = setKey(itemType(site, 0))
    return (a: readonly unknown[]) => {
      const result = new Map<string, unknown>()
      for (const item of a) result.set(keyOf(item), item)
      return result
    }
  },
  'map.fromset': () => (set: Entries) => [...set.values()],
  'map.in': (site) => {
    const keyOf = setKey(mapValueType(site, 0))
    return (set: Entries, item: unknown) => set.has(keyOf(item))
  },
  'map.union': () => (a: Entries, b: Entries) => {
    const result = new Map(a)
    overlay(result, b)
    return result
  },
  'map.intersection': () => (a: Entries, b: Entries) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of a) if (b.has(key)) result.set(key, value)
    return result
  },
  'map.diff': () => (a: Entries, b: Entries) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of a) if (!b.has(key)) result.set(key, value)
    return result
  },
  'map.symdiff': () => (a: Entries, b: Entries) => {
    const result = new Map<string, unknown>()
    for (const [key, value] of a) if (!b.has(key)) result.set(key, value)
    for (const [key, value] of b) if (!a.has(key)) result.set(key, value)
    return result
  },
  'map.subset': () => (little: Entries, big: Entries) => {
    for (const key of little.keys()) if (!big.has(key)) return false
    return true
  },
  'map.disjoint': () => (a: Entries, b: Entries) => {
    for (const key of a.keys()) if (b.has(key)) return false
    return true
  },
}
