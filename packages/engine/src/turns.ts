// Work that must not overlap: each piece comes in as it is asked for, and begins when the one before it is over.

export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles as the work does. What failed before does not keep it from being done. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work)
    this.#last = next.catch(() => undefined)
    return next
  }
}
