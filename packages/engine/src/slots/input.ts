// The stream of an input slot: a descriptor comes in, an open stream and what the jets must know of it go out.
import { type AvroType, printSchema } from '@pitot/avro'
import { controlSign } from '@pitot/codec'
import type { SlotStream } from '@pitot/jet'
import { type Descriptor, encodingOptions, InputStream, type Position, type RestInput } from '@pitot/stream'
import { apart } from './apart.ts'
import type { SlotContext } from './context.ts'

/** How far an input was read: where the transport stands, and how many records that were. */
export interface ReadMark {
  readonly position: Position
  readonly records: number
}

export class InputSlot {
  readonly slot: number
  readonly name: string | undefined
  /** As it was given. */
  readonly given: Readonly<Record<string, unknown>>
  readonly descriptor: Descriptor
  readonly type: AvroType | null
  readonly stream: InputStream
  readonly rest: RestInput | undefined
  /** Records that an earlier run of the job has read already. */
  readonly recordsBefore: number
  /** Records that were read, since the start or the last reset. */
  records = 0
  /** Bytes of these, without what the envelope adds. */
  recordBytes = 0
  /** Was part of a job that is over. */
  isSpent = false
  readonly #stop: AbortController

  private constructor(
    read: ReadSlot,
    opened: { stream: InputStream; rest: RestInput | undefined; stop: AbortController; recordsBefore: number },
  ) {
    this.slot = read.slot
    this.name = read.name
    this.given = read.given
    this.descriptor = read.descriptor
    this.type = read.type
    this.stream = opened.stream
    this.rest = opened.rest
    this.#stop = opened.stop
    this.recordsBefore = opened.recordsBefore
  }

  /** From its beginning, or from where it was left. Rejects with a `StreamFailure` when the transport cannot be opened. */
  static async open(given: ReadSlot, context: SlotContext, left?: ReadMark): Promise<InputSlot> {
    const { trial } = context
    const read = trial === undefined ? given : apart(given)
    const stop = new AbortController()
    let rest: RestInput | undefined
    const { descriptor, from } = startOf(read.descriptor, left)
    const stream = await InputStream.open(descriptor, {
      type: read.type,
      mostRecords: trial?.mostRecords,
      context: {
        ...context.transport,
        signal: trial === undefined ? stop.signal : AbortSignal.any([stop.signal, trial.stop]),
        from,
        rest: {
          controlSign: controlSign(descriptor.encoding),
          attachInput(queue) {
            rest = queue
          },
          attachOutput() {},
        },
      },
    })
    trial?.enough.addEventListener('abort', () => void stream.close().catch(() => undefined), { once: true })
    return new InputSlot(read, { stream, rest, stop, recordsBefore: left?.records ?? 0 })
  }

  /** What jets decode with. */
  get codec(): SlotStream {
    return codecOf(this)
  }

  /** Positions are worth keeping: the transport goes on there when it is opened again. */
  get keepsPositions(): boolean {
    return this.descriptor.transport.type === 'kafka'
  }

  resetStatistics(): void {
    this.records = 0
    this.recordBytes = 0
    this.stream.statistics.reset()
  }

  async close(): Promise<void> {
    await this.stream.close()
    this.#stop.abort()
  }

  /** Ends at once. */
  abandon(): Promise<void> {
    return this.close().catch(() => undefined)
  }
}

/** A descriptor that was read and whose schema was found. */
export interface ReadSlot {
  readonly slot: number
  readonly name: string | undefined
  readonly given: Readonly<Record<string, unknown>>
  readonly descriptor: Descriptor
  readonly type: AvroType | null
}

/** What records of a slot are decoded or encoded with. */
export function codecOf({ descriptor, type }: Pick<ReadSlot, 'descriptor' | 'type'>, room = 0): SlotStream {
  return {
    encoding: descriptor.encoding,
    options: encodingOptions(descriptor),
    schema: type === null ? null : printSchema(type),
    room,
  }
}

/**
 * Where to go on. Where the beginning of a stream says how to read the rest, it is read again up to there; one that loops is
 * read from its beginning, because records of all its rounds were counted.
 */
function startOf(
  descriptor: Descriptor,
  left: ReadMark | undefined,
): { descriptor: Descriptor; from?: Position | undefined } {
  if (left === undefined || !beginsWithHeader(descriptor)) return { descriptor, from: left?.position }
  if (descriptor.loop) return { descriptor }
  const skipped = typeof descriptor.skipToRecord === 'number' ? descriptor.skipToRecord : 0
  return { descriptor: { ...descriptor, skipToRecord: skipped + left.records } }
}

function beginsWithHeader({ envelope, envelopeOptions }: Descriptor): boolean {
  return envelope === 'ocf-block' || (envelope === 'delimited-csv' && envelopeOptions.SkipHeader === true)
}
