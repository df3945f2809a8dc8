// Blocks of records come in, frames of one record each go out: for streams of which single records are wanted or dropped.
import { type AvroType, compileCut, readSchema } from '@pitot/avro'
import type { Frames } from './frames.ts'

/**
 * Frames as they are where they hold one record each already, and where no schema tells the records apart. A block that is
 * damaged stays whole, for the decoder to say what is wrong with it.
 */
export function splitBlocks(frames: Frames, type: AvroType | null): Frames {
  const { counts, writerSchema, ...others } = frames
  const writer = writerSchema === undefined ? type : readSchema(writerSchema)
  if (counts === undefined || writer === null) return frames
  const cut = compileCut(writer)
  const bounds: number[] = []
  for (const [index, count] of counts.entries()) {
    const ends = recordEnds(frames, index, count, cut)
    if (ends === undefined) return frames
    let start = frames.bounds[2 * index]!
    for (const end of ends) {
      bounds.push(start, end)
      start = end
    }
  }
  return { ...others, bounds, ...(writerSchema !== undefined && { writerSchema }) }
}

/** Undefined when there are not as many records as the block says. */
function recordEnds(
  { bytes, bounds }: Frames,
  index: number,
  count: number,
  cut: ReturnType<typeof compileCut>,
): number[] | undefined {
  const blockEnd = bounds[2 * index + 1]!
  const ends: number[] = []
  try {
    for (let at = bounds[2 * index]!; ends.length < count; ) {
      at = cut(bytes, at, blockEnd)
      if (at < 0) return undefined
      ends.push(at)
    }
  } catch {
    return undefined
  }
  return ends
}
