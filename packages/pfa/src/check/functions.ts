// Calls of library and user functions, and functions as arguments.
import type { AvroType } from '@pitot/avro'
import { findFunction, type LibraryFunction, libraryNames } from '../library/index.ts'
import type { FunctionType, PfaType } from '../library/library.ts'
import { probeSite } from '../library/site.ts'
import type {
  Argument,
  CallExpression,
  ChooseExpression,
  FunctionArgument,
  FunctionDefinition,
  FunctionReference,
} from '../parse/ast.ts'
import { nearest, semanticProblem } from '../problems.ts'
import { joinTypes } from './control.ts'
import { blockType, checkBlock, checkExpression, convert, convertBlock } from './expressions.ts'
import { fill, type Match, matchSignature } from './match.ts'
import type { Effects, Scope } from './scope.ts'
import {
  type Block,
  type Typed,
  type TypedBinding,
  type TypedFunction,
  type UserFunctionInfo,
  Variable,
} from './typed.ts'
import { type AnyType, accepts, describeType, nullType, sameTypes } from './types.ts'

const isFunction = (argument: Argument): argument is FunctionArgument =>
  argument.form === 'fcn-def' || argument.form === 'fcn-ref'

/** A function argument; `effects` gathers what its body does. */
export function checkFunction(node: FunctionArgument, scope: Scope, effects: Effects = scope.effects): TypedFunction {
  return node.form === 'fcn-def' ? checkDefinition(node, scope, effects) : checkFunctionReference(node, scope, effects)
}

function checkDefinition(node: FunctionDefinition, scope: Scope, effects: Effects): TypedFunction {
  if (node.params.length > 22) throw semanticProblem(node.at, 'a function can have at most 22 parameters')
  const inside = scope.sealedBlock(effects)
  const params = node.params.map((param) => inside.declare(param.name, scope.around.schemas.resolve(param.type)))
  const result = scope.around.schemas.resolve(node.ret)
  const body = checkFunctionBody(node, inside, result)
  const type: FunctionType = { kind: 'fcn', params: params.map((param) => param.type), result }
  return { kind: 'function', type, at: node.at, bindings: [], params, body }
}

export function checkFunctionBody(node: FunctionDefinition, scope: Scope, result: AvroType): Block {
  const body = checkBlock(node.body, scope)
  const given = blockType(body)
  if (given.kind !== 'exception' && !accepts(result, given)) {
    throw semanticProblem(
      node.at,
      `the function gives ${describeType(given)} but declares to return ${describeType(result)}`,
    )
  }
  return convertBlock(body, result)
}

// ---- references

/** What a name stands for, as far as it can be called with expressions: parameters and a way to make the call. */
interface Callable {
  readonly paramNames: readonly string[]
  readonly params: readonly PfaType[]
  readonly result: AvroType
  readonly call: (args: readonly (Typed | TypedFunction)[], at: string) => Typed
}

function findCallable(node: FunctionReference, scope: Scope, effects: Effects): Callable {
  const user = scope.around.functions.get(node.name)
  if (user !== undefined) {
    effects.calls.add(user)
    const call = (args: readonly (Typed | TypedFunction)[], at: string): Typed => ({
      kind: 'call-user',
      type: user.type.result,
      at,
      callee: user,
      args: args as Typed[],
    })
    return { paramNames: user.paramNames, params: user.type.params, result: user.type.result, call }
  }
  const output = scope.around.emits
  if (node.name === 'emit' && output !== undefined) {
    const call = (args: readonly (Typed | TypedFunction)[], at: string): Typed => ({
      kind: 'emit',
      type: nullType,
      at,
      value: args[0] as Typed,
    })
    return { paramNames: ['output'], params: [output], result: nullType, call }
  }
  return libraryCallable(node, scope)
}

/** Only functions with one signature and no wildcards have a type of their own. */
function libraryCallable(node: FunctionReference, scope: Scope): Callable {
  const found = findLibrary(node.name, scope, node.at)
  const [signature, ...others] = found.signatures
  const params = signature?.params.map((param) => fill(param.pattern, new Map()))
  const result = signature === undefined ? undefined : fill(signature.result, new Map())
  if (
    signature === undefined ||
    others.length > 0 ||
    params === undefined ||
    params.includes(undefined) ||
    result === undefined ||
    result.kind === 'fcn'
  ) {
    throw semanticProblem(
      node.at,
      `${JSON.stringify(node.name)} has several signatures or a generic one; wrap it in {"params": ..., "ret": ..., "do": ...} to say which is meant`,
    )
  }
  const match: Match = { signature, params: params as PfaType[], result }
  return {
    paramNames: signature.params.map((param) => param.name),
    params: match.params,
    result,
    call: (args, at) => libraryCall(found, match, args, at),
  }
}

