// The library module `prob.dist`: parameters and inputs are checked here, the numbers are computed in `numerics`.

import type { Distribution } from '../numerics/continuous.ts'
import {
  beta,
  cauchy,
  chi2,
  exponential,
  f,
  gamma,
  gaussian,
  lognormal,
  t,
  uniform,
  weibull,
} from '../numerics/continuous.ts'
import { binomial, geometric, hypergeometric, negativeBinomial, poisson } from '../numerics/discrete.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'

type Valid = (a: number, b: number, c: number) => boolean
type Compute = (x: number, a: number, b: number, c: number) => number

const finite = Number.isFinite
const isProbability = (p: number) => p >= 0 && p <= 1

/** At most three parameters; a distribution with fewer gets undefined for the others and never looks at them. */
function checked(code: number, valid: Valid, accepts: (x: number) => boolean, compute: Compute): Implementation {
  return (site) => (x: number, a: number, b: number, c: number) => {
    if (!valid(a, b, c)) throw site.error(code)
    if (!accepts(x)) throw site.error(code + 1)
    return compute(x, a, b, c)
  }
}

/** Density, distribution function and quantile function have their error codes ten apart. */
function family(
  name: string,
  code: number,
  distribution: Distribution,
  valid: Valid,
  validForQuantile: Valid = valid,
): [string, Implementation][] {
  return [
    [`prob.dist.${name}PDF`, checked(code, valid, finite, distribution.density)],
    [`prob.dist.${name}CDF`, checked(code + 10, valid, finite, distribution.cumulative)],
    [`prob.dist.${name}QF`, checked(code + 20, validForQuantile, isProbability, distribution.quantile)],
  ]
}

/** A normal distribution is given by mean and deviation, or by a record of mean and variance. */
function normal(code: number, accepts: (x: number) => boolean, compute: Compute): Implementation {
  const valid = (mean: number, deviation: number) => finite(mean) && deviation >= 0 && finite(deviation)
  const plain = checked(code, valid, accepts, compute)
  return (site: CallSite) => {
    const call = plain(site)
    if (site.params.length === 3) return call
    // The root of a negative variance is NaN, which is no valid deviation.
    return (x: number, { mean, variance }: { mean: number; variance: number }) => call(x, mean, Math.sqrt(variance))
  }
}

const isRate: Valid = (rate) => rate >= 0 && finite(rate)
const isPositivePair: Valid = (a, b) => a > 0 && b > 0 && finite(a) && finite(b)
const isPair: Valid = (a, b) => a >= 0 && b >= 0 && finite(a) && finite(b)
const isLocationScale: Valid = (location, scale) => finite(location) && scale > 0 && finite(scale)
const isUrn: Valid = (white, black, drawn) =>
  white >= 0 && black >= 0 && white + black > 0 && drawn >= 0 && drawn <= white + black

/** Without shape or scale the reference implementation has probability one on both sides of zero. */
const recordedGamma: Distribution = {
  ...gamma,
  cumulative: (x, shape: number, scale: number) =>
    (shape === 0 || scale === 0) && x < 0 ? 1 : gamma.cumulative(x, shape, scale),
}

export const distributions: LibraryModule = Object.fromEntries([
  ['prob.dist.gaussianLL', normal(13000, finite, gaussian.logDensity)],
  ['prob.dist.gaussianCDF', normal(13010, finite, gaussian.cumulative)],
  ['prob.dist.gaussianQF', normal(13020, isProbability, gaussian.quantile)],
  ...family('exponential', 13030, exponential, isRate),
  ...family('chi2', 13060, chi2, isRate),
  ...family('poisson', 13090, poisson, isRate),
  ...family('gamma', 13120, recordedGamma, isPair, isPositivePair),
  ...family('beta', 13150, beta, isPositivePair),
  ...family('cauchy', 13180, cauchy, isLocationScale),
  ...family('f', 13210, f, isPositivePair),
  ...family('lognormal', 13240, lognormal, isLocationScale),
  ...family('t', 13270, t, (dof) => dof > 0),
  ...family('binomial', 13300, binomial, (size, p) => size > 0 && isProbability(p)),
  ...family('uniform', 13330, uniform, (low, high) => low < high && finite(low) && finite(high)),
  ...family('geometric', 13360, geometric, (p) => p > 0 && p <= 1),
  ...family('hypergeometric', 13390, hypergeometric, isUrn),
  ...family('weibull', 13420, weibull, isPositivePair),
  ...family(
    'negativeBinomial',
    13450,
    negativeBinomial,
    (size, p) => size >= 0 && p > 0 && p <= 1,
    (size, p) => size > 0 && p > 0 && p <= 1,
  ),
])
