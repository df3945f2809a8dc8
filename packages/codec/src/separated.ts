// Cuts at separators, for all envelopes that have them: chunks go in, the frames between separators come out.
import { type EnvelopeContext, MAXIMUM_FRAME, NOTHING, type Unwrapped, type Unwrapper } from './envelope.ts'
import { copyOf, type Frames } from './frames.ts'
import { Pending } from './pending.ts'
import type { Reject } from './reject.ts'
import { indexOfByte } from './search.ts'

export interface SeparatedOptions {
  readonly separator: Uint8Array
  /** Separators between two of these bytes do not count. */
  readonly quote?: number
  /** A carriage return before the separator belongs to it. */
  readonly dropReturn?: boolean
  readonly skipEmpty?: boolean
  /** The first frame names the columns: it comes as `header` of all frames. */
  readonly hasHeader?: boolean
}

/** Frames in the making. */
interface Collected {
  readonly bytes: Uint8Array
  readonly bounds: number[]
  readonly position: number
}

const RETURN = 0x0d
/** How much of a refused frame is shown. */
const SHOWN = 1024

/**
 * Looks for the last byte of the separator, then back at the others: what lies behind the border of two chunks is at hand
 * then, what lies before it never is. What follows the last separator is a frame too, unless it is empty.
 */
export class SeparatedUnwrapper implements Unwrapper {
  readonly #options: SeparatedOptions
  readonly #last: number
  readonly #width: number
  readonly #maximum: number
  readonly #pending = new Pending()
  /** Stream position of the chunk at hand. */
  #position = 0
  #insideQuotes = false
  /** Where the next quote of the chunk is; -1 when that is not known. */
  #quoteAt = -1
  /** A frame that was too large is being dropped. */
  #dropping = false
  #header: Uint8Array | undefined

  constructor(options: SeparatedOptions, context: EnvelopeContext = {}) {
    this.#options = options
    this.#width = options.separator.length
    this.#last = options.separator[this.#width - 1]!
    this.#maximum = context.maximumFrame ?? MAXIMUM_FRAME
  }

