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

/** So many seconds' worth of readings may be taken at once, after a time in which there were fewer. */
const longestSaving = 0.2
/** Fewer readings than this are not worth it, of a batch that has so many: sketches must be brought into the processor's cache. */
const worthwhile = 64

/**
 * Takes whole batches of records. An aggregate with a maximum rate reads only some of a batch when records come quicker than
 * that, at random, so that watching costs the same however fast the stream is: what is passed by costs nothing.
 */
export class SensorRun {
  readonly #filter: Filter | undefined
  readonly #aggregate: Aggregate
  /** Readings a second. */
  readonly #maxRate: number
  readonly #random: () => number
  readonly #now: () => number
  #readsLeft: number
  /** Readings that the maximum rate allows now, and at the most. */
  #allowance: number
  readonly #mostAllowed: number
  #lastBatch: number

  /** `now` is in milliseconds. */
  constructor(program: SensorProgram, random: () => number = Math.random, now = () => performance.now()) {
    const { filter, aggregate, maxReads } = program
    this.#filter = filter === null ? undefined : createFilter(filter)
    this.#aggregate = createAggregate(aggregate, random)
    this.#maxRate = 'maxRate' in aggregate ? aggregate.maxRate : Number.POSITIVE_INFINITY
    this.#readsLeft = maxReads ?? Number.POSITIVE_INFINITY
    this.#random = random
    this.#now = now
    this.#mostAllowed = Math.max(1, this.#maxRate * longestSaving)
    this.#allowance = this.#mostAllowed
    this.#lastBatch = now()
  }

  /** `read` is called for those of the records that are wanted. */
  addAll<Each>(records: readonly Each[], read: (record: Each) => Reading): void {
    const { length } = records
    const wanted = Math.min(length, this.#readsLeft, this.#allowed(length))
    this.#readsLeft -= wanted
    this.#allowance -= wanted
    if (wanted === length) for (const record of records) this.#add(read(record))
    else this.#addSome(records, wanted, read)
  }

  /** For `merge` of an aggregate with the same settings; starts anew. */
  takePartial(): unknown {
    return this.#aggregate.takePartial()
  }

  /** How many readings the maximum rate allows of the next so many records. */
  #allowed(length: number): number {
    if (this.#maxRate === Number.POSITIVE_INFINITY) return length
    const now = this.#now()
    const earned = (this.#maxRate * (now - this.#lastBatch)) / 1000
    this.#lastBatch = now
    this.#allowance = Math.min(this.#allowance + earned, this.#mostAllowed)
    // A part of a reading is a chance of one: records that come one by one are picked at random, too.
    const allowed = Math.floor(this.#allowance + this.#random())
    return allowed >= Math.min(length, worthwhile, Math.floor(this.#mostAllowed)) ? allowed : 0
  }

  /** One out of each of as many stretches of about the same length. */
  #addSome<Each>(records: readonly Each[], count: number, read: (record: Each) => Reading): void {
    let start = 0
    for (let stretch = 1; stretch <= count; stretch++) {
      const end = Math.floor((stretch * records.length) / count)
      this.#add(read(records[start + Math.floor(this.#random() * (end - start))]!))
      start = end
    }
  }

  #add(reading: Reading): void {
    const passed = this.#filter === undefined ? reading : this.#filter(reading)
    if (passed !== undefined) this.#aggregate.add(passed)
  }
}
