// Any expression: a tree node and its scope come in, the checked expression with its type goes out.
import type { AvroType } from '@pitot/avro'
import type { Expression } from '../parse/ast.ts'
import { semanticProblem } from '../problems.ts'
import { promotion } from '../runtime/convert.ts'
import * as access from './access.ts'
import * as casts from './casts.ts'
import * as control from './control.ts'
import * as effects from './effects.ts'
import * as functions from './functions.ts'
import * as literals from './literals.ts'
import type { Scope } from './scope.ts'
import type { Block, Typed } from './typed.ts'
import { accepts, describeType, nullType, sameTypes, type ValueType } from './types.ts'
import * as variables from './variables.ts'

type Rules = {
  readonly [Form in Expression['form']]: (node: Extract<Expression, { form: Form }>, scope: Scope) => Typed
}

const rules: Rules = {
  literal: literals.checkLiteral,
  value: literals.checkValue,
  'new-object': literals.checkNewObject,
  'new-array': literals.checkNewArray,
  ref: variables.checkReference,
  let: variables.checkLet,
  set: variables.checkSet,
  attr: access.checkAttr,
  'attr-to': access.checkAttrTo,
  cell: access.checkCell,
  'cell-to': access.checkCellTo,
  pool: access.checkPool,
  'pool-to': access.checkPoolTo,
  'pool-del': access.checkPoolDel,
  do: control.checkDo,
  cond: control.checkCond,
  while: control.checkWhile,
  until: control.checkUntil,
  for: control.checkFor,
  foreach: control.checkForeach,
  forkeyval: control.checkForkeyval,
  cast: casts.checkCast,
  upcast: casts.checkUpcast,
  ifnotnull: casts.checkIfNotNull,
  pack: casts.checkPack,
  unpack: casts.checkUnpack,
  doc: effects.checkDoc,
  error: effects.checkError,
  try: effects.checkTry,
  log: effects.checkLog,
  call: functions.checkCall,
  choose: functions.checkChoose,
}

export function checkExpression(node: Expression, scope: Scope): Typed {
  return (rules[node.form] as (node: Expression, scope: Scope) => Typed)(node, scope)
}

export const checkBlock = (body: readonly Expression[], scope: Scope): Block =>
  body.map((node) => checkExpression(node, scope))

/** The type of the last expression of a block. */
export const blockType = (block: Block): ValueType => block.at(-1)?.type ?? nullType

/** Promotes a value; nothing to do when the types are the same or the expression only fails. */
export function convert(value: Typed, type: AvroType): Typed {
  if (value.type.kind === 'exception' || sameTypes(value.type, type)) return value
  if (value.kind !== 'constant') return { kind: 'convert', type, at: value.at, value }
  const promote = promotion(value.type, type)
  return { ...value, type, value: promote === undefined ? value.value : promote(value.value) }
}

export const convertBlock = (block: Block, type: AvroType): Block => {
  const last = block.at(-1)
  return last === undefined ? block : [...block.slice(0, -1), convert(last, type)]
}

/** An expression that must give a boolean. */
export function checkTest(node: Expression, scope: Scope, what: string): Typed {
  const test = checkExpression(node, scope.argument())
  if (test.type.kind !== 'boolean') {
    throw semanticProblem(node.at, `${what} should be boolean, but is ${describeType(test.type)}`)
  }
  return test
}

/** An expression that must fit a type, promoted to it. */
export function checkAs(node: Expression, scope: Scope, type: AvroType, what: string): Typed {
  const value = checkExpression(node, scope)
  if (!accepts(type, value.type)) {
    throw semanticProblem(
      node.at,
      `${what} has type ${describeType(type)}, which does not accept ${describeType(value.type)}`,
    )
  }
  return convert(value, type)
}
