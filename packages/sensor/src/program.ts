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

/** How many readings are taken between two looks at the clock. */
const lookEvery = 64

/**
 * For each record: `if (run.wants()) run.add(readField(record))`. An aggregate with a maximum rate wants only some of the
 * records when they come quicker than that, at random, so that watching costs the same however fast the stream is.
 */
export class SensorRun {
  readonly #filter: Filter | undefined
  readonly #aggregate: Aggregate
  readonly #maxRate: number
  readonly #random: () => number
  readonly #now: () => number
  #readsLeft: number
  /** Records to pass by before the next is taken. */
  #passBy = 0
  /** One of so many is taken. */
  #stride = 1
  #taken = 0
  #lastLook: number

  /** `now` is in milliseconds. */
  constructor(program: SensorProgram, random: () => number = Math.random, now = () => performance.now()) {
    const { filter, aggregate, maxReads } = program
    this.#filter = filter === null ? undefined : createFilter(filter)
    this.#aggregate = createAggregate(aggregate, random)
    this.#maxRate = 'maxRate' in aggregate ? aggregate.maxRate : Number.POSITIVE_INFINITY
    this.#readsLeft = maxReads ?? Number.POSITIVE_INFINITY
    this.#random = random
    this.#now = now
    this.#lastLook = now()
  }

  /** Whether the next record is to be read. */
  wants(): boolean {
    if (this.#passBy > 0) {
      this.#passBy--
      return false
    }
    return this.#readsLeft > 0
  }

  add(reading: Reading): void {
    this.#readsLeft--
    const passed = this.#filter === undefined ? reading : this.#filter(reading)
    if (passed !== undefined) this.#aggregate.add(passed)
    if (this.#stride > 1) this.#passBy = Math.floor(this.#random() * (2 * this.#stride - 1))
    if (++this.#taken === lookEvery) this.#adapt()
  }

  /** For `merge` of an aggregate with the same settings; starts anew. */
  takePartial(): unknown {
    return this.#aggregate.takePartial()
  }

  #adapt(): void {
    const now = this.#now()
    const seconds = Math.max((now - this.#lastLook) / 1000, 1e-6)
    this.#lastLook = now
    this.#taken = 0
    const rate = (lookEvery * this.#stride) / seconds
    this.#stride = Math.max(1, Math.round(rate / this.#maxRate))
  }
}
