// All points of an engine that sensors can watch. Slots and jets come and go, and so do their taps.
import { bytesOf, countFrames } from '@pitot/codec'
import type { Emissions, JetBatch } from '@pitot/jet'
import type { EventTap, Taps } from '@pitot/service'
import { SlotTaps } from './slot-taps.ts'

/** What can be asked of the job at any time. */
export interface JobGauges {
  /** What waits for whom between input and output. */
  queue(): { readonly items: number; readonly batches: number; readonly bytes: number }
  /** Jets that waited for each other without end, since the last time it was asked. */
  deadlocks(): readonly object[]
}

/** Sensors may be attached to these before there is a job. */
const EXPECTED = ['manifold.*', 'jet.*']

export class EngineTaps {
  readonly #taps: Taps
  readonly #slots = new Map<number, SlotTaps>()
  readonly #jets = new Map<string, JetTaps>()

  constructor(taps: Taps, job: JobGauges) {
    this.#taps = taps
    for (const pattern of EXPECTED) taps.expect(pattern)
    taps.alias('manifold.input', 'manifold.0')
    taps.alias('manifold.output', 'manifold.1')
    taps.gauge('manifold.queue', () => ({ ...job.queue() }))
    taps.gauge('manifold.deadlock', () => {
      const deadlock = job.deadlocks()
      return deadlock.length === 0 ? 'ok' : { deadlock }
    })
    for (const slot of [0, 1]) this.slot(slot)
  }

  slot(slot: number): SlotTaps {
    return this.#slots.getOrInsertComputed(slot, () => new SlotTaps(this.#taps, slot))
  }

  jetJoined(sandbox: string): void {
    if (!this.#jets.has(sandbox)) this.#jets.set(sandbox, new JetTaps(this.#taps, sandbox))
  }

  jetLeft(sandbox: string): void {
    this.#jets.delete(sandbox)
    this.#taps.remove(`jet.${sandbox}`)
  }

  jetScored(sandbox: string, batch: JetBatch, emissions: Emissions): void {
    this.#jets.get(sandbox)?.scored(batch, emissions)
  }
}

class JetTaps {
  readonly #inputCount: EventTap<number>
  readonly #inputSize: EventTap<number>
  readonly #outputCount: EventTap<number>
  readonly #outputSize: EventTap<number>

  constructor(taps: Taps, sandbox: string) {
    const name = `jet.${sandbox}`
    this.#inputCount = taps.event(`${name}.input.records.count`)
    this.#inputSize = taps.event(`${name}.input.records.size`)
    this.#outputCount = taps.event(`${name}.output.records.count`)
    this.#outputSize = taps.event(`${name}.output.records.size`)
  }

  scored({ frames }: JetBatch, { consumed, outputs }: Emissions): void {
    this.#inputCount.watch?.(consumed)
    this.#inputSize.watch?.(bytesOf(frames))
    for (const output of outputs) {
      this.#outputCount.watch?.(countFrames(output.frames))
      this.#outputSize.watch?.(bytesOf(output.frames))
    }
  }
}
