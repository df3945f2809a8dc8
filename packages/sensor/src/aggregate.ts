// Aggregates: the readings between two reports come in, the data of the report goes out.
import type { DriftThresholds } from './drift.ts'
import type { Reading } from './reading.ts'

/** What stands in `Aggregate` of a descriptor, read and checked. */
export type AggregateSettings =
  | { readonly type: 'last' | 'sum' | 'count' | 'mean' | 'min' | 'max' }
  | { readonly type: 'accumulate'; readonly sampleSize: number }
  | { readonly type: 'quantiles'; readonly quantiles: readonly number[] }
  | { readonly type: 'histogram'; readonly bounds: readonly number[] }
  | { readonly type: 'profile'; readonly sketch: boolean; readonly maxRate: number }
  | {
      readonly type: 'drift'
      /** `Profile.toJSON()`. */
      readonly reference: unknown
      readonly thresholds: DriftThresholds
      /** A window is not judged before it has so many values. */
      readonly minCount: number
      /** Readings a second that are enough, in each place where they are made. */
      readonly maxRate: number
    }

/**
 * Gathers readings. Whoever holds it calls `add` for each reading that passed the filter, and now and then one of the two
 * `take`s: `takePartial` where the readings are made, to be merged where the report is made; `takeResult` for the report.
 * Both start anew.
 */
export interface Aggregate {
  add(reading: Reading): void
  /** JSON for `merge` of another aggregate with the same settings. */
  takePartial(): unknown
  merge(partial: unknown): void
  /** Undefined when there is nothing to report. */
  takeResult(): unknown
  /** After `takeResult`: why the result is alarming, if it is. */
  alarm?(): string | undefined
}
