// Walks through decision trees in cells that nothing writes: over flat arrays instead of records, wherever all
// comparisons are of numbers. The instance flattens the trees when it starts, and walks the records where it cannot.
import { type AvroType, type Code, code, isPlainUnion, type RecordType } from '@pitot/avro'
import type { CallLibrary, Typed, TypedFunction } from '../check/typed.ts'
import { type ForestSpecification, flattenForest, isFlatNumber } from '../runtime/forest.ts'
import { writeValue } from './expressions.ts'
import { callLibrary, type Inliner } from './functions.ts'
import type { Origin } from './program.ts'
import { type FunctionWriter, type Piece, simple } from './writer.ts'

/** The arguments of a walk that only compares fields with values: simpleTree, or simpleWalk with simpleTest. */
function simpleWalkArguments(node: CallLibrary): readonly [Typed, Typed] | undefined {
  const [datum, tree, test] = node.args
  if (datum === undefined || tree === undefined || datum.kind === 'function' || tree.kind === 'function')
    return undefined
  if (node.name === 'model.tree.simpleTree') return [datum, tree]
  return test?.kind === 'function' && isSimpleTest(test) ? [datum, tree] : undefined
}

/** A function that passes its two parameters on to simpleTest. */
function isSimpleTest(test: TypedFunction): boolean {
  const [only] = test.body
  if (test.body.length !== 1 || only?.kind !== 'call-library' || only.name !== 'model.tree.simpleTest') return false
  return only.args.every((arg, index) => arg.kind === 'variable' && arg.variable === test.params[index])
}

/** Where a tree comes from: a cell that holds it, or an array in a cell and the place in it. */
function originOf(tree: Typed, writer: FunctionWriter): Origin | undefined {
  if (tree.kind === 'cell' && !tree.cell.written && !tree.cell.shared) {
    return { items: code`[${writer.program.cellName(tree.cell)}]`, index: code`0`, loop: undefined }
  }
  return tree.kind === 'variable' ? writer.program.origins.get(tree.variable) : undefined
}

function specificationOf(node: CallLibrary, datum: RecordType): ForestSpecification | undefined {
  const tree = node.params[1] as RecordType
  const valueType = tree.fields.find((field) => field.name === 'value')?.type
  const pass = tree.fields.find((field) => field.name === 'pass')?.type
  if (valueType === undefined || pass === undefined || pass.kind !== 'union') return undefined
  const members = valueType.kind === 'union' ? valueType.branches : [valueType]
  if (!members.some(isFlatNumber)) return undefined
  const { type } = node
  return {
    nodeName: tree.name,
    keepTags: type.kind === 'union' && !isPlainUnion(type),
    fields: datum.fields.map((field) =>
      isFlatNumber(field.type) && mayCompare(field.type, valueType) ? field.name : undefined,
    ),
    numericLeaves: isFlatNumber(type),
  }
}

/** What the library accepts: numbers with numbers, or with a union that holds the field's own type. */
function mayCompare(field: AvroType, value: AvroType): boolean {
  if (value.kind !== 'union') return true
  return value.branches.some((branch) => branch.kind === field.kind || branch.kind === 'double')
}

const walk: Inliner = (node, writer) => {
  const args = simpleWalkArguments(node)
  const origin = args && originOf(args[1], writer)
  const datumType = node.params[0]
  if (args === undefined || origin === undefined || datumType?.kind !== 'record') return undefined
  const specification = specificationOf(node, datumType)
  if (specification === undefined) return undefined
  const forest = writer.program.hoist(
    code`${writer.program.constant(flattenForest, 'flatten')}(${origin.items}, ${writer.program.constant(specification, 'forest')})`,
    'forest',
  )
  const [datum] = args
  const outer = datum.kind === 'variable' && origin.loop?.knows(datum.variable) ? origin.loop.writer : writer
  loadDatum(forest, specification, datum, outer)
  const result = writer.names.name('leaf')
  const slow = writer.inner()
  slow.finish(callLibrary(node, slow), { kind: 'assign', target: result })
  writer.line(
    code`let ${result}; if (${forest} !== undefined) ${result} = ${forest}.walk(${origin.index}); else { ${slow.body} }`,
  )
  return simple(result)
}

/** Copies the numbers of the datum where the walk finds them; once for all trees of a loop. */
function loadDatum(forest: Code, specification: ForestSpecification, datum: Typed, writer: FunctionWriter): void {
  const record: Piece = writer.keep(writeValue(datum, writer), 'datum')
  const loads = specification.fields.flatMap((name, place) =>
    name === undefined ? [] : [code`${forest}.datum[${place}] = ${record.code}[${name}];`],
  )
  writer.line(code`if (${forest} !== undefined) { ${loads} }`)
}

export const trees: Readonly<Record<string, Inliner>> = {
  'model.tree.simpleTree': walk,
  'model.tree.simpleWalk': walk,
}
