// The library module `m` without its special functions, kernels and links: elementary functions of numbers.

import { absolute, fromDouble, type Long, negate, roundHalfUp } from '../runtime/longs.ts'
import { valueType } from './argument.ts'
import type { Implementation, LibraryModule } from './library.ts'

const MAX_INT = 2147483647
const MIN_INT = -2147483648

function unary(compute: (x: number) => number): Implementation {
  return () => compute
}

function constant(value: number): Implementation {
  return () => () => value
}

/** The logarithm to a base; to the base 1 it is infinite, and at 1 undecided. */
function logarithm(x: number, base: number): number {
  switch (base) {
    case 1:
      return x === 1
        ? Number.NaN
        : x < 1
          ? x < 0
            ? Number.NaN
            : Number.NEGATIVE_INFINITY
          : x * Number.POSITIVE_INFINITY
    case 2:
      return Math.log2(x)
    case 10:
      return Math.log10(x)
    default:
      return Math.log(x) / Math.log(base)
  }
}

const LEAST_NORMAL = 2 ** -1022

/** Of a function that is x near zero: numbers too small to keep all their digits count as zero. */
function fromNormal(compute: (x: number) => number): Implementation {
  return unary((x) => (Math.abs(x) < LEAST_NORMAL ? 0 : compute(x)))
}

/** To the nearest whole number, half to even. */
function roundHalfEven(x: number): number {
  const below = Math.floor(x)
  const rest = x - below
  if (rest !== 0.5) return rest < 0.5 ? below : Math.ceil(x)
  return below % 2 === 0 ? below : below + 1
}

export const math: LibraryModule = {
  'm.pi': constant(Math.PI),
  'm.e': constant(Math.E),
  'm.abs': (site) => {
    switch (valueType(site, 0).kind) {
      case 'int':
        return (x: number) => {
          if (x === MIN_INT) throw site.error(27020)
          return Math.abs(x)
        }
      case 'long':
        return (x: Long) => {
          const result = absolute(x)
          if (result === undefined) throw site.error(27021)
          return result
        }
      default:
        return Math.abs
    }
  },
  'm.acos': unary(Math.acos),
  'm.asin': unary(Math.asin),
  'm.atan': unary(Math.atan),
  'm.atan2': () => Math.atan2,
  'm.ceil': unary(Math.ceil),
  'm.copysign': (site) => {
    switch (valueType(site, 0).kind) {
      case 'int':
        // The least int has no positive counterpart and, there being no error for it, stays itself.
        return (magnitude: number, sign: number) => (sign < 0 ? -Math.abs(magnitude) : Math.abs(magnitude)) | 0
      case 'long':
        return (magnitude: Long, sign: Long) => {
          const positive = absolute(magnitude)
          if (positive === undefined) return magnitude
          return sign < 0 ? negate(positive) : positive
        }
      default:
        return (magnitude: number, sign: number) => (sign < 0 ? -Math.abs(magnitude) : Math.abs(magnitude))
    }
  },
  'm.cos': unary(Math.cos),
  'm.cosh': unary(Math.cosh),
  'm.exp': unary(Math.exp),
  'm.expm1': fromNormal(Math.expm1),
  'm.floor': unary(Math.floor),
  'm.hypot': () => (x: number, y: number) => Math.hypot(x, y),
  'm.ln': unary(Math.log),
  'm.log10': unary(Math.log10),
  'm.log': (site) => (x: number, base: number) => {
    if (base <= 0) throw site.error(27170)
    return logarithm(x, base)
  },
  'm.ln1p': fromNormal(Math.log1p),
  'm.round': (site) => {
    if (valueType(site, 0).kind === 'float') {
      return (x: number) => {
        const result = roundHalfUp(x)
        if (!(result >= MIN_INT && result <= MAX_INT)) throw site.error(27190)
        return result
      }
    }
    return (x: number) => {
      const result = fromDouble(roundHalfUp(x))
      if (result === undefined) throw site.error(27191)
      return result
    }
  },
  'm.rint': unary(roundHalfEven),
  'm.signum': unary((x) => (x > 0 ? 1 : x < 0 ? -1 : 0)),
  'm.sin': unary(Math.sin),
  'm.sinh': unary(Math.sinh),
  'm.sqrt': unary(Math.sqrt),
  'm.tan': unary(Math.tan),
  'm.tanh': unary(Math.tanh),
}
