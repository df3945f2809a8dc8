// The library module `m.special`: the error function, gamma, beta and binomial coefficients.
import { erf, erfc } from '../numerics/erf.ts'
import { lnBeta, lnGamma } from '../numerics/gamma.ts'
import type { LibraryModule } from './library.ts'

const MAXIMUM_INT = 2147483647

/** The binomial coefficient by products that stay whole; undefined beyond the range of an int. */
function choose(n: number, k: number): number | undefined {
  const factors = Math.min(k, n - k)
  let product = 1
  for (let i = 1; i <= factors; i++) {
    product = (product * (n - factors + i)) / i
    if (product > MAXIMUM_INT) return undefined
  }
  return product
}

// The limits at infinity are no numbers to the reference implementation, and stay so here.
export const special: LibraryModule = {
  'm.special.nChooseK': (site) => (n: number, k: number) => {
    if (k < 0 || k >= n) throw site.error(36000)
    const result = choose(n, k)
    if (result === undefined) throw site.error(36000)
    return result
  },
  'm.special.lnBeta': (site) => (a: number, b: number) => {
    if (a <= 0 || b <= 0) throw site.error(36010)
    return a + b === Number.POSITIVE_INFINITY ? Number.NaN : lnBeta(a, b)
  },
  'm.special.erf': () => erf,
  'm.special.erfc': () => erfc,
  'm.special.lnGamma': (site) => (x: number) => {
    if (x <= 0) throw site.error(36050)
    return x === Number.POSITIVE_INFINITY ? Number.NaN : lnGamma(x)
  },
}
