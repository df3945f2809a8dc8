// How far a batch is: records that are done go in, a message goes out when the host has heard nothing for a while.
import type { Channel } from './channel.ts'

const SILENCE = 100
/** Looking at the clock after each record would cost more than a small model does. */
const STRIDE = 8

export class Progress {
  readonly #channel: Channel
  readonly #batch: number
  readonly #indexes: ArrayLike<number>
  #stride = STRIDE
  #next = 0

  constructor(channel: Channel, batch: number, indexes: ArrayLike<number>) {
    this.#channel = channel
    this.#batch = batch
    this.#indexes = indexes
  }

  /** Record `at` of the batch is done, and all before it. */
  done(at: number): void {
    if (at < this.#next) return
    const silence = performance.now() - this.#channel.lastSent
    if (silence >= SILENCE) {
      this.#channel.send({ kind: 'progress', batch: this.#batch, done: this.#indexes[at]! + 1 })
      // Records that take this long are looked at one by one.
      this.#stride = 1
    }
    this.#next = at + this.#stride
  }
}
