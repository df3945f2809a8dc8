// Reading and replacing inside structures, cells and pools.
import type { AvroType } from '@pitot/avro'
import type {
  Argument,
  AttrExpression,
  AttrToExpression,
  CellExpression,
  CellToExpression,
  Expression,
  PoolDelExpression,
  PoolExpression,
  PoolToExpression,
} from '../parse/ast.ts'
import { nearest, semanticProblem } from '../problems.ts'
import { checkAs, checkExpression, convert } from './expressions.ts'
import { adaptFunction, checkFunction } from './functions.ts'
import type { Scope } from './scope.ts'
import type { PathErrors, PathStep, Replacement, StoreInfo, Typed } from './typed.ts'
import { accepts, describeType, nullType, stringType } from './types.ts'

const attrErrors: PathErrors = { name: 'attr', index: 2000, key: 2001 }
const attrToErrors: PathErrors = { name: 'attr-to', index: 2002, key: 2003 }
const cellErrors: PathErrors = { name: 'cell', index: 2004, key: 2005 }
export const cellToErrors: PathErrors = { name: 'cell-to', index: 2006, key: 2007 }
export const poolErrors: PathErrors = { name: 'pool', index: 2008, key: 2009 }
export const poolToErrors: PathErrors = { name: 'pool-to', index: 2010, key: 2011 }

interface CheckedPath {
  readonly steps: readonly PathStep[]
  /** Type of what the path leads to. */
  readonly type: AvroType
}

function checkPath(start: AvroType, path: readonly Expression[], scope: Scope): CheckedPath {
  let type = start
  const steps: PathStep[] = []
  for (const node of path) {
    const value = checkExpression(node, scope.argument())
    const step = checkStep(type, value, node.at)
    steps.push(step)
    type = step.type
  }
  return { steps, type }
}

function checkStep(type: AvroType, value: Typed, at: string): PathStep {
  const given = value.type
  switch (type.kind) {
    case 'array':
      if (given.kind !== 'int' && given.kind !== 'long') {
        throw semanticProblem(at, `the index of an array must be int or long, not ${describeType(given)}`)
      }
      return { kind: 'index', value, type: type.items }
    case 'map':
      if (given.kind !== 'string')
        throw semanticProblem(at, `the key of a map must be a string, not ${describeType(given)}`)
      return { kind: 'key', value, type: type.values }
    case 'record': {
      if (given.kind !== 'string' || value.kind !== 'constant') {
        throw semanticProblem(at, `a field of record ${type.name} must be named by a literal string`)
      }
      const name = String(value.value)
      const field = type.fields.find((each) => each.name === name)
      if (field === undefined) {
        const names = type.fields.map((each) => each.name)
        throw semanticProblem(at, `record ${type.name} has no field ${JSON.stringify(name)}${nearest(name, names)}`)
      }
      return { kind: 'field', record: type, name, type: field.type }
    }
    default:
      throw semanticProblem(at, `the path goes into ${describeType(type)}, which has no parts`)
  }
}

function checkStructure(node: Expression, scope: Scope): { value: Typed; type: AvroType } {
  const value = checkExpression(node, scope.argument())
  const { type } = value
  if (type.kind !== 'array' && type.kind !== 'map' && type.kind !== 'record') {
    throw semanticProblem(node.at, `only arrays, maps and records have parts, not ${describeType(type)}`)
  }
  return { value, type }
}

/** What stands after "to": a value of the type, or a function from the type to itself. */
function checkReplacement(to: Argument, type: AvroType, scope: Scope, changes: boolean, form: string): Replacement {
  if (to.form !== 'fcn-def' && to.form !== 'fcn-ref')
    return checkAs(to, scope.argument(), type, `what ${form} leads to`)
  const effects = changes ? scope.effects.nested() : scope.effects
  const checked = checkFunction(to, scope, effects)
  const wanted = { kind: 'fcn', params: [type], result: type } as const
  if (!accepts(wanted, checked.type)) {
    throw semanticProblem(to.at, `${form} needs a function ${describeType(wanted)}, not ${describeType(checked.type)}`)
  }
  if (changes) scope.around.changers.push({ effects, at: to.at })
  return adaptFunction(checked, wanted)
}

