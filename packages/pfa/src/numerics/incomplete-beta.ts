// Two shapes and a point come in; the regularised incomplete beta function and its inverse go out.
import { normalQuantile } from './erf.ts'
import { binomialTerm, lnBeta } from './gamma.ts'

/**
 * I_x(a, b), given x and y = 1 - x, both, so that a point close to 1 keeps its digits. The complement 1 - I_x(a, b) is
 * I_y(b, a).
 */
export function betaI(a: number, b: number, x: number, y: number): number {
  if (x <= 0) return 0
  if (y <= 0) return 1
  if (x * (a + b + 2) > a + 1) return 1 - fraction(b, a, y, x)
  return fraction(a, b, x, y)
}

/** x^a y^b / B(a, b): the density times x y. */
export function betaTerm(a: number, b: number, x: number, y: number): number {
  if (a < 2 || b < 2) {
    const lnX = x < y ? Math.log(x) : Math.log1p(-y)
    const lnY = x < y ? Math.log1p(-x) : Math.log(y)
    return Math.exp(a * lnX + b * lnY - lnBeta(a, b))
  }
  return (a / (a + b)) * b * binomialTerm(a, a + b, x, y)
}

/** The continued fraction of DiDonato and Morris in its even form, evaluated forwards (Lentz). */
function fraction(a: number, b: number, x: number, y: number): number {
  const factor = betaTerm(a, b, x, y)
  if (factor === 0) return 0
  // a - (a + b) x, from the smaller of x and y, which has the more digits.
  const lambda = x <= y ? a - (a + b) * x : (a + b) * y - b
  let c = (a / (a + 1)) * (lambda + 1)
  let d = 0
  let value = c
  if (value === 0) value = Number.MIN_VALUE
  c = value
  for (let k = 1; k < 100_000; k++) {
    const double = a + 2 * k
    const numerator = (((a + k - 1) * (a + b + k - 1)) / ((double - 1) * (double - 1))) * k * (b - k) * x * x
    const denominator = k + (k * (b - k) * x) / (double - 1) + ((a + k) * (lambda + 1 + k * (1 + y))) / (double + 1)
    d = denominator + numerator * d
    c = denominator + numerator / c
    d = 1 / d
    const change = c * d
    value *= change
    if (Math.abs(change - 1) < 2e-16) break
  }
  return factor / value
}

/**
 * ln(x / (1 - x)) with I_x(a, b) = p, given p and q = 1 - p. Newton's method for the logarithm of the smaller tail: as a
 * function of ln(x / (1 - x)) it is concave for all shapes, so that each step stays on the same side of the solution.
 */
export function betaLogit(a: number, b: number, p: number, q: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (q <= 0) return Number.POSITIVE_INFINITY
  const lower = p <= q
  const [first, second] = lower ? [a, b] : [b, a]
  const target = Math.log(lower ? p : q)
  // I_x(a, b) is nearly x^a / (a B(a, b)) far out in the lower tail, and less elsewhere. The upper tail is the lower one of
  // the mirror image.
  const smallest = (target + Math.log(first) + lnBeta(first, second)) / first
  if (smallest < -700) return lower ? smallest : -smallest
  const centre = Math.log(first) - Math.log(second)
  const spread = Math.sqrt(1 / first + 1 / second)
  let logit = Math.max(smallest, centre + spread * normalQuantile(lower ? p : q))
  let inside = centre
  for (let step = 0; step < 200; step++) {
    const x = 1 / (1 + Math.exp(-logit))
    const y = 1 / (1 + Math.exp(logit))
    const tail = betaI(first, second, x, y)
    const slope = betaTerm(first, second, x, y) / tail
    if (!(tail > 0 && slope > 0)) {
      // Too far out for the tail to be a number at all: come back half of the way.
      logit = (logit + inside) / 2
      continue
    }
    inside = logit
    const change = (Math.log(tail) - target) / slope
    logit = Math.max(smallest, logit - change)
    if (Math.abs(change) < 1e-14 * Math.max(1, Math.abs(logit))) break
  }
  return lower ? logit : -logit
}

/** x with I_x(a, b) = p. */
export function betaQuantile(a: number, b: number, p: number): number {
  const logit = betaLogit(a, b, p, 1 - p)
  return 1 / (1 + Math.exp(-logit))
}
