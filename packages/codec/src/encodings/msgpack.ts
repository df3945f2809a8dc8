// msgpack: a frame is one record in MessagePack. With a schema it is checked and converted; without one, any value.
import { type AvroType, ByteSink, type CompileOptions, compileCheck, compileConvert, explain } from '@pitot/avro'
import { type Decoder, type EncodeReject, type Encoder, type Encoding, inHalves, rejectFrame } from '../encoding.ts'
import { MoreBytesNeeded, MsgpackReader } from '../msgpack/read.ts'
import { compileTag } from '../msgpack/tag.ts'
import { writeMsgpack } from '../msgpack/write.ts'

export const msgpack: Encoding = {
  name: 'msgpack',
  decoder: (type, options) => decoderFor(type, options),
  encoder: (type, options) => encoderFor(type, options),
  cut() {
    const reader = new MsgpackReader()
    return (bytes, start, end) => {
      try {
        reader.read(bytes, start, end)
        return reader.offset
      } catch (error) {
        if (error instanceof MoreBytesNeeded) return -1
        throw error
      }
    }
  },
}

function decoderFor(type: AvroType | null, options: CompileOptions | undefined): Decoder {
  const reader = new MsgpackReader()
  const read: Decoder['decode'] = (frames, index, values) => {
    const end = frames.bounds[2 * index + 1]!
    try {
      const value = reader.read(frames.bytes, frames.bounds[2 * index]!, end)
      if (reader.offset !== end)
        throw new RangeError(`expected the end of the record, found ${end - reader.offset} more bytes`)
      values.push(value)
    } catch (error) {
      return rejectFrame(frames, index, 'encoding', (error as Error).message)
    }
    return undefined
  }
  return type === null ? { decode: read } : inHalves({ read, check: compileConvert(type, options) })
}

function encoderFor(type: AvroType | null, options: CompileOptions | undefined): Encoder {
  const check = type === null ? () => undefined : compileCheck(type, options)
  const tag = type === null ? undefined : compileTag(type)
  return {
    encode(records, room = 0) {
      const sink = new ByteSink()
      const bounds: number[] = []
      const rejects: EncodeReject[] = []
      for (let index = 0; index < records.length; index++) {
        const start = sink.length
        try {
          const mismatch = check(records[index])
          if (mismatch !== undefined) throw new TypeError(explain(mismatch))
          writeMsgpack(sink, tag === undefined ? records[index] : tag(records[index]))
          bounds.push(start, sink.length)
          sink.ensure(room)
          sink.length += room
        } catch (error) {
          sink.length = start
          rejects.push({ index, reason: (error as Error).message })
        }
      }
      return { frames: { bytes: sink.written(), bounds, position: 0 }, rejects }
    },
  }
}
