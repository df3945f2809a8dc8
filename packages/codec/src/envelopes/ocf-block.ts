// ocf-block: blocks of Avro's object container files, with or without the header of the file.
//
//   header  "Obj" 1 · map of bytes: avro.schema, avro.codec · 16 bytes sync marker
//   block   long: number of records · long: number of bytes · the records, maybe compressed · 16 bytes sync marker
import { ByteSink, printSchema } from '@pitot/avro'
import type { CompressionName } from '../compression.ts'
import type { Envelope, EnvelopeContext, Wrapper } from '../envelope.ts'
import { countRecords, type Frames } from '../frames.ts'
import { compressBlock } from '../ocf/compress.ts'
import { MAGIC, SYNC_SIZE } from '../ocf/header.ts'
import { BlockUnwrapper } from '../ocf/unwrapper.ts'
import { writeLong, writeText } from '../ocf/write.ts'

export interface OcfBlockOptions {
  /** 16 bytes. Needed when the stream has no header; checked against the header when it has one. */
  readonly syncMarker?: Uint8Array
  /** Codec of the blocks, where there is no header to say it, and for writing. */
  readonly compress?: CompressionName | null
  /** False: write blocks alone. True by default. */
  readonly writeHeader?: boolean
}

export const ocfBlock: Envelope<OcfBlockOptions> = {
  name: 'ocf-block',
  unwrapper: (options, context) => new BlockUnwrapper(options, context),
  wrapper: (options, context) => new BlockWrapper(options, context),
}

/** Each batch becomes one block. */
class BlockWrapper implements Wrapper {
  readonly room = 0
  readonly #sync: Uint8Array
  readonly #options: OcfBlockOptions
  readonly #context: EnvelopeContext

  constructor(options: OcfBlockOptions, context: EnvelopeContext = {}) {
    this.#sync = options.syncMarker ?? crypto.getRandomValues(new Uint8Array(SYNC_SIZE))
    if (this.#sync.length !== SYNC_SIZE)
      throw new RangeError(`a sync marker has ${SYNC_SIZE} bytes, not ${this.#sync.length}`)
    this.#options = options
    this.#context = context
    if (options.compress) compressBlock(options.compress, new Uint8Array(), context.compressors)
  }

  start(): Uint8Array {
    const sink = new ByteSink()
    if (this.#options.writeHeader === false) return sink.written()
    const schema = this.#context.type == null ? '"bytes"' : JSON.stringify(printSchema(this.#context.type))
    sink.ensure(MAGIC.length)
    sink.bytes.set(MAGIC)
    sink.length = MAGIC.length
    writeLong(sink, 2)
    writeText(sink, 'avro.schema', schema)
    writeText(sink, 'avro.codec', this.#options.compress ?? 'null')
    writeLong(sink, 0)
    this.#end(sink)
    return sink.written().slice()
  }

  wrap(frames: Frames): Uint8Array {
    const records = countRecords(frames)
    if (records === 0) return new Uint8Array()
    const { compress } = this.#options
    const plain = joined(frames)
    const data = compress ? compressBlock(compress, plain, this.#context.compressors) : plain
    const sink = new ByteSink(data.length + 20 + SYNC_SIZE)
    writeLong(sink, records)
    writeLong(sink, data.length)
    sink.ensure(data.length)
    sink.bytes.set(data, sink.length)
    sink.length += data.length
    this.#end(sink)
    return sink.written()
  }

  #end(sink: ByteSink): void {
    sink.ensure(SYNC_SIZE)
    sink.bytes.set(this.#sync, sink.length)
    sink.length += SYNC_SIZE
  }
}

/** The frames without gaps: a view when they lie so already. */
function joined({ bytes, bounds }: Frames): Uint8Array {
  const last = bounds.at(-1)!
  let size = 0
  for (let index = 0; index < bounds.length; index += 2) size += bounds[index + 1]! - bounds[index]!
  if (last - bounds[0]! === size) return bytes.subarray(bounds[0], last)
  const out = new Uint8Array(size)
  let at = 0
  for (let index = 0; index < bounds.length; index += 2) {
    out.set(bytes.subarray(bounds[index], bounds[index + 1]), at)
    at += bounds[index + 1]! - bounds[index]!
  }
  return out
}