  push(given: Uint8Array, room = 0): Unwrapped {
    const frames: Frames[] = []
    const rejects: Reject[] = []
    const bounds: number[] = []
    this.#quoteAt = -1
    // Where the frame at hand begins: before the chunk, when a part of it is pending.
    let start = 0 - this.#pending.length
    let chunk = given
    let end = this.#next(chunk, start, 0)
    if (end >= 0 && start < 0 && !this.#dropping && -start <= room) {
      chunk = this.#joined(chunk)
      end -= start
      start = 0
    } else if (end >= 0 && (start < 0 || this.#dropping)) {
      this.#finishPending(chunk, end, frames, rejects)
      start = end + 1
      end = this.#next(chunk, start, start)
    }
    const collected = { bytes: chunk, bounds, position: this.#position }
    for (; end >= 0; end = this.#next(chunk, start, start)) {
      this.#add(collected, start, end - this.#width + 1, rejects)
      start = end + 1
    }
    if (bounds.length > 0) frames.push(this.#frames(chunk, bounds, this.#position))
    this.#keep(chunk, Math.max(start, 0), rejects)
    this.#position += chunk.length
    return { frames, rejects }
  }

  end(): Unwrapped {
    if (this.#dropping || this.#pending.length === 0) return NOTHING
    const bytes = this.#pending.take()
    return this.#single(bytes, this.#position - bytes.length)
  }

  /** The index of the last byte of the next separator that counts, or -1. `start`: where the frame begins. */
  #next(chunk: Uint8Array, start: number, from: number): number {
    const { quote } = this.#options
    let at = indexOfByte(chunk, this.#last, from)
    if (this.#width === 1 && quote === undefined) return at
    let quotesFrom = from
    for (; at >= 0; at = indexOfByte(chunk, this.#last, at + 1)) {
      if (!this.#isSeparator(chunk, start, at)) continue
      if (quote !== undefined) {
        this.#countQuotes(chunk, quote, quotesFrom, at)
        quotesFrom = at
        if (this.#insideQuotes && !this.#isTooLong(start, at)) continue
        this.#insideQuotes = false
      }
      return at
    }
    if (quote !== undefined) this.#countQuotes(chunk, quote, quotesFrom, chunk.length)
    return -1
  }

  /** A frame that is too large ends at the next separator in any case: else one lost quote would swallow the stream. */
  #isTooLong(start: number, at: number): boolean {
    const length = at + 1 - this.#width - start
    return this.#dropping || length > this.#maximum + (this.#options.dropReturn ? 1 : 0)
  }

  /** A quote inside quotes is written twice, so counting them tells whether we are inside. */
  #countQuotes(chunk: Uint8Array, quote: number, from: number, to: number): void {
    if (this.#quoteAt < from) {
      const found = indexOfByte(chunk, quote, from)
      this.#quoteAt = found < 0 ? chunk.length : found
    }
    if (this.#quoteAt >= to) return
    for (let at = this.#quoteAt; at < to; at++) if (chunk[at] === quote) this.#insideQuotes = !this.#insideQuotes
    this.#quoteAt = -1
  }

  #isSeparator(chunk: Uint8Array, start: number, at: number): boolean {
    const { separator } = this.#options
    if (at - this.#width + 1 < start) return false
    for (let back = 1; back < this.#width; back++) {
      const index = at - back
      const byte = index >= 0 ? chunk[index] : this.#pending.at(index)
      if (byte !== separator[this.#width - 1 - back]) return false
    }
    return true
  }

  /** The frame that began in an earlier chunk ends in this one, with the separator's last byte at `end`. */
  #finishPending(chunk: Uint8Array, end: number, frames: Frames[], rejects: Reject[]): void {
    if (this.#dropping) {
      this.#dropping = false
      this.#pending.clear()
      return
    }
    const before = this.#pending.length
    this.#pending.add(chunk, 0, end + 1)
    const bytes = this.#pending.take(before + end + 1 - this.#width)
    const single = this.#single(bytes, this.#position - before)
    frames.push(...single.frames)
    rejects.push(...single.rejects)
  }

  /** What is pending goes into the free bytes before the chunk, so that all frames lie in one memory. */
  #joined(chunk: Uint8Array): Uint8Array {
    const { length } = this.#pending
    const joined = new Uint8Array(chunk.buffer, chunk.byteOffset - length, length + chunk.length)
    joined.set(this.#pending.view())
    this.#pending.clear()
    this.#position -= length
    if (this.#quoteAt >= 0) this.#quoteAt += length
    return joined
  }

  /** The one frame that is all of these bytes, or the reject. */
  #single(bytes: Uint8Array, position: number): Unwrapped {
    const bounds: number[] = []
    const rejects: Reject[] = []
    this.#add({ bytes, bounds, position }, 0, bytes.length, rejects)
    return { frames: bounds.length === 0 ? [] : [this.#frames(bytes, bounds, position)], rejects }
  }

  #add({ bytes, bounds, position }: Collected, start: number, end: number, rejects: Reject[]): void {
    const { dropReturn, skipEmpty, hasHeader } = this.#options
    const stop = dropReturn && end > start && bytes[end - 1] === RETURN ? end - 1 : end
    if (skipEmpty && stop === start) return
    if (stop - start > this.#maximum) rejects.push(this.#tooLarge(bytes.subarray(start), position + start))
    else if (hasHeader && this.#header === undefined) this.#header = copyOf(bytes, start, stop)
    else bounds.push(start, stop)
  }

  /** What is left of the chunk waits for its separator. */
  #keep(chunk: Uint8Array, start: number, rejects: Reject[]): void {
    if (this.#dropping) {
      this.#pending.add(chunk, Math.max(start, chunk.length - this.#width))
      this.#pending.keepLast(this.#width - 1)
      return
    }
    this.#pending.add(chunk, start)
    if (this.#pending.length < this.#maximum + this.#width + 1) return
    rejects.push(this.#tooLarge(this.#pending.view(), this.#position + chunk.length - this.#pending.length))
    this.#dropping = true
    this.#pending.keepLast(this.#width - 1)
  }

  #frames(bytes: Uint8Array, bounds: number[], position: number): Frames {
    return this.#header === undefined ? { bytes, bounds, position } : { bytes, bounds, position, header: this.#header }
  }

  #tooLarge(bytes: Uint8Array, position: number): Reject {
    const reason = `expected a frame of at most ${this.#maximum} bytes, found a longer one`
    return { step: 'envelope', reason, position, bytes: copyOf(bytes, 0, SHOWN), fatal: false }
  }
}
