// Changes of a job that runs: they come in at any time, and are made one after the other, between two batches.

export interface ChangesOptions {
  /** A change has been made: batches may be begun again. */
  readonly resume: () => void
  readonly fail: (error: unknown) => void
}

export class Changes {
  readonly #options: ChangesOptions
  #batches = 0
  #isPaused = false
  #isOver = false
  #whenAnswered: (() => void)[] = []
  #last: Promise<void> = Promise.resolve()
  readonly #over = Promise.withResolvers<void>()

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** Batches that the jets have not answered. */
  get batches(): number {
    return this.#batches
  }

  /** A change wants the jets to itself: no batch may be begun. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  batchBegun(): void {
    this.#batches++
  }

  batchAnswered(): void {
    this.#batches--
    if (this.#batches === 0) this.#release()
  }

  /** Resolves when the change is made, or when it is too late for it. */
  make(change: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(async () => {
      if (this.#isOver) return
      try {
        await change()
      } catch (error) {
        this.#options.fail(error)
      } finally {
        this.#isPaused = false
        this.#options.resume()
      }
    })
    return this.#last
  }

  /** For a change that is being made: until its end no batch is begun. Resolves when the jets have answered everything. */
  async answered(): Promise<void> {
    this.#isPaused = true
    while (this.#batches > 0 && !this.#isOver) {
      await new Promise<void>((resolve) => this.#whenAnswered.push(resolve))
    }
  }

  /** Resolves when every change that was asked for has been made, or will never be. */
  settled(): Promise<void> {
    return Promise.race([this.#last, this.#over.promise])
  }

  /** No other change is made. */
  stop(): void {
    this.#isOver = true
    this.#over.resolve()
    this.#release()
  }

  #release(): void {
    for (const resolve of this.#whenAnswered.splice(0)) resolve()
  }
}
