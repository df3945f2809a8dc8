// A resolved descriptor: every field has its value, every spelling is ours.
import type { EncodingName, EnvelopeName } from '@pitot/codec'
import type { Transport } from '../transport.ts'

export type Direction = 'input' | 'output'
export type OnError = 'skip' | 'fail' | 'dead-letter'
export type Delivery = 'at-least-once' | 'exactly-once' | 'at-most-once'

export interface Batching {
  /** The most records in a batch; null for no limit but memory. */
  readonly watermark: number | null
  /** Milliseconds to wait for more records; null for not waiting. */
  readonly nagleTime: number | null
}

export interface Descriptor {
  readonly direction: Direction
  readonly version: string
  readonly description: string
  readonly transport: Transport
  /** The transport's own fields, by the names they have in a descriptor. */
  readonly transportOptions: Readonly<Record<string, unknown>>
  readonly loop: boolean
  readonly endMarker: string | null
  readonly skipTo: number | null
  readonly skipToRecord: number | 'earliest' | 'latest' | null
  readonly envelope: EnvelopeName
  readonly envelopeOptions: Readonly<Record<string, unknown>>
  readonly encoding: EncodingName
  readonly encodingOptions: Readonly<Record<string, unknown>>
  /** Schema as written, references not followed; null when the records have none. */
  readonly schema: unknown
  /** Null: one record per batch. */
  readonly batching: Batching | null
  /** Milliseconds to wait for remaining records when an output closes; null for not waiting. */
  readonly lingerTime: number | null
  readonly onError: OnError
  /** Where rejected records go: the name of a stored stream, or a descriptor. */
  readonly deadLetter: unknown
  readonly delivery: Delivery
  /** Whether records come out in the order they came in, whatever jet scored them. */
  readonly order: boolean
}
