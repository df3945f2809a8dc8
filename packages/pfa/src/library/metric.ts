// The library module `metric`: distances between vectors, which may have missing components, and between binary vectors.
import { itemType } from './argument.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'
import { missingTest } from './missing.ts'
import { squaredDistance, type Vector } from './vector.ts'

// biome-ignore lint/suspicious/noExplicitAny: the similarity function's parameter types are the document's
type Similarity = (x: any, y: any) => number
type Components = readonly unknown[]

/** How the distances of the components are put together. */
type Gather = 'sum' | 'squares' | 'maximum' | 'powers'

/** The similarity function that most documents use: known by its identity, it is computed in place. */
const absoluteDifference = (x: number, y: number): number => Math.abs(x - y)

/**
 * Distances gathered over the components that both vectors have, scaled up for the weight of those that are missing: NaN
 * when all are. `p` is the exponent of `powers`.
 */
function gathered(site: CallSite, code: number, gather: Gather) {
  const isMissingX = missingTest(itemType(site, 1))
  const isMissingY = missingTest(itemType(site, 2))
  return (similarity: Similarity, x: Components, y: Components, weights: Vector | undefined, p: number): number => {
    const length = x.length
    if (y.length !== length || (weights !== undefined && weights.length !== length)) throw site.error(code)
    let total = 0
    let present = 0
    let all = 0
    for (let i = 0; i < length; i++) {
      const weight = weights === undefined ? 1 : weights[i]!
      const xi = x[i]
      const yi = y[i]
      all += weight
      if (isMissingX(xi) || isMissingY(yi)) continue
      present += weight
      const distance =
        similarity === absoluteDifference ? Math.abs((xi as number) - (yi as number)) : similarity(xi, yi)
      if (gather === 'squares') total += distance * distance
      else if (gather === 'sum') total += distance
      else if (gather === 'powers') total += distance ** p
      else if (distance > total) total = distance
    }
    return present === 0 ? Number.NaN : (total * all) / present
  }
}

function norm(code: number, gather: Gather, finish: (total: number) => number = (total) => total): Implementation {
  return (site) => {
    const measure = gathered(site, code, gather)
    return (similarity: Similarity, x: Components, y: Components, weights?: Vector) =>
      finish(measure(similarity, x, y, weights, 1))
  }
}

const minkowski: Implementation = (site) => {
  const powers = gathered(site, 28070, 'powers')
  const largest = gathered(site, 28070, 'maximum')
  return (similarity: Similarity, x: Components, y: Components, p: number, weights?: Vector) => {
    if (y.length !== x.length || (weights !== undefined && weights.length !== x.length)) throw site.error(28070)
    if (!(p > 0)) throw site.error(28071)
    if (p === Number.POSITIVE_INFINITY) return largest(similarity, x, y, weights, p)
    return powers(similarity, x, y, weights, p) ** (1 / p)
  }
}

type Bits = readonly boolean[]

/** How often x and y are false and false, false and true, true and false, true and true: kept in one place per call site. */
function pairs(site: CallSite, code: number): (x: Bits, y: Bits) => Float64Array {
  const counts = new Float64Array(4)
  return (x, y) => {
    if (x.length !== y.length) throw site.error(code)
    counts.fill(0)
    for (let i = 0; i < x.length; i++) counts[(x[i] ? 2 : 0) + (y[i] ? 1 : 0)]!++
    return counts
  }
}

function binary(code: number, compare: (counts: Float64Array) => number): Implementation {
  return (site) => {
    const count = pairs(site, code)
    return (x: Bits, y: Bits) => compare(count(x, y))
  }
}

const binarySimilarity: Implementation = (site) => {
  const count = pairs(site, 28110)
  return (
    x: Bits,
    y: Bits,
    c00: number,
    c01: number,
    c10: number,
    c11: number,
    d00: number,
    d01: number,
    d10: number,
    d11: number,
  ) => {
    const [a00, a01, a10, a11] = count(x, y) as unknown as [number, number, number, number]
    return (c11 * a11 + c10 * a10 + c01 * a01 + c00 * a00) / (d11 * a11 + d10 * a10 + d01 * a01 + d00 * a00)
  }
}

export const metric: LibraryModule = {
  'metric.simpleEuclidean': (site) => (x: Vector, y: Vector) => {
    if (x.length !== y.length) throw site.error(28000)
    return Math.sqrt(squaredDistance(x, y))
  },
  'metric.absDiff': () => absoluteDifference,
  'metric.gaussianSimilarity': () => (x: number, y: number, sigma: number) =>
    Math.exp((-Math.LN2 * (x - y) ** 2) / sigma ** 2),
  'metric.euclidean': norm(28030, 'squares', Math.sqrt),
  'metric.squaredEuclidean': norm(28040, 'squares'),
  'metric.chebyshev': norm(28050, 'maximum'),
  'metric.taxicab': norm(28060, 'sum'),
  'metric.minkowski': minkowski,
  'metric.simpleMatching': binary(28080, ([a00, a01, a10, a11]) => (a11! + a00!) / (a11! + a10! + a01! + a00!)),
  'metric.jaccard': binary(28090, ([, a01, a10, a11]) => a11! / (a11! + a10! + a01!)),
  'metric.tanimoto': binary(28100, ([a00, a01, a10, a11]) => (a11! + a00!) / (a11! + 2 * (a10! + a01!) + a00!)),
  'metric.binarySimilarity': binarySimilarity,
}
