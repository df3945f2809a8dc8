// `profile`: count, gaps, distinct values, quantiles and top values of the readings.
import type { Aggregate } from '../aggregate.ts'
import { Profile } from '../profile.ts'
import type { Reading } from '../reading.ts'

export class ProfileAggregate implements Aggregate {
  readonly #withSketch: boolean
  #profile = new Profile()

  /** With the sketch, the report can be the reference of a `drift` sensor. */
  constructor(withSketch: boolean) {
    this.#withSketch = withSketch
  }

  add(reading: Reading): void {
    this.#profile.add(reading)
  }

  takePartial(): unknown {
    return this.#take().toJSON()
  }

  merge(partial: unknown): void {
    this.#profile.merge(Profile.from(partial))
  }

  takeResult(): unknown {
    if (this.#profile.count === 0) return undefined
    const profile = this.#take()
    return { ...profile.summary(), ...(this.#withSketch && { sketch: profile.toJSON() }) }
  }

  #take(): Profile {
    const profile = this.#profile
    this.#profile = new Profile()
    return profile
  }
}
