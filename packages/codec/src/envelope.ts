// What an envelope is: bytes of a stream go in, frames come out, and the other way round.
import type { AvroType } from '@pitot/avro'
import type { Compressors, Decompressors } from './compression.ts'
import type { Frames } from './frames.ts'
import type { Reject } from './reject.ts'

export interface Unwrapped {
  /** In the order of the stream. Several, because a frame that lay across two chunks has memory of its own. */
  readonly frames: readonly Frames[]
  readonly rejects: readonly Reject[]
}

/**
 * Cuts one stream. Call `push` for each chunk in order, then `end` once. Chunks may be cut anywhere: the frames are the
 * same. Frames are ranges of the chunk, so a chunk given is not written to any more. Never throws; after a reject that is
 * fatal, everything else is dropped.
 */
export interface Unwrapper {
  /**
   * `room`: that many bytes before the chunk, in its memory, are free to be written to. The beginning of a frame that lies
   * across two chunks may go there; without room such a frame is copied into memory of its own.
   */
  push(chunk: Uint8Array, room?: number): Unwrapped
  end(): Unwrapped
}

/** Writes one stream: `start` once before everything, then `wrap` for each batch. */
export interface Wrapper {
  /** Bytes that `wrap` puts behind each frame. Frames that leave so much room behind each other are not copied. */
  readonly room: number
  start(): Uint8Array
  wrap(frames: Frames): Uint8Array
}

export interface EnvelopeContext {
  /** The largest frame, in bytes; a larger one is a reject. 16 MiB by default. */
  readonly maximumFrame?: number
  /** The schema of the records, for envelopes that write it down. */
  readonly type?: AvroType | null
  readonly decompressors?: Decompressors
  readonly compressors?: Compressors
}

/** One way of framing. `Options` are its own, already checked by whoever read the descriptor. */
export interface Envelope<Options> {
  readonly name: string
  unwrapper(options: Options, context?: EnvelopeContext): Unwrapper
  wrapper(options: Options, context?: EnvelopeContext): Wrapper
}

export const MAXIMUM_FRAME = 16 * 2 ** 20

export const NOTHING: Unwrapped = { frames: [], rejects: [] }
export const NO_BYTES = new Uint8Array()
