// Reads a file as it grows, through rotation and truncation: when the name leads to another file, that one is next.
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chunk, StreamContext } from '../../transport.ts'
import { byteChunk, startOffset } from '../source.ts'
import { identityOf, openForReading, resolvePath } from './confined.ts'
import { readPlain } from './plain.ts'
import { markOf, rotatedSince } from './rotated.ts'

const LOOK_EVERY = 100
const nothing = new Uint8Array()

/** `opened.file` is the file that is open at the time; whoever opened the first closes the last. */
export async function* follow(
  opened: { file: FileHandle },
  path: string,
  context: StreamContext,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void> {
  const full = resolvePath(path, context.fileRoot)
  let offset = yield* catchUp(opened.file, path, context, signal)
  while (!signal.aborted) {
    const { file } = opened
    offset = yield* readMarked(file, path, offset, signal)
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

/** Reads what was rotated away since an earlier reader stood in it. Gives the offset to begin at in the present file. */
async function* catchUp(
  file: FileHandle,
  path: string,
  context: StreamContext,
  signal: AbortSignal,
): AsyncGenerator<Chunk, number> {
  const { from, fileRoot } = context
  let offset = startOffset(context)
  const mark = from?.file
  if (typeof mark !== 'string' || mark === markOf(await file.stat({ bigint: true }))) return offset
  const older = await rotatedSince(path, mark, fileRoot)
  if (older === undefined) {
    context.log(
      'warn',
      `${path} was replaced while nobody read it, and the old file is not beside it: what it had from byte ${offset} on is not read`,
    )
    return 0
  }
  for (const each of older) {
    context.log('info', `${path} was rotated while nobody read it; reading ${each} from byte ${offset} on first`)
    const rotated = await openForReading(each, fileRoot)
    try {
      offset = yield* readMarked(rotated, each, offset, signal)
    } finally {
      await rotated.close()
    }
    yield byteChunk(nothing, offset, { endOfPart: true })
    offset = 0
  }
  return 0
}

/** The same as `readPlain`, with positions that say which file they are in. */
async function* readMarked(
  file: FileHandle,
  path: string,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Chunk, number> {
  const mark = markOf(await file.stat({ bigint: true }))
  const pieces = readPlain(file, path, offset, signal)
  try {
    for (;;) {
      const { value, done } = await pieces.next()
      if (done === true) return value
      yield { ...value, position: (index) => ({ ...value.position(index), file: mark }) }
    }
  } finally {
    await pieces.return(0)
  }
}
