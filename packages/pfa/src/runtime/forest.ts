// Decision trees as flat arrays: the trees of a cell that nothing writes come in, once per instance; a walk by number goes out.
//
// A node is four int32 (place of its field, its operator, child when the test fails, child when it passes) and one
// double (what the field is compared with). A child is the number of a node, or ~k for leaf k.
import { type AvroType, Branch } from '@pitot/avro'

export interface ForestSpecification {
  /** Name of the node type, to tell nodes from leaves in unions that carry tags. */
  readonly nodeName: string
  /** Leaves stay tagged when the result is itself a union with tags. */
  readonly keepTags: boolean
  /** Fields of the datum in order; undefined for fields that are no plain numbers. */
  readonly fields: readonly (string | undefined)[]
  /** Leaves are doubles. */
  readonly numericLeaves: boolean
}

export interface Forest {
  /** The numbers of the datum, in the order of its fields: to be filled before a walk. */
  readonly datum: Float64Array
  /** The leaf that the datum reaches in the tree of this number. */
  walk(tree: number): unknown
}

interface Node {
  readonly field: string
  readonly operator: string
  readonly value: unknown
  readonly pass: unknown
  readonly fail: unknown
}

const operators = ['<', '<=', '>', '>=', '==', '!='] as const

/** Undefined where a node compares anything but numbers: then the library walks the records themselves. */
export function flattenForest(trees: readonly unknown[], specification: ForestSpecification): Forest | undefined {
  const builder = new Builder(specification)
  const roots: number[] = []
  for (const tree of trees) {
    const root = builder.add(tree)
    if (root === undefined) return undefined
    roots.push(root)
  }
  return builder.finish(roots)
}

class Builder {
  private readonly specification: ForestSpecification
  private readonly places: ReadonlyMap<string, number>
  private readonly nodes: number[] = []
  private readonly values: number[] = []
  private readonly leaves: unknown[] = []
  private readonly used = new Set<number>()

  constructor(specification: ForestSpecification) {
    this.specification = specification
    this.places = new Map(
      specification.fields.flatMap((name, place) => (name === undefined ? [] : [[name, place] as const])),
    )
  }

  /** The number of a node with all below it; undefined when it cannot be done. */
  add(tree: unknown): number | undefined {
    const { field, operator, value, pass, fail } = tree as Node
    const place = this.places.get(field)
    const code = operators.indexOf(operator as '<')
    const reference = value instanceof Branch ? value.value : value
    if (place === undefined || code < 0 || typeof reference !== 'number') return undefined
    const number = this.values.length
    this.used.add(code)
    this.values.push(reference)
    this.nodes.push(place, code, 0, 0)
    const failed = this.child(fail)
    const passed = failed === undefined ? undefined : this.child(pass)
    if (failed === undefined || passed === undefined) return undefined
    this.nodes[4 * number + 2] = failed
    this.nodes[4 * number + 3] = passed
    return number
  }

  private child(child: unknown): number | undefined {
    if (child instanceof Branch) {
      if (child.type === this.specification.nodeName) return this.add(child.value)
      return this.leaf(this.specification.keepTags ? child : child.value)
    }
    const isNode =
      typeof child === 'object' &&
      child !== null &&
      !Array.isArray(child) &&
      !(child instanceof Map) &&
      !(child instanceof Uint8Array)
    return isNode ? this.add(child) : this.leaf(child)
  }

  private leaf(value: unknown): number {
    this.leaves.push(value)
    return ~(this.leaves.length - 1)
  }

  finish(rootNumbers: readonly number[]): Forest {
    const datum = new Float64Array(this.specification.fields.length)
    const roots = Int32Array.from(rootNumbers)
    const nodes = Int32Array.from(this.nodes)
    const values = Float64Array.from(this.values)
    const leaves = this.specification.numericLeaves ? Float64Array.from(this.leaves as number[]) : this.leaves
    const [only] = this.used
    const descend = this.used.size === 1 && only !== undefined ? (descents[only] ?? descendAny) : descendAny
    return { datum, walk: (tree) => leaves[~descend(roots[tree] as number, nodes, values, datum)] }
  }
}

type Descent = (root: number, nodes: Int32Array, values: Float64Array, datum: Float64Array) => number

// One loop per operator, without anything else in it: this is where a forest spends its time.

const descents: readonly Descent[] = [
  (root, nodes, values, datum) => {
    let n = root
    while (n >= 0) n = nodes[4 * n + (datum[nodes[4 * n]!]! < values[n]! ? 3 : 2)]!
    return n
  },
  (root, nodes, values, datum) => {
    let n = root
    while (n >= 0) n = nodes[4 * n + (datum[nodes[4 * n]!]! <= values[n]! ? 3 : 2)]!
    return n
  },
  (root, nodes, values, datum) => {
    let n = root
    while (n >= 0) n = nodes[4 * n + (datum[nodes[4 * n]!]! > values[n]! ? 3 : 2)]!
    return n
  },
  (root, nodes, values, datum) => {
    let n = root
    while (n >= 0) n = nodes[4 * n + (datum[nodes[4 * n]!]! >= values[n]! ? 3 : 2)]!
    return n
  },
]

const descendAny: Descent = (root, nodes, values, datum) => {
  let n = root
  while (n >= 0) {
    const x = datum[nodes[4 * n]!]!
    const y = values[n]!
    n = nodes[4 * n + (passes(nodes[4 * n + 1]!, x, y) ? 3 : 2)]!
  }
  return n
}

function passes(operator: number, x: number, y: number): boolean {
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

/** Whether a field of this type can stand in an array of doubles. A long may be a bigint, so it cannot. */
export const isFlatNumber = (type: AvroType): boolean =>
  type.kind === 'int' || type.kind === 'float' || type.kind === 'double'
