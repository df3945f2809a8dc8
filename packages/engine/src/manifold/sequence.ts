// The order of what goes out: items come in as they are begun, and are delivered one at a time in that order.

/** One step of the output: a batch that is being scored, or something that happens between two batches. */
export interface Item {
  /** Nothing that comes after it may be delivered before it, and nothing before it after it, even where order is not kept. */
  readonly isBarrier: boolean
  /** Called once, when the item is ready and its turn has come. */
  deliver(): Promise<void>
}

interface Entry {
  readonly item: Item
  isReady: boolean
}

/**
 * Items are delivered in the order they were pushed when `ordered`, else as soon as they are ready, but never across a
 * barrier. A delivery that rejects stops everything: `fail` is told, once.
 */
export class Sequence {
  readonly #entries: Entry[] = []
  readonly #fail: (error: unknown) => void
  readonly #moved: () => void
  ordered = true
  #isDelivering = false
  #isStopped = false
  #whenEmpty: (() => void)[] = []

  constructor(callbacks: { readonly fail: (error: unknown) => void; readonly moved: () => void }) {
    this.#fail = callbacks.fail
    this.#moved = callbacks.moved
  }

  /** How many are not delivered yet. */
  get length(): number {
    return this.#entries.length
  }

  /** True while a barrier waits and order is not kept: what is begun now could overtake nothing, but must not be delivered. */
  get isBlocked(): boolean {
    return !this.ordered && this.#entries.some(({ item }) => item.isBarrier)
  }

  /** Gives a function to call when the item is ready to be delivered. */
  push(item: Item): () => void {
    const entry: Entry = { item, isReady: false }
    this.#entries.push(entry)
    return () => {
      entry.isReady = true
      if (!this.#isDelivering) void this.#deliver()
    }
  }

  /** Resolves when everything that was pushed is delivered. */
  async empty(): Promise<void> {
    if (this.#entries.length === 0 && !this.#isDelivering) return
    await new Promise<void>((resolve) => this.#whenEmpty.push(resolve))
  }

  /** Nothing is delivered any more; whoever waits for the end waits no longer. */
  stop(): void {
    this.#isStopped = true
    this.#entries.length = 0
    for (const resolve of this.#whenEmpty.splice(0)) resolve()
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true
    try {
      for (let entry = this.#next(); entry !== undefined && !this.#isStopped; entry = this.#next()) {
        await entry.item.deliver()
        this.#entries.splice(this.#entries.indexOf(entry), 1)
        this.#moved()
      }
    } catch (error) {
      this.stop()
      this.#fail(error)
    } finally {
      this.#isDelivering = false
      if (this.#entries.length === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve()
    }
  }

  #next(): Entry | undefined {
    const head = this.#entries[0]
    if (this.ordered || head === undefined || head.isReady || head.item.isBarrier) {
      return head?.isReady ? head : undefined
    }
    for (const entry of this.#entries) {
      if (entry.item.isBarrier) return undefined
      if (entry.isReady) return entry
    }
    return undefined
  }
}
