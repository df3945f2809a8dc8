// Reads a file ahead: while one piece is worked on, the next ones are read already.
import type { FileHandle } from 'node:fs/promises'
import type { Chunk } from '../../transport.ts'
import { byteChunk } from '../source.ts'
import { attempt } from './confined.ts'

/**
 * Not smaller, because each piece costs a turn of the threads that read, and as a rule one of those that write. Not larger:
 * what is made of one piece, its records above all, is to stay in the processor's cache and to die in the young part of the
 * heap.
 */
const PIECE = 2 ** 17
const READ_AHEAD = 2
/** Free bytes before each piece, for the beginning of a record that ends in it. */
const ROOM = 2 ** 12

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
  // A device has no offsets: it is read from where it stands, one piece at a time.
  const hasOffsets = (await file.stat()).isFile()
  const ahead: Promise<{ bytesRead: number; buffer: Buffer }>[] = []
  let asked = offset
  const ask = () => {
    const at = asked
    asked += PIECE
    const reading = attempt('read', path, () =>
      file.read(Buffer.allocUnsafeSlow(ROOM + PIECE), ROOM, PIECE, hasOffsets ? at : null),
    )
    // Told when it is waited for; until then it must not count as an error that nobody handles.
    reading.catch(() => undefined)
    ahead.push(reading)
  }
  let at = offset
  try {
    for (;;) {
      while (ahead.length < (hasOffsets ? READ_AHEAD : 1)) ask()
      const { bytesRead, buffer } = await ahead.shift()!
      if (bytesRead === 0 || signal.aborted) return at
      if (hasOffsets) ask()
      const start = at
      at += bytesRead
      yield byteChunk(buffer.subarray(ROOM, ROOM + bytesRead), start, { room: ROOM })
      // What was asked for behind a short piece, which is the last one as a rule, does not follow it if the file has grown.
      if (hasOffsets && bytesRead < PIECE) {
        await Promise.allSettled(ahead.splice(0))
        asked = at
      }
    }
  } finally {
    await Promise.allSettled(ahead)
  }
}
