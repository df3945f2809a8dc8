// Trees whose nodes all put numbers in order: the records of one or several trees come in, flat arrays and a walk over them
// go out. For cells that nothing writes: there a tree never changes, and its arrays are a fraction of the size of its records.
//
// Every test becomes `feature < threshold`: x <= t is x < (the number after t), x > t is -x < -t, so that a feature may be the
// negative of a field. NaN fails each of these, as it does the original. Leaves follow themselves, so that a walk may take the
// same number of steps whatever the data are: no branch to predict, and several trees side by side.
import { type AvroType, Branch, isPlainUnion, type RecordType } from '@pitot/avro'
import { accepts } from '../../check/types.ts'
import { isNumber } from './comparison.ts'

export interface Feature {
  readonly field: string
  readonly negative: boolean
}

export interface FlatTrees {
  /** What the walks need of a datum, in the order of the values they are given. */
  readonly features: readonly Feature[]
  /** For each node the place of its feature; of no use in leaves. */
  readonly feature: Int32Array
  readonly threshold: Float64Array
  /** The node after node i: at 2i where its test fails, at 2i + 1 where it passes. */
  readonly next: Int32Array
  /** Nodes before this one have tests; node `inner + k` is leaf k. */
  readonly inner: number
  /** The first node of each tree. */
  readonly roots: Int32Array
  /** Steps that lead from each root to a leaf. */
  readonly depth: number
  /** False for trees with few leaves as deep as the deepest: there it is better to stop at a leaf. */
  readonly balanced: boolean
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
 * Undefined when a node asks for what `<` over numbers cannot tell: other operators, values and fields that are no numbers
 * (longs among them, for they may be bigints).
 */
export function flattenTrees(roots: readonly Node[], types: TreeTypes): FlatTrees | undefined {
  const builder = new Builder(types)
  return roots.every((root) => builder.add(root)) ? builder.finish() : undefined
}

const hasDoubles = (type: AvroType) => isNumber(type) && type.kind !== 'long'

interface Open {
  readonly node: Node
  readonly place: number
  readonly depth: number
  readonly branch: 'fail' | 'pass'
}

class Builder {
  private readonly comparable: ReadonlySet<string>
  private readonly childOf: (child: unknown) => { readonly node?: Node; readonly leaf?: unknown }
  private readonly features = new Map<string, Feature & { readonly place: number }>()
  private readonly feature: number[] = []
  private readonly threshold: number[] = []
  /** As in `FlatTrees`, but leaf k is the bitwise complement of k while the number of nodes is not known yet. */
  private readonly next: number[] = []
  private readonly roots: number[] = []
  private readonly leaves: unknown[] = []
  private depth = 0
  private sumOfDepths = 0

  constructor(types: TreeTypes) {
    const value = types.node.fields.find(({ name }) => name === 'value')!.type
    const fits = (type: AvroType) => hasDoubles(type) && (hasDoubles(value) || accepts(value, type))
    this.comparable = new Set(types.datum.fields.filter(({ type }) => fits(type)).map(({ name }) => name))
    this.childOf = childReader(types)
  }

  /** Nodes come before their children, and all of `pass` before `fail`; false when a node does not fit. */
  add(root: Node): boolean {
    const first = this.reserve(root)
    if (first === undefined) return false
    this.roots.push(first)
    const open: Open[] = []
    const follow = (node: Node, place: number, depth: number) =>
      open.push({ node, place, depth, branch: 'fail' }, { node, place, depth, branch: 'pass' })
    follow(root, first, 1)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { node, leaf } = this.childOf(at.node[at.branch])
      const link = 2 * at.place + (at.branch === 'pass' ? 1 : 0)
      if (node === undefined) {
        this.next[link] = ~this.leaves.length
        this.leaves.push(leaf)
        this.depth = Math.max(this.depth, at.depth)
        this.sumOfDepths += at.depth
        continue
      }
      const place = this.reserve(node)
      if (place === undefined) return false
      this.next[link] = place
      follow(node, place, at.depth + 1)
    }
    return true
  }

