// The library module `model.cluster`: the closest clusters, and the steps of k-means.

import { keyFunction } from '../../runtime/compare.ts'
import { itemType } from '../argument.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { nearestPlaces } from '../nearest.ts'
import { type Rows, squaredDistance, type Vector } from '../vector.ts'

interface Cluster<Center = unknown> {
  readonly center: Center
}
type Metric = (x: unknown, y: unknown) => number

/** Without a metric, components that only one of the vectors has do not count. */
function euclidean(datum: Vector, center: Vector): number {
  return datum.length <= center.length ? squaredDistance(datum, center) : squaredDistance(center, datum)
}

/** A distance that is no number is smaller than none, and the first of equals is the closest. */
function closest(datum: unknown, clusters: readonly Cluster[], metric: Metric): number {
  let best = 0
  let smallest = metric(datum, clusters[0]!.center)
  for (let i = 1; i < clusters.length; i++) {
    const distance = metric(datum, clusters[i]!.center)
    if (distance < smallest) {
      smallest = distance
      best = i
    }
  }
  return best
}

function closestByEuclidean(datum: Vector, clusters: readonly Cluster<Vector>[]): number {
  let best = 0
  let smallest = euclidean(datum, clusters[0]!.center)
  for (let i = 1; i < clusters.length; i++) {
    const distance = euclidean(datum, clusters[i]!.center)
    if (distance < smallest) {
      smallest = distance
      best = i
    }
  }
  return best
}

const closestCluster: Implementation = (site) =>
  site.params.length === 3
    ? (datum: unknown, clusters: readonly Cluster[], metric: Metric) => {
        if (clusters.length === 0) throw site.error(29000)
        return clusters[closest(datum, clusters, metric)]
      }
    : (datum: Vector, clusters: readonly Cluster<Vector>[]) => {
        if (clusters.length === 0) throw site.error(29000)
        return clusters[closestByEuclidean(datum, clusters)]
      }

const closestN: Implementation = (site) => {
  const choose = <Center>(n: number, clusters: readonly Cluster<Center>[], metric: (center: Center) => number) => {
    if (n < 0) throw site.error(29010)
    const distances = clusters.map(({ center }) => metric(center))
    return nearestPlaces(distances, n).map((place) => clusters[place]!)
  }
  return site.params.length === 4
    ? (n: number, datum: unknown, clusters: readonly Cluster[], metric: Metric) =>
        choose(n, clusters, (center) => metric(datum, center))
    : (n: number, datum: Vector, clusters: readonly Cluster<Vector>[]) =>
        choose(n, clusters, (center) => euclidean(datum, center))
}

const randomSeeds: Implementation = (site) => {
  const key = keyFunction(itemType(site, 0))
  return (data: readonly (readonly unknown[])[], k: number, newCluster: (i: number, vector: unknown) => unknown) => {
    if (k <= 0) throw site.error(29020)
    const unique = [...new Map(data.map((vector) => [key(vector), vector])).values()]
    if (unique.length < k) throw site.error(29021)
    if (unique.some((vector) => vector.length !== unique[0]!.length)) throw site.error(29022)
    return shuffledStart(site, unique, k).map((vector, i) => newCluster(i, vector))
  }
}

/** The first `count` of a random order (Fisher and Yates), each order as likely as the others. */
function shuffledStart<Item>(site: CallSite, items: readonly Item[], count: number): Item[] {
  const order = items.slice()
  for (let i = 0; i < count; i++) {
    const from = i + Math.floor(site.host.random() * (order.length - i))
    const item = order[from]!
    order[from] = order[i]!
    order[i] = item
  }
  return order.slice(0, count)
}

const kmeansIteration: Implementation =
  (site) =>
  (
    data: readonly unknown[],
    clusters: readonly Cluster[],
    metric: Metric,
    update: (data: unknown[], cluster: Cluster) => Cluster,
  ) => {
    if (data.length === 0) throw site.error(29030)
    if (clusters.length === 0) throw site.error(29031)
    const matched: unknown[][] = clusters.map(() => [])
    for (const datum of data) {
      site.host.tick()
      matched[closest(datum, clusters, metric)]!.push(datum)
    }
    return clusters.map((cluster, i) => (matched[i]!.length === 0 ? cluster : update(matched[i]!, cluster)))
  }

const updateMean: Implementation = (site) => (data: Rows, cluster: Cluster<Vector>, weight: number) => {
  if (data.length === 0) throw site.error(29040)
  const dimension = data[0]!.length
  const sums = new Array<number>(dimension).fill(0)
  for (const vector of data) {
    if (vector.length !== dimension) throw site.error(29041)
    for (let i = 0; i < dimension; i++) sums[i]! += vector[i]!
  }
  if (cluster.center.length !== dimension) throw site.error(29041)
  const total = data.length + weight
  return { ...cluster, center: sums.map((sum, i) => (sum + weight * cluster.center[i]!) / total) }
}

export const cluster: LibraryModule = {
  'model.cluster.closest': closestCluster,
  'model.cluster.closestN': closestN,
  'model.cluster.randomSeeds': randomSeeds,
  'model.cluster.kmeansIteration': kmeansIteration,
  'model.cluster.updateMean': updateMean,
}
