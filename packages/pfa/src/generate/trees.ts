// Walks through decision trees in cells that nothing writes: over flat arrays instead of records, wherever all
// comparisons are of numbers. The instance flattens the trees when it starts, and walks the records where it cannot.
import { code } from '@pitot/avro'
import type { CallLibrary, Typed, TypedFunction, VariableUse } from '../check/typed.ts'
import type { TreeTypes } from '../library/model/flat-tree.ts'
import { plantForest } from './forest.ts'
import { callLibrary, type Inliner } from './functions.ts'
import type { Origin } from './origins.ts'
import { type FunctionWriter, simple } from './writer.ts'

/** Walks whose test is another function of the library, with nothing added. */
const tests: Readonly<Record<string, string>> = {
  'model.tree.simpleWalk': 'model.tree.simpleTest',
  'model.tree.missingWalk': 'model.tree.missingTest',
}

/** The datum and the tree of a walk that only compares fields with values. */
function simpleWalkArguments(node: CallLibrary): readonly [VariableUse, Typed] | undefined {
  const [datum, tree, test] = node.args
  // Any other expression would be written twice, here and in the call of the library.
  if (datum?.kind !== 'variable' || tree === undefined || tree.kind === 'function') return undefined
  if (node.name === 'model.tree.simpleTree') return [datum, tree]
  return test?.kind === 'function' && isPlainTest(test, tests[node.name]) ? [datum, tree] : undefined
}

/** A function that passes its two parameters on to the test. */
function isPlainTest(fcn: TypedFunction, name: string | undefined): boolean {
  const [only] = fcn.body
  if (fcn.body.length !== 1 || only?.kind !== 'call-library' || only.name !== name) return false
  return only.args.every((arg, index) => arg.kind === 'variable' && arg.variable === fcn.params[index])
}

/** Where a tree comes from: a cell that holds it, or an array in a cell and the place in it. */
function originOf(tree: Typed, writer: FunctionWriter): Origin | undefined {
  if (tree.kind === 'cell' && !tree.cell.written && !tree.cell.shared) {
    return { items: code`[${writer.program.cellName(tree.cell)}]`, index: code`0`, loop: undefined }
  }
  return tree.kind === 'variable' ? writer.program.origins.get(tree.variable) : undefined
}

function typesOf(node: CallLibrary): TreeTypes | undefined {
  const [datum, tree] = node.params
  return datum?.kind === 'record' && tree?.kind === 'record' ? { datum, node: tree, leaf: node.type } : undefined
}

const walk: Inliner = (node, writer) => {
  // The places of the leaves are kept in one array per forest, which an inner call of the same code would overwrite.
  if (writer.program.reentrant) return undefined
  const args = simpleWalkArguments(node)
  const origin = args && originOf(args[1], writer)
  const types = typesOf(node)
  if (args === undefined || origin === undefined || types === undefined) return undefined
  const [datum] = args
  // All trees of a loop are walked at once, before the loop; a datum that changes in the loop cannot be.
  const before = origin.loop?.knows(datum.variable) ? origin.loop.writer : undefined
  if (origin.loop !== undefined && before === undefined) return undefined
  const plant = writer.program.constant(plantForest, 'plant')
  const forest = writer.program.hoist(
    code`${plant}(${origin.items}, ${writer.program.constant(types, 'types')}, ${node.name === 'model.tree.missingWalk'})`,
    'forest',
  )
  ;(before ?? writer).line(code`if (${forest} !== undefined) ${forest}.walk(${writer.nameOf(datum.variable)});`)
  const slow = writer.inner()
  const result = writer.names.name('leaf')
  slow.finish(callLibrary(node, slow), { kind: 'assign', target: result })
  writer.line(code`let ${result};`)
  writer.line(
    code`if (${forest} !== undefined) ${result} = ${forest}.leaves[${forest}.places[${origin.index}]]; else { ${slow.body} }`,
  )
  return simple(result)
}

export const trees: Readonly<Record<string, Inliner>> = {
  'model.tree.simpleTree': walk,
  'model.tree.simpleWalk': walk,
  'model.tree.missingWalk': walk,
}
