// The job as the operations see it: what can be done to it and asked of it. No HTTP in here, no streams out there.
import type { JetReject, ModelSlot } from '@pitot/jet'
import type { Backlog, RestInput, RestOutput } from '@pitot/stream'
import type { ModelPackage } from '../model/package.ts'

/** INIT: something is missing. FINISHING: inputs are at their end, jets still work. ERROR: `reason` says why. */
export type JobState = 'INIT' | 'RUNNING' | 'PAUSED' | 'FINISHING' | 'FINISHED' | 'ERROR'

export interface StreamReport {
  /** As it was given. */
  readonly descriptor: Readonly<Record<string, unknown>>
  readonly name: string | undefined
  readonly total_records: number
  readonly total_bytes: number
  /** Of the records alone, without what the envelope adds. */
  readonly record_bytes: number
  readonly rejected: { readonly by_encoding: number; readonly by_schema: number; readonly by_model: number }
  readonly eof: boolean
}

export interface ModelReport {
  readonly name: string
  readonly type: string
  readonly source: string
  readonly attachments: readonly string[]
  /** Avro JSON, null where the model names none. */
  readonly input_schema: unknown
  readonly output_schema: unknown
  readonly recordsets: 'none' | 'input' | 'output' | 'both'
  readonly snapshots: 'none' | 'eof'
}

export interface JetReport {
  readonly pid: number
  readonly sandbox: string
  readonly total_consumed: number
  readonly total_produced: number
  readonly consumed_bytes: number
  readonly produced_bytes: number
  /** Seconds, at least 1. */
  readonly run_time: number
  /** Bytes. */
  readonly memory: number
  readonly busy: boolean
  /** Seconds of processor time since the start of the process, and those spent in the model. */
  readonly user_time: number
  readonly kernel_time: number
  readonly model_time: number
  /** What keeps the model from doing harm, in words. */
  readonly isolation: readonly string[]
}

export interface SlotReport {
  readonly slot: number
  readonly schema: unknown
  readonly recordsets: boolean
  readonly action: string | null
  readonly stream: StreamReport | null
}

export interface JobReport {
  readonly state: JobState
  /** Why the state is ERROR, or what the job waits for. */
  readonly reason: string | undefined
  readonly input: StreamReport | null
  readonly output: StreamReport | null
  readonly model: ModelReport | null
  readonly jets: readonly JetReport[]
  readonly slots: readonly SlotReport[]
  /** Jets that were replaced since the start, and how long the next start waits when they die too often. */
  readonly restarts: { readonly count: number; readonly waiting: number; readonly last: string | undefined }
  /** How often jets of the model would have waited for each other's cells without end. */
  readonly deadlocks: number
  /** Bytes that cells and pools hold, and may hold. */
  readonly sharedState: { readonly bytes: number; readonly limit: number }
  /** What waits for whom between input and output. */
  readonly queue: { readonly items: number; readonly batches: number; readonly bytes: number }
  /** By input slot: seconds from the moment a batch was taken up until everything of it was written, and how many. */
  readonly latency: readonly { readonly slot: number; readonly seconds: number; readonly times: number }[]
  /** Since the start or the last reset of the statistics. */
  readonly steps: StepCounts
}

/** Seconds and times of one step of a record's way. */
export interface StepCount {
  readonly seconds: number
  readonly times: number
}

export type StepCounts = Readonly<
  Record<
    | 'unwrap_envelope'
    | 'wrap_envelope'
    | 'decode_input_record'
    | 'decode_output_record'
    | 'type_check_input'
    | 'type_check_output',
    StepCount
  >
>

export interface CpuReport {
  readonly duration: number
  readonly input_bytes: number
  readonly input_records: number
  readonly output_bytes: number
  readonly output_records: number
  readonly user_time: number
  readonly kernel_time: number
  readonly steps: StepCounts
  readonly jets: readonly {
    readonly input_records: number
    readonly output_records: number
    readonly user_time: number
    readonly kernel_time: number
    readonly model_time: number
  }[]
}

export interface RejectedRecord {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly slot: number
  readonly step: JetReject['step'] | 'envelope'
  readonly reason: string
  readonly trace?: string | undefined
  /** Where it stood in its stream, as the transport tells it. */
  readonly position: unknown
  readonly bytes: Uint8Array
}

export interface Attached {
  /** The descriptor with every default filled in. */
  readonly resolved: Readonly<Record<string, unknown>>
  /** Spellings that were put right, rules that were bent. */
  readonly warnings: readonly string[]
}

export interface Verification {
  readonly slots: readonly ModelSlot[]
  readonly snapshots: 'none' | 'eof'
  readonly warnings: readonly string[]
}

/** Every method that can be refused rejects with a `PitotError` of the catalogue. */
export interface JobControl {
  /** Sets the stream of a slot, even = input, odd = output. With `dryRun` nothing changes. */
  attachStream(
    slot: number,
    descriptor: unknown,
    options: { readonly name?: string | undefined; readonly dryRun?: boolean | undefined },
  ): Promise<Attached>
  /** Takes over the package. With `dryRun` nothing changes. */
  loadModel(model: ModelPackage, options: { readonly dryRun?: boolean | undefined }): Promise<Verification>
  unloadModel(): Promise<void>
  /** Stops everything and forgets it. Also when idle. */
  reset(): Promise<void>
  scale(jets: number): Promise<void>
  report(): JobReport
  resetStatistics(): void
  sampleCpu(seconds: number, signal: AbortSignal): Promise<CpuReport>
  /** The queue of a REST stream; undefined when the slot has none. */
  restInput(slot: number): RestInput | undefined
  restOutput(slot: number): RestOutput | undefined
  /** What REST inputs have accepted by now, where a pig may be in it that is not read yet. */
  backlog(): Backlog | undefined
  /** Records in the framing of the input stream come in, their scores in that of the output stream go out. */
  score(request: {
    readonly input: number
    readonly output: number
    readonly body: Uint8Array
    /** Milliseconds. */
    readonly timeout: number
  }): Promise<{ readonly bytes: Uint8Array; readonly rejected: readonly RejectedRecord[] }>
  /** The last rejected records, newest last. */
  rejected(filter: {
    readonly slot?: number | undefined
    readonly step?: RejectedRecord['step'] | undefined
    readonly limit?: number | undefined
  }): readonly RejectedRecord[]
  /** What was written to debug outputs since the job started, oldest first. */
  debugOutput(): readonly Uint8Array[]
  /** A snapshot's contents, for the model that is there or the next one. */
  restoreState(contents: Uint8Array): Promise<void>
}
