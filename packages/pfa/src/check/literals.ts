// Literals, and the making of arrays, maps and records.
import type { LiteralExpression, NewArrayExpression, NewObjectExpression, ValueExpression } from '../parse/ast.ts'
import { nearest, semanticProblem } from '../problems.ts'
import { checkAs } from './expressions.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'
import { describeType, primitive } from './types.ts'
import { readValue } from './values.ts'

export const checkLiteral = (node: LiteralExpression, _scope: Scope): Typed => ({
  kind: 'constant',
  type: primitive(node.type),
  at: node.at,
  value: node.value,
})

export function checkValue(node: ValueExpression, scope: Scope): Typed {
  const type = scope.around.schemas.resolve(node.type)
  return { kind: 'constant', type, at: node.at, value: readValue(type, node.value.json, node.value.at) }
}

export function checkNewArray(node: NewArrayExpression, scope: Scope): Typed {
  const type = scope.around.schemas.resolve(node.type)
  if (type.kind !== 'array')
    throw semanticProblem(node.at, `"new" with a list makes an array, not ${describeType(type)}`)
  const items = node.items.map((item, index) =>
    checkAs(item, scope.argument(), type.items, `item ${index} of the new array`),
  )
  return { kind: 'new-array', type, at: node.at, items }
}

export function checkNewObject(node: NewObjectExpression, scope: Scope): Typed {
  const type = scope.around.schemas.resolve(node.type)
  if (type.kind === 'map') {
    const entries = node.entries.map(
      ({ name, value }) =>
        [
          name,
          checkAs(value, scope.argument(), type.values, `the value of ${JSON.stringify(name)} in the new map`),
        ] as const,
    )
    return { kind: 'new-map', type, at: node.at, entries }
  }
  if (type.kind !== 'record')
    throw semanticProblem(node.at, `"new" with an object makes a map or a record, not ${describeType(type)}`)
  const names = type.fields.map((field) => field.name)
  const entries = node.entries.map(({ name, value, at }) => {
    const field = type.fields.find((each) => each.name === name)
    if (field === undefined) {
      throw semanticProblem(at, `record ${type.name} has no field ${JSON.stringify(name)}${nearest(name, names)}`)
    }
    return [
      name,
      checkAs(value, scope.argument(), field.type, `field ${JSON.stringify(name)} of the new record`),
    ] as const
  })
  const missing = names.filter((name) => !node.entries.some((entry) => entry.name === name))
  if (missing.length > 0) {
    throw semanticProblem(
      node.at,
      `the new record ${type.name} lacks ${missing.map((name) => JSON.stringify(name)).join(', ')}`,
    )
  }
  return { kind: 'new-record', type, at: node.at, entries }
}
