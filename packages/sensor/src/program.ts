// What a sensor does in the place where its readings are made, in a jet for example: a program that can be sent there comes
// in; readings are filtered and aggregated, and partial aggregates go out, to be merged where the report is made.
import type { Aggregate, AggregateSettings } from './aggregate.ts'
import { createAggregate } from './aggregates.ts'
import { createFilter, type Filter, type FilterSettings } from './filter.ts'
import type { Reading } from './reading.ts'

/** JSON. */
export interface SensorProgram {
  readonly filter: FilterSettings | null
  readonly aggregate: AggregateSettings
  /** Each place stops after so many readings; null for never. */
  readonly maxReads: number | null
}

export class SensorRun {
  readonly #filter: Filter | undefined
  readonly #aggregate: Aggregate
  /** Readings a second that are enough; infinity when every one counts. */
  readonly maxRate: number
  #readsLeft: number

  constructor({ filter, aggregate, maxReads }: SensorProgram, random?: () => number) {
    this.#filter = filter === null ? undefined : createFilter(filter)
    this.#aggregate = createAggregate(aggregate, random)
    this.maxRate = 'maxRate' in aggregate ? aggregate.maxRate : Number.POSITIVE_INFINITY
    this.#readsLeft = maxReads ?? Number.POSITIVE_INFINITY
  }

  add(reading: Reading): void {
    if (this.#readsLeft === 0) return
    this.#readsLeft--
    const passed = this.#filter === undefined ? reading : this.#filter(reading)
    if (passed !== undefined) this.#aggregate.add(passed)
  }

  /** For `merge` of an aggregate with the same settings; starts anew. */
  takePartial(): unknown {
    return this.#aggregate.takePartial()
  }
}
