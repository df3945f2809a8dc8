// Batches of one partition come in; frames, offsets, keys and headers go out, a piece at a time. No object is made per
// record that has neither key nor headers.
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Frames } from '@pitot/codec'
import { compressionsAlgorithms } from '@platformatic/kafka'
import { type MessageDetails, StreamFailure } from '../../transport.ts'
import { plainBytes } from '../source.ts'
import { type Batch, headerEnd } from './batches.ts'
import { Cursor } from './varint.ts'

export interface PartitionRecords {
  readonly frames: Frames
  /** The offset of each record. */
  readonly offsets: readonly number[]
  readonly details?: readonly MessageDetails[]
  /** Where to go on after them. */
  readonly next: number
}

/**
 * Bytes after which a piece ends. An answer of a broker may be many megabytes of records, once it is unpacked: what is made
 * of one piece stays in the processor's cache, and dies in the young part of the heap.
 */
const pieceBytes = 2 ** 17

/**
 * A batch that unpacks to more than this is taken for damaged or hostile. Snappy and LZ4 cannot grow data by so much that it
 * matters.
 */
const maximumUnpacked = 268_435_456

const decompressors: Readonly<Record<number, (packed: Buffer) => Buffer>> = {
  1: (packed) => gunzipSync(packed, { maxOutputLength: maximumUnpacked }),
  2: (packed) => compressionsAlgorithms.snappy.decompressSync(packed),
  3: (packed) => compressionsAlgorithms.lz4.decompressSync(packed),
  4: (packed) => zstdDecompressSync(packed, { maxOutputLength: maximumUnpacked }),
}

/** Every record from offset `from` on. A batch is unpacked when it is reached, so that one at a time is in memory. */
export function* readRecords(batches: readonly Batch[], from: number): Generator<PartitionRecords, void> {
  let piece = new Piece(from)
  for (const batch of batches) {
    const cursor = attempt(batch, () => unpack(batch))
    for (let left = batch.count; left > 0; ) {
      left = attempt(batch, () => piece.take(cursor, batch, left))
      if (!piece.isFull) continue
      if (!piece.isEmpty) yield piece.done(left === 0 ? batch.next : undefined)
      piece = new Piece(from)
    }
  }
  if (!piece.isEmpty) yield piece.done(batches.at(-1)?.next)
}

function attempt<Result>(batch: Batch, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw new StreamFailure(`${batch.place()} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

/** At the first record. */
function unpack({ bytes, compression }: Batch): Cursor {
  if (compression === 0) return new Cursor(bytes, headerEnd)
  const decompress = decompressors[compression]
  if (decompress === undefined) throw new Error(`compression ${compression} is not known`)
  return new Cursor(decompress(bytes.subarray(headerEnd)))
}

const noDetails: MessageDetails = Object.freeze({})

/** A part of the memory of a batch, and the number of bounds up to its end. */
interface Stretch {
  readonly bytes: Buffer
  readonly isPacked: boolean
  readonly boundsEnd: number
}

/** Records of one piece in the making, as ranges of the memory that they lie in. */
class Piece {
  readonly #from: number
  readonly #bounds: number[] = []
  readonly #offsets: number[] = []
  readonly #stretches: Stretch[] = []
  #details: MessageDetails[] | undefined
  #size = 0

  constructor(from: number) {
    this.#from = from
  }

  get isFull(): boolean {
    return this.#size >= pieceBytes
  }

  get isEmpty(): boolean {
    return this.#offsets.length === 0
  }

  /** Takes records until the piece is full or the batch is at its end; gives the number of those left in the batch. */
  take(cursor: Cursor, { first, compression }: Batch, count: number): number {
    const start = cursor.at
    const stop = start + pieceBytes - this.#size
    let left = count
    for (; left > 0 && cursor.at < stop; left--) this.#record(cursor, start, first)
    const bytes = cursor.bytes.subarray(start, cursor.at)
    this.#stretches.push({ bytes, isPacked: compression !== 0, boundsEnd: this.#bounds.length })
    this.#size += bytes.length
    return left
  }

  /** Bounds count from the start of the stretch until the piece is done. */
  #record(cursor: Cursor, stretchStart: number, first: number): void {
    const length = cursor.varint()
    const end = cursor.at + length
    if (length < 0 || end > cursor.bytes.length) throw new RangeError('a record runs beyond its batch')
    cursor.at += 1
    cursor.skipVarlong()
    const offset = first + cursor.varint()
    if (offset >= this.#from) {
      const keyLength = cursor.varint()
      const keyStart = cursor.at
      if (keyLength > 0) cursor.at += keyLength
      const valueLength = Math.max(0, cursor.varint())
      // A record without a value (a tombstone) is an empty frame.
      const start = cursor.at - stretchStart
      cursor.at += valueLength
      const headers = cursor.varint()
      if (cursor.at > end) throw new RangeError('a field runs beyond its record')
      this.#bounds.push(start, start + valueLength)
      this.#offsets.push(offset)
      if (keyLength >= 0 || headers > 0 || this.#details !== undefined) {
        const key = keyLength < 0 ? undefined : cursor.bytes.subarray(keyStart, keyStart + keyLength)
        this.#addDetails(cursor, key, headers)
      }
    }
    cursor.at = end
  }

  #addDetails(cursor: Cursor, key: Buffer | undefined, count: number): void {
    const headers: [string, Uint8Array][] = []
    for (let index = 0; index < count; index++) {
      const name = cursor.take(cursor.varint()).toString()
      headers.push([name, plainBytes(cursor.take(Math.max(0, cursor.varint())))])
    }
    this.#details ??= Array<MessageDetails>(this.#offsets.length - 1).fill(noDetails)
    const none = key === undefined && headers.length === 0
    this.#details.push(
      none ? noDetails : { ...(key && { key: plainBytes(key) }), ...(headers.length > 0 && { headers }) },
    )
  }

  /** `next`: where to go on, when that is not right behind the last record. */
  done(next = (this.#offsets.at(-1) ?? 0) + 1): PartitionRecords {
    return {
      frames: { bytes: this.#joined(), bounds: this.#bounds, position: 0 },
      offsets: this.#offsets,
      next,
      ...(this.#details !== undefined && { details: this.#details }),
    }
  }

  /** The memory that all bounds count from, now. */
  #joined(): Uint8Array {
    const [first, ...others] = this.#stretches
    if (first === undefined) return new Uint8Array()
    if (others.length === 0) return plainBytes(first.bytes)
    // Batches that are not packed lie one after the other in the answer of the broker; unpacked ones have a memory each.
    const lieTogether = this.#stretches.every(({ isPacked }) => !isPacked)
    const origin = first.bytes.byteOffset
    const bytes = lieTogether
      ? new Uint8Array(first.bytes.buffer, origin, this.#end() - origin)
      : new Uint8Array(this.#size)
    let at = 0
    let index = 0
    for (const { bytes: part, boundsEnd } of this.#stretches) {
      const shift = lieTogether ? part.byteOffset - origin : at
      if (!lieTogether) bytes.set(part, at)
      for (; index < boundsEnd; index++) this.#bounds[index] = (this.#bounds[index] ?? 0) + shift
      at += part.length
    }
    return bytes
  }

  #end(): number {
    const last = this.#stretches.at(-1)?.bytes
    return last === undefined ? 0 : last.byteOffset + last.length
  }
}
