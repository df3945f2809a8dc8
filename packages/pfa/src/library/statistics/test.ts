// The library module `stat.test`: observations against predictions, and the older names of the same in `model.reg`.
import { chi2 } from '../../numerics/continuous.ts'
import { matrix, solve } from '../../numerics/matrix.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { type Rows, type RowsMap, sameKeys, type Vector, type VectorMap } from '../vector.ts'

function sorted(values: Vector): number[] {
  return values.filter((value) => !Number.isNaN(value)).sort((x, y) => x - y)
}

/** The largest distance between the two empirical distribution functions. */
function kolmogorovDistance(x: Vector, y: Vector): number {
  let largest = 0
  let i = 0
  let j = 0
  while (i < x.length && j < y.length) {
    const xi = x[i]!
    const yj = y[j]!
    if (xi <= yj) i++
    if (yj <= xi) j++
    largest = Math.max(largest, Math.abs(i / x.length - j / y.length))
  }
  return largest
}

/** P(K <= z) of the Kolmogorov distribution, by the series that converges fast for small z. */
function kolmogorovCdf(z: number): number {
  let sum = 0
  for (let k = 1; k < 150; k++) sum += Math.exp(-((2 * k - 1) ** 2 * Math.PI ** 2) / (8 * z * z))
  return (Math.sqrt(2 * Math.PI) / z) * sum
}

function kolmogorov(first: Vector, second: Vector): number {
  const x = sorted(first)
  const y = sorted(second)
  if (x.length === y.length && x.every((value, i) => value === y[i])) return 1
  if (x.length === 0 || y.length === 0) return 0
  const size = Math.sqrt((x.length * y.length) / (x.length + y.length))
  return 1 - kolmogorovCdf((size + 0.12 + 0.11 / size) * kolmogorovDistance(x, y))
}

function residual(code: number): Implementation {
  return (site) => {
    switch (site.params[0]?.kind) {
      case 'array':
        return (observation: Vector, prediction: Vector) => {
          if (observation.length !== prediction.length) throw site.error(code)
          return observation.map((value, i) => value - prediction[i]!)
        }
      case 'map':
        return (observation: VectorMap, prediction: VectorMap) => {
          if (!sameKeys(observation, prediction)) throw site.error(code)
          return new Map([...observation].map(([key, value]) => [key, value - prediction.get(key)!]))
        }
      default:
        return (observation: number, prediction: number) => observation - prediction
    }
  }
}

function pull(code: number): Implementation {
  return (site) => {
    switch (site.params[0]?.kind) {
      case 'array':
        return (observation: Vector, prediction: Vector, uncertainty: Vector) => {
          if (observation.length !== prediction.length) throw site.error(code)
          if (observation.length !== uncertainty.length) throw site.error(code + 1)
          return observation.map((value, i) => (value - prediction[i]!) / uncertainty[i]!)
        }
      case 'map':
        return (observation: VectorMap, prediction: VectorMap, uncertainty: VectorMap) => {
          if (!sameKeys(observation, prediction)) throw site.error(code)
          if (!sameKeys(observation, uncertainty)) throw site.error(code + 1)
          const each = ([key, value]: [string, number]): [string, number] => [
            key,
            (value - prediction.get(key)!) / uncertainty.get(key)!,
          ]
          return new Map([...observation].map(each))
        }
      default:
        return (observation: number, prediction: number, uncertainty: number) =>
          (observation - prediction) / uncertainty
    }
  }
}

function mahalanobis(code: number): Implementation {
  return (site) => (site.params[0]?.kind === 'map' ? mahalanobisMaps(site, code) : mahalanobisArrays(site, code))
}

function mahalanobisArrays(site: CallSite, code: number) {
  return (observation: Vector, prediction: Vector, covariance: Rows) => {
    const size = observation.length
    if (size === 0) throw site.error(code)
    if (prediction.length !== size) throw site.error(code + 1)
    if (covariance.length !== size || covariance.some((row) => row.length !== size)) throw site.error(code + 2)
    const apart = observation.map((value, i) => value - prediction[i]!)
    return distance(site, apart, (i, j) => covariance[i]![j]!)
  }
}

function mahalanobisMaps(site: CallSite, code: number) {
  return (observation: VectorMap, prediction: VectorMap, covariance: RowsMap) => {
    if (observation.size === 0) throw site.error(code)
    if (!sameKeys(observation, prediction)) throw site.error(code + 1)
    const keys = [...observation.keys()]
    const apart = keys.map((key) => observation.get(key)! - prediction.get(key)!)
    return distance(site, apart, (i, j) => {
      const value = covariance.get(keys[i]!)?.get(keys[j]!)
      if (value === undefined) throw site.error(code + 2)
      return value
    })
  }
}

/** The root of apart^T C^-1 apart: no number when that is negative or C is singular. */
function distance(site: CallSite, apart: Vector, covariance: (i: number, j: number) => number): number {
  const size = apart.length
  const m = matrix(size, size)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) m.data[i * size + j] = covariance(i, j)
  const solution = solve(m, apart, () => site.host.tick())
  if (solution === undefined) return Number.NaN
  let square = 0
  for (let i = 0; i < size; i++) square += solution[i]! * apart[i]!
  return Math.sqrt(square)
}

type Name = 'dof' | 'DOF'
type Chi2State = Readonly<Record<Name | 'chi2', number>>

function squares(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value * value
  return sum
}

function updateChi2(dof: Name): Implementation {
  return (site) => {
    const next = (state: Chi2State, more: number) => ({ ...state, chi2: state.chi2 + more, [dof]: state[dof] + 1 })
    switch (site.params[0]?.kind) {
      case 'array':
        return (values: Vector, state: Chi2State) => next(state, squares(values))
      case 'map':
        return (values: VectorMap, state: Chi2State) => next(state, squares(values.values()))
      default:
        return (value: number, state: Chi2State) => next(state, value * value)
    }
  }
}

function chi2Prob(code: number, dof: Name): Implementation {
  return (site) => (state: Chi2State) => {
    if (state[dof] < 0) throw site.error(code)
    if (state[dof] === 0) return state.chi2 > 0 ? 1 : 0
    return state.chi2 === Number.POSITIVE_INFINITY ? 1 : chi2.cumulative(state.chi2, state[dof])
  }
}

/** Both modules have these functions, with error codes and a field name of their own. */
function comparisons(prefix: string, codes: readonly [number, number, number, number], dof: Name): LibraryModule {
  return {
    [`${prefix}residual`]: residual(codes[0]),
    [`${prefix}pull`]: pull(codes[1]),
    [`${prefix}mahalanobis`]: mahalanobis(codes[2]),
    [`${prefix}updateChi2`]: updateChi2(dof),
    [`${prefix}reducedChi2`]: () => (state: Chi2State) => state.chi2 / state[dof],
    [`${prefix}chi2Prob`]: chi2Prob(codes[3], dof),
  }
}

export const test: LibraryModule = {
  'stat.test.kolmogorov': () => kolmogorov,
  ...comparisons('stat.test.', [38010, 38020, 38030, 38060], 'dof'),
  ...comparisons('model.reg.', [31020, 31030, 31040, 31070], 'DOF'),
}
