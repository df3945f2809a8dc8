import { describe, expect, it } from 'vitest'
import * as continuous from '../../src/numerics/continuous.ts'
import * as discrete from '../../src/numerics/discrete.ts'
import { erf, erfc } from '../../src/numerics/erf.ts'
import { lnBeta, lnGamma } from '../../src/numerics/gamma.ts'
import { relativeError, table } from './tables.ts'

type Numeric = (...numbers: number[]) => number

const functions: Record<string, Numeric> = {
  lnGamma,
  lnBeta,
  erf,
  erfc,
  gaussianLL: continuous.gaussian.logDensity,
  gaussianCDF: continuous.gaussian.cumulative,
  gaussianQF: continuous.gaussian.quantile,
}
const { gaussian: _, ...others } = continuous
for (const [name, distribution] of Object.entries({ ...others, ...discrete })) {
  functions[`${name}PDF`] = distribution.density
  functions[`${name}CDF`] = distribution.cumulative
  functions[`${name}QF`] = distribution.quantile
}

const rows = table('distributions.csv').filter((row) => row.name !== 'nChooseK')
const names = [...new Set(rows.map((row) => row.name))]
const wholeNumbered = new Set(Object.keys(discrete).map((name) => `${name}QF`))

/** R's ln Gamma has its zeros at 1 and 2 only to absolute precision, and so has its ln Beta. */
const absolute: Record<string, number> = { lnGamma: 1e-15, lnBeta: 1e-15 }

describe('agrees with R', () => {
  it('has a row for each function', () => {
    expect(names.sort()).toEqual(Object.keys(functions).sort())
  })

  for (const name of names) {
    const tolerance = wholeNumbered.has(name) ? 0 : name.endsWith('QF') ? 1e-8 : 1e-10
    it(`${name} within ${tolerance}`, () => {
      for (const { numbers } of rows.filter((row) => row.name === name)) {
        const given = numbers.slice(0, -1)
        const expected = numbers.at(-1)!
        const value = functions[name]!(...given)
        const near = Math.abs(value - expected) <= (absolute[name] ?? 0)
        if (!near) expect(relativeError(value, expected), `${name}(${given}) = ${value}`).toBeLessThanOrEqual(tolerance)
      }
    })
  }
})

describe('where R is less exact than needed', () => {
  // Computed with 50 digits.
  const cases: [string, number[], number][] = [
    ['chi2PDF', [996712.98883841152, 1e6], 1.888732638927335e-5],
    ['chi2PDF', [1008505.5094573307, 1e6], 4.328689182461886e-12],
    ['lnGamma', [1 + 2 ** -30], -5.375739784311044e-10],
    ['lnGamma', [2 - 2 ** -30], -3.937485951913021e-10],
    ['erf', [1e-300], 1.1283791670955126e-300],
    ['erfc', [26.5], 2.210907664263734e-307],
    ['gammaCDF', [1e-5, 1e-3, 1], 0.9891230446957827],
    ['tCDF', [-1e200, 1], 3.1830988618379067e-201],
  ]
  it.each(cases)('%s(%j)', (name, given, expected) => {
    expect(relativeError(functions[name]!(...given), expected)).toBeLessThan(1e-12)
  })
})

