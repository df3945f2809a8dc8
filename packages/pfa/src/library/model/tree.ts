// The library module `model.tree`: tests of single nodes, and walks from the root of a tree to a leaf.
import { type Branch, isPlainUnion } from '@pitot/avro'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { fieldType, recordType } from '../record.ts'
import { type Comparison, comparisonTest, isNumber } from './comparison.ts'

type Datum = Readonly<Record<string, unknown>>

interface Node {
  readonly pass: unknown
  readonly fail: unknown
  readonly missing: unknown
}

interface Children {
  /** The node that a child is, or undefined for a leaf. */
  node(child: unknown): Node | undefined
  /** The value of a child that is a leaf, as the type of the result has it. */
  leaf(child: unknown): unknown
}

/** How nodes and leaves are told apart depends on the types of the branches only. */
function children(site: CallSite): Children {
  const treeNode = recordType(site, 1)
  const type = fieldType(treeNode, 'pass')
  if (type.kind !== 'union' || isPlainUnion(type)) {
    const others = type.kind === 'union' ? type.branches.filter((branch) => branch !== treeNode) : []
    const objects = others.some(({ kind }) => ['array', 'map', 'bytes', 'fixed', 'record'].includes(kind))
    return { node: objects ? plainNode : onlyObject, leaf: (child) => child }
  }
  const { result } = site
  const tagged = result.kind === 'union' && !isPlainUnion(result)
  return {
    node: (child) => {
      const { type: tag, value } = child as Branch
      return tag === treeNode.name ? (value as Node) : undefined
    },
    leaf: tagged ? (child) => child : (child) => (child as Branch).value,
  }
}

function onlyObject(child: unknown): Node | undefined {
  return typeof child === 'object' && child !== null ? (child as Node) : undefined
}

function plainNode(child: unknown): Node | undefined {
  if (typeof child !== 'object' || child === null || Array.isArray(child)) return undefined
  return child instanceof Map || child instanceof Uint8Array ? undefined : (child as Node)
}

const simpleWalk: Implementation = (site) => {
  const { node: nodeOf, leaf } = children(site)
  return (datum: Datum, root: Node, test: (datum: Datum, node: Node) => boolean) => {
    let node = root
    for (;;) {
      const child = test(datum, node) ? node.pass : node.fail
      const next = nodeOf(child)
      if (next === undefined) return leaf(child)
      node = next
    }
  }
}

const missingWalk: Implementation = (site) => {
  const { node: nodeOf, leaf } = children(site)
  return (datum: Datum, root: Node, test: (datum: Datum, node: Node) => boolean | null) => {
    let node = root
    for (;;) {
      const passed = test(datum, node)
      const child = passed === null ? node.missing : passed ? node.pass : node.fail
      const next = nodeOf(child)
      if (next === undefined) return leaf(child)
      node = next
    }
  }
}

const ERRORS = { operator: 32060, value: 32061 }

const simpleTree: Implementation = (site) => {
  const test = comparisonTest(site, ERRORS, false)
  const numbers =
    recordType(site, 0).fields.every(({ type }) => isNumber(type)) && isNumber(fieldType(recordType(site, 1), 'value'))
  const { node: nodeOf, leaf } = children(site)
  const passes = numbers ? numberPasses(test) : test
  return (datum: Datum, root: Node & Comparison) => {
    let node = root
    for (;;) {
      const child = passes(datum, node) ? node.pass : node.fail
      const next = nodeOf(child)
      if (next === undefined) return leaf(child)
      node = next as Node & Comparison
    }
  }
}

/** Where all are numbers, the common operators need no look at the types of the field. */
function numberPasses(otherwise: (datum: Datum, node: Comparison) => boolean | null) {
  return (datum: Datum, node: Comparison): boolean | null => {
    switch (node.operator) {
      case '<':
        return (datum[node.field] as number) < (node.value as number)
      case '<=':
        return (datum[node.field] as number) <= (node.value as number)
      case '>':
        return (datum[node.field] as number) > (node.value as number)
      case '>=':
        return (datum[node.field] as number) >= (node.value as number)
      default:
        return otherwise(datum, node)
    }
  }
}

const compoundTest: Implementation =
  (site) =>
  (
    datum: Datum,
    operator: string,
    comparisons: readonly unknown[],
    test: (datum: Datum, comparison: unknown) => boolean,
  ) => {
    switch (operator) {
      case 'and':
        return comparisons.every((comparison) => test(datum, comparison))
      case 'or':
        return comparisons.some((comparison) => test(datum, comparison))
      case 'xor':
        return comparisons.filter((comparison) => test(datum, comparison)).length % 2 === 1
      default:
        throw site.error(32020)
    }
  }

const surrogateTest: Implementation =
  (site) =>
  (
    datum: Datum,
    comparisons: readonly unknown[],
    missingTest: (datum: Datum, comparison: unknown) => boolean | null,
  ) => {
    for (const comparison of comparisons) {
      const result = missingTest(datum, comparison)
      if (result !== null) return result
    }
    throw site.error(32030)
  }

export const tree: LibraryModule = {
  'model.tree.simpleTest': (site) => comparisonTest(site, { operator: 32000, value: 32001 }, false),
  'model.tree.missingTest': (site) => comparisonTest(site, { operator: 32010, value: 32011 }, true),
  'model.tree.compoundTest': compoundTest,
  'model.tree.surrogateTest': surrogateTest,
  'model.tree.simpleWalk': simpleWalk,
  'model.tree.missingWalk': missingWalk,
  'model.tree.simpleTree': simpleTree,
}
