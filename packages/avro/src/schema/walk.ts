// Walks the types inside a type, each once.
import type { AvroType, RecordType } from '../type.ts'

export function membersOf(type: AvroType): readonly AvroType[] {
  switch (type.kind) {
    case 'array':
      return [type.items]
    case 'map':
      return [type.values]
    case 'union':
      return type.branches
    case 'record':
      return type.fields.map((field) => field.type)
    default:
      return []
  }
}

/** The type itself and all types inside it. */
export function typesIn(type: AvroType): Set<AvroType> {
  const found = new Set<AvroType>([type])
  // A set grows while it is walked: members found are visited in turn.
  for (const each of found) for (const member of membersOf(each)) found.add(member)
  return found
}

/** The records that can hold themselves. Only these make values of any depth, so only these have to count it. */
export function recursiveRecords(type: AvroType): Set<RecordType> {
  const recursive = new Set<RecordType>()
  for (const each of typesIn(type)) {
    if (each.kind !== 'record') continue
    const reachable = new Set<AvroType>(membersOf(each))
    for (const member of reachable) for (const next of membersOf(member)) reachable.add(next)
    if (reachable.has(each)) recursive.add(each)
  }
  return recursive
}
