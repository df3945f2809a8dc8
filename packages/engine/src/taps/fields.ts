// The fields of records as taps: the slots of the job and their schemas come in, `manifold.<slot>.field.<path>` for each field
// that can be watched goes out.
import { fieldPaths, type SensorProgram } from '@pitot/sensor'
import type { DistantWatch, Taps } from '@pitot/service'

/** The schema of the records as the model has them: the model's, else the stream's; null or undefined when there is none. */
export interface FieldSlot {
  readonly slot: number
  readonly schema?: unknown
}

type WatchField = (slot: number, path: string, program: SensorProgram) => DistantWatch

export class FieldTaps {
  readonly #taps: Taps
  readonly #watch: WatchField
  /** What each slot has now, as text that is the same for the same paths. */
  readonly #slots = new Map<number, string>()

  constructor(taps: Taps, watch: WatchField) {
    this.#taps = taps
    this.#watch = watch
    // A sensor may be attached before there is a job.
    taps.expect('manifold.*.field.*')
  }

  /** What a tap of a field is known by in the metrics; undefined for any other tap. */
  labelsOf(tap: string): { readonly slot: string; readonly field: string } | undefined {
    const [, slot, field] = /^manifold\.(\d+)\.field\.(.+)$/s.exec(this.#taps.current(tap)) ?? []
    return slot === undefined || field === undefined ? undefined : { slot, field }
  }

  /** Call it whenever streams or the model have changed. Taps of slots that stay as they are stay, too. */
  update(slots: readonly FieldSlot[]): void {
    const now = new Map(slots.map(({ slot, schema }) => [slot, pathsOf(schema)]))
    for (const [slot, before] of this.#slots)
      if (textOf(now.get(slot)) !== before) {
        this.#slots.delete(slot)
        this.#taps.remove(nameOf(slot))
      }
    for (const [slot, paths] of now) {
      if (this.#slots.has(slot)) continue
      this.#slots.set(slot, textOf(paths))
      if (paths === 'any') this.#taps.distantBelow(nameOf(slot), (path, program) => this.#watch(slot, path, program))
      else
        for (const path of paths)
          this.#taps.distant(`${nameOf(slot)}.${path}`, (program) => this.#watch(slot, path, program))
    }
  }
}

function nameOf(slot: number): string {
  return `manifold.${slot}.field`
}

/** Records without a type may have any field. */
function pathsOf(schema: unknown): readonly string[] | 'any' {
  return schema === undefined || schema === null ? 'any' : fieldPaths(schema)
}

function textOf(paths: readonly string[] | 'any' | undefined): string {
  return JSON.stringify(paths ?? null)
}
