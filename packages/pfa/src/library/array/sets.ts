// Arrays as sets: order and, mostly, duplicates do not count; values are told apart by a key made for their type.
import { type KeyFunction, keyFunction } from '../../runtime/compare.ts'
import { itemType } from '../argument.ts'
import type { Implementation, LibraryModule } from '../library.ts'

type Items = readonly unknown[]

function keysOf(a: Items, keyOf: KeyFunction): Set<unknown> {
  const keys = new Set<unknown>()
  for (let i = 0; i < a.length; i++) keys.add(keyOf(a[i]))
  return keys
}

function includesAll(keys: Set<unknown>, a: Items, keyOf: KeyFunction): boolean {
  for (let i = 0; i < a.length; i++) if (!keys.has(keyOf(a[i]))) return false
  return true
}

function includesNone(keys: Set<unknown>, a: Items, keyOf: KeyFunction): boolean {
  for (let i = 0; i < a.length; i++) if (keys.has(keyOf(a[i]))) return false
  return true
}

/** Appends the items of `a` that are new to `seen`. */
function appendNew(result: unknown[], seen: Set<unknown>, a: Items, keyOf: KeyFunction): void {
  for (let i = 0; i < a.length; i++) {
    const key = keyOf(a[i])
    if (seen.has(key)) continue
    seen.add(key)
    result.push(a[i])
  }
}

/** Appends the items of `a` that are in `other`, or that are not. */
function appendWhere(result: unknown[], a: Items, other: Set<unknown>, wanted: boolean, keyOf: KeyFunction): void {
  for (let i = 0; i < a.length; i++) if (other.has(keyOf(a[i])) === wanted) result.push(a[i])
}

function onSets(operation: (a: Items, b: Items, keyOf: KeyFunction) => unknown): Implementation {
  return (site) => {
    const keyOf = keyFunction(itemType(site, 0), 'search')
    return (a: Items, b: Items) => operation(a, b, keyOf)
  }
}

export const sets: LibraryModule = {
  'a.distinct': (site) => {
    const keyOf = keyFunction(itemType(site, 0), 'search')
    return (a: Items) => {
      const result: unknown[] = []
      appendNew(result, new Set(), a, keyOf)
      return result
    }
  },
  'a.seteq': onSets(
    (a, b, keyOf) => includesAll(keysOf(b, keyOf), a, keyOf) && includesAll(keysOf(a, keyOf), b, keyOf),
  ),
  'a.union': onSets((a, b, keyOf) => {
    const result: unknown[] = []
    const seen = new Set()
    appendNew(result, seen, a, keyOf)
    appendNew(result, seen, b, keyOf)
    return result
  }),
  'a.intersection': onSets((a, b, keyOf) => {
    const result: unknown[] = []
    // Both sides: what they share appears once from each, as the reference has it.
    appendWhere(result, a, keysOf(b, keyOf), true, keyOf)
    appendWhere(result, b, keysOf(a, keyOf), true, keyOf)
    return result
  }),
  'a.diff': onSets((a, b, keyOf) => {
    const result: unknown[] = []
    appendWhere(result, a, keysOf(b, keyOf), false, keyOf)
    return result
  }),
  'a.symdiff': onSets((a, b, keyOf) => {
    const result: unknown[] = []
    appendWhere(result, a, keysOf(b, keyOf), false, keyOf)
    appendWhere(result, b, keysOf(a, keyOf), false, keyOf)
    return result
  }),
  'a.subset': onSets((little, big, keyOf) => includesAll(keysOf(big, keyOf), little, keyOf)),
  'a.disjoint': onSets((a, b, keyOf) => includesNone(keysOf(b, keyOf), a, keyOf)),
}
