// `model.reg.gaussianProcess`: a table of training data and a point come in, the fitted value at that point goes out.
import { cholesky, type Matrix, matrix, solveLower, solveLowerTransposed } from '../../numerics/matrix.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { fieldType, hasField, recordType } from '../record.ts'
import type { Rows, Vector } from '../vector.ts'

type Kernel = (x: Vector, y: Vector) => number

interface Datum {
  readonly x: number | Vector
  readonly to: number | Vector
  readonly sigma: number | Vector
}

/** What is added to the diagonal where the data have no uncertainties, so that rounding keeps the matrix definite. */
const JITTER = 10 * Number.EPSILON

const gaussianProcessAt: Implementation = (site) => {
  const record = recordType(site, 1)
  const to = fieldType(record, 'to')
  const scalarX = site.params[0]?.kind !== 'array'
  const scalarTo = to.kind !== 'array'
  const withSigma = hasField(site, record, 'sigma', (type) => type.kind === to.kind)
  return (point: number | Vector, table: readonly Datum[], krigingWeight: number | null, kernel: Kernel) => {
    const x = scalarX ? [point as number] : (point as Vector)
    const inputs = table.map((datum) => (scalarX ? [datum.x as number] : (datum.x as Vector)))
    const outputs = table.map((datum) => (scalarTo ? [datum.to as number] : (datum.to as Vector)))
    check(site, x, inputs, outputs, krigingWeight)
    const scaleX = standardisation(inputs)
    const apart = inputs.map((input) => standardise(input, scaleX))
    const target = standardise(x, scaleX)
    // The constant fitted to the first output serves the others too, as in the reference implementation.
    let constant = krigingWeight
    const predict = (output: number) => {
      const y = outputs.map((row) => row[output]!)
      const nugget = table.map(({ sigma }, i) => {
        if (!withSigma) return JITTER
        const uncertainty = scalarTo ? (sigma as number) : (sigma as Vector)[output]!
        return y[i] === 0 ? Number.POSITIVE_INFINITY : (uncertainty / y[i]!) ** 2
      })
      const fit = fitted(site, apart, y, nugget, constant, kernel)
      constant = fit.constant
      return predicted(fit, apart, y, kernel, target)
    }
    return scalarTo ? predict(0) : outputs[0]!.map((_, output) => predict(output))
  }
}

/** The order of the errors is that of the reference implementation. */
function check(site: CallSite, x: Vector, inputs: Rows, outputs: Rows, krigingWeight: number | null): void {
  const allFinite = (values: Vector) => values.every(Number.isFinite)
  if (inputs.length === 0) throw site.error(31080)
  if (x.length === 0) throw site.error(31081)
  if (inputs.some((input) => input.length !== x.length)) throw site.error(31082)
  if (outputs[0]!.length === 0) throw site.error(31083)
  if (outputs.some((output) => output.length !== outputs[0]!.length)) throw site.error(31084)
  if (!allFinite(x)) throw site.error(31085)
  if (!outputs.every(allFinite) || !inputs.every(allFinite)) throw site.error(31086)
  if (krigingWeight !== null && !Number.isFinite(krigingWeight)) throw site.error(31087)
}

interface Standardisation {
  readonly mean: Vector
  readonly deviation: Vector
}

function standardisation(rows: Rows): Standardisation {
  const mean = rows[0]!.map((_, j) => average(rows.map((row) => row[j]!)))
  const deviation = mean.map((centre, j) =>
    spread(
      rows.map((row) => row[j]!),
      centre,
    ),
  )
  return { mean, deviation }
}

function standardise(x: Vector, { mean, deviation }: Standardisation): number[] {
  return x.map((value, j) => (value - mean[j]!) / deviation[j]!)
}

function average(values: Vector): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function spread(values: Vector, mean: number): number {
  return Math.sqrt(average(values.map((value) => (value - mean) ** 2)))
}

interface Fit {
  readonly constant: number
  /** How much each datum pulls, by its correlation with the point. */
  readonly weights: Float64Array
}

/** Kriging: the regression on a constant, unless that is given, and the correlated departures from it. */
function fitted(
  site: CallSite,
  inputs: Rows,
  outputs: Vector,
  nugget: Vector,
  given: number | null,
  kernel: Kernel,
): Fit {
  const mean = average(outputs)
  const deviation = spread(outputs, mean)
  const lower = cholesky(correlations(site, inputs, nugget, kernel), () => site.host.tick())
  if (lower === undefined) throw site.error(31088)
  const ones = solveLower(lower, new Float64Array(inputs.length).fill(1))
  const values = solveLower(
    lower,
    outputs.map((value) => (value - mean) / deviation),
  )
  const constant = given ?? product(ones, values) / product(ones, ones)
  const departures = values.map((value, i) => value - constant * ones[i]!)
  return { constant, weights: solveLowerTransposed(lower, departures) }
}

function predicted({ constant, weights }: Fit, inputs: Rows, outputs: Vector, kernel: Kernel, target: Vector): number {
  const mean = average(outputs)
  let sum = constant
  for (let i = 0; i < inputs.length; i++) sum += kernel(target, inputs[i]!) * weights[i]!
  return mean + spread(outputs, mean) * sum
}

function correlations(site: CallSite, inputs: Rows, nugget: Vector, kernel: Kernel): Matrix {
  const size = inputs.length
  const result = matrix(size, size)
  for (let i = 0; i < size; i++) {
    site.host.tick()
    result.data[i * size + i] = 1 + nugget[i]!
    // Only the lower half is read; the reference evaluates the kernel with the earlier datum first.
    for (let j = 0; j < i; j++) result.data[i * size + j] = kernel(inputs[j]!, inputs[i]!)
  }
  return result
}

function product(x: Float64Array, y: Float64Array): number {
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!
  return sum
}

export const gaussianProcess: LibraryModule = { 'model.reg.gaussianProcess': gaussianProcessAt }
