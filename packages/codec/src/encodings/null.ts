// null: a frame is one opaque record. With the schema "bytes" it is bytes; else it is text, and then has to be UTF-8.
import { ByteSink, compileConvert } from '@pitot/avro'
import type { Decoder, EncodeReject, Encoder, Encoding } from '../encoding.ts'
import { copyOf, frameAt } from '../frames.ts'
import { utf8 } from './utf-8.ts'

export const nullEncoding: Encoding = {
  name: 'null',
  decoder: (type, options) => (type?.kind === 'bytes' ? BYTES : utf8.decoder(type, options)),
  encoder(type, options) {
    const convert = compileConvert(
      type ?? { kind: 'union', branches: [{ kind: 'bytes' }, { kind: 'string' }] },
      options,
    )
    return { encode: (records, room = 0) => encode(records, room, convert) }
  },
}

const BYTES: Decoder = {
  decode(frames, index, records) {
    records.push(copyOf(frameAt(frames, index)))
    return undefined
  },
}

/** What a model gives may be text or bytes. */
function encode(
  records: readonly unknown[],
  room: number,
  convert: (record: unknown) => unknown,
): ReturnType<Encoder['encode']> {
  const sink = new ByteSink()
  const bounds: number[] = []
  const rejects: EncodeReject[] = []
  const encoder = new TextEncoder()
  for (const [index, record] of records.entries()) {
    try {
      const value = convert(record)
      if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
        throw new TypeError(`expected text or bytes for the encoding null, found a ${typeof value}`)
      }
      const bytes = typeof value === 'string' ? encoder.encode(value) : value
      const start = sink.length
      sink.ensure(bytes.length + room)
      sink.bytes.set(bytes, start)
      bounds.push(start, start + bytes.length)
      sink.length += bytes.length + room
    } catch (error) {
      rejects.push({ index, reason: (error as Error).message })
    }
  }
  return { frames: { bytes: sink.written(), bounds, position: 0 }, rejects }
}
