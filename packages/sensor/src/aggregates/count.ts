// `count`: how many readings there were.
import type { Aggregate } from '../aggregate.ts'

export class Count implements Aggregate {
  #count = 0

  add(): void {
    this.#count++
  }

  takePartial(): number {
    const count = this.#count
    this.#count = 0
    return count
  }

  merge(partial: unknown): void {
    this.#count += partial as number
  }

  takeResult(): number | undefined {
    return this.takePartial() || undefined
  }
}
