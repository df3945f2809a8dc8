// The least number of bytes a value can take in Avro's binary: a type goes in, a number comes out.
import type { AvroType } from '../type.ts'

export function minimumSize(type: AvroType, within: ReadonlySet<AvroType> = new Set()): number {
  switch (type.kind) {
    case 'null':
      return 0
    case 'float':
      return 4
    case 'double':
      return 8
    case 'fixed':
      return type.size
    case 'record': {
      // A record that holds itself directly has no values; 0 is right for the ones that do.
      if (within.has(type)) return 0
      const inner = new Set(within).add(type)
      return type.fields.reduce((sum, field) => sum + minimumSize(field.type, inner), 0)
    }
    default:
      return 1
  }
}
