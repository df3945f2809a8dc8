// The input side of form `r`: frames of a stream come in, one list in R's serialised form goes out.
import type { Frames } from '@pitot/codec'
import type { JetReject, SlotStream } from '../messages.ts'
import { ROutput, UnwritableText } from '../r/output.ts'
import { compileWriteR, type WriteR } from '../r/write.ts'
import type { See } from '../slot/field-watches.ts'
import { compileInput, type InputBatch, typeOf } from '../slot/input.ts'

export interface TranslatedFrames {
  /** The serialised list. */
  readonly bytes: Uint8Array
  /** For each element of the list: the frame it came from. Absent when they are the same. */
  readonly map?: Uint32Array
  readonly consumed: number
  readonly rejects: readonly JetReject[]
  readonly seconds: InputBatch['seconds']
}

export interface RInput {
  /** `see` is shown the records. */
  translate(frames: Frames, see: See | undefined): TranslatedFrames
}

/** Throws an Error when the stream cannot be that of a slot of this schema. */
export function compileRInput(stream: SlotStream, modelSchema: unknown): RInput {
  const input = compileInput(stream, modelSchema)
  const write = compileWriteR(typeOf(modelSchema) ?? typeOf(stream.schema))
  return {
    translate(frames, see) {
      const { records, indexes, rejects, seconds } = input.decode(frames)
      see?.(records)
      const start = performance.now()
      const { bytes, written } = writeList(records, indexes, rejects, write)
      const isSame = written.length === frames.bounds.length / 2 && written.every((index, at) => index === at)
      return {
        bytes,
        ...(!isSame && { map: written }),
        consumed: written.length,
        rejects,
        seconds: { ...seconds, decode: seconds.decode + (performance.now() - start) / 1000 },
      }
    },
  }
}

/** Whether frames were left out, and so the numbers of records are not those of their places. */
function hasGaps(frames: Uint32Array): boolean {
  return frames.some((frame, at) => frame > at)
}

/** What R cannot hold is rejected and left out. */
function writeList(
  records: readonly unknown[],
  indexes: Uint32Array,
  rejects: JetReject[],
  write: WriteR,
): { bytes: Uint8Array; written: Uint32Array } {
  const output = new ROutput(Math.max(1024, 64 * records.length))
  const written = new Uint32Array(records.length)
  let count = 0
  output.startBatch()
  for (let at = 0; at < records.length; at++) {
    const start = output.length
    try {
      write(output, records[at])
      written[count++] = indexes[at]!
    } catch (error) {
      if (!(error instanceof UnwritableText)) throw error
      output.rewind(start)
      rejects.push({ index: indexes[at]!, step: 'model', reason: error.message })
    }
  }
  const frames = written.subarray(0, count)
  output.endBatch(count, hasGaps(frames) ? Array.from(frames) : undefined)
  return { bytes: output.bytes, written: frames }
}
