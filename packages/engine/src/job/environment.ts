// What a job needs from the engine it runs in.
import type { Frames } from '@pitot/codec'
import type { Tracing } from '@pitot/service'
import type { EngineOptions } from '../options.ts'
import type { Registry } from '../registry.ts'
import type { EngineTaps } from '../taps/engine-taps.ts'
import type { JobState, RejectedRecord } from './control.ts'
import type { SavedJobFolder } from './saved-job.ts'

/** What happens in a job that others may want to know at once. */
export type JobEvent =
  | { readonly kind: 'state'; readonly state: JobState; readonly reason: string | undefined }
  /** What the model printed. */
  | { readonly kind: 'console'; readonly text: string }
  /** Records that were written to a console output. */
  | { readonly kind: 'output'; readonly model: string; readonly records: readonly Uint8Array[] }
  /** The last output of the job is written. */
  | { readonly kind: 'output-eof' }
  | { readonly kind: 'rejected'; readonly record: RejectedRecord }
  /** A part of the job was set, replaced or taken away; `ref` is its name or number. */
  | {
      readonly kind: 'config'
      readonly item: 'model' | 'stream' | 'jet'
      readonly op: 'load' | 'reload' | 'unload' | 'attach' | 'reattach' | 'detach' | 'start' | 'stop'
      readonly ref: string | number | null
    }
  /** Streams or the model have changed. `schema` is that of the records as the model has them; null or undefined for none. */
  | { readonly kind: 'slots'; readonly slots: readonly { readonly slot: number; readonly schema: unknown }[] }

export interface JobEnvironment {
  readonly options: Pick<EngineOptions, 'data' | 'fileRoot' | 'allowExec' | 'stateMemory' | 'jets'>
  readonly registry: Registry
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void
  readonly tell: (event: JobEvent) => void
  /** What sensors can watch; nothing can be watched without it. */
  readonly taps?: EngineTaps | undefined
  /** Where somebody traces what happens. */
  readonly tracing?: Tracing | undefined
  /** Where the job is kept, for an engine that takes it up again when it starts. */
  readonly saved?: SavedJobFolder | undefined
  /** For a job that a model is only tried in. */
  readonly trial?: TrialSettings | undefined
}

/** What keeps a trial within its bounds and away from the job beside it. It stores no snapshot and commits no position. */
export interface TrialSettings {
  /** Records that are read of an input at most. */
  readonly mostRecords: number
  /** Fires when no more is to be read; what was read is still scored. */
  readonly enough: AbortSignal
  /** Fires when everything is to end at once: jets, and streams that are open or being opened. */
  readonly stop: AbortSignal
  /** Told what was written to an output, whatever its transport. */
  readonly written: (slot: number, frames: Frames) => void
}
