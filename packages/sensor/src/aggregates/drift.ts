// `drift`: how far the readings are from a reference profile. A window grows until it has enough values to be judged.
import type { Aggregate, AggregateSettings } from '../aggregate.ts'
import { type DriftCounts, type DriftResult, DriftWindow, driftReference } from '../drift.ts'
import { Profile } from '../profile.ts'
import type { Reading } from '../reading.ts'

export class DriftAggregate implements Aggregate {
  readonly #window: DriftWindow
  readonly #minCount: number
  #alarm: string | undefined

  constructor({ reference, thresholds, minCount }: Extract<AggregateSettings, { type: 'drift' }>) {
    this.#window = new DriftWindow(driftReference(Profile.from(reference)), thresholds)
    this.#minCount = minCount
  }

  add(reading: Reading): void {
    this.#window.add(reading)
  }

  takePartial(): DriftCounts {
    const counts = this.#window.counts()
    this.#window.clear()
    return counts
  }

  merge(partial: unknown): void {
    this.#window.merge(partial as DriftCounts)
  }

  takeResult(): DriftResult | undefined {
    if (this.#window.count < this.#minCount) return undefined
    const result = this.#window.result()
    this.#window.clear()
    this.#alarm = result.alarm ? result.reasons.join('; ') : undefined
    return result
  }

  alarm(): string | undefined {
    return this.#alarm
  }
}
