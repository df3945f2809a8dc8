// The chunks of a body as they were sent: a connection and the body that comes over it go in, one range per chunk comes out.
import type { Socket } from 'node:net'
import { StreamFailure } from '../../transport.ts'
import { plainBytes } from '../source.ts'

/** A larger chunk would have to be held in memory until it is complete. */
const LARGEST_CHUNK = 16 * 2 ** 20
const LINE_FEED = 0x0a
/** Longer lines than this are no sizes. */
const LONGEST_LINE = 2 ** 14

/**
 * Reads along what a connection brings, for the sizes that Node's client drops: it hands on the bytes of a body as they
 * arrive, wherever its chunks begin and end.
 *
 *   HTTP/1.1 200 OK · headers · blank line · { size in hexadecimal [;extension] · bytes · line end } · 0 · trailers
 */
export class ChunkSizes {
  /** Of chunks whose bytes are not yet taken. */
  readonly sizes: number[] = []
  #state: 'head' | 'size' | 'bytes' | 'end' = 'head'
  #line = ''
  /** Bytes to pass over, the line end behind them included. */
  #left = 0
  /** Answers like "100 Continue" have a head and nothing else. */
  #isInterim = false

  constructor(socket: Pick<Socket, 'on'>) {
    socket.on('data', (bytes: Uint8Array) => this.push(bytes))
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#state !== 'end'; ) {
      if (this.#state === 'bytes') {
        const passed = Math.min(this.#left, bytes.length - at)
        at += passed
        this.#left -= passed
        if (this.#left === 0) this.#state = 'size'
        continue
      }
      const found = bytes.indexOf(LINE_FEED, at)
      const end = found < 0 ? bytes.length : found
      this.#line += Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1')
      at = end + 1
      if (found >= 0) this.#endLine()
      else if (this.#line.length > LONGEST_LINE) this.#state = 'end'
    }
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/, '')
    this.#line = ''
    if (this.#state === 'head') {
      if (/^HTTP\/\d\.\d /.test(line)) this.#isInterim = /^HTTP\/\d\.\d 1/.test(line)
      else if (line === '' && !this.#isInterim) this.#state = 'size'
      return
    }
    const size = Number.parseInt(line, 16)
    // Node's client checks what comes, and refuses what is wrong by itself.
    if (!(size > 0)) {
      this.#state = 'end'
      return
    }
    this.sizes.push(size)
    this.#left = size + 2
    this.#state = 'bytes'
  }
}

export interface WholeChunks {
  readonly bytes: Uint8Array
  readonly bounds: readonly number[]
}

/** As many chunks at a time as have come whole. `name` is for the sentence when one is too large. */
export async function* wholeChunks(
  body: AsyncIterable<Uint8Array>,
  { sizes }: ChunkSizes,
  name: string,
): AsyncGenerator<WholeChunks, void> {
  let parts: Uint8Array[] = []
  let held = 0
  for await (const part of body) {
    parts.push(part)
    held += part.length
    const bounds: number[] = []
    let at = 0
    while (sizes.length > 0 && at + sizes[0]! <= held) {
      const end = at + sizes.shift()!
      bounds.push(at, end)
      at = end
    }
    if (bounds.length > 0) {
      const bytes = plainBytes(parts.length === 1 ? part : Buffer.concat(parts))
      yield { bytes, bounds }
      parts = at < held ? [bytes.subarray(at)] : []
      held -= at
    }
    if ((sizes[0] ?? 0) > LARGEST_CHUNK) {
      throw new StreamFailure(`${name} sends a chunk of ${sizes[0]} bytes; a record has at most ${LARGEST_CHUNK}`)
    }
  }
}
