// The library module `model.tree`: tests of single nodes, and walks from the root of a tree to a leaf.
import { type AvroType, type Branch, isPlainUnion } from '@pitot/avro'
import { sameTypes } from '../../check/types.ts'
import { promotion, promotionOfBranches } from '../../runtime/convert.ts'
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

/** How nodes and leaves are told apart depends on the type of the field only. */
function children(site: CallSite, field: string): Children {
  const treeNode = recordType(site, 1)
  const type = fieldType(treeNode, field)
  const leaf = leafValue(type, treeNode, site.result as AvroType)
  if (type.kind !== 'union' || isPlainUnion(type)) {
    const others = type.kind === 'union' ? type.branches.filter((branch) => branch !== treeNode) : []
    const objects = others.some(({ kind }) => ['array', 'map', 'bytes', 'fixed', 'record'].includes(kind))
    return { node: objects ? plainNode : onlyObject, leaf }
  }
  const node = (child: unknown) => {
    const { type: tag, value } = child as Branch
    return tag === treeNode.name ? (value as Node) : undefined
  }
  return { node, leaf }
}

/** The same for two fields, once where both are of one type: walks are fastest when they need not ask on which side they are. */
function sides(site: CallSite, one: string, other: string): readonly [Children, Children] {
  const treeNode = recordType(site, 1)
  const first = children(site, one)
  const alike = sameTypes(fieldType(treeNode, one), fieldType(treeNode, other))
  return [first, alike ? first : children(site, other)]
}

/** From a leaf as the field has it to a value as the result has it; the fields may have leaves of different types. */
function leafValue(type: AvroType, treeNode: AvroType, result: AvroType): (child: unknown) => unknown {
  const asItIs = (child: unknown) => child
  if (type === treeNode) return asItIs
  if (type.kind !== 'union') return promotion(type, result) ?? asItIs
  const leaves = type.branches.filter((branch) => branch !== treeNode)
  const results = result.kind === 'union' ? result.branches : [result]
  const alike = isPlainUnion(type) === (result.kind !== 'union' || isPlainUnion(result))
  if (alike && leaves.every((leaf) => results.some((each) => sameTypes(each, leaf)))) return asItIs
  return promotionOfBranches(type, leaves, result)
}

function onlyObject(child: unknown): Node | undefined {
  return typeof child === 'object' && child !== null ? (child as Node) : undefined
}

function plainNode(child: unknown): Node | undefined {
  if (typeof child !== 'object' || child === null || Array.isArray(child)) return undefined
  return child instanceof Map || child instanceof Uint8Array ? undefined : (child as Node)
}

const simpleWalk: Implementation = (site) => {
  const [pass, fail] = sides(site, 'pass', 'fail')
  return (datum: Datum, root: Node, test: (datum: Datum, node: Node) => boolean) => {
    let node = root
    for (;;) {
      const passed = test(datum, node)
      const side = passed ? pass : fail
      const child = passed ? node.pass : node.fail
      const next = side.node(child)
      if (next === undefined) return side.leaf(child)
      node = next
    }
  }
}

const missingWalk: Implementation = (site) => {
  const [pass, fail] = sides(site, 'pass', 'fail')
  const [, missing] = sides(site, 'pass', 'missing')
  return (datum: Datum, root: Node, test: (datum: Datum, node: Node) => boolean | null) => {
    let node = root
    for (;;) {
      const passed = test(datum, node)
      const side = passed === null ? missing : passed ? pass : fail
      const child = passed === null ? node.missing : passed ? node.pass : node.fail
      const next = side.node(child)
      if (next === undefined) return side.leaf(child)
      node = next
    }
  }
}

const ERRORS = { operator: 32060, value: 32061 }

const simpleTree: Implementation = (site) => {
  const test = comparisonTest(site, ERRORS, false)
  const numbers =
    recordType(site, 0).fields.every(({ type }) => isNumber(type)) && isNumber(fieldType(recordType(site, 1), 'value'))
  const [pass, fail] = sides(site, 'pass', 'fail')
  const passes = numbers ? numberPasses(test) : test
  return (datum: Datum, root: Node & Comparison) => {
    let node = root
    for (;;) {
      const passed = passes(datum, node)
      const side = passed ? pass : fail
      const child = passed ? node.pass : node.fail
      const next = side.node(child)
      if (next === undefined) return side.leaf(child)
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
