// Symbols: reading, `let`, `set`. All values of one `let` or `set` are evaluated before any is stored.
import type { Binding, LetExpression, ReferenceExpression, SetExpression } from '../parse/ast.ts'
import { semanticProblem } from '../problems.ts'
import { checkExpression, convert } from './expressions.ts'
import type { Scope } from './scope.ts'
import type { Typed, TypedBinding } from './typed.ts'
import { accepts, describeType, nullType } from './types.ts'

export function checkReference(node: ReferenceExpression, scope: Scope): Typed {
  const variable = scope.get(node.name, node.at)
  if (variable.type.kind === 'fcn')
    throw semanticProblem(node.at, `${JSON.stringify(node.name)} is a function, not a value`)
  return { kind: 'variable', type: variable.type, at: node.at, variable }
}

/** Declares the symbols of `let` or `for`: values see the scope as it was before. */
export function declareBindings(bindings: readonly Binding[], scope: Scope): readonly TypedBinding[] {
  const checked = bindings.map((binding) => {
    scope.refuseShadowing(binding.name, binding.at)
    const value = checkExpression(binding.value, scope.argument())
    if (value.type.kind === 'exception') {
      throw semanticProblem(
        binding.at,
        `symbol ${JSON.stringify(binding.name)} cannot hold an expression that always fails`,
      )
    }
    return { name: binding.name, type: value.type, value }
  })
  return checked.map(({ name, type, value }) => ({ variable: scope.declare(name, type), value }))
}

/** Assigns symbols in `set` or in the steps of `for`. */
export function assignBindings(bindings: readonly Binding[], scope: Scope, form: string): readonly TypedBinding[] {
  return bindings.map((binding) => {
    const { name, at } = binding
    const variable = scope.find(name)
    if (variable === undefined) {
      throw semanticProblem(
        at,
        `unknown symbol ${JSON.stringify(name)} cannot be assigned with ${form} (use "let" to declare a symbol)`,
      )
    }
    if (!scope.isWritable(name)) {
      throw semanticProblem(
        at,
        `symbol ${JSON.stringify(name)} belongs to a sealed enclosing scope; it cannot be changed in this block`,
      )
    }
    const value = checkExpression(binding.value, scope.argument())
    if (variable.type.kind === 'fcn' || !accepts(variable.type, value.type)) {
      throw semanticProblem(
        at,
        `symbol ${JSON.stringify(name)} was declared as ${describeType(variable.type)}; it cannot be assigned ${describeType(value.type)}`,
      )
    }
    variable.assigned = true
    return { variable, value: convert(value, variable.type) }
  })
}

export function checkLet(node: LetExpression, scope: Scope): Typed {
  if (!scope.mayDeclare) {
    throw semanticProblem(
      node.at,
      'new symbols are not allowed here; wrap the expression in "do" to have symbols of its own',
    )
  }
  return { kind: 'let', type: nullType, at: node.at, bindings: declareBindings(node.bindings, scope) }
}

export const checkSet = (node: SetExpression, scope: Scope): Typed => ({
  kind: 'set',
  type: nullType,
  at: node.at,
  bindings: assignBindings(node.bindings, scope, '"set"'),
})
