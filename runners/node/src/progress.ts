// How far a batch is: records that are done go in, a message goes out when the host has heard nothing for a while.
import type { Channel } from './channel.ts'

/** Milliseconds. */
const SILENCE = 100
/** Looking at the clock after each record would cost more than a small model does. */
const STRIDE = 8

export class Progress {
  readonly #channel: Channel
  readonly #batch: number
  readonly #indexes: ArrayLike<number>
  /** The next record after which the clock is looked at. */
  #next = 0
  #lastLook = performance.now()

  constructor(channel: Channel, batch: number, indexes: ArrayLike<number>) {
    this.#channel = channel
    this.#batch = batch
    this.#indexes = indexes
  }

  /** Record `at` of the batch is done, and all before it. */
  done(at: number): void {
    if (at >= this.#next) this.#look(at)
  }

  #look(at: number): void {
    const now = performance.now()
    if (now - this.#channel.lastSent >= SILENCE) {
      this.#channel.send({ kind: 'progress', batch: this.#batch, done: this.#indexes[at]! + 1 })
    }
    // Slow records are looked at one by one.
    this.#next = at + (now - this.#lastLook > SILENCE / STRIDE ? 1 : STRIDE)
    this.#lastLook = now
  }
}
