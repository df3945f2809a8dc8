// Symbols: reading, let, set. Values of one let or set are all evaluated before any is stored.
import { code } from '@pitot/avro'
import type { Let, Set_, TypedBinding, VariableUse } from '../check/typed.ts'
import { finishNull, writeTo, writeValue, writeValues } from './expressions.ts'
import { type FunctionWriter, type Piece, type Sink, simple } from './writer.ts'

export const writeUse = (node: VariableUse, writer: FunctionWriter): Piece => simple(writer.nameOf(node.variable))

export function writeLet(node: Let, writer: FunctionWriter, sink: Sink): void {
  declareBindings(node.bindings, writer)
  finishNull(writer, sink)
}

export function declareBindings(bindings: readonly TypedBinding[], writer: FunctionWriter): void {
  for (const { variable, value } of bindings) {
    // Names are bound one after the other, but no value can refer to a name of the same list: the checker refuses it.
    const piece = writeValue(value, writer)
    if (!variable.assigned && isOwnName(value, piece)) writer.alias(variable, piece.code)
    else {
      const name = writer.declare(variable)
      writer.line(variable.assigned ? code`let ${name} = ${piece.code};` : code`const ${name} = ${piece.code};`)
    }
  }
}

/** A name or literal that never changes can serve as the variable itself. */
const isOwnName = (value: TypedBinding['value'], piece: Piece): boolean =>
  piece.simple && (value.kind !== 'variable' || !value.variable.assigned)

export function writeSet(node: Set_, writer: FunctionWriter, sink: Sink): void {
  assignBindings(node.bindings, writer)
  finishNull(writer, sink)
}

export function assignBindings(bindings: readonly TypedBinding[], writer: FunctionWriter): void {
  const [only] = bindings
  if (bindings.length === 1 && only !== undefined) {
    writeTo(only.value, writer, { kind: 'assign', target: writer.nameOf(only.variable) })
  } else {
    const pieces = writeValues(
      bindings.map((binding) => binding.value),
      writer,
    ).map((piece, index) =>
      bindings[index]?.value.kind === 'constant' ? piece : writer.keep({ ...piece, simple: false }),
    )
    for (const [index, { variable }] of bindings.entries()) {
      writer.line(code`${writer.nameOf(variable)} = ${(pieces[index] as Piece).code};`)
    }
  }
  for (const { variable } of bindings) writer.program.limitSize(writer, variable.type, writer.nameOf(variable))
}
