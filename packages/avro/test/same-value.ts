// Exact equality of values: vitest's own asks `constructor`, and records may have a field of that name.
import { Branch } from '@pitot/avro'
import { expect } from 'vitest'

export function expectSame(actual: unknown, expected: unknown): void {
  if (!sameValue(actual, expected)) expect(show(actual)).toBe(show(expected))
  expect(sameValue(actual, expected), 'values look the same but are not').toBe(true)
}

export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && sameValue(value, b.get(key)))
  if (a instanceof Branch && b instanceof Branch) return a.type === b.type && sameValue(a.value, b.value)
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && sameValue(Reflect.get(a, key), Reflect.get(b, key)))
  )
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member === 'bigint') return `${member}n`
    if (typeof member === 'number')
      return Object.is(member, -0) ? '-0' : Number.isFinite(member) ? member : String(member)
    if (member instanceof Map) return { map: [...member] }
    if (member instanceof Uint8Array) return { bytes: [...member] }
    return member === undefined ? 'undefined' : member
  })
}
