// The most frequent values: values come in, the ones that stand out and their counts go out.
//
// Space saving in the form of Misra and Gries: counters for up to 512 values; when there are more, the smallest count, or as
// much as leaves no more than 256 of them, is taken from all, and those that have nothing left go. Each time at least 256
// counters give up that much, so what any value can have lost is at most a 256th of everything that was counted.

/** What a count may be too small by, as a share of all values. */
export const topValuesError = 1 / 256

const kept = 256
const most = 2 * kept
const longestText = 256

export type TopValue = number | string | boolean

export interface TopValuesJson {
  readonly error: number
  readonly counts: readonly (readonly [value: TopValue, count: number])[]
}

export class TopValues {
  #counts = new Map<TopValue, number>()
  /** What a count may be too small by; 0 as long as every value has its counter. */
  error = 0

  add(value: TopValue, count = 1): void {
    const key = typeof value === 'string' && value.length > longestText ? `${value.slice(0, longestText)}…` : value
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
    if (this.#counts.size > most) this.#purge()
  }

  merge(other: TopValues): void {
    this.error += other.error
    for (const [value, count] of other.#counts) {
      this.#counts.set(value, (this.#counts.get(value) ?? 0) + count)
    }
    if (this.#counts.size > most) this.#purge()
  }

  /** The most frequent ones, most frequent first; values of the same count in the order they came. */
  top(count: number): { readonly value: TopValue; readonly count: number }[] {
    return [...this.#counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([value, times]) => ({ value, count: times }))
  }

  /** Undefined for a value that has no counter. */
  countOf(value: TopValue): number | undefined {
    return this.#counts.get(value)
  }

  get size(): number {
    return this.#counts.size
  }

  toJSON(): TopValuesJson {
    return { error: this.error, counts: [...this.#counts] }
  }

  /** Throws for what is no `toJSON()` of another. */
  static from(json: unknown): TopValues {
    const { error, counts } = (json ?? {}) as TopValuesJson
    if (typeof error !== 'number' || !Array.isArray(counts) || counts.length > most || !counts.every(isCount))
      throw new TypeError('the top values are no list of values and counts')
    const sketch = new TopValues()
    sketch.error = error
    for (const [value, count] of counts) sketch.#counts.set(value, count)
    return sketch
  }

  #purge(): void {
    const taken = this.#surplus()
    const old = this.#counts
    // A new map: most of the old one goes, and taking out one by one is slower.
    this.#counts = new Map()
    for (const [value, count] of old) if (count > taken) this.#counts.set(value, count - taken)
    this.error += taken
  }

  /** The smallest count where that is enough, as it is with many rare values; else the 257th largest. */
  #surplus(): number {
    let smallest = Number.POSITIVE_INFINITY
    let times = 0
    for (const count of this.#counts.values()) {
      if (count > smallest) continue
      times = count === smallest ? times + 1 : 1
      smallest = count
    }
    if (this.#counts.size - times <= kept) return smallest
    const ascending = Float64Array.from(this.#counts.values()).sort()
    return ascending[ascending.length - 1 - kept]!
  }
}

function isCount(entry: unknown): boolean {
  if (!Array.isArray(entry) || entry.length !== 2) return false
  const [value, count] = entry
  return ['number', 'string', 'boolean'].includes(typeof value) && typeof count === 'number' && count > 0
}