  private reserve({ field, operator, value }: Node): number | undefined {
    const given = value instanceof Branch ? value.value : value
    if (typeof given !== 'number' || !this.comparable.has(field)) return undefined
    const negative = operator === '>' || operator === '>='
    const threshold = negative ? -given : given
    if (operator === '<' || operator === '>') this.threshold.push(threshold)
    else if ((operator === '<=' || operator === '>=') && threshold < Number.POSITIVE_INFINITY)
      this.threshold.push(numberAfter(threshold))
    else return undefined
    this.feature.push(this.featureOf(field, negative))
    this.next.push(0, 0)
    return this.feature.length - 1
  }

  private featureOf(field: string, negative: boolean): number {
    const key = `${negative ? '-' : '+'}${field}`
    const known = this.features.get(key)
    if (known !== undefined) return known.place
    this.features.set(key, { field, negative, place: this.features.size })
    return this.features.size - 1
  }

  finish(): FlatTrees {
    const inner = this.feature.length
    const size = inner + this.leaves.length
    const next = new Int32Array(2 * size)
    for (let i = 0; i < 2 * size; i++) {
      const to = i < 2 * inner ? this.next[i]! : i >> 1
      next[i] = to < 0 ? inner + ~to : to
    }
    const feature = new Int32Array(size)
    feature.set(this.feature)
    const threshold = new Float64Array(size)
    threshold.set(this.threshold)
    return {
      features: [...this.features.values()].map(({ field, negative }) => ({ field, negative })),
      feature,
      threshold,
      next,
      inner,
      roots: Int32Array.from(this.roots),
      depth: this.depth,
      balanced: this.depth * this.leaves.length <= 2 * this.sumOfDepths + 4 * this.leaves.length,
      leaves: this.leaves,
    }
  }
}

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** The smallest double that is greater than x. NaN is none's neighbour and stays what it is. */
export function numberAfter(x: number): number {
  if (Number.isNaN(x)) return x
  if (x === 0) return Number.MIN_VALUE
  double[0] = x
  bits[0]! += x > 0 ? 1n : -1n
  return double[0]
}

/** Tells nodes from leaves, and gives leaves as the type of the result has them. */
function childReader({ node: nodeType, leaf: leafType }: TreeTypes) {
  const type = nodeType.fields.find(({ name }) => name === 'pass')!.type
  if (type.kind !== 'union') return (child: unknown) => ({ leaf: child })
  if (isPlainUnion(type)) {
    // Only one branch of a union whose values stand bare is a record.
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

/** The place in `leaves` where the walk from this root ends. */
export function leafOf(trees: FlatTrees, root: number, values: Float64Array): number {
  const { feature, threshold, next, inner, depth } = trees
  let at = root
  if (trees.balanced) {
    for (let step = 0; step < depth; step++) at = next[2 * at + +(values[feature[at]!]! < threshold[at]!)]!
  } else {
    while (at < inner) at = next[2 * at + +(values[feature[at]!]! < threshold[at]!)]!
  }
  return at - inner
}

/** Puts the place in `leaves` of every tree into `places`: four walks side by side, since each waits for its own numbers. */
export function leavesOf(trees: FlatTrees, values: Float64Array, places: Int32Array): void {
  const { feature, threshold, next, inner, roots, depth } = trees
  let tree = 0
  for (; trees.balanced && tree + 3 < roots.length; tree += 4) {
    let a = roots[tree]!
    let b = roots[tree + 1]!
    let c = roots[tree + 2]!
    let d = roots[tree + 3]!
    for (let step = 0; step < depth; step++) {
      a = next[2 * a + +(values[feature[a]!]! < threshold[a]!)]!
      b = next[2 * b + +(values[feature[b]!]! < threshold[b]!)]!
      c = next[2 * c + +(values[feature[c]!]! < threshold[c]!)]!
      d = next[2 * d + +(values[feature[d]!]! < threshold[d]!)]!
    }
    places[tree] = a - inner
    places[tree + 1] = b - inner
    places[tree + 2] = c - inner
    places[tree + 3] = d - inner
  }
  for (; tree < roots.length; tree++) places[tree] = leafOf(trees, roots[tree]!, values)
}
