// `accumulate`: the readings themselves, or as many of them, picked by chance, as the sample may hold.
import type { Aggregate } from '../aggregate.ts'
import type { Reading } from '../reading.ts'

interface Sample {
  readonly seen: number
  readonly readings: readonly Reading[]
}

export class Accumulate implements Aggregate {
  readonly #size: number
  readonly #random: () => number
  #seen = 0
  /** With their places, so that a sample is reported in the order of time. */
  #kept: { readonly place: number; readonly reading: Reading }[] = []

  constructor(size: number, random: () => number) {
    this.#size = size
    this.#random = random
  }

  /** Every reading has the same chance to be in the sample. */
  add(reading: Reading): void {
    const entry = { place: this.#seen++, reading }
    if (this.#kept.length < this.#size) this.#kept.push(entry)
    else {
      const slot = Math.floor(this.#random() * this.#seen)
      if (slot < this.#size) this.#kept[slot] = entry
    }
  }

  takePartial(): Sample {
    const sample = { seen: this.#seen, readings: this.#inOrder() }
    this.#clear()
    return sample
  }

  /** Draws from the two samples as from the readings behind them. */
  merge(partial: unknown): void {
    const { seen, readings } = partial as Sample
    const theirs = readings.map((reading, index) => ({ place: this.#seen + index, reading }))
    if (this.#kept.length + theirs.length <= this.#size) this.#kept.push(...theirs)
    else {
      const drawn: typeof theirs = []
      let [ourWeight, theirWeight] = [this.#seen, seen]
      const [ours, others] = [[...this.#kept], theirs]
      while (drawn.length < this.#size) {
        const fromOurs = this.#random() * (ourWeight + theirWeight) < ourWeight
        const source = (fromOurs && ours.length > 0) || others.length === 0 ? ours : others
        drawn.push(...source.splice(Math.floor(this.#random() * source.length), 1))
        if (source === ours) ourWeight--
        else theirWeight--
      }
      this.#kept = drawn
    }
    this.#seen += seen
  }

  takeResult(): Reading[] | undefined {
    if (this.#seen === 0) return undefined
    const readings = this.#inOrder()
    this.#clear()
    return readings
  }

  #inOrder(): Reading[] {
    return this.#kept.sort((a, b) => a.place - b.place).map(({ reading }) => reading)
  }

  #clear(): void {
    this.#seen = 0
    this.#kept = []
  }
}
