// The sensors on the fields of one stream, where its records are: records come in, partial aggregates go out.
import { fieldReader } from './fields.ts'
import { Pace } from './pace.ts'
import { type SensorProgram, SensorRun } from './program.ts'
import type { Reading } from './reading.ts'

interface Watched {
  readonly read: (record: unknown) => Reading
  readonly run: SensorRun
}

/**
 * Sensors for which a share of the records is enough look at the same ones: what a record costs that nobody looks at is one
 * comparison, however many sensors there are.
 */
export class RecordWatch {
  readonly #watched = new Map<number, Watched>()
  readonly #now: (() => number) | undefined
  #every: readonly Watched[] = []
  #some: readonly Watched[] = []
  #pace = new Pace(Number.POSITIVE_INFINITY)

  /** `now` is in milliseconds. */
  constructor(now?: () => number) {
    this.#now = now
  }

  /** `id` tells sensors apart; `path` is as in `fieldReader`. */
  attach(id: number, path: string, program: SensorProgram): void {
    this.#watched.set(id, { read: fieldReader(path), run: new SensorRun(program) })
    this.#sort()
  }

  detach(id: number): void {
    this.#watched.delete(id)
    this.#sort()
  }

  /** Nobody watches: `see` need not be called. */
  get isIdle(): boolean {
    return this.#watched.size === 0
  }

  see(record: unknown): void {
    for (const { read, run } of this.#every) run.add(read(record))
    if (this.#some.length === 0 || !this.#pace.wants()) return
    this.#pace.take()
    for (const { read, run } of this.#some) run.add(read(record))
  }

  /** Of one sensor; undefined when it is not attached. */
  takePartial(id: number): unknown {
    return this.#watched.get(id)?.run.takePartial()
  }

  #sort(): void {
    const all = [...this.#watched.values()]
    this.#every = all.filter(({ run }) => run.maxRate === Number.POSITIVE_INFINITY)
    this.#some = all.filter(({ run }) => run.maxRate < Number.POSITIVE_INFINITY)
    this.#pace = new Pace(Math.max(1, ...this.#some.map(({ run }) => run.maxRate)), Math.random, this.#now)
  }
}
