// Record batches of one partition come in as bytes; frames, offsets, keys and headers go out. No object is made per record
// that has neither key nor headers.
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Frames } from '@pitot/codec'
import { compressionsAlgorithms, crc32c } from '@platformatic/kafka'
import { type MessageDetails, StreamFailure } from '../../transport.ts'
import { Cursor } from './varint.ts'

export interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: number
}

export interface PartitionRecords {
  readonly frames: Frames
  /** The offset of each record. */
  readonly offsets: readonly number[]
  readonly details?: readonly MessageDetails[]
  /** Where to fetch next: beyond everything that was read, also beyond what is not for us. */
  readonly next: number
}

/**
 * A batch that unpacks to more than this is taken for damaged or hostile. Snappy and LZ4 cannot grow data by so much that it
 * matters.
 */
const maximumUnpacked = 268_435_456

/** What `attributes` of a batch say. */
const compressionBits = 0b111
const transactionalBit = 1 << 4
const controlBit = 1 << 5

/** Bytes of a batch before its length counts, and bytes of a batch before its records. */
const lengthEnd = 12
const headerEnd = 61

/** Where the checked part of a batch begins: at its attributes. */
const checkedFrom = 21

const decompressors: Readonly<Record<number, (packed: Buffer) => Buffer>> = {
  1: (packed) => gunzipSync(packed, { maxOutputLength: maximumUnpacked }),
  2: (packed) => compressionsAlgorithms.snappy.decompressSync(packed),
  3: (packed) => compressionsAlgorithms.lz4.decompressSync(packed),
  4: (packed) => zstdDecompressSync(packed, { maxOutputLength: maximumUnpacked }),
}

/**
 * Everything from offset `from` on. A broker sends whole batches, so the first may begin earlier, and the last may be cut
 * off; a cut one is left for the next fetch. Records of aborted transactions and control batches are passed over.
 */
export function readRecords(
  bytes: Buffer,
  from: number,
  aborted: readonly AbortedTransaction[],
  where: string,
): PartitionRecords {
  const collected = new Collected(bytes, from)
  const transactions = new AbortedTransactions(aborted)
  let at = 0
  while (bytes.length - at >= headerEnd) {
    const end = at + lengthEnd + bytes.readInt32BE(at + 8)
    if (end > bytes.length) break
    const batch = bytes.subarray(at, end)
    const place = () => `${where}, batch at offset ${new Cursor(batch).int64()}`
    if (batch[16] !== 2) {
      throw new StreamFailure(
        `${place()} is in the message format before Kafka 0.11: convert the topic to the current format.`,
      )
    }
    if (crc32c(batch.subarray(checkedFrom)) !== batch.readUInt32BE(17)) {
      throw new StreamFailure(`${place()} is damaged: its checksum is wrong.`, { passing: true })
    }
    try {
      readBatch(batch, collected, transactions)
    } catch (cause) {
      throw new StreamFailure(`${place()} cannot be read: ${(cause as Error).message}.`, { cause })
    }
    at = end
  }
  return collected.done()
}

function readBatch(batch: Buffer, collected: Collected, transactions: AbortedTransactions): void {
  const header = new Cursor(batch)
  const first = header.int64()
  header.at = checkedFrom
  const attributes = header.int16()
  const next = first + header.int32() + 1
  header.at += 16
  const producerId = header.bigint64()
  header.at += 6
  const count = header.int32()
  if (attributes & controlBit) transactions.marker(producerId, batch)
  else if (!(attributes & transactionalBit && transactions.isAborted(producerId, next))) {
    const compression = attributes & compressionBits
    const decompress = decompressors[compression]
    if (compression === 0) collected.plain(batch, first, count)
    else if (decompress === undefined) throw new Error(`compression ${compression} is not known`)
    else collected.unpacked(decompress(batch.subarray(headerEnd)), first, count)
  }
  collected.next = Math.max(collected.next, next)
}

/**
 * Which batches belong to aborted transactions. The broker lists the transactions by producer and first offset; a marker in
 * the log ends each of them, and a producer may have several in one answer.
 */
class AbortedTransactions {
  readonly #coming: AbortedTransaction[]
  readonly #open = new Set<bigint>()

  constructor(aborted: readonly AbortedTransaction[]) {
    this.#coming = aborted.length === 0 ? [] : [...aborted].sort((one, other) => one.firstOffset - other.firstOffset)
  }

  isAborted(producerId: bigint, batchEnd: number): boolean {
    for (let next = this.#coming[0]; next !== undefined && next.firstOffset < batchEnd; next = this.#coming[0]) {
      this.#open.add(next.producerId)
      this.#coming.shift()
    }
    return this.#open.has(producerId)
  }

