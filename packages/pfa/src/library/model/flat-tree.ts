// Trees whose nodes all compare numbers: the records of one or several trees come in, flat arrays and a walk over them go out.
//
// For cells that nothing writes: there a tree never changes, and arrays of numbers are a fraction of the size of its records.
import { type AvroType, Branch, isPlainUnion, type RecordType } from '@pitot/avro'
import { accepts } from '../../check/types.ts'
import { isNumber } from './comparison.ts'

/** What a node asks of its field: its place in `OPERATORS`. */
export const OPERATORS = ['<', '<=', '>', '>=', '==', '!='] as const
export type Operator = (typeof OPERATORS)[number]

export interface FlatTrees {
  /** Names of the datum's fields that any node looks at; `feature` counts in this order. */
  readonly fields: readonly string[]
  /** The operator that all nodes have, or undefined when `operator` tells them apart. */
  readonly only: Operator | undefined
  readonly feature: Int32Array
  readonly operator: Uint8Array
  readonly threshold: Float64Array
  /** The next node, or the bitwise complement of a leaf's place in `leaves`. */
  readonly pass: Int32Array
  readonly fail: Int32Array
  /** For each tree the place of its root, as `pass` and `fail` give it. */
  readonly roots: Int32Array
  readonly leaves: readonly unknown[]
}

export interface TreeTypes {
  /** The record type of a node, with `field`, `operator`, `value`, `pass` and `fail`. */
  readonly node: RecordType
  readonly datum: RecordType
  /** The type of the leaves, which is the result of the walk. */
  readonly leaf: AvroType
}

// biome-ignore lint/suspicious/noExplicitAny: the records are of the types that the checker has matched with the signature
type Node = any

/**
 * Undefined when a node asks for what arrays of numbers cannot hold: other operators, values and fields that are no numbers
 * (longs among them, for they may be bigints).
 */
export function flattenTrees(roots: readonly Node[], types: TreeTypes): FlatTrees | undefined {
  const builder = new Builder(types)
  const places = roots.map((root) => builder.add(root))
  return places.includes(undefined) ? undefined : builder.finish(places as number[])
}

export const flattenTree = (root: Node, types: TreeTypes): FlatTrees | undefined => flattenTrees([root], types)

const hasDoubles = (type: AvroType) => isNumber(type) && type.kind !== 'long'

class Builder {
  private readonly numeric: ReadonlySet<string>
  private readonly childOf: (child: unknown) => { readonly node?: Node; readonly leaf?: unknown }
  private readonly fields = new Map<string, number>()
  private readonly feature: number[] = []
  private readonly operator: number[] = []
  private readonly threshold: number[] = []
  private readonly pass: number[] = []
  private readonly fail: number[] = []
  private readonly leaves: unknown[] = []

  constructor(types: TreeTypes) {
    const value = types.node.fields.find(({ name }) => name === 'value')!.type
    const comparable = types.datum.fields.filter(
      ({ type }) => hasDoubles(type) && (hasDoubles(value) || accepts(value, type)),
    )
    this.numeric = new Set(comparable.map(({ name }) => name))
    this.childOf = childReader(types)
  }

  /** The place of a tree's root; nodes come before their children, and a whole `pass` branch before `fail`. */
  add(root: Node): number | undefined {
    const first = this.reserve(root)
    if (first === undefined) return undefined
    const open: { node: Node; place: number; branch: 'fail' | 'pass' }[] = []
    const children = (node: Node, place: number) => {
      open.push({ node, place, branch: 'fail' }, { node, place, branch: 'pass' })
    }
    children(root, first)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, leaf } = this.childOf(next.node[next.branch])
      if (node === undefined) {
        this[next.branch][next.place] = ~this.leaves.length
        this.leaves.push(leaf)
        continue
      }
      const place = this.reserve(node)
      if (place === undefined) return undefined
      this[next.branch][next.place] = place
      children(node, place)
    }
    return first
  }

  private reserve({ field, operator, value }: Node): number | undefined {
    const test = OPERATORS.indexOf(operator)
    const threshold = value instanceof Branch ? value.value : value
    if (test < 0 || typeof threshold !== 'number' || !this.numeric.has(field)) return undefined
    const known = this.fields.get(field)
    if (known === undefined) this.fields.set(field, this.fields.size)
    this.feature.push(known ?? this.fields.size - 1)
    this.operator.push(test)
    this.threshold.push(threshold)
    this.pass.push(0)
    this.fail.push(0)
    return this.feature.length - 1
  }

  finish(roots: readonly number[]): FlatTrees {
    const [first] = this.operator
    return {
      fields: [...this.fields.keys()],
      only: first !== undefined && this.operator.every((operator) => operator === first) ? OPERATORS[first] : undefined,
      feature: Int32Array.from(this.feature),
      operator: Uint8Array.from(this.operator),
      threshold: Float64Array.from(this.threshold),
      pass: Int32Array.from(this.pass),
      fail: Int32Array.from(this.fail),
      roots: Int32Array.from(roots),
      leaves: this.leaves,
    }
  }
}

