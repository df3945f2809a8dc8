// fixed: every record has the same number of bytes. Shorter ones are written with zeros behind them, longer ones cut off.
import {
  type Envelope,
  type EnvelopeContext,
  MAXIMUM_FRAME,
  NO_BYTES,
  NOTHING,
  type Unwrapped,
  type Unwrapper,
} from '../envelope.ts'
import type { Frames } from '../frames.ts'
import { Pending } from '../pending.ts'

export interface FixedOptions {
  readonly size: number
}

export const fixed: Envelope<FixedOptions> = {
  name: 'fixed',
  unwrapper: (options, context) => new FixedUnwrapper(options.size, context),
  wrapper: ({ size }) => ({ room: 0, start: () => NO_BYTES, wrap: (frames) => padded(frames, size) }),
}

class FixedUnwrapper implements Unwrapper {
  readonly #size: number
  readonly #pending = new Pending()
  #position = 0

  constructor(size: number, { maximumFrame = MAXIMUM_FRAME }: EnvelopeContext = {}) {
    if (!Number.isInteger(size) || size < 1 || size > maximumFrame) {
      throw new RangeError(`expected a size from 1 to ${maximumFrame} bytes, found ${size}`)
    }
    this.#size = size
  }

  push(chunk: Uint8Array): Unwrapped {
    const frames: Frames[] = []
    const size = this.#size
    let start = 0
    if (this.#pending.length > 0) {
      const before = this.#pending.length
      start = Math.min(size - before, chunk.length)
      this.#pending.add(chunk, 0, start)
      if (this.#pending.length === size) {
        frames.push({ bytes: this.#pending.take(), bounds: [0, size], position: this.#position - before })
      }
    }
    const bounds: number[] = []
    for (; start + size <= chunk.length; start += size) bounds.push(start, start + size)
    if (bounds.length > 0) frames.push({ bytes: chunk, bounds, position: this.#position })
    this.#pending.add(chunk, start)
    this.#position += chunk.length
    return { frames, rejects: [] }
  }

  end(): Unwrapped {
    const bytes = this.#pending.take()
    if (bytes.length === 0) return NOTHING
    const reason = `expected ${this.#size} bytes, found the end of the stream after ${bytes.length}`
    return {
      frames: [],
      rejects: [{ step: 'envelope', reason, position: this.#position - bytes.length, bytes, fatal: false }],
    }
  }
}

function padded({ bytes, bounds }: Frames, size: number): Uint8Array {
  const out = new Uint8Array((bounds.length / 2) * size)
  for (let index = 0; index < bounds.length; index += 2) {
    const start = bounds[index]!
    out.set(bytes.subarray(start, Math.min(bounds[index + 1]!, start + size)), (index / 2) * size)
  }
  return out
}
