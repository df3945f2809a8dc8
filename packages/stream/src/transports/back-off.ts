// Waits between tries: short ones first, longer ones later, and an end to it.
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST = 50
const LONGEST = 5000

export class BackOff {
  readonly #retryTime: number
  readonly #signal: AbortSignal
  #failures = 0
  #deadline: number | undefined

  /** `retryTime`: milliseconds from the first failure after which there is no other try. */
  constructor(retryTime: number, signal: AbortSignal) {
    this.#retryTime = retryTime
    this.#signal = signal
  }

  /**
   * Called after a failure. True when it is time for another try, false when the time for tries is over or the signal has
   * fired. `atLeast`: milliseconds that the other side has asked for.
   */
  async again(atLeast = 0): Promise<boolean> {
    this.#deadline ??= Date.now() + this.#retryTime
    // Up to a half more or less, so that many who were thrown out together do not come back together.
    const usual = Math.min(LONGEST, FIRST * 2 ** this.#failures++) * (0.5 + Math.random())
    const wait = Math.max(usual, atLeast)
    const left = this.#deadline - Date.now()
    if (this.#signal.aborted || left <= 0 || atLeast > left) return false
    await sleep(Math.min(wait, left), undefined, { signal: this.#signal }).catch(() => undefined)
    return !this.#signal.aborted
  }

  /** Called after a success: the next failure is a first one. */
  reset(): void {
    this.#failures = 0
    this.#deadline = undefined
  }
}
