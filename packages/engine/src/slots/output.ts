// The stream of an output slot: frames and control records come in, one after the other, and go out durable.
import type { AvroType } from '@pitot/avro'
import { type Control, countFrames, type Frames, writeControl } from '@pitot/codec'
import type { SlotStream } from '@pitot/jet'
import { type Descriptor, type MessageDetails, OutputStream, type RestOutput } from '@pitot/stream'
import { Turns } from '../turns.ts'
import { apart } from './apart.ts'
import type { SlotContext } from './context.ts'
import { codecOf, type ReadSlot } from './input.ts'

export class OutputSlot {
  readonly slot: number
  readonly name: string | undefined
  /** As it was given. */
  readonly given: Readonly<Record<string, unknown>>
  readonly descriptor: Descriptor
  readonly type: AvroType | null
  readonly stream: OutputStream
  readonly rest: RestOutput | undefined
  /** Bytes of the records that were written, without what the envelope adds. */
  recordBytes = 0
  isSpent = false
  eof = false
  readonly #stop: AbortController
  readonly #written: ((slot: number, frames: Frames) => void) | undefined
  /** A sink takes one call at a time. After a failure the next is made all the same: a close must be possible. */
  readonly #turns = new Turns()

  private constructor(
    read: ReadSlot,
    opened: { stream: OutputStream; rest: RestOutput | undefined; stop: AbortController },
    written: ((slot: number, frames: Frames) => void) | undefined,
  ) {
    this.slot = read.slot
    this.name = read.name
    this.given = read.given
    this.descriptor = read.descriptor
    this.type = read.type
    this.stream = opened.stream
    this.rest = opened.rest
    this.#stop = opened.stop
    this.#written = written
  }

  /** Rejects with a `StreamFailure` when the transport cannot be opened. */
  static async open(given: ReadSlot, context: SlotContext): Promise<OutputSlot> {
    const { trial } = context
    const read = trial === undefined ? given : apart(given)
    const stop = new AbortController()
    let rest: RestOutput | undefined
    const stream = await OutputStream.open(read.descriptor, {
      type: read.type,
      context: {
        ...context.transport,
        signal: trial === undefined ? stop.signal : AbortSignal.any([stop.signal, trial.stop]),
        rest: {
          attachInput() {},
          attachOutput(queue) {
            rest = queue
          },
        },
      },
    })
    return new OutputSlot(read, { stream, rest, stop }, trial?.written)
  }

  /** What jets encode with. */
  get codec(): SlotStream {
    return codecOf(this, this.stream.room)
  }

  write(frames: Frames, details?: readonly MessageDetails[]): Promise<void> {
    if (countFrames(frames) === 0) return Promise.resolve()
    const done = this.#turns.take(() => this.stream.write(frames, details))
    return this.#written === undefined ? done : done.then(() => this.#written?.(this.slot, frames))
  }

  /** As it came where the encodings are the same; nothing where this encoding has no control records. */
  writeControl(control: Control, original?: { readonly bytes: Uint8Array; readonly encoding: string }): Promise<void> {
    const { encoding } = this.descriptor
    const bytes = original?.encoding === encoding ? original.bytes : writeControl(encoding, control)
    return bytes === undefined ? Promise.resolve() : this.#turns.take(() => this.stream.writeControl(bytes))
  }

  flush(): Promise<void> {
    return this.#turns.take(() => this.stream.flush())
  }

  /** Writes what is left and closes; what a REST output holds can still be fetched. */
  close(): Promise<void> {
    return this.#turns.take(async () => {
      if (this.eof) return
      this.eof = true
      await this.stream.close()
    })
  }

  /** Ends at once, and forgets what was not fetched. */
  async abandon(): Promise<void> {
    this.#stop.abort()
    await this.close().catch(() => undefined)
  }

  resetStatistics(): void {
    this.recordBytes = 0
    this.stream.statistics.reset()
  }
}
