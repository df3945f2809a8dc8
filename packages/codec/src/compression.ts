// Compression comes from outside, since it differs between Node and the browser: names in, functions over bytes out.

/** Gives the bytes, or throws when the data is damaged or would grow beyond `maximum` bytes. */
export type Decompress = (data: Uint8Array, maximum: number) => Uint8Array
export type Compress = (data: Uint8Array) => Uint8Array

/** Codecs of Avro's container files. `deflate` is raw, without a zlib header. */
export type CompressionName = 'deflate' | 'snappy' | 'zstandard' | 'bzip2' | 'xz'
export type Decompressors = Readonly<Partial<Record<CompressionName, Decompress>>>
export type Compressors = Readonly<Partial<Record<CompressionName, Compress>>>
