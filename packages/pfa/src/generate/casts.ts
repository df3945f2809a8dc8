// Promotion, cast, ifnotnull, pack and unpack.
import { type AvroType, branchName, type Code, code, isPlainUnion, join, type Shape, shapeOf } from '@pitot/avro'
import type { Block, Cast, Convert, IfNotNull, Pack, Unpack, Variable } from '../check/typed.ts'
import { packer, unpacker } from '../runtime/binary.ts'
import { promotion, promotionOfBranches } from '../runtime/convert.ts'
import { finishNull, inOrder, writeBlock, writeValue, writeValues } from './expressions.ts'
import { complex, type FunctionWriter, type Piece, type Sink, simple } from './writer.ts'

export function writeConvert(node: Convert, writer: FunctionWriter): Piece {
  return promote(writeValue(node.value, writer), node.value.type as AvroType, node.type, writer)
}

/** Numbers are promoted in place, everything else by a function made for the two types. */
function promote(piece: Piece, from: AvroType, to: AvroType, writer: FunctionWriter): Piece {
  const function_ = promotion(from, to)
  if (function_ === undefined) return piece
  if (from.kind === 'long' && to.kind === 'double') return complex(code`Number(${piece.code})`)
  if (from.kind === 'int' && to.kind === 'float') return complex(code`Math.fround(${piece.code})`)
  return complex(code`${writer.program.constant(function_, 'promote')}(${piece.code})`)
}

// ---- branches of unions

const shapeTests: Readonly<Record<Shape, (value: Code) => Code>> = {
  null: (value) => code`${value} === null`,
  boolean: (value) => code`typeof ${value} === "boolean"`,
  number: (value) => code`(typeof ${value} === "number" || typeof ${value} === "bigint")`,
  string: (value) => code`typeof ${value} === "string"`,
  bytes: (value) => code`${value} instanceof Uint8Array`,
  array: (value) => code`Array.isArray(${value})`,
  map: (value) => code`${value} instanceof Map`,
  record: (value) =>
    code`(typeof ${value} === "object" && ${value} !== null && !Array.isArray(${value}) && !(${value} instanceof Map) && !(${value} instanceof Uint8Array))`,
}

/** Whether a value of a type (a union, or the type itself) is in this branch. */
function branchTest(type: AvroType, branch: AvroType, value: Code): Code {
  if (type.kind !== 'union') return code`true`
  if (!isPlainUnion(type)) return code`${value}["type"] === ${branchName(branch)}`
  // Beside null alone, everything that is not null is the other branch.
  if (type.branches.length === 2 && branch.kind !== 'null' && type.branches.some((each) => each.kind === 'null')) {
    return code`${value} !== null`
  }
  if (branch.kind === 'int' || branch.kind === 'float' || branch.kind === 'double')
    return code`typeof ${value} === "number"`
  return shapeTests[shapeOf(branch)](value)
}

/** The bare value inside a union. */
const bareValue = (type: AvroType, value: Code): Code =>
  type.kind === 'union' && !isPlainUnion(type) ? code`${value}["value"]` : value

export function writeCast(node: Cast, writer: FunctionWriter, sink: Sink): void {
  const type = node.value.type as AvroType
  const members = type.kind === 'union' ? type.branches : [type]
  const value = writer.keep(writeValue(node.value, writer), 'value')
  const inside: Sink = node.partial ? { kind: 'nothing' } : sink
  const cases = node.cases.filter((each) => each.branches.length > 0)
  const written = cases.map((each, index) => {
    const inner = writer.inner()
    bindCase(
      each.variable,
      type,
      each.branches.map((place) => members[place] as AvroType),
      value.code,
      inner,
    )
    writeBlock(each.body, inner, inside)
    const tests = each.branches.map((place) => branchTest(type, members[place] as AvroType, value.code))
    // The last case of a complete cast needs no test: nothing else is left.
    if (!node.partial && index === cases.length - 1) return code`{ ${inner.body} }`
    return code`if (${join(tests, code` || `)}) { ${inner.body} }`
  })
  writer.line(join(written, code` else `))
  if (node.partial) finishNull(writer, sink)
}

function bindCase(
  variable: Variable,
  type: AvroType,
  members: readonly AvroType[],
  value: Code,
  writer: FunctionWriter,
): void {
  const [only] = members
  const as = variable.type as AvroType
  const piece =
    type.kind === 'union' && members.length > 1
      ? complex(code`${writer.program.constant(promotionOfBranches(type, members, as), 'promote')}(${value})`)
      : promote(simple(bareValue(type, value)), only as AvroType, as, writer)
  const name = writer.declare(variable)
  writer.line(code`let ${name} = ${piece.code};`)
}

// ---- blocks with an optional else

function writeThenElse(
  test: Code,
  then: FunctionWriter,
  otherwise: Block | undefined,
  writer: FunctionWriter,
  sink: Sink,
): void {
  if (otherwise === undefined) {
    writer.line(code`if (${test}) { ${then.body} }`)
    finishNull(writer, sink)
    return
  }
  const rest = writer.inner()
  writeBlock(otherwise, rest, sink)
  writer.line(code`if (${test}) { ${then.body} } else { ${rest.body} }`)
}

export function writeIfNotNull(node: IfNotNull, writer: FunctionWriter, sink: Sink): void {
  const values = writeValues(
    node.bindings.map((binding) => binding.value),
    writer,
  ).map((piece) => writer.keep(piece, 'value'))
  const then = writer.inner()
  const tests = node.bindings.map(({ variable, value }, index) => {
    const union = value.type as AvroType
    const piece = values[index] as Piece
    const plain = union.kind !== 'union' || isPlainUnion(union)
    const name = then.declare(variable)
    const bare = plain || variable.type.kind === 'union' ? piece.code : bareValue(union, piece.code)
    then.line(code`let ${name} = ${bare};`)
    return plain ? code`${piece.code} !== null` : code`${piece.code}["type"] !== "null"`
  })
  writeBlock(node.body, then, node.otherwise === undefined ? { kind: 'nothing' } : sink)
  writeThenElse(join(tests, code` && `), then, node.otherwise, writer, sink)
}

export function writePack(node: Pack, writer: FunctionWriter): Piece {
  const pieces = writeValues(
    node.items.map((item) => item.value),
    writer,
  )
  const pack = writer.program.constant(
    packer(
      node.items.map((item) => item.format),
      writer.program.packErrors(node.at),
    ),
    'pack',
  )
  return complex(
    code`${pack}([${join(
      pieces.map((piece) => piece.code),
      code`, `,
    )}])`,
  )
}

export function writeUnpack(node: Unpack, writer: FunctionWriter, sink: Sink): void {
  const [bytes] = inOrder([() => writeValue(node.value, writer)], writer)
  const unpack = writer.program.constant(unpacker(node.items.map((item) => item.format)), 'unpack')
  const parts = writer.names.name('parts')
  writer.line(code`const ${parts} = ${unpack}(${(bytes as Piece).code});`)
  const then = writer.inner()
  for (const [index, { variable }] of node.items.entries()) {
    const name = then.declare(variable)
    then.line(code`let ${name} = ${parts}[${index}];`)
  }
  writeBlock(node.body, then, node.otherwise === undefined ? { kind: 'nothing' } : sink)
  writeThenElse(code`${parts} !== undefined`, then, node.otherwise, writer, sink)
}
