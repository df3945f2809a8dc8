// Whether two types have the same values under the same names: two types go in, a boolean comes out.
import type { AvroType, Field, NamedType } from '../type.ts'

/**
 * Structure, names, order of fields, branches and symbols, and defaults count; documentation, aliases, sort order and
 * logical types do not.
 */
export function sameType(a: AvroType, b: AvroType): boolean {
  return same(a, b, new Map())
}

/** `assumed`: pairs whose comparison is under way, so that recursive types come to an end. */
function same(a: AvroType, b: AvroType, assumed: Map<AvroType, Set<AvroType>>): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'array':
      return b.kind === 'array' && same(a.items, b.items, assumed)
    case 'map':
      return b.kind === 'map' && same(a.values, b.values, assumed)
    case 'union':
      return (
        b.kind === 'union' &&
        a.branches.length === b.branches.length &&
        a.branches.every((branch, index) => same(branch, b.branches[index]!, assumed))
      )
    case 'record':
    case 'enum':
    case 'fixed': {
      if (a.kind !== b.kind || a.name !== (b as NamedType).name) return false
      const others = assumed.get(a) ?? new Set()
      if (others.has(b)) return true
      assumed.set(a, others.add(b))
      return sameNamed(a, b as NamedType, assumed)
    }
    default:
      return a.kind === b.kind
  }
}

function sameNamed(a: NamedType, b: NamedType, assumed: Map<AvroType, Set<AvroType>>): boolean {
  if (a.kind === 'record' && b.kind === 'record') {
    return (
      a.fields.length === b.fields.length &&
      a.fields.every((field, index) => sameField(field, b.fields[index]!, assumed))
    )
  }
  if (a.kind === 'enum' && b.kind === 'enum') {
    return a.default === b.default && JSON.stringify(a.symbols) === JSON.stringify(b.symbols)
  }
  return a.kind === 'fixed' && b.kind === 'fixed' && a.size === b.size
}

function sameField(a: Field, b: Field, assumed: Map<AvroType, Set<AvroType>>): boolean {
  return a.name === b.name && sameJson(a.default, b.default) && same(a.type, b.type, assumed)
}

/** Equality of JSON values (and of two absent ones): order of elements counts, order of keys does not. */
function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
