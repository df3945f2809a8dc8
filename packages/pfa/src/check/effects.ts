// What is done for its effect: doc, error, try, log.
import type { DocExpression, ErrorExpression, LogExpression, TryExpression } from '../parse/ast.ts'
import { blockType, checkBlock, checkExpression, convertBlock } from './expressions.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'
import { exception, nullType, orNull } from './types.ts'

export const checkDoc = (node: DocExpression, _scope: Scope): Typed => ({
  kind: 'constant',
  type: nullType,
  at: node.at,
  value: null,
})

export function checkError(node: ErrorExpression, _scope: Scope): Typed {
  const code = node.code === undefined ? {} : { code: node.code }
  return { kind: 'fail', type: exception, at: node.at, message: node.message, ...code }
}

/** Gives the value, or null when the body fails. Symbols around can be read only, so that a failure leaves them whole. */
export function checkTry(node: TryExpression, scope: Scope): Typed {
  const body = checkBlock(node.body, scope.argument())
  const inner = blockType(body)
  const type = inner.kind === 'exception' ? nullType : orNull(inner)
  const filter = node.filter === undefined ? {} : { filter: node.filter }
  return { kind: 'try', type, at: node.at, body: convertBlock(body, type), ...filter }
}

export function checkLog(node: LogExpression, scope: Scope): Typed {
  const values = node.values.map((value) => checkExpression(value, scope.argument()))
  const namespace = node.namespace === undefined ? {} : { namespace: node.namespace }
  return { kind: 'log', type: nullType, at: node.at, values, ...namespace }
}
