// Drift: how far the values of a window are from a reference profile. The window is counted in the bins of the reference,
// so that counts of several jets add up to exactly what one jet would have counted.

import type { Profile } from './profile.ts'
import { numberOf } from './reading.ts'
import { firstAtLeast } from './sketches/quantiles.ts'

export interface DriftThresholds {
  /** Population stability index. */
  readonly psi: number
  /** Kolmogorov-Smirnov distance; numbers only. */
  readonly ks: number
  /** Share of values that the reference does not have; categories only. */
  readonly newCategories: number
}

export interface DriftResult {
  readonly kind: 'numbers' | 'categories'
  readonly count: number
  readonly missing: number
  readonly psi: number
  readonly ks?: number
  /** Null when the reference has too many categories to know all of them. */
  readonly new_categories?: number | null
  readonly alarm: boolean
  /** What is above its threshold, in words. */
  readonly reasons: readonly string[]
}

/** Counts that can be added to those of another jet. */
export interface DriftCounts {
  readonly bins: number[]
  missing: number
}

/** Both kinds of reference, for the window that is counted against them. */
export interface DriftReference {
  readonly kind: DriftResult['kind']
  readonly binCount: number
  /** The bin of a value; undefined for a missing one. */
  binOf(value: unknown): number | undefined
  compare(bins: readonly number[]): Pick<DriftResult, 'psi' | 'ks' | 'new_categories'>
}

const fineBins = 100
const coarseBins = 10
const mostCategories = 20

/** Numbers when most values are numbers that differ; else categories. */
export function driftReference(profile: Profile): DriftReference {
  const present = profile.count - profile.missing
  if (present === 0) throw new TypeError('it has no values')
  return profile.quantiles.count > present / 2 ? new NumberReference(profile) : new CategoryReference(profile)
}

/** Bins with the same share of the reference each, as far as its values can be told apart; the first is below them all. */
class NumberReference implements DriftReference {
  readonly kind = 'numbers'
  readonly #minimum: number
  /** Upper ends of the bins from the second on; the last bin has none. */
  readonly #ends: Float64Array
  /** Share of the reference that is not above each bin. */
  readonly #shares: number[]
  readonly #count: number

  constructor({ quantiles }: Profile) {
    const { values, ranks } = quantiles.ranked()
    const shares = Array.from({ length: fineBins - 1 }, (_, index) => (index + 1) / fineBins)
    const ends = [...new Set(quantiles.quantiles(shares) as number[])]
    this.#minimum = quantiles.minimum
    this.#ends = Float64Array.from(ends)
    this.#count = quantiles.count
    this.#shares = [0, ...ends.map((end) => ranks[lastNotAbove(values, end)]! / quantiles.count), 1]
  }

  get binCount(): number {
    return this.#shares.length
  }

