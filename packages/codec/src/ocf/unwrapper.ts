// Cuts a container file into its blocks: chunks go in, the data of each block comes out as one frame, decompressed.
import { ByteCursor, compileBinary } from '@pitot/avro'
import { type EnvelopeContext, MAXIMUM_FRAME, NOTHING, type Unwrapped, type Unwrapper } from '../envelope.ts'
import type { OcfBlockOptions } from '../envelopes/ocf-block.ts'
import { copyOf, type Frames } from '../frames.ts'
import { Pending } from '../pending.ts'
import type { Reject } from '../reject.ts'
import { indexOfByte } from '../search.ts'
import { decompressBlock } from './compress.ts'
import { MAGIC, readHeader, SYNC_SIZE, startsWithMagic } from './header.ts'

const MAXIMUM_HEADER = 2 ** 20
const long = compileBinary({ kind: 'long' })

/** After a broken block the next sync marker is looked for: what follows it is read again. */
export class BlockUnwrapper implements Unwrapper {
  readonly #options: OcfBlockOptions
  readonly #context: EnvelopeContext
  readonly #maximum: number
  readonly #pending = new Pending()
  readonly #cursor = new ByteCursor(new Uint8Array())
  #sync: Uint8Array | undefined
  #codec: string
  #schema: string | undefined
  /** Stream position of the first pending byte. */
  #position = 0
  #step: 'start' | 'blocks' | 'seeking' | 'broken' = 'start'

  constructor(options: OcfBlockOptions, context: EnvelopeContext = {}) {
    this.#options = options
    this.#context = context
    this.#maximum = context.maximumFrame ?? MAXIMUM_FRAME
    this.#sync = options.syncMarker
    this.#codec = options.compress ?? 'null'
    if (this.#sync !== undefined && this.#sync.length !== SYNC_SIZE) {
      throw new RangeError(`a sync marker has ${SYNC_SIZE} bytes, not ${this.#sync.length}`)
    }
  }

