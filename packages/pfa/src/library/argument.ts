// The argument types of a call: a call site and the place of an argument come in, the type that decides goes out.
import { type AvroType, Branch } from '@pitot/avro'
import type { CallSite, PfaType } from './library.ts'

/** The type of an argument that is a value, not a function. */
export function valueType(site: CallSite, place: number): AvroType {
  const type = site.params[place]
  if (type === undefined || type.kind === 'fcn') throw mismatch(site, place, 'a value')
  return type
}

/** The type of the items of an array argument. */
export function itemType(site: CallSite, place: number): AvroType {
  const type = site.params[place]
  if (type?.kind !== 'array') throw mismatch(site, place, 'an array')
  return type.items
}

/** The type of the values of a map argument. */
export function mapValueType(site: CallSite, place: number): AvroType {
  const type = site.params[place]
  if (type?.kind !== 'map') throw mismatch(site, place, 'a map')
  return type.values
}

export function isFunction(site: CallSite, place: number): boolean {
  return site.params[place]?.kind === 'fcn'
}

/** How many arrays are nested in each other from the outside. */
export function arrayDepth(type: PfaType | undefined): number {
  return type?.kind === 'array' ? 1 + arrayDepth(type.items) : 0
}

/** Is this value of a union null? In a union whose values are tagged, null is too. */
export function isNull(value: unknown): boolean {
  return value === null || (value instanceof Branch && value.type === 'null')
}

/** Only a checker that passes what no signature allows leads here, so it is no error of the document. */
function mismatch(site: CallSite, place: number, wanted: string): Error {
  return new Error(
    `${site.name} was compiled with argument ${place} of kind ${site.params[place]?.kind}, not ${wanted}`,
  )
}