describe('edges', () => {
  const { POSITIVE_INFINITY: inf } = Number
  const cases: [string, number[], number][] = [
    ['gaussianLL', [2, 2, 0], inf],
    ['gaussianLL', [3, 2, 0], -inf],
    ['gaussianCDF', [1, 2, 0], 0],
    ['gaussianCDF', [2, 2, 0], 1],
    ['gaussianQF', [0, 2, 1], -inf],
    ['gaussianQF', [1, 2, 1], inf],
    ['gaussianQF', [0.3, 2, 0], 2],
    ['exponentialPDF', [-1, 2], 0],
    ['exponentialPDF', [0, 2], 2],
    ['exponentialQF', [0, 0], 0],
    ['exponentialQF', [0.1, 0], inf],
    ['exponentialQF', [1, 3], inf],
    ['chi2PDF', [0, 1], inf],
    ['chi2PDF', [0, 2], 0.5],
    ['chi2PDF', [0, 3], 0],
    ['chi2PDF', [1, 0], 0],
    ['chi2CDF', [1, 0], 1],
    ['chi2QF', [0.5, 0], 0],
    ['chi2QF', [1, 0], inf],
    ['poissonPDF', [0, 0], 1],
    ['poissonPDF', [-1, 3], 0],
    ['poissonCDF', [-1, 3], 0],
    ['poissonQF', [1, 3], inf],
    ['poissonQF', [1, 0], 0],
    ['gammaPDF', [0, 0.5, 1], inf],
    ['gammaPDF', [0, 1, 4], 0.25],
    ['gammaPDF', [0, 2, 1], 0],
    ['gammaPDF', [1, 0, 1], 0],
    ['gammaCDF', [-1, 2, 1], 0],
    ['gammaQF', [0, 2, 1], 0],
    ['gammaQF', [1, 2, 1], inf],
    ['gammaQF', [1e-300, 1e-3, 1], 0],
    ['betaPDF', [0, 0.5, 2], inf],
    ['betaPDF', [0, 1, 3], 3],
    ['betaPDF', [1, 3, 1], 3],
    ['betaPDF', [1, 3, 0.5], inf],
    ['betaPDF', [2, 1, 1], 0],
    ['betaCDF', [2, 1, 1], 1],
    ['betaQF', [0, 2, 3], 0],
    ['betaQF', [1, 2, 3], 1],
    ['cauchyQF', [0, 0, 1], -inf],
    ['cauchyQF', [1, 0, 1], inf],
    ['fPDF', [0, 1, 3], inf],
    ['fPDF', [0, 2, 3], 1],
    ['fQF', [0, 2, 3], 0],
    ['fQF', [1, 2, 3], inf],
    ['lognormalPDF', [0, 0, 1], 0],
    ['lognormalQF', [0, 0, 1], 0],
    ['lognormalQF', [1, 0, 1], inf],
    ['tQF', [0, 3], -inf],
    ['tQF', [1, 3], inf],
    ['tQF', [0.5, 3], 0],
    ['uniformPDF', [2, 0, 1], 0],
    ['uniformCDF', [2, 0, 1], 1],
    ['weibullPDF', [0, 0.5, 1], inf],
    ['weibullPDF', [0, 1, 4], 0.25],
    ['weibullPDF', [1e300, 3, 1], 0],
    ['binomialPDF', [5, 5, 1], 1],
    ['binomialPDF', [6, 5, 0.3], 0],
    ['binomialCDF', [4.9, 5, 1], 0],
    ['binomialQF', [1, 5, 0.5], 5],
    ['binomialQF', [0, 5, 0.5], 0],
    ['geometricPDF', [-1, 0.5], 0],
    ['geometricPDF', [0, 1], 1],
    ['geometricQF', [1, 0.5], inf],
    ['geometricQF', [0.5, 0.5], 0],
    ['hypergeometricPDF', [4, 3, 3, 3], 0],
    ['hypergeometricCDF', [4, 3, 3, 3], 1],
    ['hypergeometricCDF', [-1, 3, 3, 3], 0],
    ['hypergeometricQF', [1, 3, 3, 3], 3],
    ['hypergeometricPDF', [0, 0, 5, 2], 1],
    ['negativeBinomialPDF', [0, 0, 0.5], 1],
    ['negativeBinomialCDF', [3, 0, 0.5], 1],
    ['negativeBinomialQF', [1, 3, 0.5], inf],
  ]
  it.each(cases)('%s(%j) = %d', (name, given, expected) => {
    expect(functions[name]!(...given)).toBe(expected)
  })

  it('ends for the largest and the smallest', () => {
    expect(functions.negativeBinomialQF!(0.3, 2147483647, 1e-9)).toBeCloseTo(2.1474593433929226e18, -10)
    expect(functions.chi2QF!(5e-324, 2147483647)).toBeCloseTo(2144973959.9, 0)
    expect(functions.gammaQF!(0.5, 1e300, 1)).toBeCloseTo(1e300, -290)
    expect(functions.betaCDF!(0.5, 1e12, 1e12)).toBeCloseTo(0.5, 12)
    expect(functions.lnGamma!(Number.NaN)).toBeNaN()
    expect(functions.gammaCDF!(Number.NaN, 2, 1)).toBeNaN()
  })

  it('takes quantiles back through the distribution function', () => {
    const probabilities = [1e-250, 1e-30, 1e-4, 0.2, 0.5, 0.7, 0.9999]
    for (const [name, ...parameters] of [
      ['gamma', 3e-2, 1],
      ['gamma', 3e6, 1],
      ['beta', 1e-2, 5],
      ['beta', 3e6, 8e5],
      ['f', 5, 3],
      ['t', 4],
    ] as [keyof typeof others, ...number[]][]) {
      for (const p of probabilities) {
        const x = others[name].quantile(p, ...parameters)
        if (x > 0 || name === 't')
          expect(relativeError(others[name].cumulative(x, ...parameters), p)).toBeLessThan(1e-7)
      }
    }
  })
})
