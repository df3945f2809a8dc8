// A span for every batch, from its dispatch to its delivery. There are none where nobody traces.
import { countRecords } from '@pitot/codec'
import type { JetBatch } from '@pitot/jet'
import type { TracedWork, TracePlace, Tracing } from '@pitot/service'
import { spanOf } from './batch.ts'

export interface BatchTrace {
  /** Its jet has answered. */
  scored(): void
  delivered(): void
}

export class BatchTraces {
  readonly #tracing: Tracing
  readonly #underWay = new Set<TracedWork>()

  constructor(tracing: Tracing) {
    this.#tracing = tracing
  }

  /** `callers` are the requests that wait for it. What is read from a stream begins a trace of its own. */
  begin({ slot, frames }: JetBatch, callers?: readonly TracePlace[]): BatchTrace {
    const attributes = { 'pitot.slot': slot, 'pitot.records': countRecords(frames), 'pitot.bytes': spanOf(frames) }
    const work = this.#tracing.begin('batch', attributes, callers)
    this.#underWay.add(work)
    return {
      scored: () => work.reached('scored'),
      delivered: () => {
        if (this.#underWay.delete(work)) work.end()
      },
    }
  }

  /** What is under way will not be delivered any more. */
  abandon(reason: string): void {
    for (const work of this.#underWay) work.fail(reason)
    this.#underWay.clear()
  }
}
