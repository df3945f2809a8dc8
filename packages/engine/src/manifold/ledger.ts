// What of an input is safe downstream: batches are entered as they are read, and acknowledged when they and all before them are.
import type { ReadMark } from '../slots/input.ts'

export interface LedgerOptions {
  /** Makes everything that was delivered durable. */
  readonly secure: () => Promise<void>
  readonly acknowledge: (mark: ReadMark) => Promise<void>
  readonly fail: (error: unknown) => void
  /** Milliseconds between two acknowledgements at least: one costs a flush of the outputs and a commit of the input. */
  readonly interval: number
}

interface Entry {
  readonly mark: ReadMark
  isDelivered: boolean
}

/** Positions are acknowledged in order and never beyond a batch that is still under way. */
export class Ledger {
  readonly #options: LedgerOptions
  readonly #entries: Entry[] = []
  #safe: ReadMark | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #whenSettled: (() => void)[] = []

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** Gives a function to call when the batch that ends at this mark is delivered. */
  enter(mark: ReadMark): () => void {
    const entry: Entry = { mark, isDelivered: false }
    this.#entries.push(entry)
    return () => {
      entry.isDelivered = true
      this.#advance()
    }
  }

  /** Acknowledges what can be at once, and resolves when that is done. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#acknowledge()
  }

  /** Resolves when every batch that was entered is delivered. */
  async delivered(): Promise<void> {
    if (this.#entries.length > 0) await new Promise<void>((resolve) => this.#whenSettled.push(resolve))
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#safe = undefined
    this.#entries.length = 0
    for (const resolve of this.#whenSettled.splice(0)) resolve()
  }

  #advance(): void {
    let count = 0
    while (this.#entries[count]?.isDelivered) count++
    if (count === 0) return
    this.#safe = this.#entries[count - 1]!.mark
    this.#entries.splice(0, count)
    if (this.#entries.length === 0) for (const resolve of this.#whenSettled.splice(0)) resolve()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#acknowledge()
    }, this.#options.interval)
  }

  /** One at a time: a commit that is under way is not overtaken by the next. */
  #acknowledge(): Promise<void> {
    this.#running = this.#running.then(async () => {
      const mark = this.#safe
      if (mark === undefined) return
      this.#safe = undefined
      try {
        await this.#options.secure()
        await this.#options.acknowledge(mark)
      } catch (error) {
        this.#options.fail(error)
      }
    })
    return this.#running
  }
}
