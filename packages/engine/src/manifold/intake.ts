// What was read from one input and waits for a jet: pieces and marks come in, batches and marks go out in the same order.
import { countFrames, countRecords } from '@pitot/codec'
import type { Batching } from '@pitot/stream'
import { type Batch, canJoin, joinPieces, type Piece, slicePiece, spanOf } from './batch.ts'

/** Something between two records that is not one: it stays where it was in the order, and no batch goes across it. */
export interface Mark {
  /** Called when everything before it has been given to a jet. */
  reach(): void
}

export interface IntakeOptions {
  readonly slot: number
  readonly batching: Batching | null
  /** The model takes record sets from this slot: batches are cut where the descriptor says, not where it suits. */
  readonly recordsets: boolean
  /** Called when something can be taken now that could not be before, without anything having been put in. */
  readonly wake: () => void
}

/** Bytes that may wait; more are let in only for a record set that is not complete. */
const LIMIT = 2 ** 19
/**
 * A batch is not made larger than this, whatever the descriptor allows. It fits into what the system holds between two
 * processes: a jet that is done with one finds the next one whole, and need not wait for the engine.
 */
const LARGEST_BATCH = 2 ** 17
const LARGEST_SET = 64 * 2 ** 20

/** One input's queue. Whoever puts in waits for `room` first, so that it is bounded. */
export class Intake {
  readonly slot: number
  readonly #options: IntakeOptions
  #recordsets: boolean
  readonly #queue: (Piece | Mark)[] = []
  /** Frames of the first piece that are taken already. */
  #headFrom = 0
  #bytes = 0
  #records = 0
  /** Number of the next record to be taken, from 1. */
  #next = 1
  #makeRoom: (() => void) | undefined
  /** Since when the first record of an unfinished set has waited. */
  #nagle: NodeJS.Timeout | undefined
  #isNagleOver = false

  constructor(options: IntakeOptions) {
    this.slot = options.slot
    this.#options = options
    this.#recordsets = options.recordsets
  }

  /** Another model may want records where the last one took sets. */
  set recordsets(recordsets: boolean) {
    this.#recordsets = recordsets
  }

  get waiting(): { readonly records: number; readonly bytes: number } {
    return { records: this.#records, bytes: this.#bytes }
  }

  put(entry: Piece | Mark): void {
    this.#queue.push(entry)
    if (!isPiece(entry)) return
    this.#bytes += spanOf(entry.frames)
    this.#records += countFrames(entry.frames)
  }

  /** Resolves when more may be put in. */
  async room(): Promise<void> {
    while (!this.#hasRoom()) {
      await new Promise<void>((resolve) => {
        this.#makeRoom = resolve
      })
    }
  }

  /** The mark that is next, taken out; undefined when records come first or nothing waits. */
  takeMark(): Mark | undefined {
    const head = this.#queue[0]
    return head === undefined || isPiece(head) ? undefined : (this.#queue.shift() as Mark)
  }

  hasBatch(): boolean {
    const head = this.#queue[0]
    if (head === undefined || !isPiece(head)) return false
    return !this.#recordsets || this.#isSetComplete()
  }

  /** The next batch; ask `hasBatch` first. */
  takeBatch(): Batch {
    clearTimeout(this.#nagle)
    this.#nagle = undefined
    this.#isNagleOver = false
    const piece = joinPieces(this.#takePieces())
    const first = this.#next
    this.#next += countRecords(piece.frames)
    this.#records -= countFrames(piece.frames)
    this.#makeRoom?.()
    return { slot: this.slot, first, isRecordset: this.#recordsets, ...piece }
  }

  close(): void {
    clearTimeout(this.#nagle)
  }

  /** One record per batch when the descriptor says so; as many as are there, up to the watermark, otherwise. */
  get #watermark(): number {
    const { batching } = this.#options
    return batching === null ? 1 : (batching.watermark ?? Number.POSITIVE_INFINITY)
  }

  #hasRoom(): boolean {
    if (this.#bytes < LIMIT) return true
    return this.#recordsets && !this.#isSetComplete()
  }

  #takePieces(): Piece[] {
    const largest = this.#recordsets ? LARGEST_SET : LARGEST_BATCH
    const pieces: Piece[] = []
    let left = this.#watermark
    let size = 0
    for (let head = this.#queue[0]; head !== undefined && isPiece(head) && left > 0; head = this.#queue[0]) {
      if (pieces.length > 0 && (size + spanOf(head.frames) > largest || !canJoin(pieces[0]!.frames, head.frames))) break
      const count = countFrames(head.frames)
      const to = Math.min(count, this.#headFrom + left)
      const piece = slicePiece(head, this.#headFrom, to)
      pieces.push(piece)
      size += spanOf(piece.frames)
      left -= to - this.#headFrom
      this.#headFrom = to
      if (to < count) break
      this.#queue.shift()
      this.#headFrom = 0
      // A piece is held as a whole until its last frame is taken.
      this.#bytes -= spanOf(head.frames)
    }
    return pieces
  }

  /** A set ends at its mark, at the watermark, when it has waited long enough, or when memory says so. */
  #isSetComplete(): boolean {
    if (this.#isNagleOver || this.#bytes >= LARGEST_SET) return true
    if (this.#records >= this.#watermark) return true
    if (this.#queue.some((entry) => !isPiece(entry))) return true
    this.#startNagle()
    return false
  }

  #startNagle(): void {
    const wait = this.#options.batching?.nagleTime ?? null
    if (wait === null || this.#nagle !== undefined || this.#records === 0) return
    this.#nagle = setTimeout(() => {
      this.#isNagleOver = true
      this.#options.wake()
    }, wait)
  }
}

function isPiece(entry: Piece | Mark): entry is Piece {
  return 'frames' in entry
}