function checkFunctionReference(node: FunctionReference, scope: Scope, effects: Effects): TypedFunction {
  const callable = findCallable(node, scope, effects)
  for (const filled of node.fill) {
    if (!callable.paramNames.includes(filled.name)) {
      throw semanticProblem(
        filled.at,
        `${node.name} has no parameter ${JSON.stringify(filled.name)}${nearest(filled.name, callable.paramNames)}; it has ${callable.paramNames.join(', ')}`,
      )
    }
  }
  const bindings: TypedBinding[] = []
  const open: Variable[] = []
  const args = callable.params.map((type, index): Typed | TypedFunction => {
    const filled = node.fill.find((each) => each.name === callable.paramNames[index])
    if (filled !== undefined) return fillParameter(filled.value, type, scope, bindings)
    const variable = new Variable(callable.paramNames[index] ?? 'argument', type)
    open.push(variable)
    return { kind: 'variable', type: type as AvroType, at: node.at, variable }
  })
  const type: FunctionType = { kind: 'fcn', params: open.map((variable) => variable.type), result: callable.result }
  return { kind: 'function', type, at: node.at, bindings, params: open, body: [callable.call(args, node.at)] }
}

/** A filled argument is evaluated once, where the reference stands. */
function fillParameter(
  argument: Argument,
  type: PfaType,
  scope: Scope,
  bindings: TypedBinding[],
): Typed | TypedFunction {
  const wrong = (given: AnyType) =>
    semanticProblem(
      argument.at,
      `the parameter has type ${describeType(type)}, which does not accept ${describeType(given)}`,
    )
  if (isFunction(argument)) {
    const checked = checkFunction(argument, scope.argument())
    if (type.kind !== 'fcn' || !accepts(type, checked.type)) throw wrong(checked.type)
    return adaptFunction(checked, type)
  }
  const value = checkExpression(argument, scope.argument())
  if (type.kind === 'fcn' || !accepts(type, value.type)) throw wrong(value.type)
  if (value.kind === 'constant') return convert(value, type)
  const variable = new Variable('filled', type)
  bindings.push({ variable, value: convert(value, type) })
  return { kind: 'variable', type, at: argument.at, variable }
}

/** The same function for callers that give narrower arguments and take a wider result. */
export function adaptFunction(given: TypedFunction, wanted: FunctionType): TypedFunction {
  const same = given.params.every((param, index) => sameTypes(param.type, wanted.params[index] as PfaType))
  if (same && sameTypes(given.type.result, wanted.result)) return given
  const params = wanted.params.map((type, index) => new Variable(given.params[index]?.name ?? 'argument', type))
  const promoted: TypedBinding[] = given.params.map((variable, index) => {
    const param = params[index] as Variable
    return {
      variable,
      value: convert(
        { kind: 'variable', type: param.type as AvroType, at: given.at, variable: param },
        variable.type as AvroType,
      ),
    }
  })
  const body = convertBlock(given.body, wanted.result as AvroType)
  return {
    ...given,
    type: wanted,
    params,
    body: [{ kind: 'let', type: nullType, at: given.at, bindings: promoted }, ...body],
  }
}

// ---- calls

export function checkCall(node: CallExpression, scope: Scope): Typed {
  const user = scope.around.functions.get(node.name)
  if (user !== undefined) {
    scope.effects.calls.add(user)
    return callUser(user, checkArguments(node.args, scope), node.at)
  }
  const output = scope.around.emits
  if (node.name === 'emit' && output !== undefined) {
    const args = checkArguments(node.args, scope)
    const [value] = args
    if (args.length !== 1 || value === undefined || value.kind === 'function' || !accepts(output, value.type)) {
      throw refusedArguments('emit', args, node.at, [`(output: ${describeType(output)}) -> null`])
    }
    return { kind: 'emit', type: nullType, at: node.at, value: convert(value, output) }
  }
  const found = findLibrary(node.name, scope, node.at)
  const args = checkArguments(node.args, scope)
  const match = matchSignature(
    found.signatures,
    args.map((arg) => arg.type),
  )
  if (match === undefined) throw refusedArguments(node.name, args, node.at, found.entry.signatures)
  return libraryCall(found, match, args, node.at)
}

