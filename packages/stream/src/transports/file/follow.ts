// Reads a file as it grows, through rotation and truncation: when the name leads to another file, that one is next.
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chunk, StreamContext } from '../../transport.ts'
import { byteChunk } from '../source.ts'
import { identityOf, openForReading, resolvePath } from './confined.ts'
import { readPlain } from './plain.ts'

const LOOK_EVERY = 100
const nothing = new Uint8Array()

/** `opened.file` is the file that is open at the time; whoever opened the first closes the last. */
export async function* follow(
  opened: { file: FileHandle },
  path: string,
  start: number,
  context: StreamContext,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void> {
  const full = resolvePath(path, context.fileRoot)
  let offset = start
  while (!signal.aborted) {
    const { file } = opened
    offset = yield* readPlain(file, path, offset, signal)
    const { size, dev, ino } = await file.stat({ bigint: true })
    if (size < BigInt(offset)) {
      context.log('info', `${path} was cut to ${size} bytes; reading it from its start`)
      yield byteChunk(nothing, offset, { endOfPart: true })
      offset = 0
      continue
    }
    if (size > BigInt(offset)) continue
    const now = await identityOf(full)
    if (now === undefined || now === `${dev}:${ino}`) {
      await sleep(LOOK_EVERY, undefined, { signal })
      continue
    }
    // The last lines may have been written between the last look at the size and the change of names.
    if ((await file.stat()).size > offset) continue
    const next = await openForReading(path, context.fileRoot).catch(() => undefined)
    if (next === undefined) continue
    context.log('info', `${path} is another file now; reading it from its start`)
    yield byteChunk(nothing, offset, { endOfPart: true })
    await file.close()
    opened.file = next
    offset = 0
  }
}
