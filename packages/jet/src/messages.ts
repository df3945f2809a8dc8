// What passes between the host and a jet: one tagged union in each direction. The layouts are those of runners/PROTOCOL.md.
import type { SensorProgram } from '@pitot/sensor/place'

export const PROTOCOL = 1
export const MAXIMUM_MESSAGE = 256 * 2 ** 20
/** The frame that an emission of `begin` and `end` came from. */
export const NO_FRAME = 0xffffffff
/** Set in the slot of an emission that ends a record set. */
export const END_OF_SET = 0x8000

/** How records travel: as the streams carry them, as JSON texts, or as lists in R's serialised form. */
export type Form = 'wire' | 'json' | 'r'

/** What is known of one slot of a model. Even slots are inputs, odd ones outputs. */
export interface ModelSlot {
  readonly slot: number
  /** Avro JSON with all references followed; absent where the model names none. */
  readonly schema?: unknown
  readonly recordsets: boolean
  /** The function that takes the records of an input slot; null for a slot that is not used. */
  readonly action: string | null
}

/** State that cells and pools hold, by name. Values are JSON that only the runner understands. */
export interface SharedState {
  readonly cells: Readonly<Record<string, unknown>>
  readonly pools: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface Load {
  readonly language: string
  readonly name: string
  /** Name of the source in the working folder. */
  readonly file: string
  readonly sandbox: string
  /** Seconds one record may take; the runner may use it to interrupt by itself. */
  readonly timeout: number
  readonly slots: readonly ModelSlot[]
  /** Libraries that come with the attachments. */
  readonly attached: readonly string[]
  readonly state?: SharedState
}

export interface Loaded {
  readonly slots: readonly ModelSlot[]
  readonly snapshots: 'none' | 'eof'
  readonly warnings: readonly string[]
}

/** A stream as a slot sees it. */
export interface SlotStream {
  readonly encoding: string
  /** Of the encoding, in the terms of the codec package. */
  readonly options: Readonly<Record<string, unknown>>
  /** Avro JSON with all references followed; null for records without a type. */
  readonly schema: unknown
  /** Free bytes to leave behind each encoded frame. */
  readonly room: number
}

export interface Attach {
  readonly slot: number
  readonly stream: SlotStream | null
}

export interface Hello {
  readonly protocol: number
  readonly runner: string
  readonly version: string
  readonly pid: number
  readonly form: Form
}

/** Frames of one slot, to be scored together. `bounds` are as in `Frames`: start and end of each, one after the other. */
export interface ScoreBatch {
  readonly batch: number
  readonly slot: number
  readonly isRecordset: boolean
  /** Number of the first record in its stream, from 1. */
  readonly first: number
  readonly bytes: Uint8Array
  readonly bounds: ArrayLike<number>
  readonly counts?: readonly number[] | undefined
  readonly header?: Uint8Array | undefined
  readonly writerSchema?: string | undefined
}

export interface StepSeconds {
  readonly decode: number
  readonly checkInput: number
  readonly model: number
  readonly checkOutput: number
  readonly encode: number
}

export interface JetReject {
  /** Frame of the batch; `NO_FRAME` for begin and end. */
  readonly index: number
  readonly step: 'encoding' | 'schema' | 'model'
  readonly reason: string
  readonly trace?: string
  /** Odd when an output was refused. */
  readonly slot?: number
  /** Base64 of the refused bytes, where they are not the frame itself. */
  readonly bytes?: string
}

/** What came of a batch, of begin or of end. */
export interface Scored {
  readonly batch: number
  readonly consumed: number
  readonly seconds: StepSeconds
  /** One entry per emission: the frame it came from. */
  readonly indexes: Uint32Array
  /** Two entries per emission: start and end in `bytes`. */
  readonly bounds: Uint32Array
  readonly slots: Uint16Array
  readonly bytes: Uint8Array
  readonly rejects: readonly JetReject[]
}

export type Ask = {
  readonly do: 'get' | 'set' | 'lock' | 'release'
  readonly value?: unknown
} & ({ readonly cell: string } | { readonly pool: string; readonly key: string })

export interface Answer {
  readonly value?: unknown
  readonly failed?: string
}

/** A field of the records of a slot that a sensor watches. */
export interface Watch {
  /** Its number: one that the host has given to no other. */
  readonly watch: number
  readonly slot: number
  /** Names of fields with dots between them. */
  readonly path: string
  /** Null to watch no longer. */
  readonly program: SensorProgram | null
}

/** Partial aggregates by the numbers of their watches. */
export type Partials = Readonly<Record<number, unknown>>

export type HostMessage =
  | { readonly kind: 'load'; readonly load: Load }
  | { readonly kind: 'attach'; readonly attach: Attach }
  | { readonly kind: 'begin'; readonly batch: number }
  | { readonly kind: 'score'; readonly batch: ScoreBatch }
  | { readonly kind: 'end'; readonly batch: number }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'watch'; readonly watch: Watch }
  | { readonly kind: 'collect'; readonly watches: readonly number[] }

export type JetMessage =
  | { readonly kind: 'hello'; readonly hello: Hello }
  | { readonly kind: 'loaded'; readonly loaded: Loaded }
  | { readonly kind: 'failed'; readonly sentence: string; readonly trace?: string }
  | { readonly kind: 'attached' }
  | { readonly kind: 'scored'; readonly scored: Scored }
  | { readonly kind: 'progress'; readonly batch: number; readonly done: number }
  | { readonly kind: 'ask'; readonly ask: Ask }
  | { readonly kind: 'state'; readonly state: SharedState }
  | { readonly kind: 'collected'; readonly partials: Partials }

export const hostKinds = [
  'load',
  'attach',
  'begin',
  'score',
  'end',
  'answer',
  'snapshot',
  'stop',
  'watch',
  'collect',
] as const
export const jetKinds = [
  'hello',
  'loaded',
  'failed',
  'attached',
  'scored',
  'progress',
  'ask',
  'state',
  'collected',
] as const
