// Frames come in, one record batch in Kafka's wire format goes out. The bytes are copied once; no object is made per record.
import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'
import type { Frames } from '@pitot/codec'
import { compressionsAlgorithms, crc32c } from '@platformatic/kafka'
import type { MessageDetails } from '../../transport.ts'
import type { Compression } from './options.ts'

/** Some frames of a write, by their indexes, with what travels beside them. */
export interface Lot {
  readonly frames: Frames
  readonly details: readonly MessageDetails[] | undefined
  readonly indexes: readonly number[]
}

/** Who writes a batch, so that the brokers can tell a repeated one from a new one. */
export interface BatchIdentity {
  readonly producerId: bigint
  readonly producerEpoch: number
  readonly sequence: number
  readonly transactional: boolean
}

const headerBytes = 61
const transactionalBit = 1 << 4

/** Bytes of a record beside its key, value and headers, at most: six numbers of up to five bytes, and the attributes. */
const recordOverhead = 31

/** The bits for a compression in `attributes`, and how it is done: off this thread where Node can. */
const compressors: Readonly<
  Record<Exclude<Compression, 'none'>, [bits: number, (records: Buffer) => Promise<Buffer> | Buffer]>
> = {
  gzip: [1, promisify(gzip) as (records: Buffer) => Promise<Buffer>],
  snappy: [2, (records) => compressionsAlgorithms.snappy.compressSync(records)],
  lz4: [3, (records) => compressionsAlgorithms.lz4.compressSync(records)],
  zstd: [4, promisify(zstdCompress) as (records: Buffer) => Promise<Buffer>],
}

/** The records of a batch, written once however often the batch is sent. */
export interface PackedRecords {
  readonly bytes: Buffer
  readonly count: number
  readonly compressionBits: number
}

/** Bytes that a record takes in a batch before compression, at most. */
export function recordBytes({ frames, details }: Lot, index: number): number {
  let bytes = recordOverhead + (frames.bounds[2 * index + 1] ?? 0) - (frames.bounds[2 * index] ?? 0)
  const { key, headers } = details?.[index] ?? noDetails
  if (key !== undefined) bytes += key.length
  // A name has at most three bytes for each of its units of text; name and value are preceded by their lengths.
  if (headers !== undefined) for (const [name, value] of headers) bytes += 3 * name.length + value.length + 10
  return bytes
}

const noDetails: MessageDetails = {}

export async function packRecords(lot: Lot, compression: Compression): Promise<PackedRecords> {
  // Room for the header is left in front, so that what is not compressed need not be copied again.
  const records = writeRecords(lot)
  const count = lot.indexes.length
  if (compression === 'none') return { bytes: records, count, compressionBits: 0 }
  const [compressionBits, compress] = compressors[compression]
  const packed = await compress(records.subarray(headerBytes))
  return { bytes: Buffer.concat([Buffer.alloc(headerBytes), packed]), count, compressionBits }
}

/*
  Record Batch => base_offset:int64 length:int32 leader_epoch:int32 magic:int8 crc:uint32 attributes:int16
    last_offset_delta:int32 base_timestamp:int64 max_timestamp:int64 producer_id:int64 producer_epoch:int16
    base_sequence:int32 count:int32 records
*/
export function sealBatch(
  { bytes, count, compressionBits }: PackedRecords,
  identity: BatchIdentity,
  time: number,
): Buffer {
  bytes.writeBigInt64BE(0n, 0)
  bytes.writeInt32BE(bytes.length - 12, 8)
  bytes.writeInt32BE(-1, 12)
  bytes.writeInt8(2, 16)
  bytes.writeInt16BE(compressionBits | (identity.transactional ? transactionalBit : 0), 21)
  bytes.writeInt32BE(count - 1, 23)
  bytes.writeBigInt64BE(BigInt(time), 27)
  bytes.writeBigInt64BE(BigInt(time), 35)
  bytes.writeBigInt64BE(identity.producerId, 43)
  bytes.writeInt16BE(identity.producerEpoch, 51)
  bytes.writeInt32BE(identity.sequence, 53)
  bytes.writeInt32BE(count, 57)
  bytes.writeUInt32BE(crc32c(bytes.subarray(21)), 17)
  return bytes
}

/*
  Record => length:varint attributes:int8 timestamp_delta:varint offset_delta:varint key:bytes value:bytes [headers]
    headers => name:bytes value:bytes, with varints for all lengths
*/
function writeRecords(lot: Lot): Buffer {
  const { frames, details, indexes } = lot
  const source = Buffer.from(frames.bytes.buffer, frames.bytes.byteOffset, frames.bytes.byteLength)
  let size = headerBytes
  for (const index of indexes) size += recordBytes(lot, index)
  const target = Buffer.allocUnsafeSlow(size)
  let at = headerBytes
  for (let delta = 0; delta < indexes.length; delta++) {
    const index = indexes[delta] ?? 0
    const start = frames.bounds[2 * index] ?? 0
    const end = frames.bounds[2 * index + 1] ?? 0
    const message = details?.[index]
    if (message?.key === undefined && message?.headers === undefined) {
      const length = end - start
      at = writeVarint(target, 4 + varintBytes(delta) + varintBytes(length) + length, at)
      target[at++] = 0
      target[at++] = 0
      at = writeVarint(target, delta, at)
      target[at++] = 1
      at = writeVarint(target, length, at)
      at += source.copy(target, at, start, end)
      target[at++] = 0
    } else at = writeDetailed(target, at, delta, source.subarray(start, end), message)
  }
  return target.subarray(0, at)
}

/** A record with a key or headers: written behind the place of its length, which is known only then. */
function writeDetailed(
  target: Buffer,
  from: number,
  delta: number,
  value: Buffer,
  { key, headers = [] }: MessageDetails,
): number {
  const room = 5
  let at = from + room
  target[at++] = 0
  target[at++] = 0
  at = writeVarint(target, delta, at)
  if (key === undefined) target[at++] = 1
  else at = writeBytes(target, key, at)
  at = writeBytes(target, value, at)
  at = writeVarint(target, headers.length, at)
  for (const [name, content] of headers) {
    at = writeBytes(target, Buffer.from(name), at)
    at = writeBytes(target, content, at)
  }
  const start = writeVarint(target, at - from - room, from)
  target.copyWithin(start, from + room, at)
  return at - (from + room - start)
}

function writeBytes(target: Buffer, bytes: Uint8Array, at: number): number {
  const start = writeVarint(target, bytes.length, at)
  target.set(bytes, start)
  return start + bytes.length
}

/** Zigzag of a number that is not negative: its double. */
function writeVarint(target: Buffer, value: number, at: number): number {
  let rest = value * 2
  let place = at
  while (rest >= 0x80) {
    target[place++] = (rest & 0x7f) | 0x80
    rest = Math.floor(rest / 128)
  }
  target[place++] = rest
  return place
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value * 2; rest >= 0x80; rest = Math.floor(rest / 128)) bytes++
  return bytes
}
