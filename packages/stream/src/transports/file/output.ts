// Writes frames to a file: each write is in the file as a whole, or not at all.
import type { FileHandle } from 'node:fs/promises'
import type { Sink, StreamContext } from '../../transport.ts'
import { sinkFrom } from '../sink.ts'
import { codecOf } from './compression.ts'
import { attempt, openForWriting } from './confined.ts'
import type { FileOptions } from './options.ts'

export async function createFile(options: FileOptions, context: StreamContext): Promise<Sink> {
  const { Path: path, Append: append } = options
  const codec = codecOf(path, options.Compression)
  const file = await openForWriting(path, context.fileRoot)
  // A device has neither an end to go to nor a length to cut.
  const isPlain = (await file.stat()).isFile()
  if (isPlain && !append) await attempt('empty', path, () => file.truncate(0))
  let end = isPlain && append ? (await file.stat()).size : 0

  return sinkFrom(`the file ${path}`, {
    async write({ bytes, bounds }) {
      if (bounds.length === 0) return
      const range = bytes.subarray(bounds[0], bounds[1])
      if (range.length === 0) return
      // A compressed write is a member of its own, so that it too is whole or absent.
      const packed = codec === undefined ? range : await codec.compress(range)
      try {
        await attempt('write', path, () => writeAll(file, packed, isPlain ? end : null))
        end += packed.length
      } catch (error) {
        // Half a write would leave half a record: take it back.
        if (isPlain) await file.truncate(end).catch(() => undefined)
        throw error
      }
    },
    close: () => file.close(),
  })
}

/** At an offset of our own: whoever else writes to the file does not come in between. */
async function writeAll(file: FileHandle, bytes: Uint8Array, at: number | null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at === null ? null : at + done)
    done += bytesWritten
  }
}
