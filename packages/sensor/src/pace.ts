// Picks some of many: whatever the rate at which things come, about as many a second as are wanted are taken, at random.

/** How many are taken between two looks at the clock. */
const lookEvery = 64

/** For each thing: `if (pace.wants()) { pace.take(); … }`. */
export class Pace {
  readonly #maxRate: number
  readonly #random: () => number
  readonly #now: () => number
  /** To pass by before the next is taken. */
  #passBy = 0
  /** One of so many is taken. */
  #stride = 1
  #taken = 0
  #lastLook: number

  /** So many a second at the most; `now` is in milliseconds. */
  constructor(maxRate: number, random: () => number = Math.random, now = () => performance.now()) {
    this.#maxRate = maxRate
    this.#random = random
    this.#now = now
    this.#lastLook = now()
  }

  wants(): boolean {
    if (this.#passBy === 0) return true
    this.#passBy--
    return false
  }

  take(): void {
    // At random, because what comes may have a rhythm of its own.
    if (this.#stride > 1) this.#passBy = Math.floor(this.#random() * (2 * this.#stride - 1))
    if (++this.#taken === lookEvery) this.#adapt()
  }

  #adapt(): void {
    const now = this.#now()
    const seconds = Math.max((now - this.#lastLook) / 1000, 1e-6)
    this.#lastLook = now
    this.#taken = 0
    const rate = (lookEvery * this.#stride) / seconds
    this.#stride = Math.max(1, Math.round(rate / this.#maxRate))
  }
}