export function checkAttr(node: AttrExpression, scope: Scope): Typed {
  const { value, type } = checkStructure(node.target, scope)
  const path = checkPath(type, node.path, scope)
  return { kind: 'get', type: path.type, at: node.at, target: value, path: path.steps, errors: attrErrors }
}

export function checkAttrTo(node: AttrToExpression, scope: Scope): Typed {
  const { value, type } = checkStructure(node.target, scope)
  const path = checkPath(type, node.path, scope)
  const to = checkReplacement(node.to, path.type, scope, false, '"attr" with "to"')
  return { kind: 'update', type, at: node.at, target: value, path: path.steps, to, errors: attrToErrors }
}

function findStore(kind: 'cell' | 'pool', name: string, scope: Scope, at: string): StoreInfo {
  const stores = kind === 'cell' ? scope.around.cells : scope.around.pools
  const store = stores.get(name)
  if (store === undefined)
    throw semanticProblem(at, `no ${kind} is named ${JSON.stringify(name)}${nearest(name, stores.keys())}`)
  return store
}

export function checkCell(node: CellExpression, scope: Scope): Typed {
  const cell = findStore('cell', node.cell, scope, node.at)
  const use: Typed = { kind: 'cell', type: cell.type, at: node.at, cell }
  if (node.path.length === 0) return use
  const path = checkPath(cell.type, node.path, scope)
  return { kind: 'get', type: path.type, at: node.at, target: use, path: path.steps, errors: cellErrors }
}

export function checkCellTo(node: CellToExpression, scope: Scope): Typed {
  const cell = findStore('cell', node.cell, scope, node.at)
  cell.written = true
  scope.effects.writes = true
  const path = checkPath(cell.type, node.path, scope)
  const to = checkReplacement(node.to, path.type, scope, true, '"cell" with "to"')
  return { kind: 'cell-to', type: cell.type, at: node.at, cell, path: path.steps, to }
}

/** The first step of a path into a pool is the key of the item. */
function checkPoolPath(
  pool: StoreInfo,
  path: readonly Expression[],
  scope: Scope,
  at: string,
): { key: Typed; rest: CheckedPath } {
  const [first, ...rest] = path
  if (first === undefined) throw semanticProblem(at, 'the path of a pool must have at least one key')
  const key = checkExpression(first, scope.argument())
  if (key.type.kind !== 'string')
    throw semanticProblem(first.at, `the key of a pool must be a string, not ${describeType(key.type)}`)
  return { key, rest: checkPath(pool.type, rest, scope) }
}

export function checkPool(node: PoolExpression, scope: Scope): Typed {
  const pool = findStore('pool', node.pool, scope, node.at)
  const { key, rest } = checkPoolPath(pool, node.path, scope, node.at)
  const use: Typed = { kind: 'pool', type: pool.type, at: node.at, pool, key }
  if (rest.steps.length === 0) return use
  return { kind: 'get', type: rest.type, at: node.at, target: use, path: rest.steps, errors: poolErrors }
}

export function checkPoolTo(node: PoolToExpression, scope: Scope): Typed {
  const pool = findStore('pool', node.pool, scope, node.at)
  pool.written = true
  scope.effects.writes = true
  const { key, rest } = checkPoolPath(pool, node.path, scope, node.at)
  const to = checkReplacement(node.to, rest.type, scope, true, '"pool" with "to"')
  const init = checkExpression(node.init, scope.argument())
  if (!accepts(pool.type, init.type)) {
    throw semanticProblem(
      node.init.at,
      `"init" of pool ${node.pool} must have type ${describeType(pool.type)}, not ${describeType(init.type)}`,
    )
  }
  return {
    kind: 'pool-to',
    type: pool.type,
    at: node.at,
    pool,
    key,
    path: rest.steps,
    to,
    init: convert(init, pool.type),
  }
}

export function checkPoolDel(node: PoolDelExpression, scope: Scope): Typed {
  const pool = findStore('pool', node.pool, scope, node.at)
  pool.written = true
  scope.effects.writes = true
  const key = checkAs(node.key, scope.argument(), stringType, 'the key of "del"')
  return { kind: 'pool-del', type: nullType, at: node.at, pool, key }
}
