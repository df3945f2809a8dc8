// Values for the log: a type comes in, the function that turns Maps, bytes and branches into plain JSON-like values goes out.
import { type AvroType, Branch } from '@pitot/avro'

// biome-ignore lint/suspicious/noExplicitAny: values are typed by the Avro type the function was made for
type Value = any

/** Undefined when values of the type are plain already. */
export function printValue(type: AvroType): ((value: Value) => Value) | undefined {
  return isPlain(type, new Set()) ? undefined : plain
}

function isPlain(type: AvroType, seen: Set<AvroType>): boolean {
  if (seen.has(type)) return true
  seen.add(type)
  switch (type.kind) {
    case 'array':
      return isPlain(type.items, seen)
    case 'record':
      return type.fields.every((field) => isPlain(field.type, seen))
    case 'union':
    case 'map':
    case 'bytes':
    case 'fixed':
      return false
    default:
      return true
  }
}

function plain(value: Value): Value {
  if (value instanceof Branch) return plain(value.value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, item]) => [key, plain(item)]))
  if (value instanceof Uint8Array) return String.fromCharCode(...value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}
