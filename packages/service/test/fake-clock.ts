// A clock that tests turn by hand: callbacks run in the order of their times, and time stands still meanwhile.
import type { Clock } from '../src/clock.ts'

export class FakeClock implements Clock {
  #now = 1_000_000
  readonly #timers = new Set<{ readonly time: number; readonly callback: () => void }>()

  now(): number {
    return this.#now
  }

  date(): Date {
    return new Date(this.#now)
  }

  at(time: number, callback: () => void): () => void {
    const timer = { time, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size
  }

  /** Lets time pass; promises that callbacks make are waited for as far as that takes no time. */
  async pass(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000
    for (;;) {
      const [next] = [...this.#timers].filter(({ time }) => time <= end).sort((a, b) => a.time - b.time)
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.time)
      next.callback()
      await settle()
    }
    this.#now = end
    await settle()
  }

  /** Time passes without any timer being called: the process was asleep. */
  sleep(seconds: number): void {
    this.#now += seconds * 1000
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
