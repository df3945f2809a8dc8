// The whole document: the syntax tree comes in, the checked program goes out; whatever does not fit together is a semantic error.
import type { AvroType, MapType } from '@pitot/avro'
import type { DocumentValue } from '../forms/document.ts'
import type { Expression, Store, Syntax } from '../parse/ast.ts'
import { isNumber, readNumber } from '../parse/reader.ts'
import { initializationProblem, semanticProblem, step } from '../problems.ts'
import { blockType, checkBlock, convertBlock } from './expressions.ts'
import { checkFunctionBody } from './functions.ts'
import { type Schemas, schemasOf } from './schemas.ts'
import { Effects, Scope, type Surroundings } from './scope.ts'
import type { Block, CheckedProgram, Routine, StoreInfo, UserFunctionInfo, Variable } from './typed.ts'
import { accepts, describeType, intType, longType, stringType } from './types.ts'
import { readValue } from './values.ts'

export function checkDocument(syntax: Syntax): CheckedProgram {
  const schemas = schemasOf(syntax)
  const input = schemas.resolve(syntax.input)
  const output = schemas.resolve(syntax.output)
  const functions = declareFunctions(syntax, schemas)
  const around: Surroundings = {
    schemas,
    cells: new Map(syntax.cells.map((cell) => [cell.name, readStore(cell, 'cell', schemas)])),
    pools: new Map(syntax.pools.map((pool) => [pool.name, readStore(pool, 'pool', schemas)])),
    functions,
    emits: syntax.method === 'emit' ? output : undefined,
    changers: [],
  }
  checkFunctions(syntax, functions, around)
  const routine = routineChecker(syntax, around)
  const tally = syntax.method === 'fold' ? { tally: output } : {}
  const counters = { actionsStarted: longType, actionsFinished: longType }
  const begin = routine(syntax.begin, {})
  const merge =
    syntax.merge && mustGive(routine(syntax.merge, { tallyOne: output, tallyTwo: output }), output, '/merge')
  const end = routine(syntax.end, { ...tally, ...counters })
  const given = routine(syntax.action, { ...tally, input, ...counters })
  const action = syntax.method === 'emit' ? given : mustGive(given, output, '/action')
  refuseNestedChanges(around)
  return {
    name: syntax.name,
    method: syntax.method,
    metadata: syntax.metadata,
    ...(syntax.version === undefined ? {} : { version: syntax.version }),
    ...(syntax.doc === undefined ? {} : { doc: syntax.doc }),
    ...(syntax.randseed === undefined ? {} : { randseed: syntax.randseed }),
    input,
    output,
    begin,
    action,
    end,
    ...(merge === undefined ? {} : { merge }),
    ...(syntax.zero === undefined ? {} : { zero: readValue(output, syntax.zero.json, syntax.zero.at) }),
    functions: [...functions.values()],
    cells: [...around.cells.values()],
    pools: [...around.pools.values()],
    timeouts: readTimeouts(syntax.options),
  }
}

function readStore(store: Store, kind: 'cell' | 'pool', schemas: Schemas): StoreInfo {
  if (store.source !== 'embedded') {
    throw initializationProblem(
      store.at,
      `the source of ${kind} ${store.name} is ${JSON.stringify(store.source)}; only data embedded in the document can be loaded`,
    )
  }
  const type = schemas.resolve(store.type)
  const whole: AvroType = kind === 'cell' ? type : ({ kind: 'map', values: type } satisfies MapType)
  const init = store.init === undefined ? new Map() : readValue(whole, store.init.json, store.init.at)
  return { kind, name: store.name, type, shared: store.shared, rollback: store.rollback, init, written: false }
}

/** Headers first, so that functions can call each other in any order. */
function declareFunctions(syntax: Syntax, schemas: Schemas): Map<string, UserFunctionInfo> {
  const functions = new Map<string, UserFunctionInfo>()
  for (const { name, definition } of syntax.functions) {
    functions.set(`u.${name}`, {
      name: `u.${name}`,
      type: {
        kind: 'fcn',
        params: definition.params.map((param) => schemas.resolve(param.type)),
        result: schemas.resolve(definition.ret),
      },
      paramNames: definition.params.map((param) => param.name),
      params: [],
      body: [],
      writes: false,
      recursive: false,
    })
  }
  return functions
}

