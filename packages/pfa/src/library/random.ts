// The library module `rand`: everything is drawn from the instance's own generator, which `randseed` fixes.
import type { Long } from '../runtime/longs.ts'
import { MIN_LONG, normalise } from '../runtime/longs.ts'
import { characters } from '../runtime/strings.ts'
import type { Host, LibraryModule } from './library.ts'
import { checkLength } from './size.ts'

type Items = readonly unknown[]

/** A whole number from 0 up to `count`, which it does not reach. */
function below(host: Host, count: number): number {
  return Math.floor(host.random() * count)
}

function bits64(host: Host): bigint {
  return (BigInt(below(host, 2 ** 32)) << 32n) | BigInt(below(host, 2 ** 32))
}

/** As `below`, for more than a double can count: draws again until the draw is below, so that none is favoured. */
function belowLong(host: Host, count: bigint): bigint {
  if (count <= 2n ** 32n) return BigInt(below(host, Number(count)))
  const bits = count.toString(2).length
  for (;;) {
    const drawn = BigInt.asUintN(bits, bits64(host))
    if (drawn < count) return drawn
  }
}

function between(host: Host, low: number, high: number): number {
  const part = host.random()
  const range = high - low
  return Number.isFinite(range) ? low + range * part : low * (1 - part) + high * part
}

/** Marsaglia's polar method. Keeps nothing between calls: a snapshot of the generator is all the state there is. */
function gaussian(host: Host): number {
  for (;;) {
    const x = 2 * host.random() - 1
    const y = 2 * host.random() - 1
    const square = x * x + y * y
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square)
  }
}

function hexadecimal(host: Host, digits: number): string {
  let text = ''
  for (let i = 0; i < digits; i++) text += below(host, 16).toString(16)
  return text
}

function uuid(host: Host): string {
  const random = (digits: number) => hexadecimal(host, digits)
  return `${random(8)}-${random(4)}-4${random(3)}-8${random(3)}-${random(12)}`
}

/** An index, drawn with the given weights. */
function weighted(host: Host, weights: readonly number[], total: number): number {
  let rest = host.random() * total
  let last = -1
  for (let i = 0; i < weights.length; i++) {
    if (weights[i]! === 0) continue
    last = i
    rest -= weights[i]!
    if (rest < 0) return i
  }
  return last // rounding may leave a little
}

const LAST_CHARACTER = 0xd7ff

export const random: LibraryModule = {
  'rand.int': (site) => {
    if (site.params.length === 0) return () => below(site.host, 2 ** 32) - 2 ** 31
    return (low: number, high: number) => {
      if (high <= low) throw site.error(34000)
      return low + below(site.host, high - low)
    }
  },
  'rand.long': (site) => {
    if (site.params.length === 0) return () => normalise(bits64(site.host) + MIN_LONG)
    return (low: Long, high: Long) => {
      if (high <= low) throw site.error(34010)
      return normalise(BigInt(low) + belowLong(site.host, BigInt(high) - BigInt(low)))
    }
  },
  'rand.float': (site) => (low: number, high: number) => {
    if (!(high > low)) throw site.error(34020)
    for (;;) {
      const drawn = Math.fround(between(site.host, low, high))
      if (drawn < high || !Number.isFinite(drawn)) return drawn // rounding may reach the excluded end: draw again
    }
  },
  'rand.double': (site) => (low: number, high: number) => {
    if (!(high > low)) throw site.error(34030)
    return between(site.host, low, high)
  },
  'rand.choice': (site) => (population: Items) => {
    if (population.length === 0) throw site.error(34040)
    return population[below(site.host, population.length)]
  },
  'rand.choices': (site) => (size: number, population: Items) => {
    if (population.length === 0) throw site.error(34050)
    checkLength(size)
    const result: unknown[] = []
    for (let i = 0; i < size; i++) result.push(population[below(site.host, population.length)])
    return result
  },
  'rand.sample': (site) => (size: number, population: Items) => {
    if (population.length === 0) throw site.error(34060)
    if (population.length < size) throw site.error(34061)
    const pool = population.slice()
    const result: unknown[] = []
    for (let i = 0; i < size; i++) {
      const j = i + below(site.host, pool.length - i)
      result.push(pool[j])
      pool[j] = pool[i]
    }
    return result
  },
  'rand.histogram': (site) => {
    const index = (weights: readonly number[]) => {
      let total = 0
      for (const weight of weights) {
        if (!Number.isFinite(weight)) throw site.error(34071)
        if (weight < 0) throw site.error(34072)
        total += weight
      }
      if (total === 0) throw site.error(34070)
      return weighted(site.host, weights, total)
    }
    if (site.result.kind !== 'record') return index
    return (distribution: readonly { prob: number }[]) => distribution[index(distribution.map(({ prob }) => prob))]
  },
  'rand.string': (site) => {
    const draw = (size: number, character: () => string) => {
      checkLength(size)
      let text = ''
      for (let i = 0; i < size; i++) text += character()
      return text
    }
    const fromRange = (size: number, low: number, high: number) => {
      if (size <= 0) throw site.error(34080)
      if (high <= low) throw site.error(34081)
      if (low < 1 || high > 0xd800) throw site.error(34082)
      return draw(size, () => String.fromCharCode(low + below(site.host, high - low)))
    }
    switch (site.params.length) {
      case 1:
        return (size: number) => fromRange(size, 1, LAST_CHARACTER + 1)
      case 2:
        return (size: number, population: string) => {
          if (size <= 0) throw site.error(34080)
          if (population === '') throw site.error(34083)
          const bag = characters(population)
          return draw(size, () => bag[below(site.host, bag.length)]!)
        }
      default:
        return fromRange
    }
  },
  'rand.bytes': (site) => {
    const draw = (size: number, byte: () => number) => {
      if (size <= 0) throw site.error(34090)
      checkLength(size)
      const result = new Uint8Array(size)
      for (let i = 0; i < size; i++) result[i] = byte()
      return result
    }
    switch (site.params.length) {
      case 1:
        return (size: number) => draw(size, () => below(site.host, 256))
      case 2:
        return (size: number, population: Uint8Array) => {
          if (size <= 0) throw site.error(34090)
          if (population.length === 0) throw site.error(34093)
          return draw(size, () => population[below(site.host, population.length)]!)
        }
      default:
        return (size: number, low: number, high: number) => {
          if (size <= 0) throw site.error(34090)
          if (high <= low) throw site.error(34091)
          if (low < 0 || low > 255 || high > 256) throw site.error(34092)
          return draw(size, () => low + below(site.host, high - low))
        }
    }
  },
  'rand.uuid': (site) => () => uuid(site.host),
  'rand.uuid4': (site) => () => uuid(site.host),
  'rand.gaussian': (site) => (mu: number, sigma: number) => mu + sigma * gaussian(site.host),
}