  /** A control batch: its one record has a key of version (int16) and type (int16), 0 for an abort. */
  marker(producerId: bigint, batch: Buffer): void {
    const record = new Cursor(batch, headerEnd)
    record.varint()
    record.at += 1
    record.skipVarlong()
    record.varint()
    const keyLength = record.varint()
    if (keyLength >= 4 && record.take(keyLength).readInt16BE(2) === 0) this.#open.delete(producerId)
  }
}

const noDetails: MessageDetails = Object.freeze({})

/** Records of the batches of one answer, as ranges of the memory that they lie in. */
class Collected {
  readonly #answer: Buffer
  readonly #from: number
  readonly #bounds: number[] = []
  readonly #offsets: number[] = []
  #details: MessageDetails[] | undefined
  /** Memory of each batch, where its ranges count from, and the number of bounds up to its end. */
  readonly #memories: { readonly bytes: Buffer; readonly base: number; readonly end: number }[] = []
  #plainOnly = true
  next: number

  constructor(answer: Buffer, from: number) {
    this.#answer = answer
    this.#from = from
    this.next = from
  }

  /** Records that lie in the answer as they are. */
  plain(batch: Buffer, first: number, count: number): void {
    const base = batch.byteOffset - this.#answer.byteOffset
    this.#records(new Cursor(batch, headerEnd), base, first, count)
  }

  unpacked(bytes: Buffer, first: number, count: number): void {
    this.#plainOnly = false
    this.#records(new Cursor(bytes), 0, first, count)
  }

  #records(cursor: Cursor, base: number, first: number, count: number): void {
    const bounds = this.#bounds
    for (let index = 0; index < count; index++) {
      const length = cursor.varint()
      const end = cursor.at + length
      if (length < 0 || end > cursor.bytes.length) throw new RangeError('a record runs beyond its batch')
      cursor.at += 1
      cursor.skipVarlong()
      const offset = first + cursor.varint()
      if (offset < this.#from) {
        cursor.at = end
        continue
      }
      const keyLength = cursor.varint()
      const keyStart = cursor.at
      if (keyLength > 0) cursor.at += keyLength
      const valueLength = cursor.varint()
      const start = cursor.at
      if (valueLength > 0) cursor.at += valueLength
      const headers = cursor.varint()
      if (cursor.at > end) throw new RangeError('a field runs beyond its record')
      // A record without a value (a tombstone) is an empty frame.
      bounds.push(base + start, base + start + Math.max(0, valueLength))
      this.#offsets.push(offset)
      if (keyLength >= 0 || headers > 0 || this.#details !== undefined) {
        this.#addDetails(
          cursor,
          keyLength < 0 ? undefined : cursor.bytes.subarray(keyStart, keyStart + keyLength),
          headers,
        )
      }
      cursor.at = end
    }
    this.#memories.push({ bytes: cursor.bytes, base, end: bounds.length })
  }

  #addDetails(cursor: Cursor, key: Buffer | undefined, count: number): void {
    const headers: [string, Uint8Array][] = []
    for (let index = 0; index < count; index++) {
      const name = cursor.take(cursor.varint()).toString()
      headers.push([name, plain(cursor.take(Math.max(0, cursor.varint())))])
    }
    this.#details ??= Array<MessageDetails>(this.#offsets.length - 1).fill(noDetails)
    const none = key === undefined && headers.length === 0
    this.#details.push(none ? noDetails : { ...(key && { key: plain(key) }), ...(headers.length > 0 && { headers }) })
  }

  done(): PartitionRecords {
    const frames = this.#plainOnly ? { bytes: plain(this.#answer), bounds: this.#bounds, position: 0 } : this.#joined()
    return {
      frames,
      offsets: this.#offsets,
      next: this.next,
      ...(this.#details !== undefined && { details: this.#details }),
    }
  }

  /** Decompressed batches have a memory each: they are joined, so that a chunk does not shrink to a batch. */
  #joined(): Frames {
    const bytes = Buffer.allocUnsafeSlow(this.#memories.reduce((sum, memory) => sum + memory.bytes.length, 0))
    const bounds = this.#bounds
    let at = 0
    let index = 0
    for (const memory of this.#memories) {
      bytes.set(memory.bytes, at)
      const shift = at - memory.base
      for (; index < memory.end; index++) bounds[index] = (bounds[index] ?? 0) + shift
      at += memory.bytes.length
    }
    return { bytes: plain(bytes), bounds, position: 0 }
  }
}

/** The same bytes for those who expect `slice` to copy. */
function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
