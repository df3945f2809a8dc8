// The library module `model.reg`: linear models and the variance of what they predict.
import type { CallSite, LibraryModule } from '../library.ts'
import { fieldType, recordType } from '../record.ts'
import { columnKeys, type Rows, type RowsMap, type Vector, type VectorMap } from '../vector.ts'

/** How many containers are nested in a field of the model: 1 for a vector, 2 for a matrix, ... */
function depth(site: CallSite, field: string): number {
  let count = 0
  let type = fieldType(recordType(site, 1), field)
  while (type.kind === 'array' || type.kind === 'map') {
    count++
    type = type.kind === 'array' ? type.items : type.values
  }
  return count
}

const isMap = (site: CallSite) => site.params[0]?.kind === 'map'

function weightedSum(datum: Vector, coefficients: Vector, constant: number): number {
  let sum = 0
  for (let i = 0; i < datum.length; i++) sum += datum[i]! * coefficients[i]!
  return sum + constant
}

function weightedSumOfMap(datum: VectorMap, coefficients: VectorMap, constant: number): number {
  let sum = 0
  for (const [key, value] of datum) sum += value * (coefficients.get(key) ?? 0)
  // A coefficient times a missing zero counts only where the coefficient is not finite, for then it is no number.
  for (const [key, value] of coefficients) if (!datum.has(key)) sum += value * 0
  return sum + constant
}

interface Scalar<Coefficients> {
  readonly coeff: Coefficients
  readonly const: number
}

interface Several<Coefficients, Constants> {
  readonly coeff: Coefficients
  readonly const: Constants
}

const NONE: VectorMap = new Map()

function linear(site: CallSite) {
  const several = depth(site, 'coeff') === 2
  if (isMap(site)) {
    if (!several) {
      return (datum: VectorMap, model: Scalar<VectorMap>) => weightedSumOfMap(datum, model.coeff, model.const)
    }
    return (datum: VectorMap, { coeff, const: constants }: Several<RowsMap, VectorMap>) => {
      const result = new Map<string, number>()
      for (const key of new Set([...constants.keys(), ...coeff.keys()])) {
        result.set(key, weightedSumOfMap(datum, coeff.get(key) ?? NONE, constants.get(key) ?? 0))
      }
      return result
    }
  }
  if (!several) {
    return (datum: Vector, model: Scalar<Vector>) => {
      const { coeff } = model
      if (coeff.length !== datum.length) throw site.error(31000)
      return weightedSum(datum, coeff, model.const)
    }
  }
  return (datum: Vector, { coeff, const: constants }: Several<Rows, Vector>) => {
    if (coeff.length !== constants.length) throw site.error(31001)
    const result = new Array<number>(coeff.length)
    for (let i = 0; i < coeff.length; i++) if (coeff[i]!.length !== datum.length) throw site.error(31000)
    for (let i = 0; i < coeff.length; i++) result[i] = weightedSum(datum, coeff[i]!, constants[i]!)
    return result
  }
}

/** o^T C o, where o is the datum with a one for the constant term at its end. */
function variance(site: CallSite, datum: Vector, covariance: Rows): number {
  const size = datum.length + 1
  if (covariance.length !== size) throw site.error(31010)
  let sum = 0
  for (let i = 0; i < size; i++) {
    const row = covariance[i]!
    if (row.length !== size) throw site.error(31010)
    let inner = row[datum.length]!
    for (let j = 0; j < datum.length; j++) inner += row[j]! * datum[j]!
    sum += i < datum.length ? inner * datum[i]! : inner
  }
  return sum
}

/** The same for maps, where the key of the constant term is the empty string. */
function varianceOfMap(datum: VectorMap, covariance: RowsMap): number {
  const keys = columnKeys(covariance, new Set([...datum.keys(), ...covariance.keys(), '']))
  const at = (key: string) => (key === '' ? 1 : (datum.get(key) ?? 0))
  let sum = 0
  for (const i of keys) {
    const row = covariance.get(i) ?? NONE
    for (const j of keys) sum += at(i) * (row.get(j) ?? 0) * at(j)
  }
  return sum
}

function linearVariance(site: CallSite) {
  const several = depth(site, 'covar') === 3
  if (isMap(site)) {
    if (!several) return (datum: VectorMap, { covar }: { covar: RowsMap }) => varianceOfMap(datum, covar)
    return (datum: VectorMap, { covar }: { covar: ReadonlyMap<string, RowsMap> }) =>
      new Map([...covar].map(([key, covariance]) => [key, varianceOfMap(datum, covariance)]))
  }
  if (!several) return (datum: Vector, { covar }: { covar: Rows }) => variance(site, datum, covar)
  return (datum: Vector, { covar }: { covar: readonly Rows[] }) =>
    covar.map((covariance) => variance(site, datum, covariance))
}

export const regression: LibraryModule = {
  'model.reg.linear': linear,
  'model.reg.linearVariance': linearVariance,
}
