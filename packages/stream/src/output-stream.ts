// A live output: a descriptor comes in; frames of encoded records are wrapped and written, durable when the call resolves.
import type { AvroType } from '@pitot/avro'
import { bytesOf, countRecords, type Frames, type Wrapper, wholeFrame } from '@pitot/codec'
import { wrapperOf } from './codecs.ts'
import type { Descriptor } from './descriptor/descriptor.ts'
import { StreamStatistics, timed } from './statistics.ts'
import type { MessageDetails, Sink, StreamContext, Transactions } from './transport.ts'

export interface OutputOptions {
  readonly type: AvroType | null
  readonly context: Omit<StreamContext, 'skipTo' | 'skipToRecord' | 'from'>
}

export class OutputStream {
  readonly descriptor: Descriptor
  readonly statistics = new StreamStatistics()
  readonly #sink: Sink
  /** Undefined where the transport keeps messages apart: frames go out as they are. */
  readonly #wrapper: Wrapper | undefined
  #started = false
  /** The last write came to nothing, so that closing must not add to it. */
  #failed = false

  private constructor(descriptor: Descriptor, type: AvroType | null, sink: Sink) {
    this.descriptor = descriptor
    this.#sink = sink
    const { transport, transportOptions } = descriptor
    this.#wrapper = transport.preservesBoundaries(transportOptions) ? undefined : wrapperOf(descriptor, type)
  }

  /** Rejects with a `StreamFailure` when the transport cannot be opened. */
  static async open(descriptor: Descriptor, options: OutputOptions): Promise<OutputStream> {
    const { transport, transportOptions } = descriptor
    const sink = await transport.create!(transportOptions, options.context)
    return new OutputStream(descriptor, options.type, sink)
  }

  /** Bytes an encoder should leave free behind each frame, so that nothing has to be copied. */
  get room(): number {
    return this.#wrapper?.room ?? 0
  }

  /** Present when what is written can become visible together with the input positions it came from. */
  get transactions(): Transactions | undefined {
    return this.#sink.transactions
  }

  counters(): Readonly<Record<string, number>> {
    return this.#sink.counters?.() ?? {}
  }

  /** One call at a time. Resolves when the records are durable in the meaning of the transport. */
  async write(frames: Frames, details?: readonly MessageDetails[]): Promise<void> {
    const count = countRecords(frames)
    if (count === 0) return
    await this.#attempt(() => this.#put(frames, details))
    this.statistics.records += count
  }

  /** Writes a control record, which is not counted. */
  writeControl(bytes: Uint8Array): Promise<void> {
    return this.#attempt(() => this.#put(wholeFrame(bytes)))
  }

  flush(): Promise<void> {
    return this.#sink.flush()
  }

  /** Idempotent, and right after a failed write too. */
  async close(): Promise<void> {
    try {
      // A stream with a header has one even when it has no records.
      if (this.#wrapper !== undefined && !this.#started && !this.#failed) await this.#begin(this.#wrapper)
    } finally {
      await this.#sink.close()
    }
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#failed = false
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  async #put(frames: Frames, details?: readonly MessageDetails[]): Promise<void> {
    const wrapper = this.#wrapper
    if (wrapper === undefined) {
      await this.#sink.write(frames, details)
      this.statistics.bytes += bytesOf(frames)
      return
    }
    if (!this.#started) await this.#begin(wrapper)
    const bytes = timed(this.statistics.wrapEnvelope, countRecords(frames), () => wrapper.wrap(frames))
    await this.#sink.write(wholeFrame(bytes))
    this.statistics.bytes += bytes.length
  }

  async #begin(wrapper: Wrapper): Promise<void> {
    const head = wrapper.start()
    if (head.length > 0) await this.#sink.write(wholeFrame(head))
    this.#started = true
  }
}
