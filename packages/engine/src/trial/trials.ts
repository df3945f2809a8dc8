// The trials of an engine, one at a time: requests come in, reports go out.
import { failure } from '@pitot/api'
import type { PackageContext } from '../model/read-package.ts'
import { TrialBounds, type TrialLimits, trialLimits } from './bounds.ts'
import { trialReport } from './report.ts'
import { readTrialRequest } from './request.ts'
import { type TrialEnvironment, tryModel } from './trial.ts'

/** Seconds after which it is worth asking again. */
const retryAfter = '5'

export class Trials {
  readonly #environment: TrialEnvironment
  readonly #limits: TrialLimits
  readonly #stop = new AbortController()
  #running: Promise<string> | undefined

  constructor(environment: TrialEnvironment, limits: TrialLimits = trialLimits) {
    this.#environment = environment
    this.#limits = limits
  }

  /** `signal`: nobody waits for the report any more. Resolves, or rejects with the reason, when everything has ended. */
  async run(body: AsyncIterable<Uint8Array>, packages: PackageContext, signal: AbortSignal): Promise<string> {
    if (this.#running !== undefined) throw failure('trial-busy', {}, { 'retry-after': retryAfter })
    this.#running = this.#try(body, packages, AbortSignal.any([signal, this.#stop.signal]))
    try {
      return await this.#running
    } finally {
      this.#running = undefined
    }
  }

  /** No trial lasts longer than this. */
  stop(): void {
    this.#stop.abort(failure('service-stopping', {}))
  }

  async close(): Promise<void> {
    this.stop()
    await this.#running?.catch(() => undefined)
  }

  async #try(body: AsyncIterable<Uint8Array>, packages: PackageContext, signal: AbortSignal): Promise<string> {
    const request = await readTrialRequest(body, packages)
    using bounds = new TrialBounds(this.#limits, signal)
    return trialReport(await tryModel(request, this.#environment, bounds))
  }
}
