// What an encoding is: frames go in, records come out, and the other way round.
import type { AvroType, CompileOptions } from '@pitot/avro'
import { copyOf, type Frames } from './frames.ts'
import type { Reject } from './reject.ts'
import type { Cut } from './self-delimited.ts'

/** Made once per stream; keeps what it found out about the frames at hand, so call it with the same `Frames` in a row. */
export interface Decoder {
  /**
   * Adds the records of one frame to `records`: usually one, none for a blank frame, several for a block. Never throws:
   * gives the reject when the frame is no record, or when what follows its first good records is none.
   */
  decode(frames: Frames, index: number, records: unknown[]): Reject | undefined
  /** The two halves of `decode`, for whoever wants to know what each costs. Absent where reading is all there is to it. */
  readonly halves?: DecoderHalves | undefined
}

export interface DecoderHalves {
  /** As `decode`, but the values are what the bytes alone say. */
  read(frames: Frames, index: number, values: unknown[]): Reject | undefined
  /** The record of the stream's type that a value of this frame is; uses up the value. Throws an Error when it is none. */
  check(value: unknown, frames: Frames, index: number): unknown
}

export interface EncodeReject {
  /** Which of the records it was. */
  readonly index: number
  readonly reason: string
}

export interface Encoded {
  /** One frame for each record that could be written. */
  readonly frames: Frames
  readonly rejects: readonly EncodeReject[]
}

export interface Encoder {
  /**
   * `room`: free bytes to leave behind each frame, for the envelope to write into. Never throws. Takes values of the type:
   * others are refused as soon as they could not be written, so check them before where exactness counts.
   */
  encode(records: readonly unknown[], room?: number): Encoded
}

/**
 * One encoding. `type` is the schema of the records, null for none. Making a decoder or an encoder throws an Error when
 * the encoding cannot carry the type.
 */
export interface Encoding<Options = object> {
  readonly name: string
  decoder(type: AvroType | null, options?: Options & CompileOptions): Decoder
  encoder(type: AvroType | null, options?: Options & CompileOptions): Encoder
  /** For encodings that know where a record ends: a stream of bytes needs no envelope then. */
  cut?(type: AvroType | null): Cut
}

/** A decoder of the two; for encodings with one record to a frame. */
export function inHalves(halves: DecoderHalves): Decoder {
  return {
    decode(frames, index, records) {
      const before = records.length
      const reject = halves.read(frames, index, records)
      if (reject !== undefined || records.length === before) return reject
      try {
        records[before] = halves.check(records[before], frames, index)
      } catch (error) {
        records.length = before
        return rejectFrame(frames, index, 'schema', (error as Error).message)
      }
      return undefined
    },
    halves,
  }
}

/** The reject of one frame, or of its rest from `from` on. */
export function rejectFrame(
  frames: Frames,
  index: number,
  step: Reject['step'],
  reason: string,
  from?: number,
): Reject {
  const start = from ?? frames.bounds[2 * index]!
  const bytes = copyOf(frames.bytes, start, frames.bounds[2 * index + 1])
  return { step, reason, position: frames.position + start, bytes, fatal: false }
}
