// Limits what a talkative model can say: items come in at any speed, at most so many an interval go out, with a count of
// what was skipped. The first goes out at once, so that a quiet model is heard without delay.
import { type Clock, systemClock } from './clock.ts'

export interface RateLimitOptions<Item> {
  /** Items an interval at the most. */
  readonly most: number
  /** Characters an interval at the most, counted by `size`. */
  readonly mostSize?: number
  readonly size?: (item: Item) => number
  /** Milliseconds. */
  readonly interval: number
  /** Called with what is let through, and how many were skipped since the last call. */
  readonly send: (items: Item[], skipped: number) => void
  readonly clock?: Clock
}

export class RateLimit<Item> {
  readonly #options: RateLimitOptions<Item>
  readonly #clock: Clock
  #waiting: Item[] = []
  #size = 0
  #skipped = 0
  #cancel: (() => void) | undefined

  constructor(options: RateLimitOptions<Item>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  add(item: Item): void {
    const { most, mostSize = Number.POSITIVE_INFINITY, size = () => 0 } = this.#options
    const room = this.#waiting.length < most && this.#size + size(item) <= mostSize
    if (room) {
      this.#waiting.push(item)
      this.#size += size(item)
    } else this.#skipped++
    if (this.#cancel === undefined) this.#open()
  }

  /** Sends what waits; call it at the end, so that nothing is left behind. */
  flush(): void {
    if (this.#waiting.length === 0 && this.#skipped === 0) return
    const [items, skipped] = [this.#waiting, this.#skipped]
    this.#waiting = []
    this.#size = 0
    this.#skipped = 0
    this.#options.send(items, skipped)
  }

  stop(): void {
    this.flush()
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Sends, and begins the interval in which the next ones are gathered; a quiet interval is the last. */
  #open(): void {
    const isQuiet = this.#waiting.length === 0 && this.#skipped === 0
    this.#cancel = undefined
    if (isQuiet) return
    this.flush()
    this.#cancel = this.#clock.at(this.#clock.now() + this.#options.interval, () => this.#open())
  }
}
