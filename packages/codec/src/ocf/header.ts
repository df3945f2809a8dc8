// The header of an object container file: bytes go in, schema, codec and sync marker come out.
import { compileBinary, compileCut, parseSchema } from '@pitot/avro'

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
const utf8 = new TextDecoder('utf-8', { fatal: true })

export function startsWithMagic(bytes: Uint8Array, at: number): boolean {
  return MAGIC.every((byte, index) => bytes[at + index] === byte)
}

/** Undefined when the header is not complete yet; throws when it is none. */
export function readHeader(bytes: Uint8Array, start: number): Header | undefined {
  const end = cutMetadata(bytes, start + MAGIC.length, bytes.length)
  if (end < 0 || end + SYNC_SIZE > bytes.length) return undefined
  const entries = metadata.decode(bytes, start + MAGIC.length, end) as Map<string, Uint8Array>
  const schema = entries.get('avro.schema')
  const codec = entries.get('avro.codec')
  if (schema === undefined) throw new Error('expected "avro.schema" in the header of the file, found no schema')
  return {
    schema: utf8.decode(schema),
    codec: codec === undefined || codec.length === 0 ? 'null' : utf8.decode(codec),
    sync: bytes.slice(end, end + SYNC_SIZE),
    size: end + SYNC_SIZE - start,
  }
}
