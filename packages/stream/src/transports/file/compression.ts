// Compression of whole files, by name or by word: which codec a file has, and its two directions.
import { promisify } from 'node:util'
import { createGunzip, createZstdDecompress, gzip, zstdCompress } from 'node:zlib'

export const compressions = ['by-name', 'none', 'gzip', 'zstd'] as const
export type Compression = (typeof compressions)[number]

const endings: Readonly<Record<string, 'gzip' | 'zstd'>> = { gz: 'gzip', gzip: 'gzip', zst: 'zstd', zstd: 'zstd' }

/** Large enough to be worth a turn of the threads, small enough to stay in the processor's cache. */
const chunkSize = 2 ** 16

const codecs = {
  gzip: { decompressor: () => createGunzip({ chunkSize }), compress: promisify(gzip) },
  zstd: { decompressor: () => createZstdDecompress({ chunkSize }), compress: promisify(zstdCompress) },
}

export type FileCodec = (typeof codecs)[keyof typeof codecs]

/** Undefined for a plain file. Members and frames one after the other are one file, in both formats. */
export function codecOf(path: string, compression: Compression): FileCodec | undefined {
  if (compression === 'none') return undefined
  if (compression !== 'by-name') return codecs[compression]
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? codecs[endings[ending]!] : undefined
}
