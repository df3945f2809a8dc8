// The end of a trial: limits and the signal of whoever waits for it come in, signals that say what is to end go out.
import { failure, PitotError } from '@pitot/api'

export interface TrialLimits {
  /** Records that are read. */
  readonly records: number
  /** Milliseconds that are read for, from the moment the model has begun. */
  readonly reading: number
  /** Milliseconds for everything. */
  readonly time: number
}

/** Enough to see whether a model works, and not so long that a client gives up. */
export const trialLimits: TrialLimits = { records: 1000, reading: 20_000, time: 30_000 }

export class TrialBounds implements Disposable {
  readonly limits: TrialLimits
  readonly #enough = new AbortController()
  readonly #stop = new AbortController()
  readonly #caller: AbortSignal
  readonly #late: PitotError
  readonly #timers: NodeJS.Timeout[] = []

  /** `caller` fires when nobody waits for the report any more. */
  constructor(limits: TrialLimits, caller: AbortSignal) {
    this.limits = limits
    this.#caller = caller
    this.#late = failure('model-failed', { reason: `it had not begun after ${limits.time / 1000} s` })
    this.#after(limits.time, () => this.#stop.abort(this.#late))
    caller.addEventListener('abort', this.#leave, { once: true })
    if (caller.aborted) this.#leave()
  }

  /** Fires when no more is to be read. */
  get enough(): AbortSignal {
    return this.#enough.signal
  }

  /** Fires when everything is to end at once. Its reason is an error of the catalogue. */
  get stop(): AbortSignal {
    return this.#stop.signal
  }

  /** From now on it counts how long is read. */
  begin(): void {
    this.#after(this.limits.reading, () => this.#enough.abort())
  }

  /** A trial whose time is up can still be told of; one that nobody waits for cannot. */
  throwIfLeft(): void {
    if (this.stop.aborted && this.stop.reason !== this.#late) throw this.stop.reason
  }

  /** Whatever is left of the trial ends. */
  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#caller.removeEventListener('abort', this.#leave)
    this.#leave()
  }

  readonly #leave = () => {
    const { reason } = this.#caller
    const gone = failure('job-not-running', { reason: 'nobody waits for what comes of it' })
    this.#stop.abort(reason instanceof PitotError ? reason : gone)
  }

  #after(milliseconds: number, work: () => void): void {
    this.#timers.push(setTimeout(work, milliseconds))
  }
}
