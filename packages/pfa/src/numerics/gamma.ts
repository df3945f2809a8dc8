// Real arguments come in; logarithms of the gamma and beta functions and the pieces densities are made of go out.

const EULER = 0.5772156649015329
const LN_SQRT_2PI = 0.9189385332046728

/**
 * zeta(k) - 1 for k = 2, 3, ...: from these the Taylor series of ln Gamma around 2 follows. Their size falls like 2^-k, so
 * 28 of them give full precision for |z| <= 1/2.
 */
const ZETA_MINUS_1 = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.004077356197944339, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
  0.0002460865533080483, 0.00012271334757848915, 6.124813505870483e-5, 3.058823630702049e-5, 1.528225940865187e-5,
  7.637197637899763e-6, 3.817293264999839e-6, 1.908212716553939e-6, 9.539620338727962e-7, 4.769329867878064e-7,
  2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
  7.45071178983543e-9, 3.725334024788457e-9, 1.862659723513049e-9,
]

/** ln Gamma(2 + z) for |z| <= 1/2, exact relative to its zero at z = 0. */
function lnGamma2(z: number): number {
  let sum = 0
  for (let k = ZETA_MINUS_1.length + 1; k >= 2; k--) sum = -z * (ZETA_MINUS_1[k - 2]! / k + sum)
  return z * (1 - EULER) - z * sum
}

/** ln Gamma(1 + z) for z > -1, exact relative to its zero at z = 0. */
export function lnGamma1p(z: number): number {
  return Math.abs(z) <= 0.5 ? lnGamma2(z) - Math.log1p(z) : lnGamma(1 + z)
}

/** ln Gamma(x) for x > 0; NaN elsewhere. */
export function lnGamma(x: number): number {
  if (!(x > 0)) return Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  if (x < 0.5) return lnGamma2(x) - Math.log1p(x) - Math.log(x)
  if (x <= 1.5) return lnGamma2(x - 1) - Math.log1p(x - 1)
  if (x >= 10) return (x - 0.5) * Math.log(x) - x + LN_SQRT_2PI + stirlingSeries(x)
  let product = 1
  let rest = x
  while (rest > 2.5) {
    rest -= 1
    product *= rest
  }
  return lnGamma2(rest - 2) + Math.log(product)
}

/** Coefficients of 1/x, 1/x^3, 1/x^5, ... in the error of Stirling's formula: B(2k) / (2k (2k - 1)). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400]

/** ln Gamma(x) minus Stirling's formula (x - 1/2) ln x - x + ln sqrt(2 pi), for x >= 10. */
function stirlingSeries(x: number): number {
  const square = 1 / (x * x)
  let sum = 0
  for (let k = STIRLING.length - 1; k >= 0; k--) sum = sum * square + STIRLING[k]!
  return sum / x
}

/** ln x! minus Stirling's formula (x + 1/2) ln x - x + ln sqrt(2 pi), for x > 0. */
export function stirlingError(x: number): number {
  if (x >= 10) return stirlingSeries(x)
  return lnGamma1p(x) - (x + 0.5) * Math.log(x) + x - LN_SQRT_2PI
}

/** ln B(a, b) for a, b > 0. The logarithms of three large gammas would cancel, their Stirling errors do not. */
export function lnBeta(a: number, b: number): number {
  const small = Math.min(a, b)
  const large = Math.max(a, b)
  if (!(small > 0)) return Number.NaN
  if (large < 10) return lnGamma(small) + lnGamma(large) - lnGamma(small + large)
  const sum = small + large
  if (!Number.isFinite(sum)) return Number.NEGATIVE_INFINITY
  const ratio = small / sum
  const correction = stirlingSeries(large) - stirlingSeries(sum)
  if (small < 10) {
    return lnGamma(small) + correction + small - small * Math.log(sum) + (large - 0.5) * Math.log1p(-ratio)
  }
  return (
    -0.5 * Math.log(large) +
    LN_SQRT_2PI +
    stirlingSeries(small) +
    correction +
    (small - 0.5) * Math.log(ratio) +
    large * Math.log1p(-ratio)
  )
}

/** ln(1 + x) - x, without the cancellation near zero. */
export function log1pMinus(x: number): number {
  if (x < -0.4 || x > 0.6) return Math.log1p(x) - x
  // ln(1 + x) = 2 artanh(r) with r = x / (2 + x), whose series has only odd powers of a small r.
  const r = x / (2 + x)
  const square = r * r
  let term = square
  let sum = 0
  for (let k = 3; ; k += 2) {
    const next = sum + term / k
    if (!(next > sum)) break
    sum = next
    term *= square
  }
  return r * (2 * sum - x)
}

/** x ln(x / mean) + mean - x >= 0: how far a count is from its mean (Loader's deviance term). */
export function deviance(x: number, mean: number): number {
  if (x === 0) return mean
  const difference = (mean - x) / x
  if (difference > -0.4 && difference < 0.6) return -x * log1pMinus(difference)
  return x * Math.log(x / mean) + mean - x
}

/** e^-mean mean^x / Gamma(x + 1) for real x >= 0, by Loader's saddle point expansion. */
export function poissonTerm(x: number, mean: number): number {
  if (mean === 0) return x === 0 ? 1 : 0
  if (x === 0) return Math.exp(-mean)
  if (x < Number.MIN_VALUE * mean) return 0
  // At tiny x the saddle point is a detour: its square root and its logarithms cancel.
  if (x < 1e-3) return Math.exp(x * Math.log(mean) - mean - lnGamma1p(x))
  return Math.exp(-stirlingError(x) - deviance(x, mean)) / Math.sqrt(2 * Math.PI * x)
}

/** C(n, x) p^x q^(n - x) for real 0 <= x <= n and p + q = 1 (both given, so that neither is rounded away). */
export function binomialTerm(x: number, n: number, p: number, q: number): number {
  if (p === 0) return x === 0 ? 1 : 0
  if (q === 0) return x === n ? 1 : 0
  if (x === 0) return n === 0 ? 1 : p < 0.1 ? Math.exp(n * Math.log1p(-p)) : Math.exp(n * Math.log(q))
  if (x === n) return q < 0.1 ? Math.exp(n * Math.log1p(-q)) : Math.exp(n * Math.log(p))
  if (x < 0 || x > n) return 0
  const rest = n - x
  const exponent =
    stirlingError(n) - stirlingError(x) - stirlingError(rest) - deviance(x, n * p) - deviance(rest, n * q)
  return Math.exp(exponent) / Math.sqrt(2 * Math.PI * x * (rest / n))
}
