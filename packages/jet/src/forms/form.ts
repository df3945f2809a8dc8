// What stands between the engine's batches and a runner's form of records: one translator per jet, made when it says hello.
import type { Emissions, JetBatch } from '../jet.ts'
import type { Attach, JetReject, Loaded, ScoreBatch, Scored } from '../messages.ts'
import type { FieldWatches } from '../slot/field-watches.ts'

/** A batch on its way to the jet; handed back with the answer. */
export interface SentBatch {
  readonly batch: Omit<ScoreBatch, 'batch'>
  /** What the host refused, by the indexes of the original batch. */
  readonly rejects: readonly JetReject[]
  /** For each frame that is sent: its index in the original batch. Absent when all of them are sent. */
  readonly map?: ArrayLike<number>
  /** Records in the frames that are sent. */
  readonly consumed: number
  /** What the host needed for it. */
  readonly seconds: { readonly decode: number; readonly checkInput: number }
}

/**
 * Order of calls: `loaded` once; `attach` for each slot, again whenever a stream changes; `toJet` for each batch, and
 * `fromJet` for each answer in the same order. Up to a few batches are between the two. The stream of an input is attached
 * before the next `toJet`, that of an output when everything sent before has been answered: so `toJet` always has the right
 * inputs, and `fromJet` the right outputs.
 */
export interface FormTranslator {
  /** For forms whose records the host decodes: what sensors watch in them. Undefined where the runner sees to it. */
  readonly watches: FieldWatches | undefined
  /** What the model really has, with its own schemas. */
  loaded(loaded: Loaded): void
  /** Throws a ModelFailure when the slot cannot take this stream; the stream before it then stays. */
  attach(attach: Attach): void
  /** What to send, or the whole answer when nothing is left to send. Never throws for what is in the frames. */
  toJet(batch: JetBatch): SentBatch | Emissions
  /**
   * The whole answer: indexes are those of the original batch, rejects and seconds of both sides are put together. `sent` is
   * what `toJet` gave, undefined for begin and end. Throws an Error, which ends the jet, when it is not what a runner may answer.
   */
  fromJet(scored: Scored, sent: SentBatch | undefined): Emissions
}

/** Whether `toJet` has answered by itself. */
export function isAnswered(translated: SentBatch | Emissions): translated is Emissions {
  return 'outputs' in translated
}
