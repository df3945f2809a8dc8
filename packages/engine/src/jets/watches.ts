// The fields that sensors watch in the records of a job, over all its jets and however often these are replaced: programs come
// in, what all jets have seen goes out.
import type { Jet } from '@pitot/jet'
import type { SensorProgram } from '@pitot/sensor'
import type { DistantWatch } from '@pitot/service'

interface Watched {
  readonly slot: number
  readonly path: string
  readonly program: SensorProgram
  /** What came from jets and no report has yet. */
  readonly partials: unknown[]
  /** Jets that were asked and have not answered. */
  readonly asked: Map<Jet, Promise<void>>
}

/** Milliseconds that a report waits for jets: what a busy one has seen is in the next. */
const patience = 2000

/**
 * Owned by a job, which gives it to each of its pools. A jet is watched from `join` until it is gone. What it has seen is
 * collected in `leave` when it goes in peace; what a jet has seen that dies is lost.
 */
export class JetWatches {
  readonly #watched = new Map<number, Watched>()
  readonly #jets = new Set<Jet>()
  #lastNumber = 0

  watch(slot: number, path: string, program: SensorProgram): DistantWatch {
    const number = ++this.#lastNumber
    const watched: Watched = { slot, path, program, partials: [], asked: new Map() }
    this.#watched.set(number, watched)
    for (const jet of this.#jets) jet.watch({ watch: number, slot, path, program })
    return {
      collect: async () => {
        for (const jet of this.#jets) this.#ask(jet, number, watched)
        await forAWhile(Promise.all(watched.asked.values()))
        return watched.partials.splice(0)
      },
      stop: () => {
        this.#watched.delete(number)
        for (const jet of this.#jets) jet.watch({ watch: number, slot, path, program: null })
      },
    }
  }

  /** A jet with a model, which may be nobody's yet. */
  join(jet: Jet): void {
    this.#jets.add(jet)
    void jet.gone.then(() => this.#jets.delete(jet))
    for (const [watch, { slot, path, program }] of this.#watched) jet.watch({ watch, slot, path, program })
  }

  /** To be called before a jet is stopped. Never rejects. */
  async leave(jet: Jet): Promise<void> {
    if (!this.#jets.delete(jet) || this.#watched.size === 0) return
    await this.#collect(jet, [...this.#watched.keys()])
  }

  #ask(jet: Jet, number: number, { asked }: Watched): void {
    if (asked.has(jet)) return
    const answered = this.#collect(jet, [number]).then(() => void asked.delete(jet))
    asked.set(jet, answered)
  }

  async #collect(jet: Jet, watches: readonly number[]): Promise<void> {
    // A jet that has died has nothing to tell.
    const partials = await jet.collect(watches).catch(() => undefined)
    for (const [number, partial] of Object.entries(partials ?? {}))
      this.#watched.get(Number(number))?.partials.push(partial)
  }
}

async function forAWhile(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
