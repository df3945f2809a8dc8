// avro-binary: a frame is one record in Avro's binary, or all records of a block. The schema is needed.
import {
  type AvroType,
  ByteCursor,
  ByteSink,
  type CompileOptions,
  compileBinary,
  compileCut,
  compileResolve,
  readSchema,
} from '@pitot/avro'
import { type Decoder, type EncodeReject, type Encoder, type Encoding, rejectFrame } from '../encoding.ts'
import type { Frames } from '../frames.ts'
import type { Reject } from '../reject.ts'

export const avroBinary: Encoding = {
  name: 'avro-binary',
  decoder: (type, options) => new BinaryDecoder(type, options),
  encoder: (type, options) => encoderFor(needed(type), options),
  cut: (type) => compileCut(needed(type)),
}

function needed(type: AvroType | null): AvroType {
  if (type === null)
    throw new TypeError('expected a schema, found none: Avro binary cannot be read or written without one')
  return type
}

type Read = (cursor: ByteCursor) => unknown

/** Data that brings the schema it was written with is read with that one, and given as the stream's own. */
class BinaryDecoder implements Decoder {
  readonly #type: AvroType | null
  readonly #options: CompileOptions | undefined
  readonly #cursor = new ByteCursor(new Uint8Array())
  #writer: string | undefined
  #read: Read | undefined
  #problem = ''

  constructor(type: AvroType | null, options: CompileOptions | undefined) {
    this.#type = type
    this.#options = options
    if (type !== null) this.#read = compileBinary(type, options).read
    else this.#problem = 'expected a schema, of the stream or in the data, found none'
  }

  decode(frames: Frames, index: number, records: unknown[]): Reject | undefined {
    if (frames.writerSchema !== this.#writer) this.#useWriter(frames.writerSchema)
    if (this.#read === undefined) return rejectFrame(frames, index, 'schema', this.#problem)
    const [start, end] = [frames.bounds[2 * index]!, frames.bounds[2 * index + 1]!]
    const cursor = this.#cursor
    cursor.reset(frames.bytes, start, end)
    const count = frames.counts?.[index]
    let read = 0
    try {
      // Without a count the frame is one record.
      for (const wanted = count ?? 1; read < wanted; read++) records.push(this.#read(cursor))
    } catch (error) {
      return rejectFrame(frames, index, 'encoding', (error as Error).message, cursor.offset)
    }
    if (cursor.offset === end) return undefined
    const reason = `expected ${count ?? 1} records, found ${end - cursor.offset} bytes behind them`
    if (count === undefined) records.pop()
    return rejectFrame(frames, index, 'encoding', reason, count === undefined ? start : cursor.offset)
  }

  #useWriter(schema: string | undefined): void {
    this.#writer = schema
    this.#read = undefined
    try {
      const writer = schema === undefined ? undefined : readSchema(schema)
      const reader = this.#type ?? writer
      if (reader === undefined) throw new TypeError('expected a schema, of the stream or in the data, found none')
      this.#read = compileResolve(writer ?? reader, reader, this.#options).read
    } catch (error) {
      this.#problem = `the data was written with another schema: ${(error as Error).message}`
    }
  }
}

function encoderFor(type: AvroType, options: CompileOptions | undefined): Encoder {
  const codec = compileBinary(type, options)
  return {
    encode(records, room = 0) {
      const sink = new ByteSink()
      const bounds: number[] = []
      const rejects: EncodeReject[] = []
      for (let index = 0; index < records.length; index++) {
        const start = sink.length
        try {
          codec.write(records[index], sink)
          bounds.push(start, sink.length)
          sink.ensure(room)
          sink.length += room
        } catch (error) {
          rejects.push({ index, reason: (error as Error).message })
        }
      }
      return { frames: { bytes: sink.written(), bounds, position: 0 }, rejects }
    },
  }
}