const checkArguments = (args: readonly Argument[], scope: Scope): readonly (Typed | TypedFunction)[] =>
  args.map((arg) => (isFunction(arg) ? checkFunction(arg, scope.argument()) : checkExpression(arg, scope.argument())))

function refusedArguments(
  name: string,
  args: readonly { readonly type: AnyType }[],
  at: string,
  signatures: readonly string[],
) {
  const given = args.map((arg) => describeType(arg.type)).join(', ')
  return semanticProblem(
    at,
    `${JSON.stringify(name)} does not accept (${given}); it accepts ${signatures.join(' or ')}`,
  )
}

function findLibrary(name: string, scope: Scope, at: string): LibraryFunction {
  const found = findFunction(name)
  if (found === undefined) {
    const user = scope.around.functions.has(`u.${name}`)
      ? ` (user functions are called with "u.": ${JSON.stringify(`u.${name}`)})`
      : ''
    const known = [...libraryNames, ...scope.around.functions.keys()]
    throw semanticProblem(at, `unknown function ${JSON.stringify(name)}${user === '' ? nearest(name, known) : user}`)
  }
  return found
}

function callUser(callee: UserFunctionInfo, args: readonly (Typed | TypedFunction)[], at: string): Typed {
  const { params, result } = callee.type
  const values = args.filter((arg): arg is Typed => arg.kind !== 'function')
  const fits = values.length === args.length && args.length === params.length
  if (!fits || !values.every((value, index) => accepts(params[index] as AvroType, value.type))) {
    const signature = `(${callee.paramNames.map((name, index) => `${name}: ${describeType(params[index] as AvroType)}`).join(', ')}) -> ${describeType(result)}`
    throw refusedArguments(callee.name, args, at, [signature])
  }
  return {
    kind: 'call-user',
    type: result,
    at,
    callee,
    args: values.map((value, index) => convert(value, params[index] as AvroType)),
  }
}

function libraryCall(
  found: LibraryFunction,
  match: Match,
  args: readonly (Typed | TypedFunction)[],
  at: string,
): Typed {
  const promoted = args.map((arg, index) => {
    const param = match.params[index] as PfaType
    return arg.kind === 'function' ? adaptFunction(arg, param as FunctionType) : convert(arg, param as AvroType)
  })
  if (found.implementation === undefined) throw new Error(`the library lacks ${found.name}, which its signatures have`)
  // Some functions refuse types that their signature allows (stat.sample.update); they say so when they are made.
  found.implementation(probeSite(found.name, match.params, match.result, at))
  return { kind: 'call-library', name: found.name, params: match.params, type: match.result, at, args: promoted }
}

/** `call`: each symbol of the enum names a user function that accepts the arguments. */
export function checkChoose(node: ChooseExpression, scope: Scope): Typed {
  const choice = checkExpression(node.choice, scope.argument())
  const choices = choice.type
  if (choices.kind !== 'enum')
    throw semanticProblem(node.choice.at, `"call" takes an enum of function names, not ${describeType(choices)}`)
  const args: TypedBinding[] = node.args.map((arg, index) => {
    const value = checkExpression(arg, scope.argument())
    if (value.type.kind === 'exception')
      throw semanticProblem(arg.at, 'an argument cannot be an expression that always fails')
    return { variable: new Variable(`argument${index}`, value.type), value }
  })
  const calls = choices.symbols.map((symbol) => {
    const callee = scope.around.functions.get(`u.${symbol}`)
    if (callee === undefined) {
      throw semanticProblem(
        node.at,
        `the enum names ${JSON.stringify(symbol)}, but there is no user function of that name`,
      )
    }
    scope.effects.calls.add(callee)
    const uses = args.map(
      ({ variable }): Typed => ({ kind: 'variable', type: variable.type as AvroType, at: node.at, variable }),
    )
    return { symbol, body: callUser(callee, uses, node.at) }
  })
  const type = joinTypes(
    calls.map((call) => call.body.type),
    node.at,
  )
  const options = calls.map(({ symbol, body }) => ({ symbol, body: convert(body, type) }))
  return { kind: 'choose', type, at: node.at, choice, choices, args, options }
}