  binOf(value: unknown): number | undefined {
    const number = numberOf(value)
    if (number === undefined || Number.isNaN(number)) return undefined
    if (number < this.#minimum) return 0
    const ends = this.#ends
    return number > ends[ends.length - 1]! ? ends.length + 1 : firstAtLeast(ends, number) + 1
  }

  compare(bins: readonly number[]): Pick<DriftResult, 'psi' | 'ks'> {
    const count = total(bins)
    let [below, ks] = [0, 0]
    let [coarseStart, expectedStart, actualStart] = [0, 0, 0]
    const expected: number[] = []
    const actual: number[] = []
    for (const [index, share] of this.#shares.entries()) {
      below += bins[index]!
      ks = Math.max(ks, Math.abs(below / count - share))
      // A coarse bin is closed at the first fine end that reaches the next tenth.
      const isLast = index === this.#shares.length - 1
      if (!isLast && share < (coarseStart + 1) / coarseBins - 1e-9) continue
      expected.push((share - expectedStart) * this.#count)
      actual.push(below - actualStart)
      coarseStart = Math.floor(share * coarseBins + 1e-9)
      expectedStart = share
      actualStart = below
    }
    return { psi: stabilityIndex(expected, actual), ks }
  }
}

/** One bin per frequent category, one for the rest of the reference, one for what the reference does not have. */
class CategoryReference implements DriftReference {
  readonly kind = 'categories'
  readonly #bins = new Map<unknown, number>()
  readonly #expected: number[]
  readonly #isComplete: boolean
  readonly #rest: number
  readonly #unknown: number

  constructor({ top, count, missing }: Profile) {
    const all = top.top(Number.POSITIVE_INFINITY)
    const frequent = all.slice(0, mostCategories)
    this.#rest = frequent.length
    this.#unknown = frequent.length + 1
    this.#isComplete = top.error === 0
    for (const [index, { value }] of all.entries()) this.#bins.set(value, Math.min(index, this.#rest))
    const counts = frequent.map((entry) => entry.count)
    this.#expected = [...counts, count - missing - total(counts), 0]
  }

  get binCount(): number {
    return this.#expected.length
  }

  binOf(value: unknown): number | undefined {
    if (value === null || value === undefined) return undefined
    const key = typeof value === 'object' ? JSON.stringify(value) : value
    // Of a reference that does not know all its categories, an unknown one is one of the rest.
    return this.#bins.get(key) ?? (this.#isComplete ? this.#unknown : this.#rest)
  }

  compare(bins: readonly number[]): Pick<DriftResult, 'psi' | 'new_categories'> {
    return {
      psi: stabilityIndex(this.#expected, bins),
      new_categories: this.#isComplete ? bins[this.#unknown]! / total(bins) : null,
    }
  }
}

export class DriftWindow {
  readonly #reference: DriftReference
  readonly #thresholds: DriftThresholds
  #bins: number[]
  #missing = 0
  count = 0

  constructor(reference: DriftReference, thresholds: DriftThresholds) {
    this.#reference = reference
    this.#thresholds = thresholds
    this.#bins = new Array(reference.binCount).fill(0)
  }

  add(value: unknown): void {
    const bin = this.#reference.binOf(value)
    if (bin === undefined) this.#missing++
    else {
      this.#bins[bin]!++
      this.count++
    }
  }

  counts(): DriftCounts {
    return { bins: this.#bins, missing: this.#missing }
  }

  merge(counts: DriftCounts): void {
    for (const [bin, count] of counts.bins.entries()) this.#bins[bin]! += count
    this.#missing += counts.missing
    this.count += total(counts.bins)
  }

  clear(): void {
    this.#bins = new Array(this.#reference.binCount).fill(0)
    this.#missing = 0
    this.count = 0
  }

  result(): DriftResult {
    const compared = this.#reference.compare(this.#bins)
    const { psi, ks, newCategories } = this.#thresholds
    const reasons = [
      above('PSI', compared.psi, psi),
      above('the Kolmogorov-Smirnov distance', compared.ks, ks),
      above('the share of new categories', compared.new_categories, newCategories),
    ].filter((reason) => reason !== undefined)
    const { count } = this
    return {
      kind: this.#reference.kind,
      count,
      missing: this.#missing,
      ...compared,
      alarm: reasons.length > 0,
      reasons,
    }
  }
}

function above(what: string, found: number | null | undefined, threshold: number): string | undefined {
  if (found === null || found === undefined || found <= threshold) return undefined
  return `${what} is ${found.toPrecision(3)}, above ${threshold}`
}

/** Half a value of the window is added to each bin of both, so that an empty one does not make everything infinite. */
function stabilityIndex(expected: readonly number[], actual: readonly number[]): number {
  const [expectedTotal, actualTotal] = [total(expected), total(actual)]
  const half = 0.5 / actualTotal
  const whole = 1 + half * actual.length
  return expected.reduce((sum, count, bin) => {
    const [p, q] = [(count / expectedTotal + half) / whole, (actual[bin]! / actualTotal + half) / whole]
    return sum + (q - p) * Math.log(q / p)
  }, 0)
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The last index whose value is not above `limit`. */
function lastNotAbove(ascending: Float64Array, limit: number): number {
  let index = firstAtLeast(ascending, limit)
  while (index + 1 < ascending.length && ascending[index + 1]! <= limit) index++
  return index
}
