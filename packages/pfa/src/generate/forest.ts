// The trees of one cell, made ready when an instance starts: records come in, a forest that finds leaves by number goes out.
import { code, evaluate, Scope } from '@pitot/avro'
import { type FlatTrees, flattenTrees, leafOf, leavesOf, type TreeTypes } from '../library/model/flat-tree.ts'

export interface Forest {
  /** The leaves of all trees. */
  readonly leaves: readonly unknown[]
  /** For each tree the place of the leaf that the datum reaches: filled by `walk`. */
  readonly places: Int32Array
  walk(datum: unknown): void
}

/** Undefined where trees compare anything but numbers: then the library walks the records themselves. */
export function plantForest(trees: readonly unknown[], types: TreeTypes): Forest | undefined {
  const flat = flattenTrees(trees, types)
  if (flat === undefined) return undefined
  const values = new Float64Array(flat.features.length)
  const places = new Int32Array(trees.length)
  const read = featureReader(flat)
  const [root] = flat.roots
  const walk =
    trees.length === 1 && root !== undefined
      ? (datum: unknown) => {
          read(datum, values)
          places[0] = leafOf(flat, root, values)
        }
      : (datum: unknown) => {
          read(datum, values)
          leavesOf(flat, values, places)
        }
  return { leaves: flat.leaves, places, walk }
}

/** Straight code for the fields that these trees ask for. */
function featureReader({ features }: FlatTrees): (datum: unknown, values: Float64Array) => void {
  const scope = new Scope()
  const datum = scope.name('datum')
  const values = scope.name('values')
  const loads = features.map(({ field, negative }, place) => {
    const value = code`${datum}[${field}]`
    return code`${values}[${place}] = ${negative ? code`-${value}` : value};`
  })
  return evaluate(code`(${datum}, ${values}) => { ${loads} }`, scope)
}
