// Reads a compressed file; offsets count the bytes that come out.
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { type Chunk, StreamFailure } from '../../transport.ts'
import { byteChunk } from '../source.ts'
import type { FileCodec } from './compression.ts'

export async function* readPacked(
  file: FileHandle,
  path: string,
  codec: FileCodec,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void> {
  const packed = file.createReadStream({ autoClose: false, start: 0, highWaterMark: 2 ** 18 })
  const bytes = codec.decompressor()
  pipeline(packed, bytes, () => undefined)
  signal.addEventListener('abort', () => bytes.destroy(), { once: true })
  let at = 0
  try {
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      const start = at
      at += piece.length
      if (at > offset) yield byteChunk(piece.subarray(Math.max(0, offset - start)), Math.max(start, offset))
    }
  } catch (error) {
    throw new StreamFailure(
      `cannot decompress ${path} after ${at} bytes: ${(error as Error).message}; the file is damaged, cut off, or of another kind than its name says`,
      { cause: error },
    )
  } finally {
    packed.destroy()
    bytes.destroy()
  }
}
