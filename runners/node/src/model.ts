// A model as the runner sees it, whatever language it is written in.
import type { Loaded, SharedState } from '@pitot/jet/runner'
import type { EmissionList } from './emissions.ts'

/** Records of one batch, decoded and checked. */
export interface ModelBatch {
  readonly slot: number
  /** All records are one set, and the model takes them together. */
  readonly isRecordset: boolean
  readonly records: readonly unknown[]
  /** For each record: the frame it came from. */
  readonly indexes: Uint32Array
  /** Of the batch: everything that comes of a record set has its index. */
  readonly lastFrame: number
  /** The record's number in its stream, from 1. */
  sequence(at: number): number
  /** To be called after each record: says now and then how far the batch is. */
  done(at: number): void
}

/**
 * Order of calls: `begin` once, `score` for each batch, `end` once. What a call emits goes to the list; a record that the
 * model raises on is rejected there, so that `score` itself never throws. `begin` and `end` throw what the model throws.
 */
export interface Model {
  readonly loaded: Loaded
  /** What it emits is known to be of its own output types. */
  readonly isTrusted: boolean
  begin(emissions: EmissionList): void | Promise<void>
  score(batch: ModelBatch, emissions: EmissionList): void | Promise<void>
  end(emissions: EmissionList): void | Promise<void>
  /** What this jet alone holds. */
  snapshot(): SharedState
  /** Whether something of the model may go on while no message is handled. */
  isBusy(): boolean
}

/** The model cannot be used; the sentence is for its author. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure'
  readonly trace: string | undefined

  constructor(sentence: string, trace?: string) {
    super(sentence)
    this.trace = trace
  }
}
