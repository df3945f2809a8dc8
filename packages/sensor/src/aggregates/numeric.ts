// Aggregates of numbers: `sum`, `mean`, `min`, `max`, `quantiles`, `histogram`; of a tagged reading, each tag for itself.
import type { Aggregate } from '../aggregate.ts'
import { isTagged, numberOf, type Reading } from '../reading.ts'
import { Quantiles } from '../sketches/quantiles.ts'

/** One kind of aggregate, over plain numbers. */
export interface NumericKind<State> {
  start(): State
  add(state: State, value: number): State
  merge(state: State, other: State): State
  result(state: State): unknown
  /** To and from JSON, where the state is no JSON itself. */
  write?(state: State): unknown
  read?(json: unknown): State
  /** What a reading that is no number counts as, where it counts. */
  readonly other?: number
}

export const sum: NumericKind<number> = {
  start: () => 0,
  add: (total, value) => total + value,
  merge: (total, other) => total + other,
  result: (total) => total,
  // The text of a rejected record is one more rejected record.
  other: 1,
}

export const mean: NumericKind<{ sum: number; count: number }> = {
  start: () => ({ sum: 0, count: 0 }),
  add(state, value) {
    state.sum += value
    state.count++
    return state
  },
  merge: (a, b) => ({ sum: a.sum + b.sum, count: a.count + b.count }),
  result: ({ sum: total, count }) => total / count,
}

export const min: NumericKind<number | null> = {
  start: () => null,
  add: (least, value) => (least === null || value < least ? value : least),
  merge: (a, b) => (a === null ? b : b === null ? a : Math.min(a, b)),
  result: (least) => least,
}

export const max: NumericKind<number | null> = {
  start: () => null,
  add: (most, value) => (most === null || value > most ? value : most),
  merge: (a, b) => (a === null ? b : b === null ? a : Math.max(a, b)),
  result: (most) => most,
}

export function quantiles(shares: readonly number[]): NumericKind<Quantiles> {
  return {
    start: () => new Quantiles(),
    add(sketch, value) {
      sketch.add(value)
      return sketch
    },
    merge(sketch, other) {
      sketch.merge(other)
      return sketch
    },
    result(sketch) {
      const values = sketch.quantiles(shares)
      return Object.fromEntries(shares.map((share, index) => [String(share), values[index]]))
    },
    write: (sketch) => sketch.toJSON(),
    read: (json) => Quantiles.from(json),
  }
}

/** Counts between the bounds: the first of what is not above the first bound, the last of what is above all. */
export function histogram(bounds: readonly number[]): NumericKind<number[]> {
  return {
    start: () => new Array(bounds.length + 1).fill(0),
    add(counts, value) {
      let [low, high] = [0, bounds.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (value > bounds[middle]!) low = middle + 1
        else high = middle
      }
      counts[low]!++
      return counts
    },
    merge: (counts, other) => counts.map((count, index) => count + other[index]!),
    result: (counts) => ({ bounds, counts }),
  }
}

const mostTags = 1000

interface Parts {
  readonly plain: unknown
  readonly tags: Readonly<Record<string, unknown>>
}

/** Readings that are neither numbers nor tagged are passed over, unless the kind says what they count as. */
export class Numeric<State> implements Aggregate {
  readonly #kind: NumericKind<State>
  #plain: State | undefined
  #tags = new Map<string, State>()

  constructor(kind: NumericKind<State>) {
    this.#kind = kind
  }

  add(reading: Reading): void {
    const number = numberOf(reading)
    if (number !== undefined) this.#addPlain(number)
    else if (isTagged(reading)) for (const [tag, value] of Object.entries(reading)) this.#addTagged(tag, value)
    else if (this.#kind.other !== undefined) this.#addPlain(this.#kind.other)
  }

  takePartial(): Parts {
    const write = (state: State | undefined) =>
      state === undefined ? null : this.#kind.write === undefined ? state : this.#kind.write(state)
    const tags = Object.fromEntries([...this.#tags].map(([tag, state]) => [tag, write(state)]))
    const parts = { plain: write(this.#plain), tags }
    this.#clear()
    return parts
  }

  merge(partial: unknown): void {
    const { plain, tags } = partial as Parts
    const read = (json: unknown) => (this.#kind.read === undefined ? (json as State) : this.#kind.read(json))
    if (plain !== null) this.#plain = this.#kind.merge(this.#plain ?? this.#kind.start(), read(plain))
    for (const [tag, json] of Object.entries(tags)) {
      this.#tags.set(tag, this.#kind.merge(this.#tags.get(tag) ?? this.#kind.start(), read(json)))
    }
  }

  takeResult(): unknown {
    const [plain, tags] = [this.#plain, this.#tags]
    this.#clear()
    if (tags.size === 0) return plain === undefined ? undefined : this.#kind.result(plain)
    return Object.fromEntries([...tags].map(([tag, state]) => [tag, this.#kind.result(state)]))
  }

  #addPlain(value: number): void {
    if (Number.isFinite(value)) this.#plain = this.#kind.add(this.#plain ?? this.#kind.start(), value)
  }

  #addTagged(tag: string, given: unknown): void {
    const value = numberOf(given)
    const state = this.#tags.get(tag)
    if (value === undefined || !Number.isFinite(value) || (state === undefined && this.#tags.size === mostTags)) return
    this.#tags.set(tag, this.#kind.add(state ?? this.#kind.start(), value))
  }

  #clear(): void {
    this.#plain = undefined
    this.#tags = new Map()
  }
}
