// Paths into values, cells and pools. Updates copy only what lies on the path; cells and pools that nothing else can see
// into are changed in place.
import { type AvroType, type Code, code, join, type RecordType } from '@pitot/avro'
import { cellToErrors, poolErrors, poolToErrors } from '../check/access.ts'
import type {
  CallLibrary,
  CellTo,
  CellUse,
  Get,
  PathErrors,
  PathStep,
  PoolDel,
  PoolTo,
  PoolUse,
  Replacement,
  StoreInfo,
  Typed,
  Update,
} from '../check/typed.ts'
import { finishNull, inOrder, nullPiece, writeValue, writeValues } from './expressions.ts'
import { writeInlined } from './functions.ts'
import { additionOf } from './in-place.ts'
import { recordLiteral } from './literals.ts'
import { complex, type FunctionWriter, type Piece, type Sink, simple } from './writer.ts'

/** Members are read by quoted name: no field name becomes code. */
const member = (object: Code, name: string): Code => code`${object}[${name}]`

/** One step further, with the check that the index or key is there. */
function writeStep(
  value: Piece,
  step: PathStep,
  key: Piece | undefined,
  errors: PathErrors,
  at: string,
  writer: FunctionWriter,
): Piece {
  if (step.kind === 'field') return complex(member(value.code, step.name))
  const container = writer.keep(value)
  const index = writer.keep(key as Piece)
  if (step.kind === 'index') {
    const missing = writer.program.pathError(errors.index, errors.name, 'array index not found', at)
    writer.line(code`if (!(${index.code} >= 0 && ${index.code} < ${container.code}.length)) throw ${missing}();`)
    return complex(code`${container.code}[${index.code}]`)
  }
  const missing = writer.program.pathError(errors.key, errors.name, 'map key not found', at)
  const found = writer.keep(complex(code`${container.code}.get(${index.code})`))
  // No value is ever undefined, so that it means: not there.
  writer.line(code`if (${found.code} === undefined) throw ${missing}();`)
  return found
}

/** The expressions inside a path, evaluated from left to right before the path is followed. */
const keysOf = (path: readonly PathStep[]): readonly Typed[] =>
  path.flatMap((step) => (step.kind === 'field' ? [] : [step.value]))

/** Values of the target and of all keys, in order; keys by step. */
function writeTargetAndKeys(
  target: () => Piece,
  path: readonly PathStep[],
  writer: FunctionWriter,
): { target: Piece; keys: Map<PathStep, Piece> } {
  const [first, ...rest] = inOrder([target, ...keysOf(path).map((key) => () => writeValue(key, writer))], writer)
  const keys = new Map<PathStep, Piece>()
  let next = 0
  for (const step of path) if (step.kind !== 'field') keys.set(step, rest[next++] as Piece)
  return { target: first as Piece, keys }
}

function follow(
  value: Piece,
  path: readonly PathStep[],
  keys: ReadonlyMap<PathStep, Piece>,
  errors: PathErrors,
  at: string,
  writer: FunctionWriter,
): Piece {
  let piece = value
  for (const step of path) piece = writeStep(piece, step, keys.get(step), errors, at, writer)
  return piece
}

export function writeGet(node: Get, writer: FunctionWriter): Piece {
  if (node.path.every((step) => step.kind === 'field')) {
    return follow(writeValue(node.target, writer), node.path, new Map(), node.errors, node.at, writer)
  }
  const { target, keys } = writeTargetAndKeys(() => writeValue(node.target, writer), node.path, writer)
  const kept = new Map([...keys].map(([step, piece]) => [step, piece]))
  const start = [...keys.values()].every((piece) => piece.simple) ? target : writer.keep(target)
  for (const [step, piece] of kept) kept.set(step, writer.keep(piece))
  return follow(start, node.path, kept, node.errors, node.at, writer)
}

// ---- updates

/**
 * The new value at the end of a path, from the old one. A plain value is evaluated here, before the path is followed:
 * it may itself change the cell, and its failure comes before that of the path.
 */