/** Tells nodes from leaves, and gives leaves as the type of the result has them. */
function childReader({ node: nodeType, leaf: leafType }: TreeTypes) {
  const type = nodeType.fields.find(({ name }) => name === 'pass')!.type
  if (type.kind !== 'union') return (child: unknown) => ({ leaf: child })
  if (isPlainUnion(type)) {
    // The only branch that is a record, since the others have other shapes.
    return (child: unknown) => (isRecord(child) ? { node: child } : { leaf: child })
  }
  const tagged = leafType.kind === 'union' && !isPlainUnion(leafType)
  return (child: unknown) => {
    const branch = child as Branch
    if (branch.type === nodeType.name) return { node: branch.value }
    return { leaf: tagged ? branch : branch.value }
  }
}

function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(value instanceof Map) && !(value instanceof Uint8Array)
}

type Walk = (tree: FlatTrees, root: number, features: Float64Array) => number

/**
 * From a root to the place of a leaf, given the values of `fields` in their order. One loop per operator, so that trees with
 * one operator, which most are, need no look at it per node.
 */
const WALKS: Readonly<Record<Operator, Walk>> = {
  '<': ({ feature, threshold, pass, fail }, root, features) => {
    let at = root
    while (at >= 0) at = features[feature[at]!]! < threshold[at]! ? pass[at]! : fail[at]!
    return ~at
  },
  '<=': ({ feature, threshold, pass, fail }, root, features) => {
    let at = root
    while (at >= 0) at = features[feature[at]!]! <= threshold[at]! ? pass[at]! : fail[at]!
    return ~at
  },
  '>': ({ feature, threshold, pass, fail }, root, features) => {
    let at = root
    while (at >= 0) at = features[feature[at]!]! > threshold[at]! ? pass[at]! : fail[at]!
    return ~at
  },
  '>=': ({ feature, threshold, pass, fail }, root, features) => {
    let at = root
    while (at >= 0) at = features[feature[at]!]! >= threshold[at]! ? pass[at]! : fail[at]!
    return ~at
  },
  '==': ({ feature, threshold, pass, fail }, root, features) => {
    let at = root
    while (at >= 0) at = features[feature[at]!]! === threshold[at]! ? pass[at]! : fail[at]!
    return ~at
  },
  '!=': ({ feature, threshold, pass, fail }, root, features) => {
    let at = root
    while (at >= 0) at = features[feature[at]!]! !== threshold[at]! ? pass[at]! : fail[at]!
    return ~at
  },
}

const walkMixed: Walk = ({ feature, operator, threshold, pass, fail }, root, features) => {
  let at = root
  while (at >= 0) at = holds(operator[at]!, features[feature[at]!]!, threshold[at]!) ? pass[at]! : fail[at]!
  return ~at
}

function holds(operator: number, x: number, y: number): boolean {
  switch (operator) {
    case 0:
      return x < y
    case 1:
      return x <= y
    case 2:
      return x > y
    case 3:
      return x >= y
    case 4:
      return x === y
    default:
      return x !== y
  }
}

/** The walk for these trees, chosen once: a root and the features come in, the place of the leaf goes out. */
export function walkOf(trees: FlatTrees): (root: number, features: Float64Array) => number {
  const walk = trees.only === undefined ? walkMixed : WALKS[trees.only]
  return (root, features) => walk(trees, root, features)
}