type CallGraph = ReadonlyMap<UserFunctionInfo, Effects>

function checkFunctions(syntax: Syntax, functions: ReadonlyMap<string, UserFunctionInfo>, around: Surroundings): void {
  const graph = new Map<UserFunctionInfo, Effects>()
  for (const { name, definition, at } of syntax.functions) {
    const info = functions.get(`u.${name}`) as UserFunctionInfo
    if (definition.params.length > 22) throw semanticProblem(at, 'a function can have at most 22 parameters')
    const effects = new Effects()
    const scope = new Scope(around, effects, undefined, { sealedAbove: true, sealedWithin: false })
    info.params = definition.params.map((param, index) =>
      scope.declare(param.name, info.type.params[index] as AvroType),
    )
    info.body = checkFunctionBody(definition, scope, info.type.result)
    graph.set(info, effects)
  }
  for (const info of graph.keys()) {
    const reached = reachable(info, graph)
    info.recursive = reached.has(info)
    info.writes = [info, ...reached].some((each) => graph.get(each)?.writesItself === true)
  }
}

/** All functions that a function may call, directly or not. */
function reachable(start: UserFunctionInfo, graph: CallGraph): Set<UserFunctionInfo> {
  const reached = new Set<UserFunctionInfo>()
  const waiting = [start]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const callee of graph.get(next)?.everyCall() ?? []) {
      if (!reached.has(callee)) {
        reached.add(callee)
        waiting.push(callee)
      }
    }
  }
  return reached
}

/** cell-to and pool-to hold their cell or pool while the function runs, so that it must not change another one. */
function refuseNestedChanges(around: Surroundings): void {
  for (const { effects, at } of around.changers) {
    if (effects.writesItself)
      throw initializationProblem(at, 'a function inside cell-to or pool-to cannot itself change a cell or pool')
    for (const callee of effects.everyCall()) {
      if (callee.writes) {
        throw initializationProblem(
          at,
          `a function inside cell-to or pool-to calls ${callee.name}, which changes a cell or pool`,
        )
      }
    }
  }
}

function routineChecker(syntax: Syntax, around: Surroundings) {
  return (body: readonly Expression[], symbols: Readonly<Record<string, AvroType>>): Routine => {
    const scope = new Scope(around, new Effects(), undefined, { sealedAbove: true, sealedWithin: false })
    const known = new Map<string, Variable>()
    const predefined: Record<string, AvroType> = {
      ...symbols,
      name: stringType,
      instance: intType,
      metadata: { kind: 'map', values: stringType },
      ...(syntax.version === undefined ? {} : { version: intType }),
    }
    for (const [name, type] of Object.entries(predefined)) known.set(name, scope.declare(name, type))
    return { symbols: known, body: checkBlock(body, scope.sealedBlock()) }
  }
}

function mustGive(routine: Routine, output: AvroType, at: string): Routine {
  const given = blockType(routine.body)
  if (!accepts(output, given)) {
    throw semanticProblem(
      at,
      `${at.slice(1)} gives ${describeType(given)} but the declared output is ${describeType(output)}`,
    )
  }
  const body: Block = convertBlock(routine.body, output)
  return { ...routine, body }
}

function readTimeouts(options: ReadonlyMap<string, DocumentValue>): CheckedProgram['timeouts'] {
  const read = (name: string): number | undefined => {
    const json = options.get(name)
    if (json === undefined) return undefined
    const at = step('/options', name)
    if (!isNumber(json)) throw semanticProblem(at, `${name} is a number of milliseconds`)
    return Number(readNumber(json, at).value)
  }
  const general = read('timeout')
  const timeouts: { begin?: number; action?: number; end?: number } = {}
  for (const phase of ['begin', 'action', 'end'] as const) {
    const limit = read(`timeout.${phase}`) ?? general
    if (limit !== undefined && limit > 0) timeouts[phase] = limit
  }
  return timeouts
}
