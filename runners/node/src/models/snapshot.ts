// An output as it is now: a value goes in, a copy comes out that the model cannot change any more.
//
// Outputs are written when the whole batch has been scored, and a model may give the same object again with other contents.
import { Branch } from '@pitot/avro'

export function snapshotOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(snapshotOf)
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (value instanceof Map) return new Map(Array.from(value, ([key, member]) => [key, snapshotOf(member)]))
  if (value instanceof Branch) return new Branch(value.type, snapshotOf(value.value))
  if (value instanceof Set) return Array.from(value, snapshotOf)
  // The schema says what becomes of it.
  if (value instanceof Date) return new Date(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return snapshotOf(value.toJSON())
  // The copy has every key already, so that none of them, `__proto__` say, means something else when it is set.
  const copy = { ...value }
  const keys = Object.keys(copy)
  // A promise, a regular expression: the check knows it for what it is.
  if (keys.length === 0 && Object.prototype.toString.call(value) !== '[object Object]') return value
  for (const key of keys) {
    const member: unknown = Reflect.get(copy, key)
    if (typeof member === 'object' && member !== null) Reflect.set(copy, key, snapshotOf(member))
  }
  return copy
}
