// Order and repetition: do, cond (and if), while, do-until, for, foreach, forkey-forval.

import type { AvroType } from '@pitot/avro'
import type {
  CondExpression,
  DoExpression,
  ForExpression,
  ForeachExpression,
  ForkeyvalExpression,
  UntilExpression,
  WhileExpression,
} from '../parse/ast.ts'
import { semanticProblem } from '../problems.ts'
import { blockType, checkBlock, checkExpression, checkTest, convertBlock } from './expressions.ts'
import type { Scope } from './scope.ts'
import type { Block, Typed } from './typed.ts'
import { describeType, narrowestSupertype, nullType, stringType, type ValueType } from './types.ts'
import { assignBindings, declareBindings } from './variables.ts'

export function checkDo(node: DoExpression, scope: Scope): Typed {
  const body = checkBlock(node.body, scope.block())
  const type = blockType(body)
  return { kind: 'do', type: type.kind === 'exception' ? nullType : type, at: node.at, body }
}

/** The type of a value that comes from one of several blocks; null when all of them only fail. */
export function joinTypes(types: readonly ValueType[], at: string): AvroType {
  if (types.every((type) => type.kind === 'exception')) return nullType
  const joined = narrowestSupertype(types)
  if (joined === undefined || joined.kind === 'fcn') {
    throw semanticProblem(at, `no type accepts all of ${types.map(describeType).join(', ')}`)
  }
  return joined
}

/** The type of a form with alternatives, and the blocks promoted to it; without a last "else" the form gives null. */
export function joinBlocks(
  blocks: readonly Block[],
  complete: boolean,
  at: string,
): { type: AvroType; blocks: readonly Block[] } {
  if (!complete) return { type: nullType, blocks }
  const type = joinTypes(blocks.map(blockType), at)
  return { type, blocks: blocks.map((block) => convertBlock(block, type)) }
}

export function checkCond(node: CondExpression, scope: Scope): Typed {
  const tests = node.branches.map((branch) => ({
    test: checkTest(branch.test, scope, 'the "if" predicate'),
    body: checkBlock(branch.body, scope.block()),
  }))
  const otherwise = node.otherwise === undefined ? undefined : checkBlock(node.otherwise, scope.block())
  const blocks = tests.map((branch) => branch.body)
  const joined = joinBlocks(otherwise === undefined ? blocks : [...blocks, otherwise], otherwise !== undefined, node.at)
  const branches = tests.map(({ test }, index) => ({ test, body: joined.blocks[index] ?? [] }))
  const last = joined.blocks[tests.length]
  return { kind: 'cond', type: joined.type, at: node.at, branches, ...(last === undefined ? {} : { otherwise: last }) }
}

export function checkWhile(node: WhileExpression, scope: Scope): Typed {
  const loop = scope.block()
  const test = checkTest(node.test, loop, 'the "while" predicate')
  return { kind: 'while', type: nullType, at: node.at, test, body: checkBlock(node.body, loop) }
}

export function checkUntil(node: UntilExpression, scope: Scope): Typed {
  const loop = scope.block()
  const body = checkBlock(node.body, loop)
  return { kind: 'until', type: nullType, at: node.at, body, test: checkTest(node.test, loop, 'the "until" predicate') }
}

export function checkFor(node: ForExpression, scope: Scope): Typed {
  const loop = scope.block()
  const bindings = declareBindings(node.bindings, loop)
  const test = checkTest(node.test, loop, 'the "while" predicate')
  const steps = assignBindings(node.steps, loop, '"step"')
  return { kind: 'for', type: nullType, at: node.at, bindings, test, steps, body: checkBlock(node.body, loop.block()) }
}

export function checkForeach(node: ForeachExpression, scope: Scope): Typed {
  scope.refuseShadowing(node.name, node.at)
  const over = checkExpression(node.over, scope.argument())
  if (over.type.kind !== 'array')
    throw semanticProblem(node.over.at, `"foreach" goes over an array, not ${describeType(over.type)}`)
  // Without "seq" the order is free, so that the body must not depend on what it sets outside.
  const loop = node.sequential ? scope.block() : scope.sealedBlock()
  const variable = loop.declare(node.name, over.type.items)
  return { kind: 'foreach', type: nullType, at: node.at, variable, over, body: checkBlock(node.body, loop.block()) }
}

export function checkForkeyval(node: ForkeyvalExpression, scope: Scope): Typed {
  scope.refuseShadowing(node.key, node.at)
  scope.refuseShadowing(node.value, node.at)
  const over = checkExpression(node.over, scope.argument())
  if (over.type.kind !== 'map')
    throw semanticProblem(node.over.at, `"forkey" and "forval" go over a map, not ${describeType(over.type)}`)
  const loop = scope.block()
  const key = loop.declare(node.key, stringType)
  const value = loop.declare(node.value, over.type.values)
  return { kind: 'forkeyval', type: nullType, at: node.at, key, value, over, body: checkBlock(node.body, loop.block()) }
}
