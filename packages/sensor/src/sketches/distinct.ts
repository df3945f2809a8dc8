// How many different values there were: values come in, an estimate from 4 KiB of memory goes out. A HyperLogLog.
import { type Hashable, HIGH, hash, hashValue, LOW } from './hash.ts'

const precision = 12
const registerCount = 2 ** precision
/** Bits of the hash behind those that choose the register. */
const depth = 64 - precision

/** One standard deviation of the relative error; three of them are hardly ever passed. */
export const distinctError = 1.04 / Math.sqrt(registerCount)

export class DistinctCount {
  readonly #registers: Uint8Array

  constructor(registers = new Uint8Array(registerCount)) {
    this.#registers = registers
  }

  add(value: Hashable): void {
    hashValue(value)
    const high = hash[HIGH]!
    const low = hash[LOW]!
    const index = high >>> (32 - precision)
    // The rank is the place of the first one-bit behind the index: rare ranks tell of many values.
    const rest = high << precision
    const rank = rest === 0 ? Math.min(33 - precision + Math.clz32(low), depth + 1) : Math.clz32(rest) + 1
    if (rank > this.#registers[index]!) this.#registers[index] = rank
  }

  merge(other: DistinctCount): void {
    for (let index = 0; index < registerCount; index++) {
      const rank = other.#registers[index]!
      if (rank > this.#registers[index]!) this.#registers[index] = rank
    }
  }

  /** Ertl's estimator, which needs no tables for small or large numbers. */
  estimate(): number {
    const ranks = new Float64Array(depth + 2)
    for (const rank of this.#registers) ranks[rank]!++
    let sum = registerCount * fromFull(1 - ranks[depth + 1]! / registerCount)
    for (let rank = depth; rank >= 1; rank--) sum = 0.5 * (sum + ranks[rank]!)
    sum += registerCount * fromEmpty(ranks[0]! / registerCount)
    return Math.round(registerCount ** 2 / (2 * Math.LN2 * sum))
  }

  toJSON(): string {
    return this.#registers.toBase64()
  }

  /** Throws for what is no `toJSON()` of another. */
  static from(json: unknown): DistinctCount {
    if (typeof json !== 'string') throw new TypeError('the distinct count is not a text')
    const registers = Uint8Array.fromBase64(json)
    if (registers.length !== registerCount || registers.some((rank) => rank > depth + 1))
      throw new TypeError(`the distinct count does not have ${registerCount} registers`)
    return new DistinctCount(registers)
  }
}

/** What empty registers add: x + sum of x^(2^k) * 2^(k-1). */
function fromEmpty(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let [power, weight, sum, before] = [share, 1, share, -1]
  while (sum !== before) {
    power *= power
    before = sum
    sum += power * weight
    weight *= 2
  }
  return sum
}

/** What registers add whose hashes had no one-bit at all. */
function fromFull(share: number): number {
  if (share === 0 || share === 1) return 0
  let [root, weight, sum, before] = [share, 1, 1 - share, -1]
  while (sum !== before) {
    root = Math.sqrt(root)
    before = sum
    weight *= 0.5
    sum -= (1 - root) ** 2 * weight
  }
  return sum / 3
}
