// How often jets had to be replaced: deaths come in; when the next start may be, and whether to give up, go out.

/** Deaths in a row of jets that had not scored anything, before the model is given up. */
const PATIENCE = 6
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000

export interface RestartReport {
  readonly count: number
  /** Milliseconds the next start waits; 0 when all is well. */
  readonly waiting: number
  /** Why the last one was replaced. */
  readonly last: string | undefined
}

export class Restarts {
  #count = 0
  #last: string | undefined
  /** Deaths in a row without a single score in between. */
  #barren = 0
  /** Replacements that are to be started. */
  #owed = 0
  #cancel: (() => void)[] = []
  #isCancelled = false

  report(): RestartReport {
    return { count: this.#count, waiting: this.#wait, last: this.#last }
  }

  /** True when there is no point in going on. */
  count(reason: string, hadScored: boolean): boolean {
    this.#count++
    this.#owed++
    this.#last = reason
    this.#barren = hadScored ? 0 : this.#barren + 1
    return this.#barren >= PATIENCE
  }

  /** The last death had a record to blame, which is out of the way now. */
  isExplained(): void {
    this.#barren = 0
  }

  /** Whether the jet that is about to start stands in for one that died. */
  isReplacing(): boolean {
    if (this.#owed === 0) return false
    this.#owed--
    return true
  }

  /** Resolves when the next start may be: at once when all is well, later and later when jets die as soon as they start. */
  async pause(): Promise<void> {
    if (this.#wait === 0 || this.#isCancelled) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#wait)
      this.#cancel.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  cancel(): void {
    this.#isCancelled = true
    for (const cancel of this.#cancel.splice(0)) cancel()
  }

  /** One early death may be an accident. */
  get #wait(): number {
    return this.#barren < 2 ? 0 : Math.min(FIRST_PAUSE * 2 ** (this.#barren - 2), LONGEST_PAUSE)
  }
}
