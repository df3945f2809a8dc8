// Order and repetition as JavaScript statements. Every turn of a loop looks at the clock now and then.
import { type Code, code } from '@pitot/avro'
import type { Block, Cond, Do, For, Foreach, Forkeyval, Typed, Until, While } from '../check/typed.ts'
import { finishNull, writeBlock, writeValue } from './expressions.ts'
import { noteOrigin } from './origins.ts'
import { assignBindings, declareBindings } from './variables.ts'
import { complex, type FunctionWriter, type Piece, type Sink, simple } from './writer.ts'

export function writeDo(node: Do, writer: FunctionWriter, sink: Sink): void {
  const inner = writer.inner()
  writeBlock(node.body, inner, sink)
  writer.line(code`{ ${inner.body} }`)
}

/** One block of a conditional, written once: as a piece when it is a single expression, else when its sink is known. */
interface Part {
  readonly block: Block
  readonly writer: FunctionWriter
  readonly piece: Piece | undefined
}

interface Parts {
  readonly tests: readonly Part[]
  readonly blocks: readonly Part[]
}

function writeParts(node: Cond, writer: FunctionWriter): Parts {
  const part = (block: Block): Part => {
    const inner = writer.inner()
    const [first] = block
    const single = block.length === 1 && first !== undefined && first.type.kind !== 'exception' ? first : undefined
    return { block, writer: inner, piece: single && writeValue(single, inner) }
  }
  const blocks = node.branches.map((branch) => branch.body)
  return {
    tests: node.branches.map((branch) => part([branch.test])),
    blocks: (node.otherwise === undefined ? blocks : [...blocks, node.otherwise]).map(part),
  }
}

/** `test ? a : b`, when no part needs statements. */
function conditional(node: Cond, { tests, blocks }: Parts): Piece | undefined {
  const plain = (part: Part) => part.piece !== undefined && part.writer.lines.length === 0
  const last = blocks[tests.length]?.piece
  if (node.otherwise === undefined || last === undefined || !tests.every(plain) || !blocks.every(plain))
    return undefined
  return complex(
    tests.reduceRight(
      (rest, test, index) => code`(${test.piece?.code} ? ${blocks[index]?.piece?.code} : ${rest})`,
      last.code,
    ),
  )
}

export function writeCondValue(node: Cond, writer: FunctionWriter): Piece {
  const parts = writeParts(node, writer)
  const short = conditional(node, parts)
  if (short !== undefined) return short
  const target = writer.names.name('r')
  writer.line(code`let ${target};`)
  writeIf(node, parts, writer, { kind: 'assign', target })
  return simple(target)
}

export function writeCond(node: Cond, writer: FunctionWriter, sink: Sink): void {
  const parts = writeParts(node, writer)
  const short = sink.kind === 'nothing' ? undefined : conditional(node, parts)
  if (short === undefined) writeIf(node, parts, writer, sink)
  else writer.finish(short, sink)
}

function writeIf(node: Cond, { tests, blocks }: Parts, writer: FunctionWriter, sink: Sink): void {
  const complete = node.otherwise !== undefined
  const inside: Sink = complete ? sink : { kind: 'nothing' }
  for (const { block, writer: inner, piece } of blocks) {
    if (piece === undefined) writeBlock(block, inner, inside)
    else inner.finish(piece, inside)
  }
  // From the last test to the first: the statements of a test stand in the else of the one before.
  let rest: readonly Code[] = blocks[tests.length]?.writer.lines ?? []
  for (const [index, test] of [...tests.entries()].reverse()) {
    const then = code`if (${test.piece?.code}) { ${blocks[index]?.writer.body} }`
    rest = [...test.writer.lines, rest.length === 0 ? then : code`${then} else { ${rest} }`]
  }
  for (const each of rest) writer.line(each)
  if (!complete) finishNull(writer, sink)
}

/** The head of a loop whose test may need statements of its own. */
function openLoop(test: Typed, writer: FunctionWriter): FunctionWriter {
  const inner = writer.inner()
  writer.program.tick(inner)
  const piece = writeValue(test, inner)
  inner.line(code`if (!${piece.code}) break;`)
  return inner
}

export function writeWhile(node: While, writer: FunctionWriter, sink: Sink): void {
  const inner = openLoop(node.test, writer)
  writeBlock(node.body, inner, { kind: 'nothing' })
  writer.line(code`while (true) { ${inner.body} }`)
  finishNull(writer, sink)
}

export function writeUntil(node: Until, writer: FunctionWriter, sink: Sink): void {
  const inner = writer.inner()
  writer.program.tick(inner)
  writeBlock(node.body, inner, { kind: 'nothing' })
  const test = writeValue(node.test, inner)
  inner.line(code`if (${test.code}) break;`)
  writer.line(code`while (true) { ${inner.body} }`)
  finishNull(writer, sink)
}

export function writeFor(node: For, writer: FunctionWriter, sink: Sink): void {
  const outer = writer.inner()
  declareBindings(node.bindings, outer)
  const inner = openLoop(node.test, outer)
  const body = inner.inner()
  writeBlock(node.body, body, { kind: 'nothing' })
  inner.line(code`{ ${body.body} }`)
  assignBindings(node.steps, inner)
  writer.line(code`{ ${outer.body} while (true) { ${inner.body} } }`)
  finishNull(writer, sink)
}

export function writeForeach(node: Foreach, writer: FunctionWriter, sink: Sink): void {
  const given = writeValue(node.over, writer)
  // The body may set the very variable it goes over; the loop still goes over what it was.
  const changes = node.over.kind === 'variable' && node.over.variable.assigned
  const over = writer.keep({ ...given, simple: given.simple && !changes }, 'items')
  const index = writer.names.name('i')
  noteOrigin(node.over, over, index, node.variable, writer)
  const inner = writer.inner()
  writer.program.tick(inner)
  const item = inner.declare(node.variable)
  inner.line(code`let ${item} = ${over.code}[${index}];`)
  writeBlock(node.body, inner, { kind: 'nothing' })
  writer.line(code`for (let ${index} = 0; ${index} < ${over.code}.length; ${index}++) { ${inner.body} }`)
  finishNull(writer, sink)
}

export function writeForkeyval(node: Forkeyval, writer: FunctionWriter, sink: Sink): void {
  const over = writeValue(node.over, writer)
  const inner = writer.inner()
  const key = inner.declare(node.key)
  const value = inner.declare(node.value)
  writer.program.tick(inner)
  writeBlock(node.body, inner, { kind: 'nothing' })
  writer.line(code`for (let [${key}, ${value}] of ${over.code}) { ${inner.body} }`)
  finishNull(writer, sink)
}
