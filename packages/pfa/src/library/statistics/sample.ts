// Running counts, means and variances of `stat.sample`: a value and the state so far come in, the next state goes out.
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { hasField, holdsDouble, recordType, semantic } from '../record.ts'
import { columnKeys, entry, type Rows, type RowsMap, type Vector, type VectorMap } from '../vector.ts'

/** What the state's record type keeps besides the count. */
type Level = 'count' | 'mean' | 'variance'

interface State {
  readonly count: number
  readonly mean: number
  readonly variance: number
}

interface Sample extends State {
  readonly x: number
  readonly w: number
}

function level(site: CallSite): Level {
  const record = recordType(site, 2)
  const mean = hasField(site, record, 'mean', holdsDouble)
  const variance = hasField(site, record, 'variance', holdsDouble)
  if (variance && !mean) throw semantic(site, `record ${record.name} has a "variance" and so needs a "mean" too`)
  return variance ? 'variance' : mean ? 'mean' : 'count'
}

const update: Implementation = (site) => {
  const keeps = level(site)
  if (keeps === 'count') return (_: number, w: number, state: State) => ({ ...state, count: state.count + w })
  if (keeps === 'mean') {
    return (x: number, w: number, state: State) => {
      const count = state.count + w
      return { ...state, count, mean: state.mean + ((x - state.mean) * w) / count }
    }
  }
  return (x: number, w: number, state: State) => {
    const count = state.count + w
    const difference = x - state.mean
    const shift = (difference * w) / count
    const variance = (state.variance * state.count + state.count * difference * shift) / count
    return { ...state, count, mean: state.mean + shift, variance }
  }
}

const WINDOW_FIELDS = ['x', 'w', 'count', 'mean', 'variance']

const updateWindow: Implementation = (site) => {
  const keeps = level(site)
  const fields = recordType(site, 2).fields.map(({ name }) => name)
  const unknownFields = fields.some((name) => !WINDOW_FIELDS.includes(name))
  const first = (x: number, w: number) => {
    const start: Record<string, number> = { x, w, count: w, mean: x, variance: 0 }
    return Object.fromEntries(fields.map((name) => [name, start[name]]))
  }
  return (x: number, w: number, state: readonly Sample[], size: number) => {
    if (size < 2) throw site.error(14020)
    if (state.length === 0) {
      if (unknownFields) throw site.error(14021)
      return [first(x, w)]
    }
    const leaving = Math.max(0, state.length - size + 1)
    const next = state.slice(leaving)
    next.push(nextSample(keeps, x, w, state, leaving))
    return next
  }
}

/** The newest sample enters the running values, then the `leaving` oldest ones are taken out with negative weight. */
function nextSample(keeps: Level, x: number, w: number, state: readonly Sample[], leaving: number): Sample {
  const last = state[state.length - 1]!
  let count = last.count + w
  if (keeps === 'count') {
    for (let i = 0; i < leaving; i++) count -= state[i]!.w
    return { ...last, x, w, count }
  }
  const difference = x - last.mean
  const shift = (difference * w) / count
  let mean = last.mean + shift
  let correction = 0
  for (let i = 0; i < leaving; i++) {
    const weight = -state[i]!.w
    const before = count
    count += weight
    const apart = state[i]!.x - mean
    const back = (apart * weight) / count
    mean += back
    correction += before * apart * back
  }
  if (keeps === 'mean') return { ...last, x, w, count, mean }
  const variance = (last.variance * last.count + last.count * difference * shift + correction) / count
  return { ...last, x, w, count, mean, variance }
}

const updateEWMA: Implementation = (site) => {
  const withVariance = hasField(site, recordType(site, 2), 'variance', holdsDouble)
  return (x: number, alpha: number, state: State) => {
    if (alpha < 0 || alpha > 1) throw site.error(14030)
    const difference = x - state.mean
    const step = alpha * difference
    if (!withVariance) return { ...state, mean: state.mean + step }
    return { ...state, mean: state.mean + step, variance: (1 - alpha) * (state.variance + difference * step) }
  }
}

interface Covariances {
  readonly count: number
  readonly mean: Vector
  readonly covariance: Rows
}

function updateCovarianceArrays(site: CallSite) {
  return (x: Vector, w: number, state: Covariances) => {
    const size = x.length
    if (size < 2) throw site.error(14011)
    const { mean, covariance, count: before } = state
    if (mean.length !== size || covariance.length !== size || covariance.some((row) => row.length !== size)) {
      throw site.error(14012)
    }
    const count = before + w
    const apart = x.map((value, i) => value - mean[i]!)
    return {
      ...state,
      count,
      mean: mean.map((value, i) => value + (apart[i]! * w) / count),
      covariance: covariance.map((row, i) =>
        row.map((value, j) => (value * before + (apart[i]! * apart[j]! * w * before) / count) / count),
      ),
    }
  }
}

interface SparseCovariances {
  readonly count: RowsMap
  readonly mean: VectorMap
  readonly covariance: RowsMap
}

/** Pairs of keys that are not both in x keep what they had; keys not seen before start at zero. */
function updateCovarianceMaps(site: CallSite) {
  return (x: VectorMap, w: number, state: SparseCovariances) => {
    if (x.size < 2) throw site.error(14011)
    const keys = new Set([...x.keys(), ...state.count.keys(), ...state.covariance.keys()])
    columnKeys(state.covariance, columnKeys(state.count, keys))
    const apart = (key: string) => x.get(key)! - (state.mean.get(key) ?? 0)
    const count = new Map<string, Map<string, number>>()
    const covariance = new Map<string, Map<string, number>>()
    const mean = new Map<string, number>()
    for (const i of keys) {
      const counts = new Map<string, number>()
      const covariances = new Map<string, number>()
      for (const j of keys) {
        const before = entry(state.count, i, j)
        const old = entry(state.covariance, i, j)
        const seen = x.has(i) && x.has(j)
        const after = seen ? before + w : before
        counts.set(j, after)
        covariances.set(j, seen ? (old * before + (apart(i) * apart(j) * w * before) / after) / after : old)
      }
      count.set(i, counts)
      covariance.set(i, covariances)
      const old = state.mean.get(i) ?? 0
      mean.set(i, x.has(i) ? old + ((x.get(i)! - old) * w) / counts.get(i)! : old)
    }
    return { ...state, count, mean, covariance }
  }
}

const topN: Implementation =
  () => (x: unknown, top: readonly unknown[], n: number, lessThan: (x: unknown, y: unknown) => boolean) => {
    if (n <= 0) return []
    let at = 0
    while (at < top.length && !lessThan(top[at], x)) at++
    return [...top.slice(0, at), x, ...top.slice(at)].slice(0, n)
  }

export const sample: LibraryModule = {
  'stat.sample.update': update,
  'stat.sample.updateWindow': updateWindow,
  'stat.sample.updateEWMA': updateEWMA,
  'stat.sample.updateCovariance': (site) =>
    site.params[0]?.kind === 'map' ? updateCovarianceMaps(site) : updateCovarianceArrays(site),
  'stat.sample.topN': topN,
}
