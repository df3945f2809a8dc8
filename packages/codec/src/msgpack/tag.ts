// Tags where bare values would mislead: a type goes in, a function comes out that marks such values of its unions as a Branch.
//
// Unions are written bare. But a map or record with one key that is also the name of a branch would be read as a tag.
import { type AvroType, Branch, branchName, perType, typesIn, type UnionType } from '@pitot/avro'

type Tag = (value: unknown) => unknown

/** Undefined when no value of the type can mislead. */
export function compileTag(type: AvroType): Tag | undefined {
  const misleading = [...typesIn(type)].some((each) => each.kind === 'union' && each.branches.some(isObject))
  return misleading ? perType<Tag>(make)(type) : undefined
}

function isObject(branch: AvroType): boolean {
  return branch.kind === 'map' || branch.kind === 'record'
}

function make(type: AvroType, inner: (member: AvroType) => Tag): Tag {
  switch (type.kind) {
    case 'array': {
      const item = inner(type.items)
      return (value) => (value as unknown[]).map((member) => item(member))
    }
    case 'map': {
      const item = inner(type.values)
      return (value) => new Map(Array.from(value as Map<string, unknown>, ([key, member]) => [key, item(member)]))
    }
    case 'record': {
      const fields = type.fields.map((field) => ({ name: field.name, tag: inner(field.type) }))
      return (value) => new Map(fields.map(({ name, tag }) => [name, tag(Reflect.get(value as object, name))]))
    }
    case 'union':
      return unionTagger(type, inner)
    default:
      return (value) => value
  }
}

function unionTagger(type: UnionType, inner: (member: AvroType) => Tag): Tag {
  const names = new Set(type.branches.map(branchName))
  const byName = new Map(type.branches.map((branch) => [branchName(branch), inner(branch)]))
  const ofKind = (kind: AvroType['kind']) => type.branches.find((branch) => branch.kind === kind)
  const [map, record, array] = [ofKind('map'), ofKind('record'), ofKind('array')]
  // Where a map and a record are possible, nothing but a tag tells them apart.
  const either = map !== undefined && record !== undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    if (value instanceof Branch) return new Branch(value.type, byName.get(value.type)!(value.value))
    const branch = Array.isArray(value) ? array! : value instanceof Map ? map! : record!
    const tagged = inner(branch)(value)
    if (!(tagged instanceof Map)) return tagged
    const [only, ...others] = tagged.keys()
    const misleads = either || (others.length === 0 && names.has(only))
    return misleads ? new Branch(branchName(branch), tagged) : tagged
  }
}
