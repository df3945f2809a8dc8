// The header of an object container file: bytes go in, schema, codec and sync marker come out.
import { compileBinary, compileCut, decodeUtf8, parseSchema } from '@pitot/avro'
import { copyOf } from '../frames.ts'

export const MAGIC = Uint8Array.of(0x4f, 0x62, 0x6a, 0x01)
export const SYNC_SIZE = 16

export interface Header {
  readonly schema: string
  /** `null` where the header names none. */
  readonly codec: string
  readonly sync: Uint8Array
  /** Bytes that the header takes. */
  readonly size: number
}

const METADATA = parseSchema({ type: 'map', values: 'bytes' })
const metadata = compileBinary(METADATA)
const cutMetadata = compileCut(METADATA)

export function startsWithMagic(bytes: Uint8Array, at: number): boolean {
  return MAGIC.every((byte, index) => bytes[at + index] === byte)
}

/** Undefined when the header is not complete yet; throws when it is none. */
export function readHeader(bytes: Uint8Array, start: number): Header | undefined {
  const found = readMetadata(bytes, start + MAGIC.length)
  if (found === undefined || found.end + SYNC_SIZE > bytes.length) return undefined
  const { entries, end } = found
  const schema = entries.get('avro.schema')
  const codec = entries.get('avro.codec')
  if (schema === undefined) throw new Error('expected "avro.schema" in the header of the file, found no schema')
  return {
    schema: textOf(schema),
    codec: codec === undefined || codec.length === 0 ? 'null' : textOf(codec),
    sync: copyOf(bytes, end, end + SYNC_SIZE),
    size: end + SYNC_SIZE - start,
  }
}

function readMetadata(bytes: Uint8Array, start: number): { entries: Map<string, Uint8Array>; end: number } | undefined {
  try {
    const end = cutMetadata(bytes, start, bytes.length)
    return end < 0 ? undefined : { entries: metadata.decode(bytes, start, end) as Map<string, Uint8Array>, end }
  } catch {
    throw new Error('expected the header of a container file, found a damaged one')
  }
}

function textOf(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes, 0, bytes.length)
  if (text === undefined) throw new Error('expected UTF-8 in the header of the file, found other bytes')
  return text
}
