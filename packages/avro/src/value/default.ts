// Defaults of fields: the default as it stands in the schema goes in, the value of the field's type comes out.
import type { AvroType } from '../type.ts'
import { interpretConvert } from './convert.ts'
import { toError } from './refusal.ts'

/** `pointer`: the place of the default, for the error when it does not fit the type. */
export function readDefault(type: AvroType, json: unknown, pointer = ''): unknown {
  try {
    return interpretConvert(type, { tags: false })(structuredClone(json))
  } catch (error) {
    throw toError(error, pointer)
  }
}