function writeReplacer(to: Replacement, writer: FunctionWriter): (inner: FunctionWriter) => (old: Piece) => Piece {
  if (to.kind === 'function') return (inner) => (old) => writeInlined(to, [old], inner)
  const value = writer.keep(writeValue(to, writer))
  return () => () => value
}

/** A copy of `value` with the end of the path replaced; everything beside the path is shared. */
function writeCopy(
  value: Piece,
  type: AvroType,
  path: readonly PathStep[],
  keys: ReadonlyMap<PathStep, Piece>,
  errors: PathErrors,
  at: string,
  writer: FunctionWriter,
  replace: (old: Piece) => Piece,
): Piece {
  const [step, ...rest] = path
  if (step === undefined) return replace(value)
  const container = writer.keep(value)
  const old = writer.keep(writeStep(container, step, keys.get(step), errors, at, writer))
  const changed = writer.keep(writeCopy(old, step.type, rest, keys, errors, at, writer, replace))
  if (step.kind === 'field') {
    const record = type as RecordType
    return complex(recordLiteral(record, (name) => (name === step.name ? changed.code : member(container.code, name))))
  }
  const key = keys.get(step) as Piece
  if (step.kind === 'index') return complex(code`${container.code}.with(${key.code}, ${changed.code})`)
  const copy = writer.keep(complex(code`new Map(${container.code})`))
  writer.line(code`${copy.code}.set(${key.code}, ${changed.code});`)
  return copy
}

export function writeUpdate(node: Update, writer: FunctionWriter): Piece {
  const { target, keys } = writeTargetAndKeys(() => writeValue(node.target, writer), node.path, writer)
  const start = writer.keep(target)
  for (const [step, piece] of keys) keys.set(step, writer.keep(piece))
  const replace = writeReplacer(node.to, writer)
  return writeCopy(start, node.type as AvroType, node.path, keys, node.errors, node.at, writer, replace(writer))
}

// ---- cells

export function writeCell(node: CellUse, writer: FunctionWriter): Piece {
  const cell = writer.program.cellName(node.cell)
  return node.cell.written ? complex(cell) : simple(cell)
}

export function writeCellTo(node: CellTo, writer: FunctionWriter): Piece {
  const cell = writer.program.cellName(node.cell)
  const inPlace = writer.program.inPlace(node.cell)
  const addition = inPlace ? additionOf(node) : undefined
  if (addition !== undefined) {
    addInPlace(cell, addition, writer)
    writer.program.limitSize(writer, node.cell.type, cell)
    return nullPiece // nobody uses it: that is why the cell can be changed in place
  }
  const keys = writeKeys(node.path, writer)
  const replace = writeReplacer(node.to, writer)
  if (inPlace) {
    changeInPlace(simple(cell), node.path, keys, cellToErrors, node.at, writer, replace(writer))
    return nullPiece
  }
  const update = (inner: FunctionWriter): Piece => {
    const copy = writeCopy(complex(cell), node.cell.type, node.path, keys, cellToErrors, node.at, inner, replace(inner))
    const changed = node.cell.shared ? inner.keep(copy) : copy
    inner.line(code`${cell} = ${changed.code};`)
    const result = node.cell.shared ? changed : complex(cell)
    if (node.path.length === 0) writer.program.limitSize(inner, node.cell.type, result.code)
    return result
  }
  return isPlain(node) ? update(writer) : whileLocked(node.cell, undefined, writer, update)
}

/** A plain value replaces the whole without looking at it. */
const isPlain = (node: CellTo | PoolTo): boolean => node.path.length === 0 && node.to.kind !== 'function'

/** What is shared is locked from the look at it to its change, also when the change fails. */
function whileLocked(
  store: StoreInfo,
  key: Code | undefined,
  writer: FunctionWriter,
  update: (inner: FunctionWriter) => Piece,
): Piece {
  if (!store.shared) return update(writer)
  const [holder, result] = [writer.program.sharedName(store), writer.names.name('updated')]
  const inner = writer.inner()
  const updated = update(inner)
  inner.line(code`${result} = ${updated.code};`)
  writer.line(code`let ${result};`)
  writer.line(code`${holder}.lock(${key ?? code``});`)
  writer.line(code`try { ${inner.body} } finally { ${holder}.release(${key ?? code``}); }`)
  return simple(result)
}

