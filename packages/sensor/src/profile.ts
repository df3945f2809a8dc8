// The profile of a field: its values come in, count, gaps, distinct values, quantiles and top values go out.
// Profiles of parts of a stream can be merged into that of the whole, and written as JSON.
import { DistinctCount } from './sketches/distinct.ts'
import { Quantiles, type QuantilesJson } from './sketches/quantiles.ts'
import { TopValues, type TopValuesJson } from './sketches/top-values.ts'

export interface ProfileSummary {
  /** All values, missing ones included. */
  readonly count: number
  /** Null, not there, or not a finite number. */
  readonly missing: number
  readonly distinct: number
  readonly top: readonly { readonly value: number | string | boolean; readonly count: number }[]
  /** What the counts of `top` may be too small by. */
  readonly top_error: number
  /** How many of the values are numbers; those below are of these. */
  readonly numbers: number
  readonly min?: number
  readonly max?: number
  readonly mean?: number
  readonly deviation?: number
  readonly quantiles?: Readonly<Record<string, number>>
}

export interface ProfileJson {
  readonly version: 1
  readonly count: number
  readonly missing: number
  readonly mean: number
  readonly squares: number
  readonly distinct: string
  readonly quantiles: QuantilesJson
  readonly top: TopValuesJson
}

const shownQuantiles = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
const shownTop = 10

export class Profile {
  count = 0
  missing = 0
  /** Of the numbers: mean, and sum of squared distances from it. */
  #mean = 0
  #squares = 0
  quantiles = new Quantiles()
  #distinct = new DistinctCount()
  top = new TopValues()

  add(value: unknown): void {
    this.count++
    switch (typeof value) {
      case 'number':
        this.#addNumber(value)
        return
      case 'string':
      case 'boolean':
        this.#distinct.add(value)
        this.top.add(value)
        return
      case 'bigint':
        this.#addNumber(Number(value))
        return
      default:
        if (value === null || value === undefined) this.missing++
        else this.#addText(JSON.stringify(value))
    }
  }

  merge(other: Profile): void {
    const [ours, theirs] = [this.quantiles.count, other.quantiles.count]
    if (theirs > 0) {
      const apart = other.#mean - this.#mean
      this.#squares += other.#squares + (apart ** 2 * ours * theirs) / (ours + theirs)
      this.#mean += (apart * theirs) / (ours + theirs)
    }
    this.count += other.count
    this.missing += other.missing
    this.quantiles.merge(other.quantiles)
    this.#distinct.merge(other.#distinct)
    this.top.merge(other.top)
  }

  summary(): ProfileSummary {
    const { count, missing, quantiles, top } = this
    const numbers = quantiles.count
    return {
      count,
      missing,
      distinct: Math.min(this.#distinct.estimate(), count - missing),
      top: top.top(shownTop),
      top_error: top.error,
      numbers,
      ...(numbers > 0 && {
        min: quantiles.minimum,
        max: quantiles.maximum,
        mean: this.#mean,
        deviation: Math.sqrt(this.#squares / numbers),
        quantiles: Object.fromEntries(
          quantiles.quantiles(shownQuantiles).map((value, index) => [String(shownQuantiles[index]), value!]),
        ),
      }),
    }
  }

  toJSON(): ProfileJson {
    return {
      version: 1,
      count: this.count,
      missing: this.missing,
      mean: this.#mean,
      squares: this.#squares,
      distinct: this.#distinct.toJSON(),
      quantiles: this.quantiles.toJSON(),
      top: this.top.toJSON(),
    }
  }

  /** Throws a `TypeError` with a sentence for what is no `toJSON()` of another. */
  static from(json: unknown): Profile {
    const given = (json ?? {}) as ProfileJson
    if (given.version !== 1) throw new TypeError('it is no profile of version 1')
    const profile = new Profile()
    for (const part of ['count', 'missing', 'mean', 'squares'] as const)
      if (!Number.isFinite(given[part])) throw new TypeError(`its ${part} is no number`)
    profile.count = given.count
    profile.missing = given.missing
    profile.#mean = given.mean
    profile.#squares = given.squares
    profile.#distinct = DistinctCount.from(given.distinct)
    profile.quantiles = Quantiles.from(given.quantiles)
    profile.top = TopValues.from(given.top)
    return profile
  }

  #addNumber(value: number): void {
    if (!Number.isFinite(value)) {
      this.missing++
      return
    }
    this.quantiles.add(value)
    const before = value - this.#mean
    this.#mean += before / this.quantiles.count
    this.#squares += before * (value - this.#mean)
    this.#distinct.add(value)
    this.top.add(value)
  }

  #addText(text: string): void {
    this.#distinct.add(text)
    this.top.add(text)
  }
}
