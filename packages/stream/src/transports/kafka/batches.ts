// What a broker sent of one partition comes in; its batches go out, checked and still packed, and where to fetch next.
// Batches of aborted transactions and markers of transactions are passed over here.
import { crc32c } from '@platformatic/kafka'
import { StreamFailure } from '../../transport.ts'
import { Cursor } from './varint.ts'

export interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: number
}

export interface Batch {
  /** All of it, its header included. */
  readonly bytes: Buffer
  /** How its records are packed, by Kafka's number for it; 0 for not at all. */
  readonly compression: number
  /** The offset that those of the records count from. */
  readonly first: number
  readonly count: number
  /** The offset to go on at: beyond this batch, and beyond those behind it that are not for us. */
  next: number
  /** Names it in an error. */
  readonly place: () => string
}

export interface FoundBatches {
  readonly batches: readonly Batch[]
  /** Where to fetch next: beyond everything that was sent, also beyond what is not for us. */
  readonly next: number
}

/** What `attributes` of a batch say. */
const compressionBits = 0b111
const transactionalBit = 1 << 4
const controlBit = 1 << 5

/** Bytes of a batch before its length counts, and bytes of a batch before its records. */
const lengthEnd = 12
export const headerEnd = 61

/** Where the checked part of a batch begins: at its attributes. */
const checkedFrom = 21

/**
 * A broker sends whole batches, so the first may begin before offset `from`, and the last may be cut off; a cut one is left
 * for the next fetch.
 */
export function findBatches(
  bytes: Buffer,
  from: number,
  aborted: readonly AbortedTransaction[],
  where: string,
): FoundBatches {
  const batches: Batch[] = []
  const transactions = new AbortedTransactions(aborted)
  let next = from
  let at = 0
  while (bytes.length - at >= headerEnd) {
    const end = at + lengthEnd + bytes.readInt32BE(at + 8)
    if (end > bytes.length) break
    const { batch, isForUs } = readHeader(bytes.subarray(at, end), where, transactions)
    next = Math.max(next, batch.next)
    const last = batches.at(-1)
    if (isForUs) batches.push(batch)
    else if (last !== undefined) last.next = next
    at = end
  }
  return { batches, next }
}

/*
  Record Batch => base_offset:int64 length:int32 leader_epoch:int32 magic:int8 crc:uint32 attributes:int16
    last_offset_delta:int32 base_timestamp:int64 max_timestamp:int64 producer_id:int64 producer_epoch:int16
    base_sequence:int32 count:int32 records
*/
function readHeader(bytes: Buffer, where: string, transactions: AbortedTransactions) {
  const header = new Cursor(bytes)
  const first = header.int64()
  const place = () => `${where}, batch at offset ${first}`
  if (bytes[16] !== 2) {
    throw new StreamFailure(
      `${place()} is in the message format before Kafka 0.11: convert the topic to the current format.`,
    )
  }
  if (crc32c(bytes.subarray(checkedFrom)) !== bytes.readUInt32BE(17)) {
    throw new StreamFailure(`${place()} is damaged: its checksum is wrong.`, { passing: true })
  }
  header.at = checkedFrom
  const attributes = header.int16()
  const next = first + header.int32() + 1
  header.at += 16
  const producerId = header.bigint64()
  header.at += 6
  const count = header.int32()
  const isControl = (attributes & controlBit) !== 0
  const isTransactional = (attributes & transactionalBit) !== 0
  if (isControl) transactions.marker(producerId, bytes)
  const isForUs = !isControl && !(isTransactional && transactions.isAborted(producerId, next))
  const batch: Batch = { bytes, compression: attributes & compressionBits, first, count, next, place }
  return { batch, isForUs }
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
