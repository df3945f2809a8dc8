// The trees of one cell, made ready when an instance starts: records come in, a forest that finds leaves by number goes out.
import { type Code, code, evaluate, Scope } from '@pitot/avro'
import {
  type Feature,
  type FlatTrees,
  flattenTrees,
  leafOf,
  leavesOf,
  type TreeTypes,
} from '../library/model/flat-tree.ts'
import { askedField, withoutMissing } from './missing-trees.ts'

export interface Forest {
  /** The leaves of all trees. */
  readonly leaves: readonly unknown[]
  /** For each tree the place of the leaf that the datum reaches: filled by `walk`. */
  readonly places: Int32Array
  walk(datum: unknown): void
}

/**
 * Up to about this many nodes straight code is faster (a third to a half of the time of the arrays, measured with 1 and
 * 10 trees); beyond, the processor no longer foresees the branches, and the arrays are faster by half.
 */
const largestStraightCode = 400

/**
 * Undefined where trees compare anything but numbers: then the library walks the records themselves. `missing`: nodes
 * have a third branch, for fields that are null.
 */
export function plantForest(trees: readonly unknown[], types: TreeTypes, missing: boolean): Forest | undefined {
  const simple = missing ? withoutMissing(trees, types) : { trees, types }
  const flat = flattenTrees(simple.trees, simple.types)
  if (flat === undefined) return undefined
  const places = new Int32Array(trees.length)
  const walk = flat.inner <= largestStraightCode ? straightWalk(flat, places) : arrayWalk(flat, places)
  return { leaves: flat.leaves, places, walk }
}

type Walk = (datum: unknown) => void

function arrayWalk(flat: FlatTrees, places: Int32Array): Walk {
  const values = new Float64Array(flat.features.length)
  const scope = new Scope()
  const datum = scope.name('datum')
  const list = scope.constant(values, 'values')
  const loads = flat.features.map((_, place) => code`${list}[${place}] = ${readFeature(flat, place, datum)};`)
  const load = evaluate<Walk>(code`(${datum}) => { ${loads} }`, scope)
  const [root] = flat.roots
  if (flat.roots.length === 1 && root !== undefined) {
    return (given) => {
      load(given)
      places[0] = leafOf(flat, root, values)
    }
  }
  return (given) => {
    load(given)
    leavesOf(flat, values, places)
  }
}

/** What a test compares: a field, its negative, or whether it is null. */
function readFeature({ features }: FlatTrees, place: number, datum: Code): Code {
  const { field, negative } = features[place] as Feature
  const asked = askedField(field)
  const value = asked === undefined ? code`${datum}[${field}]` : code`(${datum}[${asked}] === null ? 1 : 0)`
  return negative ? code`-${value}` : value
}

/** Nested conditions, each the test of one node; fields are read once. */
function straightWalk(flat: FlatTrees, places: Int32Array): Walk {
  const scope = new Scope()
  const datum = scope.name('datum')
  const list = scope.constant(places, 'places')
  const names = flat.features.map(() => scope.name('x'))
  const loads = names.map((name, place) => code`const ${name} = ${readFeature(flat, place, datum)};`)
  const node = (at: number): Code => {
    if (at >= flat.inner) return code`${at - flat.inner}`
    const [failed, passed] = [flat.next[2 * at] as number, flat.next[2 * at + 1] as number]
    const test = code`${names[flat.feature[at] as number]} < ${flat.threshold[at] as number}`
    return code`(${test} ? ${node(passed)} : ${node(failed)})`
  }
  const walks = Array.from(flat.roots, (root, tree) => code`${list}[${tree}] = ${node(root)};`)
  return evaluate<Walk>(code`(${datum}) => { ${loads} ${walks} }`, scope)
}
