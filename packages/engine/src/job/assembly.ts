// Puts a model and the streams of a job together: tells what is missing, gives jets that are ready and the manifold between them.
import type { Emissions } from '@pitot/jet'
import type { JetPool } from '../jets/pool.ts'
import { warmPool } from '../jets/warm.ts'
import { JetWatches } from '../jets/watches.ts'
import { Manifold, type ScoringModel } from '../manifold/manifold.ts'
import type { RunStatistics } from '../manifold/statistics.ts'
import { type SlotTable, slotName } from '../slots/table.ts'
import type { JobEnvironment } from './environment.ts'
import type { RunningModel } from './running-model.ts'

export interface AssemblyCallbacks {
  /** The one at work, which jets wake and emit into. */
  readonly manifold: () => Manifold | undefined
  /** All inputs are at their end; the jets still work. */
  readonly finishing: () => void
  readonly finished: () => void
  readonly fail: (error: unknown) => void
}

export class Assembly {
  /** What sensors watch in the records, whichever model there is. */
  readonly watches = new JetWatches()
  readonly #slots: SlotTable
  readonly #environment: JobEnvironment
  readonly #callbacks: AssemblyCallbacks

  constructor(slots: SlotTable, environment: JobEnvironment, callbacks: AssemblyCallbacks) {
    this.#slots = slots
    this.#environment = environment
    this.#callbacks = callbacks
  }

  /** What a job with this model would wait for; undefined when everything is there. */
  missing(model: RunningModel | undefined): string | undefined {
    if (model === undefined || model.isSpent) return 'a model is missing'
    const needed = model.loaded.slots.filter(({ action }) => action !== null).map(({ slot }) => slot)
    const fresh = new Set(Array.from(this.#slots.fresh(), ({ slot }) => slot))
    const missing = needed.filter((slot) => !fresh.has(slot))
    if (missing.length === 0) return undefined
    return `a stream is missing for slot ${missing.map((slot) => slotName(slot)).join(' and ')}`
  }

  /** Jets that know the streams and have begun. Rejects when one of them cannot. */
  async warm(model: RunningModel, count: number): Promise<ScoringModel> {
    const streams = Array.from(this.#slots.fresh(), ({ slot, codec }) => ({ slot, stream: codec }))
    const { manifold, fail } = this.#callbacks
    const options = {
      start: () => model.start(),
      wake: () => manifold()?.pump(),
      begun: (emissions: Emissions) => manifold()?.emit(emissions),
      // A model that was replaced, or has not taken over yet, is no trouble of the job.
      fail: (error: Error, pool: JetPool) => void (pool === manifold()?.pool && fail(error)),
      taps: this.#environment.taps,
      log: this.#environment.log,
      watches: this.watches,
    }
    return { ...(await warmPool(options, streams, count)), slots: model.loaded.slots }
  }

  connect(model: RunningModel, scoring: ScoringModel, statistics: RunStatistics): Manifold {
    const { saved, tell, taps, tracing } = this.#environment
    const { finishing, finished, fail } = this.#callbacks
    return new Manifold({
      inputs: [...this.#slots.inputs.values()].filter(({ slot }) => model.reads(slot)),
      outputs: [...this.#slots.outputs.values()],
      model: scoring,
      statistics,
      policy: (slot) => this.#slots.policy(slot),
      secured: saved && ((slot, mark) => saved.setPosition(slot, mark)),
      rejected: (record) => tell({ kind: 'rejected', record }),
      taps,
      tracing,
      finishing,
      finished,
      fail,
    })
  }
}
