// A real number comes in; the error function, its complement, and the normal distribution function and quantile go out.

const TWO_OVER_SQRT_PI = 1.1283791670955126
const SQRT_PI = 1.772453850905516
const SQRT_2PI = 2.5066282746310002

/** erf(x) near zero: 2/sqrt(pi) x e^-x^2 (1 + 2x^2/3 + (2x^2)^2/(3*5) + ...), all terms positive. */
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

/** e^(x^2) erfc(x) for x >= 1: its continued fraction, from the back; the further out, the fewer terms it needs. */
function scaledFraction(x: number): number {
  let tail = x
  for (let k = Math.ceil(16 + 200 / (x * x)); k > 0; k--) tail = x + k / (2 * tail)
  return 1 / (SQRT_PI * tail)
}

/** Where t = (x - SCALE) / (x + SCALE) is zero; it maps [0, infinity) to [-1, 1). */
const SCALE = 3.75

/**
 * Chebyshev coefficients in t of (1 + 2x) e^(x^2) erfc(x), which is smooth up to infinity: computed from the slow series and
 * fraction when this module is loaded, for a sum of thirty terms is several times faster than those.
 */
const SCALED = chebyshev(30, (t) => {
  const x = (SCALE * (1 + t)) / (1 - t)
  const scaled = x < 1 ? Math.exp(x * x) * (1 - erfSeries(x)) : scaledFraction(x)
  return (1 + 2 * x) * scaled
})

function chebyshev(count: number, value: (t: number) => number): Float64Array {
  const angles = Float64Array.from({ length: count }, (_, k) => (Math.PI * (k + 0.5)) / count)
  const values = angles.map((angle) => value(Math.cos(angle)))
  return Float64Array.from({ length: count }, (_, j) => {
    let sum = 0
    for (let k = 0; k < count; k++) sum += values[k]! * Math.cos(j * angles[k]!)
    return (sum * (j === 0 ? 1 : 2)) / count
  })
}

/** erfc(x) for x >= 0. */
function erfcPositive(x: number): number {
  const t = (x - SCALE) / (x + SCALE)
  let one = 0
  let two = 0
  for (let j = SCALED.length - 1; j > 0; j--) {
    const next = 2 * t * one - two + SCALED[j]!
    two = one
    one = next
  }
  return (expMinusSquare(x) * (t * one - two + SCALED[0]!)) / (1 + 2 * x)
}

/** e^-x^2. The rounding of x^2 would be multiplied by x^2: so square a short part exactly and the rest apart. */
function expMinusSquare(x: number): number {
  const short = Math.trunc(x * 16) / 16
  return Math.exp(-short * short) * Math.exp(-(x - short) * (x + short))
}

export function erf(x: number): number {
  const size = Math.abs(x)
  if (size < 0.75) return erfSeries(x)
  return size > 6 ? Math.sign(x) : Math.sign(x) * (1 - erfcPositive(size))
}

export function erfc(x: number): number {
  if (x < -6) return 2
  if (x > 27.3) return 0
  if (x >= 0.5) return erfcPositive(x)
  return x < -0.75 ? 2 - erfcPositive(-x) : 1 - erfSeries(x)
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
