// A type comes in; the test whether a value of it is null goes out.
import { Branch, isPlainUnion } from '@pitot/avro'
import type { PfaType } from './library.ts'

const isNull = (value: unknown): boolean => value === null

/** In a union whose values do not tell their branches, null may be a `Branch` too. */
export function missingTest(type: PfaType | undefined): (value: unknown) => boolean {
  if (type?.kind !== 'union' || isPlainUnion(type)) return isNull
  return (value) => value === null || (value instanceof Branch && value.value === null)
}