  push(chunk: Uint8Array): Unwrapped {
    if (this.#step === 'broken') return NOTHING
    const out: Collected = { frames: [], rejects: [] }
    const carried = this.#pending.length > 0
    if (carried) this.#pending.add(chunk)
    const bytes = carried ? this.#pending.view() : chunk
    let at = 0
    for (let next = this.#read(bytes, at, carried, out); next > at; next = this.#read(bytes, at, carried, out))
      at = next
    // In a broken stream nothing is kept.
    if (this.#is('broken')) this.#pending.clear()
    else if (carried) this.#pending.drop(at)
    else this.#pending.add(chunk, at)
    this.#position += at
    return out
  }

  end(): Unwrapped {
    if (this.#step === 'broken' || this.#pending.length === 0) return NOTHING
    const bytes = this.#pending.take()
    if (this.#step === 'seeking') return NOTHING
    const what = this.#step === 'start' ? 'a header or a block' : 'the rest of a block'
    const reason = `expected ${what}, found the end of the stream after ${bytes.length} bytes`
    return { frames: [], rejects: [this.#reject(reason, bytes, 0, false)] }
  }

  /** One step. Gives the index of the first byte that is not needed any more, `at` itself when more bytes are needed. */
  #read(bytes: Uint8Array, at: number, carried: boolean, out: Collected): number {
    switch (this.#step) {
      case 'start':
        return this.#readStart(bytes, at, out)
      case 'blocks':
        return this.#readBlock(bytes, at, carried, out)
      case 'seeking':
        return this.#seek(bytes, at)
      default:
        return at
    }
  }

  #is(step: string): boolean {
    return this.#step === step
  }

  #readStart(bytes: Uint8Array, at: number, out: Collected): number {
    if (bytes.length - at < MAGIC.length && startsLikeMagic(bytes, at)) return at
    if (startsWithMagic(bytes, at)) return this.#readHeader(bytes, at, out)
    if (this.#sync === undefined) {
      const reason =
        'expected the header of a container file, found none; without a header the envelope needs its SyncMarker'
      return this.#break(reason, bytes, at, out)
    }
    this.#step = 'blocks'
    return this.#readBlock(bytes, at, false, out)
  }

  #readHeader(bytes: Uint8Array, at: number, out: Collected): number {
    try {
      const header = readHeader(bytes, at)
      if (header === undefined) {
        if (bytes.length - at > MAXIMUM_HEADER)
          throw new Error(`expected a header of at most ${MAXIMUM_HEADER} bytes, found a longer one`)
        return at
      }
      const { syncMarker, compress } = this.#options
      if (syncMarker !== undefined && !equal(syncMarker, header.sync)) {
        throw new Error('expected the SyncMarker of the envelope in the header, found another one')
      }
      if (compress != null && compress !== header.codec) {
        throw new Error(`expected the codec ${compress} in the header, found ${header.codec}`)
      }
      this.#sync = header.sync
      this.#codec = header.codec
      this.#schema = header.schema
      this.#step = 'blocks'
      return at + header.size
    } catch (error) {
      return this.#break((error as Error).message, bytes, at, out)
    }
  }

  #readBlock(bytes: Uint8Array, at: number, carried: boolean, out: Collected): number {
    // A second file may follow the first. No block begins so: its count would be negative.
    if (bytes.length - at < MAGIC.length && startsLikeMagic(bytes, at)) return at
    if (startsWithMagic(bytes, at)) return this.#readHeader(bytes, at, out)
    const head = this.#readSizes(bytes, at)
    if (head === undefined) return at
    if (typeof head === 'string') return this.#damaged(head, bytes, at, at, out)
    const { count, size, start } = head
    const end = start + size
    if (end + SYNC_SIZE > bytes.length) return at
    if (!equal(this.#sync!, bytes, end)) {
      return this.#damaged('expected the sync marker behind the block, found other bytes', bytes, at, start, out)
    }
    this.#addBlock(bytes, start, end, count, carried, out)
    return end + SYNC_SIZE
  }

  /** Undefined: more bytes are needed. A string: what is wrong. */
  #readSizes(bytes: Uint8Array, at: number): { count: number; size: number; start: number } | string | undefined {
    const cursor = this.#cursor
    cursor.reset(bytes, at, bytes.length)
    try {
      const count = long.read(cursor) as number
      const size = long.read(cursor) as number
      if (count < 0 || typeof count === 'bigint') return `expected the number of records in a block, found ${count}`
      if (size < 0 || size > this.#maximum || typeof size === 'bigint') {
        return `expected a block of at most ${this.#maximum} bytes, found ${size}`
      }
      return { count, size, start: cursor.offset }
    } catch {
      // Two numbers take twenty bytes at most.
      return bytes.length - at < 20
        ? undefined
        : 'expected the number of records and bytes of a block, found no numbers'
    }
  }

  #addBlock(bytes: Uint8Array, start: number, end: number, count: number, carried: boolean, out: Collected): void {
    try {
      const data = bytes.subarray(start, end)
      const plain = decompressBlock(this.#codec, data, this.#maximum, this.#context.decompressors)
      // Pending bytes are overwritten by the next chunk, so what stays is copied.
      const kept = plain === data && carried ? copyOf(data) : plain
      const inChunk = kept === data
      const frames: Frames = {
        bytes: inChunk ? bytes : kept,
        bounds: inChunk ? [start, end] : [0, kept.length],
        position: this.#position + (inChunk ? 0 : start),
        counts: [count],
        ...(this.#schema === undefined ? {} : { writerSchema: this.#schema }),
      }
      out.frames.push(frames)
    } catch (error) {
      out.rejects.push(this.#reject((error as Error).message, bytes.subarray(start, end), start, false))
    }
  }

  #damaged(reason: string, bytes: Uint8Array, at: number, from: number, out: Collected): number {
    out.rejects.push(this.#reject(reason, bytes.subarray(at), at, false))
    this.#step = 'seeking'
    return Math.max(from, at + 1)
  }

  #seek(bytes: Uint8Array, at: number): number {
    const sync = this.#sync!
    for (let found = indexOfByte(bytes, sync[0]!, at); found >= 0; found = indexOfByte(bytes, sync[0]!, found + 1)) {
      if (found + SYNC_SIZE > bytes.length) return found
      if (equal(sync, bytes, found)) {
        this.#step = 'blocks'
        return found + SYNC_SIZE
      }
    }
    return bytes.length
  }

  #break(reason: string, bytes: Uint8Array, at: number, out: Collected): number {
    out.rejects.push(this.#reject(reason, bytes.subarray(at), at, true))
    this.#step = 'broken'
    return at
  }

  /** `at`: where the refused bytes are, counted from the first byte at hand. */
  #reject(reason: string, bytes: Uint8Array, at: number, fatal: boolean): Reject {
    return { step: 'envelope', reason, position: this.#position + at, bytes: copyOf(bytes, 0, 1024), fatal }
  }
}

interface Collected {
  readonly frames: Frames[]
  readonly rejects: Reject[]
}

function equal(expected: Uint8Array, bytes: Uint8Array, at = 0): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false
  return true
}

/** Too few bytes to tell, but so far they are those of the magic. */
function startsLikeMagic(bytes: Uint8Array, at: number): boolean {
  for (let index = at; index < bytes.length; index++) if (bytes[index] !== MAGIC[index - at]) return false
  return true
}
