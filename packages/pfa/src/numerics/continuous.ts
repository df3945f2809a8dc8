// A point or a probability and parameters come in; density, distribution function and quantile of continuous distributions
// go out. Parameters are valid and probabilities within [0, 1]: the library checks them before it calls.
import { normalCdf, normalQuantile } from './erf.ts'
import { deviance, poissonTerm, stirlingError } from './gamma.ts'
import { betaI, betaLogit, betaQuantile, betaTerm } from './incomplete-beta.ts'
import { gammaP, gammaQuantile } from './incomplete-gamma.ts'

export interface Distribution {
  density(x: number, ...parameters: number[]): number
  cumulative(x: number, ...parameters: number[]): number
  quantile(p: number, ...parameters: number[]): number
}

const SQRT_2PI = 2.5066282746310002
const LN_SQRT_2PI = 0.9189385332046728
const INFINITY = Number.POSITIVE_INFINITY

export const gaussian = {
  logDensity(x: number, mean: number, deviation: number): number {
    if (deviation === 0) return x === mean ? INFINITY : -INFINITY
    const z = (x - mean) / deviation
    return -0.5 * z * z - Math.log(deviation) - LN_SQRT_2PI
  },
  cumulative(x: number, mean: number, deviation: number): number {
    if (deviation === 0) return x < mean ? 0 : 1
    return normalCdf((x - mean) / deviation)
  },
  quantile(p: number, mean: number, deviation: number): number {
    if (p === 0) return -INFINITY
    if (p === 1) return INFINITY
    return mean + deviation * normalQuantile(p)
  },
}

export const lognormal: Distribution = {
  density(x, meanLog: number, deviationLog: number) {
    if (x <= 0) return 0
    const z = (Math.log(x) - meanLog) / deviationLog
    return Math.exp(-0.5 * z * z) / (SQRT_2PI * deviationLog * x)
  },
  cumulative(x, meanLog: number, deviationLog: number) {
    return x <= 0 ? 0 : normalCdf((Math.log(x) - meanLog) / deviationLog)
  },
  quantile(p, meanLog: number, deviationLog: number) {
    return Math.exp(gaussian.quantile(p, meanLog, deviationLog))
  },
}

export const exponential: Distribution = {
  density: (x, rate: number) => (x < 0 ? 0 : rate * Math.exp(-rate * x)),
  cumulative: (x, rate: number) => (x <= 0 ? 0 : -Math.expm1(-rate * x)),
  quantile: (p, rate: number) => (p === 0 ? 0 : -Math.log1p(-p) / rate),
}

export const uniform: Distribution = {
  density: (x, low: number, high: number) => (x < low || x > high ? 0 : 1 / (high - low)),
  cumulative: (x, low: number, high: number) => (x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low)),
  quantile: (p, low: number, high: number) => low + p * (high - low),
}

export const cauchy: Distribution = {
  density(x, location: number, scale: number) {
    const z = (x - location) / scale
    return 1 / (Math.PI * scale * (1 + z * z))
  },
  cumulative(x, location: number, scale: number) {
    const z = (x - location) / scale
    // Far out in the lower tail 1/2 + atan(z)/pi cancels, atan(1/z) does not.
    return z < -1 ? Math.atan(-1 / z) / Math.PI : 0.5 + Math.atan(z) / Math.PI
  },
  quantile(p, location: number, scale: number) {
    if (p === 0) return -INFINITY
    if (p === 1) return INFINITY
    if (Math.abs(p - 0.5) < 0.25) return location + scale * Math.tan(Math.PI * (p - 0.5))
    return p < 0.5 ? location - scale / Math.tan(Math.PI * p) : location + scale / Math.tan(Math.PI * (1 - p))
  },
}

export const weibull: Distribution = {
  density(x, shape: number, scale: number) {
    if (x < 0) return 0
    if (x === 0) return shape < 1 ? INFINITY : shape === 1 ? 1 / scale : 0
    const z = x / scale
    const before = z ** (shape - 1)
    return before === INFINITY ? 0 : (shape / scale) * before * Math.exp(-z * before)
  },
  cumulative: (x, shape: number, scale: number) => (x <= 0 ? 0 : -Math.expm1(-((x / scale) ** shape))),
  quantile: (p, shape: number, scale: number) => scale * (-Math.log1p(-p)) ** (1 / shape),
}

