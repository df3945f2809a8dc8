// Reads a file in large pieces: while one is worked on, the next is read already.
import type { FileHandle } from 'node:fs/promises'
import type { Chunk } from '../../transport.ts'
import { byteChunk } from '../source.ts'
import { attempt } from './confined.ts'

const PIECE = 2 ** 20

/**
 * From `offset` to where the file ends at the time. Memory is new for each piece, because whoever got one may still hold it.
 * Gives back the offset of the end.
 */
export async function* readPlain(
  file: FileHandle,
  path: string,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Chunk, number> {
  // A device has no offsets: it is read from where it stands.
  const hasOffsets = (await file.stat()).isFile()
  const readAt = (at: number) => {
    const reading = attempt('read', path, () =>
      file.read(Buffer.allocUnsafeSlow(PIECE), 0, PIECE, hasOffsets ? at : null),
    )
    // Told when it is waited for; until then it must not count as an error that nobody handles.
    reading.catch(() => undefined)
    return reading
  }
  let at = offset
  let next = readAt(at)
  try {
    for (;;) {
      const { bytesRead, buffer } = await next
      if (bytesRead === 0 || signal.aborted) return at
      const start = at
      at += bytesRead
      next = readAt(at)
      yield byteChunk(buffer.subarray(0, bytesRead), start)
    }
  } finally {
    await next.catch(() => undefined)
  }
}
