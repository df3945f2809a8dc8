// The library module `model.neighbor`: the points of a codebook that are close to a datum, and their mean.
import type { Implementation, LibraryModule } from '../library.ts'
import { nearestPlaces } from '../nearest.ts'
import { type Rows, squaredDistance, type Vector } from '../vector.ts'

type Metric = (x: unknown, y: unknown) => number

/** A metric is code of the document, so that long codebooks take long. */
const TICK_EVERY = 256

const mean: Implementation = (site) => (points: Rows, weight?: (point: Vector) => number) => {
  if (points.length === 0) throw site.error(30000)
  const dimension = points[0]!.length
  const sums = new Array<number>(dimension).fill(0)
  let total = 0
  for (const point of points) {
    if (point.length !== dimension) throw site.error(30001)
    const w = weight === undefined ? 1 : weight(point)
    total += w
    for (let i = 0; i < dimension; i++) sums[i]! += w * point[i]!
  }
  return sums.map((sum) => sum / total)
}

const nearestK: Implementation = (site) =>
  site.params.length === 4
    ? (k: number, datum: unknown, codebook: readonly unknown[], metric: Metric) => {
        if (k < 0) throw site.error(30010)
        const distances = codebook.map((point, i) => {
          if (i % TICK_EVERY === 0) site.host.tick()
          return metric(datum, point)
        })
        return nearestPlaces(distances, k).map((place) => codebook[place])
      }
    : (k: number, datum: Vector, codebook: Rows) => {
        if (k < 0) throw site.error(30010)
        for (const point of codebook) if (point.length !== datum.length) throw site.error(30011)
        const distances = codebook.map((point) => squaredDistance(datum, point))
        return nearestPlaces(distances, k).map((place) => codebook[place])
      }

/** Without a metric, components that only one of the vectors has do not count. */
function euclidean(x: Vector, y: Vector): number {
  return Math.sqrt(x.length <= y.length ? squaredDistance(x, y) : squaredDistance(y, x))
}

const ballR: Implementation = (site) =>
  site.params.length === 4
    ? (r: number, datum: unknown, codebook: readonly unknown[], metric: Metric) =>
        codebook.filter((point, i) => {
          if (i % TICK_EVERY === 0) site.host.tick()
          return metric(datum, point) < r
        })
    : (r: number, datum: Vector, codebook: Rows) => codebook.filter((point) => euclidean(datum, point) < r)

export const neighbor: LibraryModule = {
  'model.neighbor.mean': mean,
  'model.neighbor.nearestK': nearestK,
  'model.neighbor.ballR': ballR,
}
