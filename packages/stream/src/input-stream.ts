// A live input: a descriptor comes in, batches of frames with their positions go out, in the order of the stream.
import type { AvroType } from '@pitot/avro'
import {
  type Control,
  controlReader,
  countFrames,
  encodings,
  endMarkerTest,
  type Frames,
  type Reject,
  SelfDelimitedUnwrapper,
  type Unwrapper,
} from '@pitot/codec'
import { unwrapperOf } from './codecs.ts'
import type { Descriptor } from './descriptor/descriptor.ts'
import { StreamStatistics, timed } from './statistics.ts'
import type { Chunk, MessageDetails, Position, Source, StreamContext } from './transport.ts'

/** What a stream gives: records as frames, control records, and what was refused, each where it stood. */
export type InputPiece = FramesPiece | ControlPiece | RejectsPiece

export interface FramesPiece {
  readonly kind: 'frames'
  readonly frames: Frames
  readonly details?: readonly MessageDetails[] | undefined
  /** Where frame `index` ends: acknowledged when everything up to there is durable. */
  position(index: number): Position
}

export interface ControlPiece {
  readonly kind: 'control'
  readonly control: Control
  /** As it came, to be handed on byte by byte. */
  readonly bytes: Uint8Array
  readonly position: Position
}

export interface RejectsPiece {
  readonly kind: 'rejects'
  readonly rejects: readonly Reject[]
}

export interface InputOptions {
  readonly type: AvroType | null
  /** Gives what each opening of the transport needs; a stream that loops opens it again and again. */
  readonly context: Omit<StreamContext, 'loop' | 'skipTo' | 'skipToRecord'>
  readonly maximumFrame?: number
}

export class InputStream implements AsyncIterable<InputPiece> {
  readonly descriptor: Descriptor
  readonly statistics = new StreamStatistics()
  readonly #options: InputOptions
  readonly #readControl: ReturnType<typeof controlReader>
  readonly #isEnd: ReturnType<typeof endMarkerTest>
  #source: Source
  #ended = false
  #closed = false

  private constructor(descriptor: Descriptor, options: InputOptions, source: Source) {
    this.descriptor = descriptor
    this.#options = options
    this.#source = source
    this.#readControl = controlReader(descriptor.encoding)
    this.#isEnd = endMarkerTest(descriptor.endMarker, descriptor.encoding)
  }

  /** Rejects with a `StreamFailure` when the transport cannot be opened. */
  static async open(descriptor: Descriptor, options: InputOptions): Promise<InputStream> {
    return new InputStream(descriptor, options, await openTransport(descriptor, options, true))
  }

  /** True once the stream has ended, by its transport, its marker or a control record. */
  get eof(): boolean {
    return this.#ended
  }

