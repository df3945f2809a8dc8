// Compression for tests, from Node; snappy as literals only, which every reader takes.
import { deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Compressors, Decompressors } from '@pitot/codec'

export const compressors: Compressors = {
  deflate: (data) => deflateRawSync(data),
  zstandard: (data) => zstdCompressSync(data),
  snappy: snappyLiterals,
}

export const decompressors: Decompressors = {
  deflate: (data, maximum) => inflateRawSync(data, { maxOutputLength: maximum }),
  zstandard: (data, maximum) => zstdDecompressSync(data, { maxOutputLength: maximum }),
}

function snappyLiterals(data: Uint8Array): Uint8Array {
  const out: number[] = []
  for (let rest = data.length; ; rest >>>= 7) {
    out.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80)
    if (rest < 0x80) break
  }
  for (let at = 0; at < data.length; at += 60) {
    const part = data.subarray(at, at + 60)
    out.push((part.length - 1) << 2, ...part)
  }
  return Uint8Array.from(out)
}
