// Frames: many records' bytes as ranges of one piece of memory. Nothing is copied and no object is made per record.

/**
 * Whoever hands on frames does not write to their bytes any more. To keep one frame for long, copy it: the range keeps
 * the whole memory alive.
 */
export interface Frames {
  readonly bytes: Uint8Array
  /** Start and end of each frame in `bytes`, one after the other: `[start0, end0, start1, end1, …]`. */
  readonly bounds: readonly number[]
  /** Where `bytes[0]` stands in the stream, so that frame i is at `position + bounds[2 * i]`. */
  readonly position: number
  /** How many records each frame holds, where the envelope knows; one each where this is absent. */
  readonly counts?: readonly number[]
  /** The line with the names of the columns, where the envelope has met one. */
  readonly header?: Uint8Array
  /** The schema that the data says it was written with (JSON text), where the envelope has met one. */
  readonly writerSchema?: string
}

export function countFrames(frames: Frames): number {
  return frames.bounds.length / 2
}

/** Records in all frames: one each, unless the envelope knows better. */
export function countRecords({ bounds, counts }: Frames): number {
  return counts === undefined ? bounds.length / 2 : counts.reduce((sum, count) => sum + count, 0)
}

/** The length of all frames together, without what lies between them. */
export function bytesOf({ bounds }: Frames): number {
  let bytes = 0
  for (let index = 0; index < bounds.length; index += 2) bytes += bounds[index + 1]! - bounds[index]!
  return bytes
}

/** The bytes of one frame, as a view. For tests and for the few frames that are looked at. */
export function frameAt(frames: Frames, index: number): Uint8Array {
  return frames.bytes.subarray(frames.bounds[2 * index], frames.bounds[2 * index + 1])
}

/** A copy in memory of its own. `slice` would not do: a Node Buffer's shares the memory. */
export function copyOf(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end))
}

/** One frame that is all of these bytes. */
export function wholeFrame(bytes: Uint8Array, position = 0): Frames {
  return { bytes, bounds: [0, bytes.length], position }
}