  counters(): Readonly<Record<string, number>> {
    return this.#source.counters?.() ?? {}
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<InputPiece> {
    for (let round = 0; !this.#closed; round++) {
      if (round > 0) this.#source = await openTransport(this.descriptor, this.#options, false)
      const before = this.statistics.records
      yield* this.#onePass(round === 0)
      if (!this.descriptor.loop || this.#closed) break
      // A looping stream without a single record would spin for ever.
      if (this.statistics.records === before) break
    }
    this.#ended = true
  }

  /** From the opening of the transport to its end. */
  async *#onePass(isFirst: boolean): AsyncGenerator<InputPiece> {
    const source = this.#source
    const cutter = this.#cutter()
    let toSkip = isFirst ? recordsToDrop(this.descriptor) : 0
    try {
      for await (const chunk of source) {
        for (const piece of cutter.cut(chunk)) {
          const { frames, skipped } = dropFirst(piece, toSkip)
          toSkip -= skipped
          if (frames === undefined) continue
          const pieces = frames.kind === 'frames' ? this.#withoutControls(frames) : [frames]
          for (const each of pieces) {
            yield this.#counted(each)
            if (each.kind === 'control' && each.control.kind === 'end') return
          }
          if (this.#ended) return
        }
      }
      for (const piece of cutter.end()) {
        if (piece.kind !== 'frames') yield this.#counted(piece)
        else
          for (const each of this.#withoutControls(dropFirst(piece, toSkip).frames as FramesPiece))
            yield this.#counted(each)
      }
    } finally {
      this.#ended = false
      await source.close()
    }
  }

  /** Everything up to here is durable downstream. */
  acknowledge(position: Position): Promise<void> {
    return this.#source.acknowledge(position)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#source.close()
  }

  #cutter(): Cutter {
    const { transport, transportOptions, envelope, encoding } = this.descriptor
    const { type, maximumFrame } = this.#options
    const context = maximumFrame === undefined ? {} : { maximumFrame }
    if (transport.preservesBoundaries(transportOptions)) return new MessageCutter(this.statistics)
    const cut = envelope === 'null' ? encodings[encoding].cut?.(type) : undefined
    const unwrapper =
      cut === undefined ? unwrapperOf(this.descriptor, type, context) : new SelfDelimitedUnwrapper(cut, context)
    return new ByteCutter(unwrapper, this.descriptor.skipTo ?? 0, this.statistics)
  }

  #counted(piece: InputPiece): InputPiece {
    if (piece.kind === 'frames') this.statistics.records += countFrames(piece.frames)
    if (piece.kind === 'rejects') this.statistics.rejects += piece.rejects.length
    return piece
  }

  /** Splits frames at control records and at the end marker; the usual case, without any, costs one look per frame. */
  #withoutControls(piece: FramesPiece | undefined): InputPiece[] {
    if (piece === undefined) return []
    const { bytes, bounds } = piece.frames
    const pieces: InputPiece[] = []
    let from = 0
    const count = bounds.length / 2
    for (let index = 0; index < count; index++) {
      const start = bounds[2 * index]!
      const end = bounds[2 * index + 1]!
      const control = this.#readControl(bytes, start, end)
      if (control === undefined && !this.#isEnd(bytes, start, end)) continue
      if (index > from) pieces.push(slice(piece, from, index))
      if (control === undefined) {
        this.#ended = true
        return pieces
      }
      pieces.push({ kind: 'control', control, bytes: bytes.slice(start, end), position: piece.position(index) })
      from = index + 1
      if (control.kind === 'end') return pieces
    }
    if (from === 0) return [piece]
    if (from < count) pieces.push(slice(piece, from, count))
    return pieces
  }
}

function openTransport(descriptor: Descriptor, options: InputOptions, isFirst: boolean): Promise<Source> {
  const { transport, transportOptions, skipTo, skipToRecord } = descriptor
  const seeksRecords = transport.seekable === 'records'
  return transport.open!(transportOptions, {
    ...options.context,
    from: isFirst ? options.context.from : undefined,
    loop: false,
    skipTo: skipTo ?? undefined,
    skipToRecord: seeksRecords ? (skipToRecord ?? undefined) : undefined,
  })
}

/** Where the transport cannot seek to a record, records are read and dropped. */
function recordsToDrop({ transport, skipToRecord }: Descriptor): number {
  return transport.seekable !== 'records' && typeof skipToRecord === 'number' ? skipToRecord : 0
}

function dropFirst(piece: InputPiece, count: number): { frames: InputPiece | undefined; skipped: number } {
  if (piece.kind !== 'frames' || count === 0) return { frames: piece, skipped: 0 }
  const total = countFrames(piece.frames)
  if (count >= total) return { frames: undefined, skipped: total }
  return { frames: slice(piece, count, total), skipped: count }
}

function slice(piece: FramesPiece, from: number, to: number): FramesPiece {
  const { frames, details } = piece
  return {
    kind: 'frames',
    frames: {
      ...frames,
      bounds: frames.bounds.slice(2 * from, 2 * to),
      ...(frames.counts && { counts: frames.counts.slice(from, to) }),
    },
    details: details?.slice(from, to),
    position: (index) => piece.position(from + index),
  }
}

/** Turns chunks of a transport into frames. */
interface Cutter {
  cut(chunk: Chunk): Iterable<FramesPiece | RejectsPiece>
  end(): Iterable<FramesPiece | RejectsPiece>
}

/** For transports that keep messages apart: every message is a frame already. */
class MessageCutter implements Cutter {
  readonly #statistics: StreamStatistics

  constructor(statistics: StreamStatistics) {
    this.#statistics = statistics
  }

  *cut(chunk: Chunk): Iterable<FramesPiece> {
    this.#statistics.bytes += chunk.frames.bytes.length
    yield { kind: 'frames', frames: chunk.frames, details: chunk.details, position: (index) => chunk.position(index) }
  }

  *end(): Iterable<FramesPiece> {}
}

/** For streams of bytes: the envelope cuts them. Positions are byte offsets, or the transport's where it has no offsets. */
class ByteCutter implements Cutter {
  readonly #unwrapper: Unwrapper
  readonly #base: number
  readonly #statistics: StreamStatistics

  constructor(unwrapper: Unwrapper, base: number, statistics: StreamStatistics) {
    this.#unwrapper = unwrapper
    this.#base = base
    this.#statistics = statistics
  }

  *cut(chunk: Chunk): Iterable<FramesPiece | RejectsPiece> {
    const { bytes, bounds } = chunk.frames
    for (let index = 0; index < bounds.length; index += 2) {
      const part = bytes.subarray(bounds[index], bounds[index + 1])
      this.#statistics.bytes += part.length
      yield* this.#pieces(timed(this.#statistics.unwrapEnvelope, 1, () => this.#unwrapper.push(part)))
    }
  }

  *end(): Iterable<FramesPiece | RejectsPiece> {
    yield* this.#pieces(this.#unwrapper.end())
  }

  *#pieces({ frames, rejects }: ReturnType<Unwrapper['push']>): Iterable<FramesPiece | RejectsPiece> {
    for (const each of frames) {
      const offset = (index: number) => this.#base + each.position + each.bounds[2 * index + 1]!
      yield { kind: 'frames', frames: each, position: (index) => ({ offset: offset(index) }) }
    }
    if (rejects.length > 0) yield { kind: 'rejects', rejects }
  }
}
