// No aggregate: the last reading, plain.
import type { Aggregate } from '../aggregate.ts'
import type { Reading } from '../reading.ts'

export class Last implements Aggregate {
  #last: { readonly reading: Reading } | undefined

  add(reading: Reading): void {
    this.#last = { reading }
  }

  takePartial(): unknown {
    const last = this.#last
    this.#last = undefined
    return last ?? null
  }

  merge(partial: unknown): void {
    if (partial !== null) this.#last = partial as { reading: Reading }
  }

  takeResult(): unknown {
    const last = this.#last
    this.#last = undefined
    return last?.reading
  }
}
