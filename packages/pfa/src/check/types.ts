// Relations of types: which type accepts which, the narrowest type that accepts several, and how a type is called.
import { type AvroType, type PrimitiveKind, primitiveKinds, type UnionType } from '@pitot/avro'
import type { FunctionType, PfaType } from '../library/library.ts'

/** The type of an expression that never gives a value: `error`. */
export interface ExceptionType {
  readonly kind: 'exception'
}
export const exception: ExceptionType = { kind: 'exception' }

/** What an expression can have. */
export type ValueType = AvroType | ExceptionType
export type AnyType = PfaType | ExceptionType

const primitives = new Map<PrimitiveKind, AvroType>(primitiveKinds.map((kind) => [kind, { kind }]))
export const primitive = (kind: PrimitiveKind): AvroType => primitives.get(kind) ?? { kind }

export const nullType = primitive('null')
export const intType = primitive('int')
export const longType = primitive('long')
export const stringType = primitive('string')
export const bytesType = primitive('bytes')

/** A number of the left kind can be stored where the right ones are given. */
const widens: Readonly<Record<string, readonly string[]>> = {
  int: ['int'],
  long: ['int', 'long'],
  float: ['int', 'long', 'float'],
  double: ['int', 'long', 'float', 'double'],
}
const numbersInOrder: readonly PrimitiveKind[] = ['int', 'long', 'float', 'double']

/** Whether a value of type `given` may stand where `wanted` is expected. An expression that only fails fits nowhere. */
export function accepts(wanted: AnyType, given: AnyType, assumed: ReadonlySet<string> = new Set()): boolean {
  if (given.kind === 'exception' || wanted.kind === 'exception') return false
  if (wanted === given) return true
  if (wanted.kind === 'fcn' || given.kind === 'fcn')
    return wanted.kind === 'fcn' && given.kind === 'fcn' && acceptsFunction(wanted, given)
  if (given.kind === 'union') return given.branches.every((branch) => accepts(wanted, branch, assumed))
  switch (wanted.kind) {
    case 'union':
      return wanted.branches.some((branch) => accepts(branch, given, assumed))
    case 'array':
      return given.kind === 'array' && accepts(wanted.items, given.items, assumed)
    case 'map':
      return given.kind === 'map' && accepts(wanted.values, given.values, assumed)
    case 'fixed':
      return given.kind === 'fixed' && wanted.name === given.name && wanted.size === given.size
    case 'enum':
      return (
        given.kind === 'enum' &&
        wanted.name === given.name &&
        given.symbols.every((symbol) => wanted.symbols.includes(symbol))
      )
    case 'record': {
      if (given.kind !== 'record' || wanted.name !== given.name) return false
      if (assumed.has(wanted.name)) return true
      const inside = new Set(assumed).add(wanted.name)
      return (
        wanted.fields.length === given.fields.length &&
        wanted.fields.every((field) => {
          const other = given.fields.find(({ name }) => name === field.name)
          return other !== undefined && accepts(field.type, other.type, inside)
        })
      )
    }
    default:
      return widens[wanted.kind]?.includes(given.kind) ?? wanted.kind === given.kind
  }
}

function acceptsFunction(wanted: FunctionType, given: FunctionType): boolean {
  return (
    wanted.params.length === given.params.length &&
    wanted.params.every((param, index) => accepts(given.params[index] as PfaType, param)) &&
    accepts(wanted.result, given.result)
  )
}

/**
 * Whether values of both types look the same. More than that each accepts the other: union(int, double) and
 * union(double) do, but only the first one needs tags. The order of branches does not matter.
 */
export function sameTypes(one: AnyType, other: AnyType): boolean {
  if (one === other) return true
  switch (one.kind) {
    case 'array':
      return other.kind === 'array' && sameTypes(one.items, other.items)
    case 'map':
      return other.kind === 'map' && sameTypes(one.values, other.values)
    case 'union':
      return (
        other.kind === 'union' &&
        one.branches.length === other.branches.length &&
        one.branches.every((branch) => other.branches.some((each) => sameTypes(branch, each)))
      )
    case 'record':
    case 'enum':
    case 'fixed':
      return other.kind === one.kind && one.name === other.name && accepts(one, other) && accepts(other, one)
    case 'fcn':
      return (
        other.kind === 'fcn' &&
        one.params.length === other.params.length &&
        one.params.every((param, index) => sameTypes(param, other.params[index] as PfaType)) &&
        sameTypes(one.result, other.result)
      )
    default:
      return one.kind === other.kind
  }
}

