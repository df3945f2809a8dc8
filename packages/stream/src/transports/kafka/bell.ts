// Wakes a reader that waits: whoever changes something rings, and the reader that saw an earlier state does not go to sleep.

export class Bell {
  /** How often it was rung: to be remembered before looking around. */
  rings = 0
  #resume: () => void = () => undefined

  ring(): void {
    this.rings++
    this.#resume()
  }

  /** Resolves at the next ring, at once if there was one since `seen`, or when the time is up. */
  heard(seen: number, milliseconds: number): Promise<void> {
    if (this.rings !== seen) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
