// Quantiles of a stream: numbers come in, ranks and quantiles from a few kilobytes go out. A KLL sketch.
//
// A value at level n stands for 2^n values. A level that is full is sorted, and every second of its values moves up: the
// error this makes in a rank is as often positive as negative, and small because only low levels do it often.

/** How far a rank may be off, as a share of the count; passed less than once in a thousand. */
export const rankError = 0.015

const newcomers = 512
const widest = 256
const narrowest = 64
const shrinkage = 2 / 3

export interface QuantilesJson {
  readonly count: number
  readonly minimum: number | null
  readonly maximum: number | null
  readonly levels: readonly (readonly number[])[]
}

export class Quantiles {
  count = 0
  minimum = Number.POSITIVE_INFINITY
  maximum = Number.NEGATIVE_INFINITY
  /** Level 0, in a memory that native code sorts. */
  readonly #fresh = new Float64Array(newcomers)
  #freshCount = 0
  /** From level 1 upwards. */
  #levels: number[][] = []
  /** Same numbers in, same sketch out: a coin of its own instead of the engine's. */
  #coin = 0x2545f491

  /** Only finite numbers. */
  add(value: number): void {
    this.count++
    if (value < this.minimum) this.minimum = value
    if (value > this.maximum) this.maximum = value
    this.#fresh[this.#freshCount++] = value
    if (this.#freshCount === newcomers) this.#absorb()
  }

  merge(other: Quantiles): void {
    const { count, minimum, maximum } = this
    for (let index = 0; index < other.#freshCount; index++) this.add(other.#fresh[index]!)
    this.count = count + other.count
    this.minimum = Math.min(minimum, other.minimum)
    this.maximum = Math.max(maximum, other.maximum)
    for (const [index, level] of other.#levels.entries()) this.#level(index).push(...level)
    this.#compact()
  }

  /** The value below which this share of the values is; undefined when there are none. */
  quantile(share: number): number | undefined {
    return this.quantiles([share])[0]
  }

  quantiles(shares: readonly number[]): (number | undefined)[] {
    const { values, ranks } = this.ranked()
    return shares.map((share) => {
      if (share <= 0) return this.count === 0 ? undefined : this.minimum
      if (share >= 1) return this.count === 0 ? undefined : this.maximum
      return values[firstAtLeast(ranks, share * this.count)]
    })
  }

  /** All values that are held, in order, and for each how many of the values seen are not above it. */
  ranked(): { readonly values: Float64Array; readonly ranks: Float64Array } {
    const weighted: [value: number, weight: number][] = []
    for (let index = 0; index < this.#freshCount; index++) weighted.push([this.#fresh[index]!, 1])
    for (const [index, level] of this.#levels.entries())
      for (const value of level) weighted.push([value, 2 ** (index + 1)])
    weighted.sort(([a], [b]) => a - b)
    const values = new Float64Array(weighted.length)
    const ranks = new Float64Array(weighted.length)
    let rank = 0
    for (const [index, [value, weight]] of weighted.entries()) {
      rank += weight
      values[index] = value
      ranks[index] = rank
    }
    return { values, ranks }
  }

  toJSON(): QuantilesJson {
    const bounded = this.count > 0
    return {
      count: this.count,
      minimum: bounded ? this.minimum : null,
      maximum: bounded ? this.maximum : null,
      levels: [[...this.#fresh.subarray(0, this.#freshCount)], ...this.#levels],
    }
  }

  /** Throws for what is no `toJSON()` of another. */
  static from(json: unknown): Quantiles {
    const { count, minimum, maximum, levels } = (json ?? {}) as QuantilesJson
    const isLevel = (level: unknown) => Array.isArray(level) && level.length <= 4096 && level.every(Number.isFinite)
    if (!Array.isArray(levels) || levels.length > 64 || !levels.every(isLevel))
      throw new TypeError('the quantiles have no levels of numbers')
    const weight = levels.reduce((sum, level, index) => sum + level.length * 2 ** index, 0)
    if (count !== weight) throw new TypeError(`the quantiles are of ${weight} values, not of ${count}`)
    const sketch = new Quantiles()
    const [fresh = [], ...others] = levels
    sketch.#levels = others.map((level) => [...level])
    for (const value of fresh) sketch.add(value)
    sketch.count = count
    if (count > 0) {
      if (!Number.isFinite(minimum) || !Number.isFinite(maximum))
        throw new TypeError('the quantiles have no minimum and maximum')
      sketch.minimum = minimum!
      sketch.maximum = maximum!
    }
    return sketch
  }

  #absorb(): void {
    this.#fresh.sort()
    const up = this.#level(0)
    for (let index = this.#toss(); index < newcomers; index += 2) up.push(this.#fresh[index]!)
    this.#freshCount = 0
    this.#compact()
  }

  #compact(): void {
    for (let index = 0; index < this.#levels.length; index++) {
      const level = this.#levels[index]!
      if (level.length < this.#capacity(index)) continue
      const sorted = Float64Array.from(level).sort()
      // One is left behind when they cannot be paired, so that the weights still add up to the count.
      const even = sorted.length - (sorted.length % 2)
      const up = this.#level(index + 1)
      for (let place = this.#toss(); place < even; place += 2) up.push(sorted[place]!)
      this.#levels[index] = even < sorted.length ? [sorted[even]!] : []
    }
  }

  #capacity(index: number): number {
    return Math.max(narrowest, Math.ceil(widest * shrinkage ** (this.#levels.length - 1 - index)))
  }

  #level(index: number): number[] {
    while (this.#levels.length <= index) this.#levels.push([])
    return this.#levels[index]!
  }

  #toss(): 0 | 1 {
    let state = this.#coin
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#coin = state
    return (state >>> 16) & 1 ? 1 : 0
  }
}

/** The first index whose entry is at least `wanted`; the last one when there is none. */
export function firstAtLeast(ascending: ArrayLike<number>, wanted: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! >= wanted) high = middle
    else low = middle + 1
  }
  return low
}
