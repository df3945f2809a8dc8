// A real number comes in; the error function, its complement, and the normal distribution function and quantile go out.

const TWO_OVER_SQRT_PI = 1.1283791670955126
const SQRT_PI = 1.772453850905516
const SQRT_2PI = 2.5066282746310002

/** erf(x) for |x| < 2 or so: 2/sqrt(pi) x e^-x^2 (1 + 2x^2/3 + (2x^2)^2/(3*5) + ...), all terms positive. */
function erfSeries(x: number): number {
  const double = 2 * x * x
  let term = 1
  let sum = 1
  for (let odd = 3; ; odd += 2) {
    term *= double / odd
    const next = sum + term
    if (!(next > sum)) return TWO_OVER_SQRT_PI * x * Math.exp(-x * x) * sum
    sum = next
  }
}

/** erfc(x) for x >= 1: its continued fraction, from the back; the further out, the fewer terms it needs. */
function erfcFraction(x: number): number {
  let tail = x
  for (let k = Math.ceil(16 + 200 / (x * x)); k > 0; k--) tail = x + k / (2 * tail)
  return expMinusSquare(x) / (SQRT_PI * tail)
}

/** e^-x^2. The rounding of x^2 would be multiplied by x^2: so square a short part exactly and the rest apart. */
function expMinusSquare(x: number): number {
  const short = Math.trunc(x * 16) / 16
  return Math.exp(-short * short) * Math.exp(-(x - short) * (x + short))
}

export function erf(x: number): number {
  const size = Math.abs(x)
  if (size < 2) return erfSeries(x)
  if (size > 6) return Math.sign(x)
  return Math.sign(x) * (1 - erfcFraction(size))
}

export function erfc(x: number): number {
  if (x < -6) return 2
  if (x > 27.3) return 0
  if (x < 1) return x < -1 ? 2 - erfcFraction(-x) : 1 - erfSeries(x)
  return erfcFraction(x)
}

/** P(Z <= z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  return 0.5 * erfc(-z * Math.SQRT1_2)
}

/** z with normalCdf(z) = p, for 0 < p < 1. */
export function normalQuantile(p: number): number {
  const centred = p - 0.5
  if (Math.abs(centred) < 0.25) return centralQuantile(centred)
  const lower = Math.min(p, 1 - p)
  return centred > 0 ? -tailQuantile(lower) : tailQuantile(lower)
}

/** Around the median: solves erf(z / sqrt 2) / 2 = p - 1/2, so that small differences keep all their digits. */
function centralQuantile(centred: number): number {
  let z = centred * SQRT_2PI
  for (let step = 0; step < 6; step++) {
    const density = Math.exp(-0.5 * z * z) / SQRT_2PI
    const newton = (0.5 * erf(z * Math.SQRT1_2) - centred) / density
    const change = newton / (1 + 0.5 * z * newton)
    z -= change
    if (Math.abs(change) <= 1e-9 * Math.abs(z)) break
  }
  return z
}

/** In the lower tail: a rational first guess (Hastings), then Newton's method on the logarithm, which is concave. */
function tailQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p))
  const above = 2.515517 + t * (0.802853 + t * 0.010328)
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
  let z = above / below - t
  const target = Math.log(p)
  for (let step = 0; step < 6; step++) {
    const lower = normalCdf(z)
    const slope = Math.exp(-0.5 * z * z) / (SQRT_2PI * lower)
    const change = (Math.log(lower) - target) / slope
    z -= change
    if (Math.abs(change) <= 1e-13 * Math.abs(z)) break
  }
  return z
}
