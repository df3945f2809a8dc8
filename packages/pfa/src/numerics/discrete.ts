// A count or a probability and parameters come in; mass, distribution function and quantile of discrete distributions go
// out. Parameters are valid and probabilities within [0, 1]: the library checks them before it calls.
import type { Distribution } from './continuous.ts'
import { normalQuantile } from './erf.ts'
import { binomialTerm, poissonTerm } from './gamma.ts'
import { betaI } from './incomplete-beta.ts'
import { gammaQ } from './incomplete-gamma.ts'

const INFINITY = Number.POSITIVE_INFINITY
/** A distribution function may come out a few units in the last place too low: the same slack that R allows. */
const SLACK = 8 * Number.EPSILON

export const poisson: Distribution = {
  density: (x, mean: number) => (x < 0 ? 0 : poissonTerm(x, mean)),
  cumulative: (x, mean: number) => (x < 0 ? 0 : mean === 0 ? 1 : gammaQ(Math.floor(x) + 1, mean)),
  quantile(p, mean: number) {
    if (mean === 0) return 0
    return p === 1 ? INFINITY : search(p, 0, INFINITY, mean, Math.sqrt(mean), (x) => poisson.cumulative(x, mean))
  },
}

export const binomial: Distribution = {
  density: (x, size: number, p: number) => (x < 0 || x > size ? 0 : binomialTerm(x, size, p, 1 - p)),
  cumulative(x, size: number, p: number) {
    const count = Math.floor(x)
    if (count < 0) return 0
    return count >= size ? 1 : betaI(size - count, count + 1, 1 - p, p)
  },
  quantile(p, size: number, success: number) {
    if (p === 1) return size
    const mean = size * success
    const deviation = Math.sqrt(mean * (1 - success))
    return search(p, 0, size, mean, deviation, (x) => binomial.cumulative(x, size, success))
  },
}

export const geometric: Distribution = {
  density: (x, p: number) => (x < 0 ? 0 : p === 1 ? (x === 0 ? 1 : 0) : p * Math.exp(x * Math.log1p(-p))),
  cumulative: (x, p: number) => (x < 0 ? 0 : -Math.expm1((Math.floor(x) + 1) * Math.log1p(-p))),
  quantile(p, success: number) {
    if (p === 1) return INFINITY
    if (p === 0 || success === 1) return 0
    return Math.max(0, Math.ceil((Math.log1p(-p) / Math.log1p(-success)) * (1 - SLACK) - 1))
  },
}

/** x failures before the success number `size`: P(X <= x) = I_p(size, x + 1). */
export const negativeBinomial: Distribution = {
  density(x, size: number, p: number) {
    if (x < 0) return 0
    if (size === 0) return x === 0 ? 1 : 0
    return (size / (size + x)) * binomialTerm(size, x + size, p, 1 - p)
  },
  cumulative(x, size: number, p: number) {
    if (x < 0) return 0
    return size === 0 ? 1 : betaI(size, Math.floor(x) + 1, p, 1 - p)
  },
  quantile(p, size: number, success: number) {
    if (size === 0 || success === 1) return 0
    if (p === 1) return INFINITY
    const mean = (size * (1 - success)) / success
    const deviation = Math.sqrt(mean / success)
    return search(p, 0, INFINITY, mean, deviation, (x) => negativeBinomial.cumulative(x, size, success))
  },
}

/** x white balls among `drawn` from an urn with `white` and `black` ones. */
export const hypergeometric: Distribution = {
  density(x, white: number, black: number, drawn: number) {
    if (x < Math.max(0, drawn - black) || x > Math.min(drawn, white)) return 0
    if (drawn === 0) return 1
    // Three binomial terms with any common p have the urn's ratio; this p keeps all three near their peaks.
    const p = drawn / (white + black)
    const q = (white + black - drawn) / (white + black)
    return (
      (binomialTerm(x, white, p, q) * binomialTerm(drawn - x, black, p, q)) / binomialTerm(drawn, white + black, p, q)
    )
  },
  cumulative(x, white: number, black: number, drawn: number) {
    if (x < Math.max(0, drawn - black)) return 0
    if (x >= Math.min(drawn, white)) return 1
    if (x * (white + black) <= drawn * white) return lowerSum(x, white, black, drawn)
    // Above the mean: the other balls drawn are fewer than drawn - x exactly when more than x are white.
    return 1 - lowerSum(drawn - x - 1, black, white, drawn)
  },
  quantile(p, white: number, black: number, drawn: number) {
    const low = Math.max(0, drawn - black)
    const high = Math.min(drawn, white)
    const all = white + black
    const mean = (drawn * white) / all
    const deviation = Math.sqrt((((mean * black) / all) * (all - drawn)) / Math.max(1, all - 1))
    if (p === 1) return high
    return search(p, low, high, mean, deviation, (x) => hypergeometric.cumulative(x, white, black, drawn))
  },
}

/** P(X <= x) below the mean: the largest term times the sum of ratios, which fall from there. */
function lowerSum(x: number, white: number, black: number, drawn: number): number {
  if (x < Math.max(0, drawn - black)) return 0
  let ratio = 1
  let sum = 1
  for (let k = x; k > 0 && ratio > Number.EPSILON * 0.5 * sum; k--) {
    ratio *= (k * (black - drawn + k)) / ((drawn + 1 - k) * (white + 1 - k))
    sum += ratio
  }
  return hypergeometric.density(x, white, black, drawn) * sum
}

/** The smallest whole number in [low, high] whose distribution function reaches p: bracketed from a normal guess. */
function search(
  p: number,
  low: number,
  high: number,
  mean: number,
  deviation: number,
  cumulative: (x: number) => number,
): number {
  const target = p * (1 - SLACK)
  if (target <= 0 || cumulative(low) >= target) return low
  let below = low
  let above = high
  let guess = Math.min(high, Math.max(low + 1, Math.floor(mean + deviation * normalQuantile(p))))
  let stride = Math.max(1, Math.floor(deviation / 16), guess * Number.EPSILON)
  for (;;) {
    if (cumulative(guess) >= target) {
      above = guess
      if (guess - stride <= below) break
      guess -= stride
    } else {
      below = guess
      if (guess + stride >= above) break
      guess += stride
    }
    // Once both ends are known the rest is halving.
    if (below > low && above < high) break
    stride *= 2
  }
  while (above - below > 1) {
    const middle = Math.floor(below + (above - below) / 2)
    // Beyond 2^53 there may be no whole number between the two.
    if (middle <= below || middle >= above) break
    if (cumulative(middle) >= target) above = middle
    else below = middle
  }
  return above
}