export const gamma: Distribution = {
  density(x, shape: number, scale: number) {
    if (shape === 0 || scale === 0) return x === 0 ? INFINITY : 0
    if (x < 0) return 0
    if (x === 0) return shape < 1 ? INFINITY : shape === 1 ? 1 / scale : 0
    if (shape < 1) return (poissonTerm(shape, x / scale) * shape) / x
    return poissonTerm(shape - 1, x / scale) / scale
  },
  cumulative(x, shape: number, scale: number) {
    if (x <= 0) return 0
    return shape === 0 || scale === 0 ? 1 : gammaP(shape, x / scale)
  },
  quantile: (p, shape: number, scale: number) => scale * gammaQuantile(shape, p, 1 - p),
}

/** The gamma distribution with shape dof / 2 and scale 2; without degrees of freedom all of it is at zero. */
export const chi2: Distribution = {
  density: (x, dof: number) => gamma.density(x, dof / 2, 2),
  cumulative: (x, dof: number) => gamma.cumulative(x, dof / 2, 2),
  quantile(p, dof: number) {
    if (p === 1) return INFINITY
    return dof === 0 ? 0 : gamma.quantile(p, dof / 2, 2)
  },
}

export const beta: Distribution = {
  density(x, a: number, b: number) {
    if (x < 0 || x > 1) return 0
    if (x === 0) return a < 1 ? INFINITY : a === 1 ? b : 0
    if (x === 1) return b < 1 ? INFINITY : b === 1 ? a : 0
    return betaTerm(a, b, x, 1 - x) / (x * (1 - x))
  },
  cumulative: (x, a: number, b: number) => betaI(a, b, x, 1 - x),
  quantile: (p, a: number, b: number) => betaQuantile(a, b, p),
}

/** With x = d1 f / (d1 f + d2), f has the F distribution exactly when x has the beta distribution (d1 / 2, d2 / 2). */
export const f: Distribution = {
  density(x, d1: number, d2: number) {
    if (x < 0) return 0
    if (x === 0) return d1 < 2 ? INFINITY : d1 === 2 ? 1 : 0
    const above = d1 * x
    return betaTerm(d1 / 2, d2 / 2, above / (above + d2), d2 / (above + d2)) / x
  },
  cumulative(x, d1: number, d2: number) {
    if (x <= 0) return 0
    const above = d1 * x
    return betaI(d1 / 2, d2 / 2, above / (above + d2), d2 / (above + d2))
  },
  quantile: (p, d1: number, d2: number) => (d2 / d1) * Math.exp(betaLogit(d1 / 2, d2 / 2, p, 1 - p)),
}

/** With y = dof / (dof + t^2), both tails of t together are I_y(dof / 2, 1 / 2). */
export const t: Distribution = {
  density(x, dof: number) {
    const half = dof / 2
    const factor = Math.exp(stirlingError(half + 0.5) - stirlingError(half) - deviance(half, half + 0.5)) / SQRT_2PI
    const square = (x * x) / dof
    // Where x^2 is no number any more its logarithm still is.
    const spread = square < 1e300 ? Math.log1p(square) : 2 * Math.log(Math.abs(x)) - Math.log(dof)
    return factor * Math.exp(-(half + 0.5) * spread)
  },
  cumulative(x, dof: number) {
    const square = x * x
    const y = dof / (dof + square)
    const both = square === INFINITY ? farTails(x, dof) : betaI(dof / 2, 0.5, y, square / (dof + square))
    return x > 0 ? 1 - both / 2 : both / 2
  },
  quantile(p, dof: number) {
    if (p === 0) return -INFINITY
    if (p === 1) return INFINITY
    if (p === 0.5) return 0
    const both = 2 * Math.min(p, 1 - p)
    const size = Math.sqrt(dof) * Math.exp(-0.5 * betaLogit(dof / 2, 0.5, both, 1 - both))
    return p < 0.5 ? -size : size
  },
}

/** The first term of both tails where x^2 is no number any more. */
function farTails(x: number, dof: number): number {
  const logY = Math.log(dof) - 2 * Math.log(Math.abs(x))
  return (2 / dof) * betaTerm(dof / 2, 0.5, 1e-300, 1) * Math.exp((dof / 2) * (logY - Math.log(1e-300)))
}
