// A live input: a descriptor comes in, batches of frames with their positions go out, in the order of the stream.
import type { AvroType } from '@pitot/avro'
import {
  bytesOf,
  type Control,
  controlReader,
  countFrames,
  countRecords,
  encodings,
  endMarkerTest,
  type Frames,
  type Reject,
  SelfDelimitedUnwrapper,
  splitBlocks,
  type Unwrapper,
} from '@pitot/codec'
import { unwrapperOf } from './codecs.ts'
import { countMoved } from './collect.ts'
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
  readonly context: Omit<StreamContext, 'skipTo' | 'skipToRecord'>
  readonly maximumFrame?: number
  /** The stream ends behind so many records, also one that loops; without it, where it ends by itself. */
  readonly mostRecords?: number | undefined
}

export class InputStream implements AsyncIterable<InputPiece> {
  readonly descriptor: Descriptor
  readonly statistics = new StreamStatistics()
  readonly #options: InputOptions
  readonly #readControl: ReturnType<typeof controlReader>
  readonly #isEnd: ReturnType<typeof endMarkerTest>
  #source: Source
  /** Records that may still come. */
  #left: number
  #ended = false
  #closed = false

  private constructor(descriptor: Descriptor, options: InputOptions, source: Source) {
    this.descriptor = descriptor
    this.#options = options
    this.#source = source
    this.#left = options.mostRecords ?? Number.POSITIVE_INFINITY
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

  /** What is being read at the time, for a transaction to commit its position. */
  get source(): Source {
    return this.#source
  }

  counters(): Readonly<Record<string, number>> {
    return this.#source.counters?.() ?? {}
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<InputPiece> {
    for (let round = 0; !this.#closed; round++) {
      if (round > 0) await this.#reopen()
      const before = this.statistics.records
      yield* this.#onePass(round === 0)
      if (!this.descriptor.loop || this.#closed || this.#left === 0) break
      // A looping stream without a single record would spin for ever.
      if (this.statistics.records === before) break
    }
    this.#ended = true
  }

  async #reopen(): Promise<void> {
    await this.#source.close()
    this.#source = await openTransport(this.descriptor, this.#options, false)
    // Somebody may have closed the stream meanwhile.
    if (this.#closed) await this.#source.close()
  }

  /** From the opening of the transport to its end, or to the soft end in the data. */
  async *#onePass(isFirst: boolean): AsyncGenerator<InputPiece> {
    const source = this.#source
    const cutter = this.#cutter()
    // Whoever goes on where he was has dropped them already.
    const isBeginning = isFirst && this.#options.context.from === undefined
    const skip = new Skip(isBeginning ? recordsToDrop(this.descriptor) : 0, this.#options.type)
    for await (const chunk of source) {
      const { pieces, isEnd } = this.#records(skip.drop(cutter.cut(chunk)))
      for (const piece of this.#allowed(pieces)) yield this.#counted(piece)
      if (isEnd || this.#left === 0) return
      // Here, where more is asked for: what came of the last pieces is least likely to be in use.
      countMoved(chunk.frames.bytes.length)
    }
    for (const piece of this.#allowed(this.#records(skip.drop(cutter.end())).pieces)) yield this.#counted(piece)
  }

  /** Everything up to here is durable downstream. What was read last may be acknowledged until the stream is closed. */
  acknowledge(position: Position): Promise<void> {
    return this.#source.acknowledge(position)
  }

  /** To be called in any case, also at the end of the stream and after a failure. Idempotent. */
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
    const start = () =>
      cut === undefined ? unwrapperOf(this.descriptor, type, context) : new SelfDelimitedUnwrapper(cut, context)
    return new ByteCutter(start, separatorLength(this.descriptor), this.statistics)
  }

  /** As much of these pieces as may still come. */
  *#allowed(pieces: Iterable<InputPiece>): Iterable<InputPiece> {
    for (const piece of pieces) {
      if (this.#left === 0) return
      const count = piece.kind === 'frames' ? countRecords(piece.frames) : 0
      const most = this.#left
      this.#left = Math.max(0, most - count)
      if (piece.kind !== 'frames' || count <= most) yield piece
      else yield slice(singleRecords(piece, this.#options.type), 0, most)
    }
  }

  #counted(piece: InputPiece): InputPiece {
    if (piece.kind === 'frames') this.statistics.records += countRecords(piece.frames)
    if (piece.kind === 'rejects') this.statistics.rejects += piece.rejects.length
    return piece
  }

  /** Control records and the end marker taken out of the frames; nothing that follows an end is given. */
  #records(given: Iterable<FramesPiece | RejectsPiece>): { pieces: InputPiece[]; isEnd: boolean } {
    const pieces: InputPiece[] = []
    for (const piece of given) {
      if (piece.kind === 'rejects') pieces.push(piece)
      else if (this.#split(piece, pieces)) return { pieces, isEnd: true }
    }
    return { pieces, isEnd: false }
  }

  /** Adds the parts of one piece; true when there is an end in it. The usual case, without any, costs one look per frame. */
  #split(piece: FramesPiece, pieces: InputPiece[]): boolean {
    const { bytes, bounds } = piece.frames
    const count = bounds.length / 2
    let from = 0
    for (let index = 0; index < count; index++) {
      const start = bounds[2 * index]!
      const end = bounds[2 * index + 1]!
      const control = this.#readControl(bytes, start, end)
      if (control === undefined && !this.#isEnd(bytes, start, end)) continue
      if (index > from) pieces.push(slice(piece, from, index))
      if (control === undefined) return true
      pieces.push({ kind: 'control', control, bytes: bytes.slice(start, end), position: piece.position(index) })
      if (control.kind === 'end') return true
      from = index + 1
    }
    if (from === 0) pieces.push(piece)
    else if (from < count) pieces.push(slice(piece, from, count))
    return false
  }
}

function openTransport(descriptor: Descriptor, options: InputOptions, isFirst: boolean): Promise<Source> {
  const { transport, transportOptions, skipTo, skipToRecord } = descriptor
  const seeksRecords = transport.seekable === 'records'
  return transport.open!(transportOptions, {
    ...options.context,
    from: isFirst ? options.context.from : undefined,
    skipTo: skipTo ?? undefined,
    skipToRecord: seeksRecords ? (skipToRecord ?? undefined) : undefined,
  })
}

function separatorLength({ envelope, envelopeOptions }: Descriptor): number {
  return envelope === 'delimited' ? Buffer.byteLength(envelopeOptions.Separator as string) : 0
}

/** Where the transport cannot seek to a record, records are read and dropped. */
function recordsToDrop({ transport, skipToRecord }: Descriptor): number {
  return transport.seekable !== 'records' && typeof skipToRecord === 'number' ? skipToRecord : 0
}

/** Drops the first records of a stream. */
class Skip {
  #left: number
  readonly #type: AvroType | null

  constructor(count: number, type: AvroType | null) {
    this.#left = count
    this.#type = type
  }

  *drop(pieces: Iterable<FramesPiece | RejectsPiece>): Iterable<FramesPiece | RejectsPiece> {
    for (const piece of pieces) {
      if (piece.kind === 'rejects' || this.#left === 0) yield piece
      else yield* this.#dropFrom(piece)
    }
  }

  *#dropFrom(piece: FramesPiece): Iterable<FramesPiece> {
    const records = countRecords(piece.frames)
    if (records <= this.#left) {
      this.#left -= records
      return
    }
    const single = singleRecords(piece, this.#type)
    yield slice(single, this.#left, countFrames(single.frames))
    this.#left = 0
  }
}

/** A record inside a block has no position of its own: reading goes on behind the block. */
function singleRecords(piece: FramesPiece, type: AvroType | null): FramesPiece {
  const frames = splitBlocks(piece.frames, type)
  if (frames === piece.frames) return piece
  const last = countFrames(piece.frames) - 1
  return { kind: 'frames', frames, position: () => piece.position(last) }
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
    this.#statistics.bytes += bytesOf(chunk.frames)
    yield { kind: 'frames', frames: chunk.frames, details: chunk.details, position: (index) => chunk.position(index) }
  }

  *end(): Iterable<FramesPiece> {}
}

/** For streams of bytes: the envelope cuts them. Positions are byte offsets. */
class ByteCutter implements Cutter {
  readonly #start: () => Unwrapper
  /** Bytes between two frames: reading goes on behind them. */
  readonly #gap: number
  readonly #statistics: StreamStatistics
  #unwrapper: Unwrapper
  /** Where the part that is being cut begins, as its first chunk says: a file that was rotated begins anew. */
  #base: number | undefined
  /** What its positions say besides their offset, such as which file it is. */
  #place: Position = {}

  constructor(start: () => Unwrapper, gap: number, statistics: StreamStatistics) {
    this.#start = start
    this.#gap = gap
    this.#statistics = statistics
    this.#unwrapper = start()
  }

  *cut(chunk: Chunk): Iterable<FramesPiece | RejectsPiece> {
    const { bytes, bounds, position } = chunk.frames
    if (this.#base === undefined) {
      this.#base = position + (bounds[0] ?? 0)
      this.#place = chunk.position()
    }
    for (let index = 0; index < bounds.length; index += 2) {
      const part = bytes.subarray(bounds[index], bounds[index + 1])
      this.#statistics.bytes += part.length
      const room = index === 0 ? chunk.room : 0
      yield* this.#pieces(timed(this.#statistics.unwrapEnvelope, 1, () => this.#unwrapper.push(part, room)))
    }
    if (chunk.endOfPart !== true) return
    yield* this.end()
    this.#unwrapper = this.#start()
    this.#base = undefined
  }

  *end(): Iterable<FramesPiece | RejectsPiece> {
    yield* this.#pieces(this.#unwrapper.end())
  }

  *#pieces({ frames, rejects }: ReturnType<Unwrapper['push']>): Iterable<FramesPiece | RejectsPiece> {
    const base = (this.#base ?? 0) + this.#gap
    const place = this.#place
    for (const each of frames) {
      const offset = (index: number) => base + each.position + each.bounds[2 * index + 1]!
      yield { kind: 'frames', frames: each, position: (index) => ({ ...place, offset: offset(index) }) }
    }
    if (rejects.length > 0) yield { kind: 'rejects', rejects }
  }
}
