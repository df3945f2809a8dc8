// One jet of a pool, with what it is doing and what it has done.
import { bytesOf, countFrames } from '@pitot/codec'
import { type Emissions, type Jet, type JetBatch, JetDeath, type JetUsage } from '@pitot/jet'

/** Batches a jet is given before it has answered the first: while it works on one, the next are already on their way. */
const IN_FLIGHT = 6

/** A batch without an answer, because its jet is gone. */
export interface Unanswered {
  readonly death: JetDeath
  /** The jet was working on this batch when it died; the others behind it had not been begun. */
  readonly isSuspect: boolean
}

export class Member {
  readonly jet: Jet
  readonly #inFlight: JetBatch[] = []
  /** What the jet was working on when it died. */
  #suspect: JetBatch | undefined
  readonly #since: number
  /** Works on the records of one batch, one at a time, and takes nothing else. */
  isReserved = false
  /** Takes nothing more and goes when it is idle. */
  isLeaving = false
  /** Has scored something: a model that dies before that is not worth starting at once again. */
  hasScored = false
  consumed = 0
  produced = 0
  consumedBytes = 0
  producedBytes = 0
  modelSeconds = 0
  #statisticsSince: number
  #usageAtReset: JetUsage

  constructor(jet: Jet) {
    this.jet = jet
    this.#since = performance.now()
    this.#statisticsSince = this.#since
    this.#usageAtReset = { memory: 0, user: 0, kernel: 0 }
  }

  get load(): number {
    return this.#inFlight.length
  }

  get hasRoom(): boolean {
    return !this.isReserved && !this.isLeaving && this.#inFlight.length < IN_FLIGHT
  }

  /** Whole seconds since the start or the last reset, at least 1: clients divide by it. */
  get runTime(): number {
    return Math.max(1, Math.ceil((performance.now() - this.#statisticsSince) / 1000))
  }

  async score(batch: JetBatch): Promise<Emissions | Unanswered> {
    this.#inFlight.push(batch)
    try {
      const emissions = await this.jet.score(batch)
      this.hasScored = true
      this.consumedBytes += bytesOf(batch.frames)
      this.count(emissions)
      return emissions
    } catch (error) {
      if (!(error instanceof JetDeath)) throw error
      this.#suspect ??= this.#inFlight[0]
      return { death: error, isSuspect: this.#suspect === batch }
    } finally {
      // Answers come in the order of the batches.
      if (this.#inFlight[0] === batch) this.#inFlight.shift()
      else this.#inFlight.splice(this.#inFlight.indexOf(batch), 1)
    }
  }

  count(emissions: Emissions): void {
    this.consumed += emissions.consumed
    for (const { frames } of emissions.outputs) {
      this.produced += countFrames(frames)
      this.producedBytes += bytesOf(frames)
    }
    this.modelSeconds += emissions.seconds.model
  }

  resetStatistics(): void {
    this.consumed = 0
    this.produced = 0
    this.consumedBytes = 0
    this.producedBytes = 0
    this.modelSeconds = 0
    this.#statisticsSince = performance.now()
    this.#usageAtReset = this.jet.usage()
  }

  usageSinceReset(): JetUsage {
    const { memory, user, kernel } = this.jet.usage()
    return { memory, user: user - this.#usageAtReset.user, kernel: kernel - this.#usageAtReset.kernel }
  }
}
