// Compression of container-file blocks by Node's own codecs, bounded: a block cannot grow beyond the limit it is given.
import { deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Compressors, type Decompressors, snappyCompress, snappyDecompress } from '@pitot/codec'

export const decompressors: Decompressors = {
  deflate: (data, maximum) => inflateRawSync(data, { maxOutputLength: maximum }),
  zstandard: (data, maximum) => zstdDecompressSync(data, { maxOutputLength: maximum }),
  snappy: snappyDecompress,
}

export const compressors: Compressors = {
  deflate: (data) => deflateRawSync(data),
  zstandard: (data) => zstdCompressSync(data),
  snappy: snappyCompress,
}