function writeKeys(path: readonly PathStep[], writer: FunctionWriter): Map<PathStep, Piece> {
  const { keys } = writeTargetAndKeys(() => simple(code`null`), path, writer)
  for (const [step, piece] of keys) keys.set(step, writer.keep(piece))
  return keys
}

/** `a.append` becomes `push`, `map.add` becomes `set`. */
function addInPlace(cell: Code, addition: CallLibrary, writer: FunctionWriter): void {
  const [, ...args] = addition.args
  const pieces = writeValues(args as Typed[], writer)
  const list = join(
    pieces.map((piece) => piece.code),
    code`, `,
  )
  writer.line(addition.name === 'a.append' ? code`${cell}.push(${list});` : code`${cell}.set(${list});`)
}

/** Changes what the last step of a path leads to; the path has at least one step. */
function changeInPlace(
  value: Piece,
  path: readonly PathStep[],
  keys: ReadonlyMap<PathStep, Piece>,
  errors: PathErrors,
  at: string,
  writer: FunctionWriter,
  replace: (old: Piece) => Piece,
): void {
  const last = path.at(-1) as PathStep
  const container = writer.keep(follow(value, path.slice(0, -1), keys, errors, at, writer))
  const old = writeStep(container, last, keys.get(last), errors, at, writer)
  const changed = replace(old)
  if (last.kind === 'field') writer.line(code`${member(container.code, last.name)} = ${changed.code};`)
  else if (last.kind === 'index') writer.line(code`${container.code}[${keys.get(last)?.code}] = ${changed.code};`)
  else writer.line(code`${container.code}.set(${keys.get(last)?.code}, ${changed.code});`)
}

// ---- pools: a Map that is changed in place; its items are values

export function writePool(node: PoolUse, writer: FunctionWriter): Piece {
  const pool = writer.program.poolName(node.pool)
  const key = writeValue(node.key, writer)
  const found = writer.keep(complex(code`${pool}.get(${key.code})`))
  const missing = writer.program.pathError(poolErrors.key, poolErrors.name, 'map key not found', node.at)
  writer.line(code`if (${found.code} === undefined) throw ${missing}();`)
  return found
}

/** "init" stands in for an item that is not there. It is evaluated in any case, as the arguments of a call are. */
export function writePoolTo(node: PoolTo, writer: FunctionWriter): Piece {
  const pool = writer.program.poolName(node.pool)
  const key = writer.keep(writeValue(node.key, writer))
  const keys = writeKeys(node.path, writer)
  const replace = writeReplacer(node.to, writer)
  const init = writer.keep(writeValue(node.init, writer))
  if (isPlain(node)) return storeItem(node, pool, key, replace(writer)(init), writer)
  return whileLocked(node.pool, key.code, writer, (inner) => {
    const old = inner.names.name('item')
    inner.line(code`let ${old} = ${pool}.get(${key.code});`)
    // A new item is there before its change is made, and stays when that fails.
    const created = inner.inner()
    created.line(code`${old} = ${init.code};`)
    inner.program.remember(node.pool, key.code, created)
    created.line(code`${pool}.set(${key.code}, ${old});`)
    inner.line(code`if (${old} === undefined) { ${created.body} }`)
    const { type } = node.pool
    const changed = writeCopy(simple(old), type, node.path, keys, poolToErrors, node.at, inner, replace(inner))
    return storeItem(node, pool, key, changed, inner)
  })
}

function storeItem(node: PoolTo, pool: Code, key: Piece, item: Piece, writer: FunctionWriter): Piece {
  const stored = writer.keep(item, 'item')
  writer.program.remember(node.pool, key.code, writer)
  writer.line(code`${pool}.set(${key.code}, ${stored.code});`)
  return stored
}

export function writePoolDel(node: PoolDel, writer: FunctionWriter, sink: Sink): void {
  const pool = writer.program.poolName(node.pool)
  const key = writer.keep(writeValue(node.key, writer))
  writer.program.remember(node.pool, key.code, writer)
  writer.line(code`${pool}.delete(${key.code});`)
  finishNull(writer, sink)
}
