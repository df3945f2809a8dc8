// Where the variable of a loop comes from: items of an array in a cell that nothing writes are known by their number.
import type { Code } from '@pitot/avro'
import type { Typed, Variable } from '../check/typed.ts'
import type { FunctionWriter, Piece } from './writer.ts'

export interface Origin {
  readonly items: Code
  readonly index: Code
  /** The loop over the array: statements written to its writer while its body is written stand before the loop. */
  readonly loop: { readonly writer: FunctionWriter; knows(variable: Variable): boolean } | undefined
}

/** To be called before the body of the loop is written. */
export function noteOrigin(array: Typed, items: Piece, index: Code, item: Variable, writer: FunctionWriter): void {
  if (array.kind !== 'cell' || array.cell.written || array.cell.shared || item.assigned) return
  const known = writer.knownVariables()
  const knows = (variable: Variable) => known.has(variable) && !variable.assigned
  writer.program.origins.set(item, { items: items.code, index, loop: { writer, knows } })
}
