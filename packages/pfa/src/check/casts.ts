// From one type to another: cast, upcast, ifnotnull, pack, unpack.
import type { AvroType } from '@pitot/avro'
import type {
  CastExpression,
  IfNotNullExpression,
  PackExpression,
  UnpackExpression,
  UpcastExpression,
} from '../parse/ast.ts'
import { semanticProblem } from '../problems.ts'
import { joinBlocks } from './control.ts'
import { checkBlock, checkExpression, convert } from './expressions.ts'
import { formatType, readFormat } from './formats.ts'
import type { Scope } from './scope.ts'
import type { Block, Typed, TypedBinding, TypedCase } from './typed.ts'
import { accepts, bytesType, describeType, sameTypes, withoutNull } from './types.ts'

const branchesOf = (type: AvroType): readonly AvroType[] => (type.kind === 'union' ? type.branches : [type])

export function checkCast(node: CastExpression, scope: Scope): Typed {
  const value = checkExpression(node.value, scope.argument())
  const { type } = value
  if (type.kind === 'exception') throw semanticProblem(node.value.at, 'the value to cast always fails')
  if (node.cases.length === 0) throw semanticProblem(node.at, '"cases" needs at least one case')
  const members = branchesOf(type)
  // A member counts as covered by a case of exactly its type, but the first case that accepts a value is followed.
  const uncovered = new Set(members.keys())
  const free = new Set(members.keys())
  const places = (from: ReadonlySet<number>, as: AvroType, takes: (branch: AvroType, member: AvroType) => boolean) =>
    [...from].filter((place) => branchesOf(as).some((branch) => takes(branch, members[place] as AvroType)))
  const cases: TypedCase[] = node.cases.map((each) => {
    const as = scope.around.schemas.resolve(each.as)
    if (!accepts(type, as))
      throw semanticProblem(each.at, `a value of type ${describeType(type)} can never be ${describeType(as)}`)
    for (const place of places(uncovered, as, sameTypes)) uncovered.delete(place)
    const branches = places(free, as, accepts)
    for (const place of branches) free.delete(place)
    const block = scope.block()
    return { variable: block.declare(each.named, as), branches, body: checkBlock(each.body, block) }
  })
  const [missing] = uncovered
  if (!node.partial && missing !== undefined) {
    throw semanticProblem(
      node.at,
      `the cast of ${describeType(type)} has no case for ${describeType(members[missing] as AvroType)}`,
    )
  }
  const joined = joinBlocks(
    cases.map((each) => each.body),
    !node.partial,
    node.at,
  )
  return {
    kind: 'cast',
    type: joined.type,
    at: node.at,
    value,
    cases: cases.map((each, index) => ({ ...each, body: joined.blocks[index] ?? each.body })),
    partial: node.partial,
  }
}

export function checkUpcast(node: UpcastExpression, scope: Scope): Typed {
  const type = scope.around.schemas.resolve(node.as)
  const value = checkExpression(node.value, scope.argument())
  if (!accepts(type, value.type)) {
    throw semanticProblem(
      node.at,
      `an expression of type ${describeType(value.type)} cannot be "upcast" to ${describeType(type)}`,
    )
  }
  return convert(value, type)
}

/** Joins a "then" block and an optional "else" block into the type of the form. */
function thenElse(then: Block, otherwise: Block | undefined, at: string) {
  const joined = joinBlocks(otherwise === undefined ? [then] : [then, otherwise], otherwise !== undefined, at)
  const [first = then, second] = joined.blocks
  return { type: joined.type, body: first, ...(second === undefined ? {} : { otherwise: second }) }
}

export function checkIfNotNull(node: IfNotNullExpression, scope: Scope): Typed {
  const assigned = scope.block()
  const bindings: TypedBinding[] = node.bindings.map((binding) => {
    const value = checkExpression(binding.value, scope.argument())
    const type = withoutNull(value.type)
    if (type === undefined) {
      throw semanticProblem(
        binding.at,
        `"ifnotnull" takes unions of something and null; ${JSON.stringify(binding.name)} has type ${describeType(value.type)}`,
      )
    }
    return { variable: assigned.declare(binding.name, type), value }
  })
  const then = checkBlock(node.body, assigned.block())
  const otherwise = node.otherwise === undefined ? undefined : checkBlock(node.otherwise, scope.block())
  return { kind: 'ifnotnull', at: node.at, bindings, ...thenElse(then, otherwise, node.at) }
}

export function checkPack(node: PackExpression, scope: Scope): Typed {
  const items = node.items.map((item) => {
    const format = readFormat(item.format, item.at)
    const value = checkExpression(item.value, scope.argument())
    const type = formatType(format)
    if (!accepts(type, value.type)) {
      throw semanticProblem(
        item.at,
        `a value of type ${describeType(value.type)} cannot be packed as ${JSON.stringify(item.format)}`,
      )
    }
    return { format, value: convert(value, type) }
  })
  return { kind: 'pack', type: bytesType, at: node.at, items }
}

export function checkUnpack(node: UnpackExpression, scope: Scope): Typed {
  const value = checkExpression(node.value, scope.argument())
  if (value.type.kind !== 'bytes')
    throw semanticProblem(node.value.at, `"unpack" takes bytes, not ${describeType(value.type)}`)
  const assigned = scope.block()
  const items = node.items.map((item) => {
    assigned.refuseShadowing(item.name, item.at)
    const format = readFormat(item.format, item.at)
    if (format.kind === 'raw' && format.size === undefined) {
      throw semanticProblem(item.at, '"raw" without a size cannot be read; write "raw 8" for eight bytes')
    }
    return { format, variable: assigned.declare(item.name, formatType(format)) }
  })
  const then = checkBlock(node.body, assigned.block())
  const otherwise = node.otherwise === undefined ? undefined : checkBlock(node.otherwise, scope.block())
  return { kind: 'unpack', at: node.at, value, items, ...thenElse(then, otherwise, node.at) }
}
