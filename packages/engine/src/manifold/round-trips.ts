// Requests that want their own scores back: frames come in with a promise, and each gets exactly what came of its frames.
import { countFrames, countRecords, type Frames } from '@pitot/codec'
import type { Emissions, JetBatch, JetReject } from '@pitot/jet'
import type { TracePlace, Tracing } from '@pitot/service'
import { canJoin, joinPieces, type Piece, spanOf } from './batch.ts'

export interface RoundTrip {
  /** Frames for the slot that was asked for, in order. */
  readonly frames: Frames
  readonly rejects: readonly JetReject[]
}

interface Waiting {
  readonly frames: Frames
  readonly input: number
  readonly output: number
  /** Where its request is in a trace. */
  readonly caller: TracePlace | undefined
  resolve(trip: RoundTrip): void
  reject(error: Error): void
}

interface Taken {
  readonly batch: JetBatch
  /** Only where somebody traces. */
  readonly callers: readonly TracePlace[] | undefined
  deliver(emissions: Emissions): void
  fail(error: Error): void
}

/** Requests are scored together while jets are busy: so many in a batch, and no larger than this. */
const MOST_FRAMES = 1000
const LARGEST_BATCH = 2 ** 20
/** Bytes of requests that may wait. */
const LIMIT = 32 * 2 ** 20

export class RoundTrips {
  readonly #waiting: Waiting[] = []
  readonly #held: (() => void)[] = []
  readonly #wake: () => void
  readonly #tracing: Tracing | undefined
  #bytes = 0
  #next = 1
  #isGathering = false
  #error: Error | undefined

  constructor(wake: () => void, tracing?: Tracing) {
    this.#wake = wake
    this.#tracing = tracing
  }

  get hasBatch(): boolean {
    return this.#waiting.length > 0
  }

  /** Where very much waits already, the request is held until there is room. */
  request(frames: Frames, slots: { input: number; output: number }): Promise<RoundTrip> {
    return this.#bytes < LIMIT ? this.#enter(frames, slots) : this.#hold(frames, slots)
  }

  /** Requests for the same slot that wait in a row; the function hands out what came of them. */
  take(): Taken {
    const taken = this.#takeWaiting()
    const frames = taken.length === 1 ? taken[0]!.frames : joinPieces(taken.map(asPiece)).frames
    const first = this.#next
    this.#next += countRecords(frames)
    return {
      callers: this.#tracing && taken.map(({ caller }) => caller!),
      batch: { slot: taken[0]!.input, frames, first, isRecordset: false },
      deliver: (emissions) => handOut(taken, emissions),
      fail: (error) => {
        for (const each of taken) each.reject(error)
      },
    }
  }

  /** Nobody will be scored any more. */
  stop(error: Error): void {
    this.#error = error
    for (const each of this.#waiting.splice(0)) each.reject(error)
    this.#bytes = 0
    this.#makeRoom()
  }

  #enter(frames: Frames, slots: { input: number; output: number }): Promise<RoundTrip> {
    if (this.#error !== undefined) return Promise.reject(this.#error)
    return new Promise((resolve, reject) => {
      const { input, output } = slots
      this.#waiting.push({ frames, input, output, caller: this.#tracing?.here(), resolve, reject })
      this.#bytes += spanOf(frames)
      this.#gather()
    })
  }

  async #hold(frames: Frames, slots: { input: number; output: number }): Promise<RoundTrip> {
    while (this.#bytes >= LIMIT) await new Promise<void>((resolve) => this.#held.push(resolve))
    return this.#enter(frames, slots)
  }

  /** Requests that have arrived at the same time go to a jet together: a message to it costs more than a record. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setImmediate(() => {
      this.#isGathering = false
      this.#wake()
    })
  }

  #makeRoom(): void {
    for (const resume of this.#held.splice(0)) resume()
  }

  #takeWaiting(): Waiting[] {
    const head = this.#waiting[0]!
    let count = 0
    let frames = 0
    let bytes = 0
    for (const each of this.#waiting) {
      frames += countFrames(each.frames)
      bytes += spanOf(each.frames)
      const fits = frames <= MOST_FRAMES && bytes <= LARGEST_BATCH
      if (count > 0 && (!fits || each.input !== head.input || !canJoin(head.frames, each.frames))) break
      count++
    }
    const taken = this.#waiting.splice(0, count)
    for (const { frames: gone } of taken) this.#bytes -= spanOf(gone)
    this.#makeRoom()
    return taken
  }
}

/** Nobody asks where in a stream a request stands. */
function asPiece({ frames }: Waiting): Piece {
  return { frames, position: () => ({}) }
}

/** Frames of a batch lie in the order of the requests, and so do emissions in the order of the frames. */
function handOut(taken: readonly Waiting[], { outputs, rejects }: Emissions): void {
  const cuts = new Map(outputs.map((output) => [output.slot, cutter(output)]))
  let from = 0
  for (const each of taken) {
    const to = from + countFrames(each.frames)
    each.resolve({
      frames: cuts.get(each.output)?.(to) ?? NO_FRAMES,
      rejects: rejects.length === 0 ? rejects : within(rejects, from, to),
    })
    from = to
  }
}

const NO_FRAMES: Frames = { bytes: new Uint8Array(), bounds: [], position: 0 }

/** Gives the emissions of the frames before `to` that it has not given yet. */
function cutter({ frames, indexes }: Emissions['outputs'][number]): (to: number) => Frames {
  let begin = 0
  return (to) => {
    let end = begin
    while (end < indexes.length && indexes[end]! < to) end++
    const bounds = frames.bounds.slice(2 * begin, 2 * end)
    begin = end
    return { bytes: frames.bytes, bounds, position: frames.position }
  }
}

function within(rejects: readonly JetReject[], from: number, to: number): JetReject[] {
  return rejects
    .filter(({ index }) => index >= from && index < to)
    .map((reject) => ({ ...reject, index: reject.index - from }))
}
