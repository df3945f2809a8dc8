// One function for each type in a type, also where a type holds itself.
import type { AvroType } from '../type.ts'

/**
 * `make` gets a type and a way to the functions of its members; each is made once. A type that meets itself while it is
 * being made gets a function that calls the one in the making.
 */
export function perType<Function extends (...parameters: never[]) => unknown>(
  make: (type: AvroType, inner: (member: AvroType) => Function) => Function,
): (type: AvroType) => Function {
  const functions = new Map<AvroType, Function>()
  const functionFor = (type: AvroType): Function => {
    const known = functions.get(type)
    if (known !== undefined) return known
    let made: Function | undefined
    functions.set(type, ((...parameters: never[]) => made!(...parameters)) as Function)
    made = make(type, functionFor)
    functions.set(type, made)
    return made
  }
  return functionFor
}
