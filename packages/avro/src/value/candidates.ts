// Bare values in unions: a union and a JavaScript value go in, the branches it could belong to come out, best first.
import type { AvroType, UnionType } from '../type.ts'

/** What a bare value shows of itself. */
export type Look = 'null' | 'boolean' | 'number' | 'bigint' | 'string' | 'array' | 'bytes' | 'map' | 'date' | 'object'

/** For each look, groups of kinds: an earlier group comes first, inside a group the order of the union decides. */
const GROUPS: Readonly<Record<Look, readonly (readonly AvroType['kind'][])[]>> = {
  null: [['null']],
  boolean: [['boolean']],
  number: [['int', 'long', 'float', 'double']],
  bigint: [['long', 'float', 'double']],
  // A string is itself first; bytes are written as a string; and so are NaN and the infinities.
  string: [
    ['string', 'enum'],
    ['bytes', 'fixed'],
    ['float', 'double'],
  ],
  array: [['array']],
  bytes: [['bytes', 'fixed']],
  map: [['map']],
  // What a logical type counts comes before what can only be written down.
  date: [['int', 'long'], ['string']],
  object: [['record', 'map']],
}

export function candidatesFor(union: UnionType, look: Look): AvroType[] {
  return GROUPS[look].flatMap((kinds) => union.branches.filter((branch) => kinds.includes(branch.kind)))
}

export function lookOf(value: unknown): Exclude<Look, 'date'> | undefined {
  if (value === null) return 'null'
  const word = typeof value
  if (word === 'boolean' || word === 'number' || word === 'bigint' || word === 'string') return word
  if (word !== 'object') return undefined
  if (Array.isArray(value)) return 'array'
  if (value instanceof Uint8Array) return 'bytes'
  return value instanceof Map ? 'map' : 'object'
}

/** As `lookOf`, for a value that somebody else has made: a Date is none of our values, and other classes have nothing to offer. */
export function givenLook(value: unknown): Look | undefined {
  const look = lookOf(value)
  if (look !== 'object' || Object.prototype.toString.call(value) === '[object Object]') return look
  return value instanceof Date ? 'date' : undefined
}

/** The only own key of an object, else undefined. */
export function onlyKey(value: object): string | undefined {
  let only: string | undefined
  for (const key in value) {
    if (only !== undefined) return undefined
    only = key
  }
  return only
}
