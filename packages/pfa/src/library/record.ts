// The record type of an argument comes in; which optional fields it has goes out, or what is wrong with them.
import type { AvroType, RecordType } from '@pitot/avro'
import { PfaError } from '../errors.ts'
import type { CallSite, PfaType } from './library.ts'

/** The record type of the argument in this place: its own, that of an array's or map's items, or a union's only record. */
export function recordType(site: CallSite, place: number): RecordType {
  const type = recordIn(site.params[place])
  if (type === undefined) throw new Error(`${site.name} was compiled with an argument ${place} that holds no record`)
  return type
}

function recordIn(type: PfaType | undefined): RecordType | undefined {
  switch (type?.kind) {
    case 'record':
      return type
    case 'array':
      return recordIn(type.items)
    case 'map':
      return recordIn(type.values)
    case 'union':
      return recordIn(type.branches.find((branch) => branch.kind !== 'null'))
    default:
      return undefined
  }
}

/** The type of a field that the signature asks for. */
export function fieldType(record: RecordType, name: string): AvroType {
  const field = record.fields.find((candidate) => candidate.name === name)
  if (field === undefined) throw new Error(`record ${record.name} has no field ${name}`)
  return field.type
}

/** True when the record has this field, which signatures do not mention; then it has to be of a fitting type. */
export function hasField(site: CallSite, record: RecordType, name: string, fits: (type: AvroType) => boolean): boolean {
  const field = record.fields.find((candidate) => candidate.name === name)
  if (field === undefined) return false
  if (!fits(field.type)) {
    throw semantic(
      site,
      `field "${name}" of record ${record.name} has a type that it cannot work with: ${field.type.kind}`,
    )
  }
  return true
}

/** What a document does wrong that only the types of a call show. */
export function semantic(site: CallSite, what: string): PfaError {
  return new PfaError('semantic', `${site.name}: ${what}`)
}

/** A field that a double can be stored in. */
export const holdsDouble = (type: AvroType): boolean =>
  type.kind === 'double' || (type.kind === 'union' && type.branches.some((branch) => branch.kind === 'double'))
