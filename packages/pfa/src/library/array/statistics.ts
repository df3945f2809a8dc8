// Numbers out of arrays: sums, products, means, medians, quantiles, modes.
import type { AvroType } from '@pitot/avro'
import { keyFunction } from '../../runtime/compare.ts'
import type { Long } from '../../runtime/longs.ts'
import { multiply, normalise } from '../../runtime/longs.ts'
import { itemType } from '../argument.ts'
import type { CallSite, LibraryModule } from '../library.ts'
import { preference, selectOne, sorter } from './order.ts'

type Items = readonly unknown[]

function sumOfDoubles(a: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]!
  return sum
}

function productOfDoubles(a: readonly number[]): number {
  let product = 1
  for (let i = 0; i < a.length; i++) product *= a[i]!
  return product
}

/** So many ints cannot add up to more than a double holds exactly. */
const MOST_INTS = 2 ** 21

function sumOfInts(a: readonly number[]): Long | undefined {
  return a.length <= MOST_INTS ? sumOfDoubles(a) : sumOfLongs(a)
}

/** Only the final sum counts: on the way it may leave 64 bits. */
function sumOfLongs(a: readonly Long[]): Long | undefined {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!
    if (typeof x === 'number') sum += x
    if (typeof x !== 'number' || !Number.isSafeInteger(sum)) return normalise(a.reduce(addExactly, 0n))
  }
  return sum
}

function addExactly(x: bigint, y: Long): bigint {
  return x + BigInt(y)
}

/** Without a zero a product never gets nearer to zero again: once out of range, it stays there. */
function productOfLongs(a: readonly Long[]): Long | undefined {
  let product: Long | undefined = 1
  for (let i = 0; i < a.length; i++) {
    product = multiply(product, a[i]!)
    if (product === undefined) return a.includes(0) ? 0 : undefined
  }
  return product
}

function isInt(x: Long | undefined): x is number {
  return typeof x === 'number' && x >= -2147483648 && x <= 2147483647
}

interface Accumulation {
  ints(a: readonly number[]): Long | undefined
  longs(a: readonly Long[]): Long | undefined
  doubles(a: readonly number[]): number
}

/** The whole-number forms raise `code` (int) and `code + 1` (long), the floating ones go to infinity. */
function accumulate(site: CallSite, code: number, { ints, longs, doubles }: Accumulation): (a: never) => unknown {
  switch (itemType(site, 0).kind) {
    case 'int':
      return (a: readonly number[]) => {
        const result = ints(a)
        if (!isInt(result)) throw site.error(code)
        return result
      }
    case 'long':
      return (a: readonly Long[]) => {
        const result = longs(a)
        if (result === undefined) throw site.error(code + 1)
        return result
      }
    case 'float':
      return (a: readonly number[]) => Math.fround(doubles(a))
    default:
      return doubles
  }
}

/** Both middle items are averaged where the type has an average; of others the left one is taken. */
function average(type: AvroType): ((x: number, y: number) => number) | undefined {
  if (type.kind === 'double') return (x, y) => (x + y) / 2
  if (type.kind === 'float') return (x, y) => Math.fround((x + y) / 2)
  return undefined
}

/** The middle of an array that is not empty. */
function medianOf(type: AvroType): (a: Items) => unknown {
  const sort = sorter(type)
  const middle = average(type)
  return (a) => {
    const sorted = sort(a)
    const half = sorted.length >> 1
    if (sorted.length % 2 === 1) return sorted[half]
    return middle === undefined ? sorted[half - 1] : middle(sorted[half - 1] as number, sorted[half] as number)
  }
}

/** The item at the fraction `p` of a sorted array that is not empty, `p` strictly between 0 and 1. */
function quantileOf(type: AvroType): (a: Items, p: number) => unknown {
  const sort = sorter(type)
  const interpolate = average(type) !== undefined
  return (a, p) => {
    const sorted = sort(a)
    const place = (sorted.length - 1) * p
    const below = Math.floor(place)
    const above = Math.ceil(place)
    if (!interpolate || below === above) return sorted[below]
    const value = (sorted[below] as number) * (above - place) + (sorted[above] as number) * (place - below)
    return type.kind === 'float' ? Math.fround(value) : value
  }
}

export const statistics: LibraryModule = {
  'a.sum': (site) => accumulate(site, 15400, { ints: sumOfInts, longs: sumOfLongs, doubles: sumOfDoubles }),
  'a.product': (site) =>
    accumulate(site, 15410, { ints: productOfLongs, longs: productOfLongs, doubles: productOfDoubles }),
  'a.lnsum': () => (a: readonly number[]) => {
    let sum = 0
    for (let i = 0; i < a.length; i++) sum += Math.log(a[i]!)
    return sum
  },
  'a.mean': () => (a: readonly number[]) => sumOfDoubles(a) / a.length,
  'a.geomean': () => (a: readonly number[]) => (a.length === 0 ? Number.NaN : productOfDoubles(a) ** (1 / a.length)),
  'a.median': (site) => {
    const median = medianOf(itemType(site, 0))
    return (a: Items) => {
      if (a.length === 0) throw site.error(15450)
      return median(a)
    }
  },
  'a.ntile': (site) => {
    const quantile = quantileOf(itemType(site, 0))
    const higher = preference(site, 'highest')
    const lower = preference(site, 'lowest')
    return (a: Items, p: number) => {
      if (a.length === 0) throw site.error(15460)
      if (Number.isNaN(p)) throw site.error(15461)
      if (p <= 0) return a[selectOne(a, lower)]
      if (p >= 1) return a[selectOne(a, higher)]
      return quantile(a, p)
    }
  },
  'a.mode': (site) => {
    const keyOf = keyFunction(itemType(site, 0))
    const median = medianOf(itemType(site, 0))
    return (a: Items) => {
      if (a.length === 0) throw site.error(15470)
      return median(mostCommon(a, keyOf))
    }
  },
  'a.logsumexp': () => (a: readonly number[]) => {
    if (a.length === 0) return Number.NaN
    let greatest = a[0]!
    for (let i = 1; i < a.length; i++) if (a[i]! > greatest) greatest = a[i]!
    let sum = 0
    for (let i = 0; i < a.length; i++) sum += Math.exp(a[i]! - greatest)
    return Math.log(sum) + greatest
  },
}

/** The different values that occur most often. */
function mostCommon(a: Items, keyOf: (value: unknown) => unknown): unknown[] {
  const places = new Map<unknown, number>()
  const values: unknown[] = []
  const counts: number[] = []
  let most = 0
  for (let i = 0; i < a.length; i++) {
    const key = keyOf(a[i])
    let place = places.get(key)
    if (place === undefined) {
      place = values.push(a[i]) - 1
      counts.push(0)
      places.set(key, place)
    }
    const count = counts[place]! + 1
    counts[place] = count
    if (count > most) most = count
  }
  return values.filter((_, place) => counts[place] === most)
}
