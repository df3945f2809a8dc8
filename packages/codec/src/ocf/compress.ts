// Codecs of blocks: the name and the bytes go in, the other bytes come out. snappy carries a checksum behind its data.
import type { CompressionName, Compressors, Decompressors } from '../compression.ts'
import { crc32 } from './crc32.ts'
import { snappyDecompress } from './snappy.ts'

const CHECKSUM_SIZE = 4

/** Throws when the codec is not available, the data is damaged, or it would grow beyond `maximum` bytes. */
export function decompressBlock(
  codec: string,
  data: Uint8Array,
  maximum: number,
  available: Decompressors = {},
): Uint8Array {
  if (codec === 'null') return data
  if (codec === 'snappy') return decompressSnappy(data, maximum, available.snappy ?? snappyDecompress)
  return needed(codec, available)(data, maximum)
}

export function compressBlock(codec: CompressionName, data: Uint8Array, available: Compressors = {}): Uint8Array {
  const packed = needed(codec, available)(data)
  if (codec !== 'snappy') return packed
  const bytes = new Uint8Array(packed.length + CHECKSUM_SIZE)
  bytes.set(packed)
  new DataView(bytes.buffer).setUint32(packed.length, crc32(data))
  return bytes
}

function decompressSnappy(
  data: Uint8Array,
  maximum: number,
  decompress: NonNullable<Decompressors['snappy']>,
): Uint8Array {
  if (data.length < CHECKSUM_SIZE) throw new Error('expected a checksum behind the data, found the end of the block')
  const body = data.length - CHECKSUM_SIZE
  const bytes = decompress(data.subarray(0, body), maximum)
  const expected = new DataView(data.buffer, data.byteOffset + body).getUint32(0)
  if (crc32(bytes) !== expected) throw new Error('the checksum of the block does not fit its data')
  return bytes
}

function needed<Function>(codec: string, available: Readonly<Partial<Record<string, Function>>>): Function {
  const found = Object.hasOwn(available, codec) ? available[codec] : undefined
  if (found !== undefined) return found
  const names = ['null', 'snappy', ...Object.keys(available)].join(', ')
  throw new Error(`the codec ${JSON.stringify(codec)} is not available here, only ${names}`)
}