/**
 * The narrowest type that accepts all of these; undefined when there is none (different enums, different fixed types,
 * functions beside values). Expressions that only fail do not count.
 */
export function narrowestSupertype(candidates: readonly AnyType[]): PfaType | undefined {
  const types = candidates.filter((type): type is PfaType => type.kind !== 'exception')
  const [first] = types
  if (first === undefined) return undefined
  // "If both clauses have the same type X, then the return type is X", also where X is a union of several numbers.
  if (types.every((type) => sameTypes(type, first))) return first
  const all = (...kinds: readonly string[]) => types.every((type) => kinds.includes(type.kind))
  for (const [index, kind] of numbersInOrder.entries()) {
    if (all(...numbersInOrder.slice(0, index + 1))) return primitive(kind)
  }
  if (all('array')) {
    const items = narrowestSupertype(types.map((type) => (type.kind === 'array' ? type.items : exception)))
    return items === undefined || items.kind === 'fcn' ? undefined : { kind: 'array', items }
  }
  if (all('map')) {
    const values = narrowestSupertype(types.map((type) => (type.kind === 'map' ? type.values : exception)))
    return values === undefined || values.kind === 'fcn' ? undefined : { kind: 'map', values }
  }
  if (all('fixed') || all('enum') || types.some((type) => type.kind === 'fcn')) return undefined
  return narrowestUnion(types as AvroType[])
}

function narrowestUnion(types: readonly AvroType[]): AvroType | undefined {
  const branches: AvroType[] = []
  for (const type of types.flatMap((each) => (each.kind === 'union' ? each.branches : [each]))) {
    if (!join(branches, type)) return undefined
  }
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { kind: 'union', branches }
}

/**
 * Adds a type to the branches of a union. One that another accepts disappears in it; arrays join into one array, maps
 * into one map. False when a union cannot hold both: two enums, two fixed types.
 */
function join(branches: AvroType[], type: AvroType): boolean {
  if (branches.some((known) => accepts(known, type))) return true
  const alike = (known: AvroType) => known.kind === type.kind && type.kind !== 'record'
  const place = branches.findIndex((known) => accepts(type, known) || alike(known))
  const known = branches[place]
  if (known === undefined) return branches.push(type) > 0
  const joined = narrowestSupertype([known, type])
  if (joined === undefined || joined.kind === 'fcn') return false
  branches[place] = joined
  return true
}

/** The union without null, or the only type that is left; undefined when it is no union with null. */
export function withoutNull(type: ValueType): AvroType | undefined {
  if (type.kind !== 'union' || !type.branches.some((branch) => branch.kind === 'null')) return undefined
  const branches = type.branches.filter((branch) => branch.kind !== 'null')
  const [only] = branches
  return branches.length === 1 ? only : branches.length === 0 ? undefined : { kind: 'union', branches }
}

/** The type itself or null: what `try` gives. */
export function orNull(type: AvroType): AvroType {
  if (type.kind === 'null') return type
  if (type.kind !== 'union') return { kind: 'union', branches: [type, nullType] } satisfies UnionType
  return type.branches.some((branch) => branch.kind === 'null')
    ? type
    : { kind: 'union', branches: [...type.branches, nullType] }
}

/** How messages call a type: `array(int)`, `union(int, null)`, `record Point`. */
export function describeType(type: AnyType): string {
  switch (type.kind) {
    case 'exception':
      return 'an expression that always fails'
    case 'fcn':
      return `function (${type.params.map(describeType).join(', ')}) -> ${describeType(type.result)}`
    case 'array':
      return `array(${describeType(type.items)})`
    case 'map':
      return `map(${describeType(type.values)})`
    case 'union':
      return `union(${type.branches.map(describeType).join(', ')})`
    case 'record':
    case 'enum':
    case 'fixed':
      return `${type.kind} ${type.name}`
    default:
      return type.kind
  }
}
