// A type in words, for errors: a type goes in, `an int` or `a record Car` comes out.
import { oneOf } from '../error.ts'
import { branchName } from '../schema/union.ts'
import type { AvroType } from '../type.ts'

export function describeType(type: AvroType): string {
  switch (type.kind) {
    case 'null':
      return 'null'
    case 'int':
      return 'an int (a whole number of 32 bits)'
    case 'long':
      return 'a long (a whole number of 64 bits)'
    case 'float':
    case 'double':
      return `a ${type.kind} (a number, or "NaN", "Infinity", "-Infinity")`
    case 'bytes':
      return 'bytes (a string of characters up to U+00FF)'
    case 'fixed':
      return `${type.size} bytes for ${type.name} (a string of characters up to U+00FF)`
    case 'enum':
      return `a symbol of ${type.name} (${oneOf(type.symbols)})`
    case 'record':
      return `a record ${type.name}`
    case 'array':
      return 'an array'
    case 'map':
      return 'a map (an object)'
    case 'union':
      return `one of ${oneOf(type.branches.map(shortName))}`
    default:
      return `a ${type.kind}`
  }
}

/** `array of int`, `Car`: for lists and for comparing two types. */
export function shortName(type: AvroType): string {
  switch (type.kind) {
    case 'array':
      return `array of ${shortName(type.items)}`
    case 'map':
      return `map of ${shortName(type.values)}`
    case 'union':
      return `union of ${oneOf(type.branches.map(branchName))}`
    case 'record':
    case 'enum':
    case 'fixed':
      return `${type.kind} ${type.name}`
    default:
      return type.kind
  }
}
