// Promotion of values: two types come in, once; the function from values of the first to values of the second goes out.
import { type AvroType, Branch, branchName, isPlainUnion, type UnionType } from '@pitot/avro'
import { accepts, sameTypes } from '../check/types.ts'
import { branchFinder } from './compare.ts'

// biome-ignore lint/suspicious/noExplicitAny: values are typed by the Avro types the function was made for
type Value = any
export type Promotion = (value: Value) => Value

/** Undefined when values of both types look the same. Only called for types of which the second accepts the first. */
export function promotion(from: AvroType, to: AvroType): Promotion | undefined {
  if (from === to) return undefined
  if (from.kind === 'union') return to.kind === 'union' ? betweenUnions(from, to) : outOfUnion(from, to)
  switch (to.kind) {
    case 'union':
      return intoUnion(from, to)
    case 'array': {
      const promote = from.kind === 'array' ? promotion(from.items, to.items) : undefined
      return promote && ((items: Value[]) => items.map((item) => promote(item)))
    }
    case 'map': {
      const promote = from.kind === 'map' ? promotion(from.values, to.values) : undefined
      return promote && ((map: Map<string, Value>) => new Map(Array.from(map, ([key, value]) => [key, promote(value)])))
    }
    case 'float':
      return from.kind === 'float' ? undefined : (number: number | bigint) => Math.fround(Number(number))
    case 'double':
      return from.kind === 'long' ? Number : undefined
    default:
      return undefined // records of one name are one type, an enum with fewer symbols has the same strings
  }
}

/** The branch that takes values of a type: the type itself if it is there, else the first that accepts it. */
function branchFor(union: UnionType, type: AvroType): AvroType {
  const branch =
    union.branches.find((each) => sameTypes(each, type)) ?? union.branches.find((each) => accepts(each, type))
  if (branch === undefined) throw new Error(`no branch of the union takes ${type.kind}`)
  return branch
}

/** From some branches of a union to a type that accepts them; values are as the whole union has them. */
export function promotionOfBranches(union: UnionType, branches: readonly AvroType[], to: AvroType): Promotion {
  return eachBranch(union, (branch) => (branches.includes(branch) ? promotion(branch, to) : undefined))
}

function intoUnion(from: AvroType, to: UnionType): Promotion | undefined {
  const branch = branchFor(to, from)
  const promote = promotion(from, branch)
  if (isPlainUnion(to)) return promote
  const name = branchName(branch)
  return promote === undefined ? (value) => new Branch(name, value) : (value) => new Branch(name, promote(value))
}

function betweenUnions(from: UnionType, to: UnionType): Promotion | undefined {
  const promotions = from.branches.map((branch) => promotion(branch, branchFor(to, branch)))
  const moved = from.branches.some((branch) => !sameTypes(branch, branchFor(to, branch)))
  if (isPlainUnion(from) === isPlainUnion(to) && !moved && promotions.every((promote) => promote === undefined))
    return undefined
  return eachBranch(from, (branch) => intoUnion(branch, to))
}

const outOfUnion = (from: UnionType, to: AvroType): Promotion => eachBranch(from, (branch) => promotion(branch, to))

function eachBranch(from: UnionType, promote: (branch: AvroType) => Promotion | undefined): Promotion {
  const find = branchFinder(from)
  const promotions = from.branches.map(promote)
  return (value) => {
    const bare = value instanceof Branch ? value.value : value
    const change = promotions[find(value)]
    return change === undefined ? bare : change(bare)
  }
}
