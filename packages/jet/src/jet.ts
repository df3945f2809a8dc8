// A jet as the engine sees it: batches of frames go in, frames for the output streams and rejects come out.
import type { Frames } from '@pitot/codec'
import type {
  Answer,
  Ask,
  Attach,
  JetReject,
  Load,
  Loaded,
  Partials,
  SharedState,
  StepSeconds,
  Watch,
} from './messages.ts'

/** Frames of one input slot. They are not copied: nobody writes to their bytes until the answer is here. */
export interface JetBatch {
  readonly slot: number
  readonly frames: Frames
  /** Number of the first record in its stream, from 1. */
  readonly first: number
  /** The batch is one record set, for models that take such. */
  readonly isRecordset: boolean
}

/** What came of a batch: encoded frames, ready for the streams of their slots. */
export interface Emissions {
  /** Records that were taken out of the frames. */
  readonly consumed: number
  readonly seconds: StepSeconds
  /** One entry per output slot that has something, frames in the order they were emitted. */
  readonly outputs: readonly SlotEmissions[]
  readonly rejects: readonly JetReject[]
}

export interface SlotEmissions {
  readonly slot: number
  readonly frames: Frames
  /** For each frame: the index of the input frame it came from; `NO_FRAME` for begin and end. */
  readonly indexes: ArrayLike<number>
  /** Where record sets end: how many of the frames come before each end. Absent when the model emits plain records. */
  readonly endsOfSets?: readonly number[]
}

export interface JetUsage {
  /** Bytes resident, of the runner's process and its children. */
  readonly memory: number
  /** Seconds of processor time since the start. */
  readonly user: number
  readonly kernel: number
}

/** Why a jet is no more, when nobody asked it to stop. */
export type JetDeathCause = 'exit' | 'signal' | 'hang' | 'memory' | 'garbage' | 'start'

/** The process is gone, or had to be ended: whatever it was working on has no answer. */
export class JetDeath extends Error {
  override readonly name = 'JetDeath'
  readonly kind: JetDeathCause

  constructor(kind: JetDeathCause, sentence: string) {
    super(sentence)
    this.kind = kind
  }
}

/** The model is not one, cannot take a stream, or raised where no record is to blame. The jet itself is well. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly trace: string | undefined

  constructor(sentence: string, trace?: string) {
    super(sentence)
    this.trace = trace
  }
}

/**
 * One process with one instance of the model. Order of calls: `load`, then `attach` for each slot (again whenever a stream
 * changes), `begin` once, `score` as often as there is work, `end` once; `watch` and `collect` at any time after `load`. Calls are carried out in the order they are made;
 * the next may be made before the last has resolved. Every call rejects with the same `JetDeath` once the jet is dead.
 */
export interface Jet {
  /** Digits, unique in this engine. */
  readonly sandbox: string
  readonly pid: number
  /** What keeps the model from doing harm, in words: for status. */
  readonly isolation: readonly string[]
  /** Resolves, never rejects, when the process has ended; undefined when it ended because it was asked to. */
  readonly gone: Promise<JetDeath | undefined>
  /** Rejects with a `ModelFailure` when the model is at fault. */
  load(load: Load): Promise<Loaded>
  /** Rejects with a `ModelFailure` when the slot cannot take this stream. */
  attach(attach: Attach): Promise<void>
  begin(): Promise<Emissions>
  score(batch: JetBatch): Promise<Emissions>
  end(): Promise<Emissions>
  /** State of this jet alone, not what is shared. */
  snapshot(): Promise<SharedState>
  /** Starts to watch a field, or ends it. There is no answer, and nothing to be told when the jet is dead. */
  watch(watch: Watch): void
  /** What these watches have seen since the last time. What a jet has seen that dies is lost. */
  collect(watches: readonly number[]): Promise<Partials>
  usage(): JetUsage
  /** Finishes what it was asked to do, then ends the process; after a few seconds of grace it is killed. Idempotent. */
  stop(): Promise<void>
  /** Ends the process and everything it started, at once. */
  kill(): Promise<void>
}

/** State shared by the jets of a job; `holder` is the sandbox of the jet that asks. */
export interface SharedStateStore {
  /** May wait until the item is free; answers `failed` when waiting would never end. */
  ask(holder: string, ask: Ask): Promise<Answer>
  /** The jet is gone: everything it holds is free again. */
  forget(holder: string): void
}
