// The fields of records that sensors watch in one jet: programs come in, the records of batches pass by, partial aggregates go out.
import { Branch } from '@pitot/avro'
import { fieldReader, SensorRun } from '@pitot/sensor/place'
import type { Watch } from '../messages.ts'

/** To be called with the records of a batch. */
export type See = (records: readonly unknown[]) => void

interface Watched {
  readonly slot: number
  readonly run: SensorRun
  readonly see: See
}

export class FieldWatches {
  readonly #watched = new Map<number, Watched>()
  /** Slots that nobody watches are not in it. */
  readonly #bySlot = new Map<number, See>()

  /** A program takes the place of the one before it; null ends the watch, and what it has seen is gone. */
  set({ watch, slot, path, program }: Watch): void {
    const before = this.#watched.get(watch)
    this.#watched.delete(watch)
    if (before !== undefined) this.#connect(before.slot)
    if (program === null) return
    const run = new SensorRun(program)
    const read = fieldReader(path, bare)
    this.#watched.set(watch, { slot, run, see: (records) => run.addAll(records, read) })
    this.#connect(slot)
  }

  /** What wants to see the records of a slot; undefined when nobody does: so it costs one look per batch. */
  of(slot: number): See | undefined {
    return this.#bySlot.get(slot)
  }

  /** What each of them has seen since the last time, by number. */
  take(watches: readonly number[]): Readonly<Record<number, unknown>> {
    const partials: Record<number, unknown> = {}
    for (const watch of watches) {
      const watched = this.#watched.get(watch)
      if (watched !== undefined) partials[watch] = watched.run.takePartial()
    }
    return partials
  }

  #connect(slot: number): void {
    const all = [...this.#watched.values()].filter((watched) => watched.slot === slot)
    if (all.length === 0) this.#bySlot.delete(slot)
    else
      this.#bySlot.set(slot, (records) => {
        for (const { see } of all) see(records)
      })
  }
}

/** The branch of a union that a value is tagged with does not matter to a sensor, nor do digits that a number does not have. */
function bare(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return value instanceof Branch ? bare(value.value) : value
}
