// Any checked expression: as a value, or with its value put somewhere. The families are in the files beside.
import { code } from '@pitot/avro'
import type { Block, Typed } from '../check/typed.ts'
import * as access from './access.ts'
import * as casts from './casts.ts'
import * as control from './control.ts'
import * as effects from './effects.ts'
import * as functions from './functions.ts'
import * as literals from './literals.ts'
import * as variables from './variables.ts'
import { type FunctionWriter, type Piece, type Sink, simple } from './writer.ts'

/** Expressions that give a piece of code. */
type ValueRules = {
  readonly [Kind in Typed['kind']]?: (node: Extract<Typed, { kind: Kind }>, writer: FunctionWriter) => Piece
}
/** Expressions that are statements: they put their value where the sink says. */
type StatementRules = {
  readonly [Kind in Typed['kind']]?: (node: Extract<Typed, { kind: Kind }>, writer: FunctionWriter, sink: Sink) => void
}

const values: ValueRules = {
  constant: literals.writeConstant,
  'new-array': literals.writeNewArray,
  'new-map': literals.writeNewMap,
  'new-record': literals.writeNewRecord,
  variable: variables.writeUse,
  convert: casts.writeConvert,
  get: access.writeGet,
  update: access.writeUpdate,
  cell: access.writeCell,
  'cell-to': access.writeCellTo,
  pool: access.writePool,
  'pool-to': access.writePoolTo,
  pack: casts.writePack,
  'call-library': functions.writeLibraryCall,
  'call-user': functions.writeUserCall,
  emit: functions.writeEmit,
}

const statements: StatementRules = {
  let: variables.writeLet,
  set: variables.writeSet,
  'pool-del': access.writePoolDel,
  do: control.writeDo,
  cond: control.writeCond,
  while: control.writeWhile,
  until: control.writeUntil,
  for: control.writeFor,
  foreach: control.writeForeach,
  forkeyval: control.writeForkeyval,
  cast: casts.writeCast,
  ifnotnull: casts.writeIfNotNull,
  unpack: casts.writeUnpack,
  fail: effects.writeFail,
  try: effects.writeTry,
  log: effects.writeLog,
  choose: functions.writeChoose,
}

export const nullPiece: Piece = simple(code`null`)

/** The value of an expression, to be used exactly once and in its turn. */
export function writeValue(node: Typed, writer: FunctionWriter): Piece {
  const rule = values[node.kind] as ((node: Typed, writer: FunctionWriter) => Piece) | undefined
  if (rule !== undefined) return rule(node, writer)
  if (node.kind === 'cond') return control.writeCondValue(node, writer)
  // Where the value can only be null, or there is none, the statements alone are enough.
  if (node.type.kind === 'exception' || node.type.kind === 'null') {
    writeTo(node, writer, { kind: 'nothing' })
    return nullPiece
  }
  const target = writer.names.name('r')
  writer.line(code`let ${target};`)
  writeTo(node, writer, { kind: 'assign', target })
  return simple(target)
}

/** Evaluates an expression and puts its value where the sink says. */
export function writeTo(node: Typed, writer: FunctionWriter, sink: Sink): void {
  const rule = statements[node.kind] as ((node: Typed, writer: FunctionWriter, sink: Sink) => void) | undefined
  if (rule !== undefined) rule(node, writer, sink)
  else writer.finish(writeValue(node, writer), sink)
}

/** Several values in their order: if a later one needs statements, earlier ones are kept before them. */
export function writeValues(nodes: readonly Typed[], writer: FunctionWriter): Piece[] {
  return inOrder(
    nodes.map((node) => () => writeValue(node, writer)),
    writer,
  )
}

export function inOrder(steps: readonly (() => Piece)[], writer: FunctionWriter): Piece[] {
  const pieces: Piece[] = []
  for (const step of steps) {
    const outer = writer.lines
    writer.lines = []
    const piece = step()
    const added = writer.lines
    writer.lines = outer
    if (added.length > 0) {
      for (const [index, earlier] of pieces.entries()) pieces[index] = writer.keep(earlier)
      writer.lines.push(...added)
    }
    pieces.push(piece)
  }
  return pieces
}

/** A block of expressions: all but the last are done for their effect. */
export function writeBlock(block: Block, writer: FunctionWriter, sink: Sink): void {
  for (const node of block.slice(0, -1)) writeTo(node, writer, { kind: 'nothing' })
  const last = block.at(-1)
  if (last === undefined) writer.finish(nullPiece, sink)
  else writeTo(last, writer, sink)
}

/** Forms that give null by definition finish so. */
export const finishNull = (writer: FunctionWriter, sink: Sink): void => {
  if (sink.kind !== 'nothing') writer.finish(nullPiece, sink)
}
