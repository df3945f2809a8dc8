// A shape and a point come in; the regularised incomplete gamma functions P and Q = 1 - P and their inverse go out.
import { erfc, normalQuantile } from './erf.ts'
import { lnGamma1p, log1pMinus, poissonTerm } from './gamma.ts'

/** From this shape on, and near the mean, the expansion that is uniform in both is shorter than series and fraction. */
const LARGE_SHAPE = 100
const NEAR_MEAN = 0.3

/** P(a, x): the gamma distribution function with unit scale. */
export function gammaP(a: number, x: number): number {
  if (x <= 0) return 0
  if (a >= LARGE_SHAPE && Math.abs(x - a) < NEAR_MEAN * a) return uniform(a, x, -1)
  if (x < a + 1) return series(a, x)
  return 1 - fraction(a, x)
}

/** Q(a, x) = 1 - P(a, x), without the cancellation where it is small. */
export function gammaQ(a: number, x: number): number {
  if (x <= 0) return 1
  if (a >= LARGE_SHAPE && Math.abs(x - a) < NEAR_MEAN * a) return uniform(a, x, 1)
  if (x < a + 1) return 1 - series(a, x)
  return fraction(a, x)
}

/** P by its power series: x^a e^-x / Gamma(a + 1) * (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...). */
function series(a: number, x: number): number {
  const factor = poissonTerm(a, x)
  if (factor === 0) return 0
  let term = 1
  let sum = 1
  for (let k = a + 1; ; k++) {
    term *= x / k
    const next = sum + term
    if (!(next > sum)) return factor * sum
    sum = next
  }
}

/** Q by Legendre's continued fraction, evaluated forwards (Lentz). */
function fraction(a: number, x: number): number {
  const factor = poissonTerm(a, x) * a
  if (factor === 0) return 0
  let denominator = x + 1 - a
  let c = 1 / Number.MIN_VALUE
  let d = 1 / denominator
  let value = d
  for (let k = 1; k < 100_000; k++) {
    const numerator = -k * (k - a)
    denominator += 2
    d = 1 / (numerator * d + denominator)
    c = numerator / c + denominator
    const change = c * d
    value *= change
    if (Math.abs(change - 1) < 2e-16) break
  }
  return factor * value
}

const TERMS = 9
const POWERS = 28

/** Coefficients g_k of Stirling's series Gamma(a) ~ ... (1 + g_1/a + g_2/a^2 + ...). */
const GAMMA_SERIES = [
  1,
  1 / 12,
  1 / 288,
  -139 / 51840,
  -571 / 2488320,
  163879 / 209018880,
  5246819 / 75246796800,
  -534703531 / 902961561600,
  -4483131259 / 86684309913600,
]

/**
 * Temme's coefficients: row k holds the Taylor coefficients of C_k(eta), where eta^2 / 2 = mu - ln(1 + mu) and
 * mu = x/a - 1. From mu mu' = eta (1 + mu) follow first the coefficients of mu, then those of C_0 = 1/mu - 1/eta, and then
 * C_k = C'_(k-1) / eta + (-1)^k g_k / mu, where the poles at eta = 0 cancel.
 */
const TEMME = temmeCoefficients()

function temmeCoefficients(): Float64Array[] {
  const size = POWERS + 2 * TERMS
  const mu = new Float64Array(size + 3)
  mu[1] = 1
  mu[2] = 1 / 3
  for (let n = 3; n < mu.length; n++) {
    let sum = mu[n - 1]!
    for (let k = 2; k < n; k++) sum -= k * mu[k]! * mu[n + 1 - k]!
    mu[n] = sum / (n + 1)
  }
  const first = new Float64Array(size)
  for (let n = 0; n < size; n++) first[n] = (n + 2) * mu[n + 2]! - (n === 0 ? 1 : 0)
  const rows = [first]
  for (let k = 1; k < TERMS; k++) {
    const before = rows[k - 1]!
    const sign = k % 2 === 0 ? 1 : -1
    const row = new Float64Array(before.length - 2)
    for (let n = 0; n < row.length; n++) row[n] = (n + 2) * before[n + 2]! + sign * GAMMA_SERIES[k]! * first[n]!
    rows.push(row)
  }
  return rows
}

/** Temme's expansion for large a and x near a: side 1 gives Q, side -1 gives P. */
function uniform(a: number, x: number, side: 1 | -1): number {
  const mu = (x - a) / a
  const half = -log1pMinus(mu)
  const eta = Math.sign(mu) * Math.sqrt(2 * half)
  let sum = 0
  for (let k = TERMS - 1; k >= 0; k--) {
    const row = TEMME[k]!
    let value = 0
    for (let n = Math.min(POWERS, row.length) - 1; n >= 0; n--) value = value * eta + row[n]!
    sum = sum / a + value
  }
  const rest = (Math.exp(-a * half) / Math.sqrt(2 * Math.PI * a)) * sum
  return 0.5 * erfc(side * eta * Math.sqrt(a / 2)) + side * rest
}

/**
 * x with P(a, x) = p, given p and q = 1 - p. Newton's method for the logarithm of the smaller tail as a function of ln x:
 * that function is concave for every shape, so that each step stays on the same side of the solution.
 */
export function gammaQuantile(a: number, p: number, q: number): number {
  if (p <= 0) return 0
  if (q <= 0) return Number.POSITIVE_INFINITY
  // For small x, P(a, x) = x^a / Gamma(a + 1) (1 - a x / (a + 1) + ...).
  const smallest = (Math.log(p) + lnGamma1p(a)) / a
  if (smallest < -40) return Math.exp(smallest)
  const lower = p <= q
  const target = Math.log(lower ? p : q)
  let logX = firstGuess(a, p, q, smallest)
  let inside = Math.log(a)
  for (let step = 0; step < 200; step++) {
    const x = Math.exp(logX)
    const tail = lower ? gammaP(a, x) : gammaQ(a, x)
    const slope = (a * poissonTerm(a, x)) / tail
    if (!(tail > 0 && slope > 0)) {
      // Too far out for the tail to be a number at all: come back half of the way.
      logX = (logX + inside) / 2
      continue
    }
    inside = logX
    const change = ((Math.log(tail) - target) / slope) * (lower ? 1 : -1)
    logX -= change
    if (Math.abs(change) < 1e-14 * Math.max(1, Math.abs(logX))) break
  }
  return Math.exp(logX)
}

/** ln x by the cube-root approximation of Wilson and Hilferty, or by the first term of the series where that fails. */
function firstGuess(a: number, p: number, q: number, smallest: number): number {
  const z = p < q ? normalQuantile(p) : -normalQuantile(q)
  const cube = 1 - 1 / (9 * a) + z / (3 * Math.sqrt(a))
  if (a < 0.5 || cube < 0.1) return Math.min(smallest, q < 0.1 ? Math.log(-Math.log(q)) : smallest)
  return Math.log(a) + 3 * Math.log(cube)
}
