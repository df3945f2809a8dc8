// How far a queue has been read: positions come in as the reader goes on, and whoever waits for one is told.

/** What a queue had taken in by a certain moment, and its reader has not seen all of. */
export interface Unread {
  /** True also when it never will be read: there is nothing to wait for. */
  isRead(): boolean
  /** `wake` is called when it is read. Gives a function that calls this off. */
  watch(wake: () => void): () => void
}

interface Watcher {
  readonly end: number
  readonly wake: () => void
}

/** Positions count bytes from the first that was taken in. */
export class ReadProgress {
  readonly #watchers = new Set<Watcher>()
  #position = 0

  /** Everything before it has been read. */
  get position(): number {
    return this.#position
  }

  reach(position: number): void {
    this.#position = Math.max(this.#position, position)
    for (const watcher of this.#watchers) {
      if (watcher.end > this.#position) continue
      this.#watchers.delete(watcher)
      watcher.wake()
    }
  }

  /** Nothing more is read. */
  finish(): void {
    this.reach(Number.POSITIVE_INFINITY)
  }

  upTo(end: number): Unread {
    return {
      isRead: () => this.#position >= end,
      watch: (wake) => {
        const watcher = { end, wake }
        this.#watchers.add(watcher)
        return () => this.#watchers.delete(watcher)
      },
    }
  }
}
