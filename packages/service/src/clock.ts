// Time, as sensors see it: tests bring one that they turn by hand.

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number
  /** The time of day. */
  date(): Date
  /** Calls back at a time of `now()`, or at once when it is past; the function given back cancels. */
  at(time: number, callback: () => void): () => void
}

/** Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  at(time, callback) {
    // A timer takes no delay beyond 2^31 ms; whoever is woken early looks at the clock again.
    const timer = setTimeout(callback, Math.min(Math.max(0, time - performance.now()), 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
