// Cuts a stream of bytes without framing by an encoding that knows where its records end: chunks go in, one frame per record comes out.
import { type EnvelopeContext, MAXIMUM_FRAME, NOTHING, type Unwrapped, type Unwrapper } from './envelope.ts'
import { copyOf, type Frames } from './frames.ts'
import { Pending } from './pending.ts'
import type { Reject } from './reject.ts'

/** The end of the record that starts at `start`; -1 when it ends beyond `end`; throws when these are no bytes of a record. */
export type Cut = (bytes: Uint8Array, start: number, end: number) => number

/** There is nothing to find the next record by after a broken one: the stream ends there. */
export class SelfDelimitedUnwrapper implements Unwrapper {
  readonly #cut: Cut
  readonly #maximum: number
  readonly #pending = new Pending()
  #position = 0
  #broken = false

  constructor(cut: Cut, { maximumFrame = MAXIMUM_FRAME }: EnvelopeContext = {}) {
    this.#cut = cut
    this.#maximum = maximumFrame
  }

  push(chunk: Uint8Array): Unwrapped {
    if (this.#broken) return NOTHING
    const before = this.#pending.length
    if (before === 0) return this.#frames(chunk, this.#advance(chunk.length))
    this.#pending.add(chunk)
    const position = this.#advance(chunk.length) - before
    if (this.#isIncomplete()) return NOTHING
    // What was pending is copied together with the chunk: the frames need memory that stays.
    return this.#frames(this.#pending.take(), position)
  }

  end(): Unwrapped {
    if (this.#broken || this.#pending.length === 0) return NOTHING
    const bytes = this.#pending.take()
    const reason = `expected the rest of a record, found the end of the stream after ${bytes.length} bytes of it`
    return { frames: [], rejects: [this.#reject(reason, bytes, this.#position - bytes.length)] }
  }

  /** The record at the beginning needs more bytes, and may still get them. */
  #isIncomplete(): boolean {
    const bytes = this.#pending.view()
    try {
      return bytes.length <= this.#maximum && this.#cut(bytes, 0, bytes.length) < 0
    } catch {
      return false
    }
  }

  #advance(by: number): number {
    const position = this.#position
    this.#position += by
    return position
  }

  #frames(bytes: Uint8Array, position: number): Unwrapped {
    const bounds: number[] = []
    const rejects: Reject[] = []
    let start = 0
    try {
      while (start < bytes.length) {
        const end = this.#cut(bytes, start, bytes.length)
        if (end < 0 || end === start) break
        bounds.push(start, end)
        start = end
      }
      if (bytes.length - start > this.#maximum) {
        throw new RangeError(`expected a record of at most ${this.#maximum} bytes, found a longer one`)
      }
      this.#pending.add(bytes, start)
    } catch (error) {
      this.#broken = true
      rejects.push(this.#reject((error as Error).message, bytes.subarray(start), position + start))
    }
    const frames: Frames[] = bounds.length === 0 ? [] : [{ bytes, bounds, position }]
    return { frames, rejects }
  }

  #reject(reason: string, bytes: Uint8Array, position: number): Reject {
    return { step: 'envelope', reason, position, bytes: copyOf(bytes, 0, 1024), fatal: true }
  }
}
