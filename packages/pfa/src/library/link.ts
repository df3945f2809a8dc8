// The library module `m.link`: raw scores come in (one, an array or a map), values between bounds go out.
import { erf } from '../numerics/erf.ts'
import type { Implementation, LibraryModule } from './library.ts'

type Scores = ReadonlyMap<string, number>

/** Applies a function of one number to a number, to each item or to each value, as the signature says. */
function each(compute: (x: number) => number): Implementation {
  return (site) => {
    switch (site.params[0]?.kind) {
      case 'array':
        return (x: readonly number[]) => {
          const result = new Array<number>(x.length)
          for (let i = 0; i < x.length; i++) result[i] = compute(x[i]!)
          return result
        }
      case 'map':
        return (x: Scores) => {
          const result = new Map<string, number>()
          for (const [key, value] of x) result.set(key, compute(value))
          return result
        }
      default:
        return compute
    }
  }
}

/** Shifted by the greatest, so that no exponential overflows. */
function softmax(x: readonly number[]): number[] {
  let greatest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < x.length; i++) greatest = Math.max(greatest, x[i]!)
  const result = new Array<number>(x.length)
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    result[i] = Math.exp(x[i]! - greatest)
    sum += result[i]!
  }
  for (let i = 0; i < x.length; i++) result[i]! /= sum
  return result
}

export const link: LibraryModule = {
  'm.link.softmax': (site) => {
    if (site.params[0]?.kind === 'array') {
      return (x: readonly number[]) => {
        if (x.length === 0) throw site.error(25000)
        return softmax(x)
      }
    }
    return (x: Scores) => {
      if (x.size === 0) throw site.error(25000)
      const values = softmax([...x.values()])
      let i = 0
      const result = new Map<string, number>()
      for (const key of x.keys()) result.set(key, values[i++]!)
      return result
    }
  },
  'm.link.logit': each((x) => 1 / (1 + Math.exp(-x))),
  'm.link.probit': each((x) => (erf(x / Math.SQRT2) + 1) / 2),
  'm.link.cloglog': each((x) => 1 - Math.exp(-Math.exp(x))),
  'm.link.loglog': each((x) => Math.exp(-Math.exp(x))),
  'm.link.cauchit': each((x) => 0.5 + Math.atan(x) / Math.PI),
  'm.link.softplus': each((x) => Math.log(1 + Math.exp(x))),
  'm.link.relu': each((x) => Math.max(0, x)),
  'm.link.tanh': each(Math.tanh),
}
