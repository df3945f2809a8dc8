// A jet without a process, for what is hard to bring about on purpose: it says back each record, and dies on those it is told to.
import { countFrames, frameAt } from '@pitot/codec'
import {
  type Attach,
  type Emissions,
  type Jet,
  type JetBatch,
  JetDeath,
  type Loaded,
  type Partials,
  type Watch,
} from '@pitot/jet'

const NO_SECONDS = { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 }

let count = 0

export class ScriptedJet implements Jet {
  readonly sandbox = String(++count)
  readonly pid = count
  readonly isolation = []
  readonly attached: Attach[] = []
  readonly watched: Watch[] = []
  readonly #kills: (record: string) => boolean
  readonly #gone = Promise.withResolvers<JetDeath | undefined>()
  readonly gone = this.#gone.promise
  #death: JetDeath | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(kills: (record: string) => boolean = () => false) {
    this.#kills = kills
  }

  async load(): Promise<Loaded> {
    return { slots: [], snapshots: 'none', warnings: [] }
  }

  async attach(attach: Attach): Promise<void> {
    this.attached.push(attach)
  }

  begin(): Promise<Emissions> {
    return this.#inOrder(() => emit([]))
  }

  end(): Promise<Emissions> {
    return this.#inOrder(() => emit([]))
  }

  score({ frames }: JetBatch): Promise<Emissions> {
    return this.#inOrder(() => {
      const records = Array.from({ length: countFrames(frames) }, (_, index) =>
        new TextDecoder().decode(frameAt(frames, index)),
      )
      if (records.some((record) => this.#kills(record))) this.die()
      if (this.#death !== undefined) throw this.#death
      return emit(records)
    })
  }

  die(): void {
    this.#death ??= new JetDeath('exit', 'the process ended with status 1')
    this.#gone.resolve(this.#death)
  }

  watch(watch: Watch): void {
    this.watched.push(watch)
  }

  /** As many partials as it was asked for: its own number for each. */
  collect(watches: readonly number[]): Promise<Partials> {
    if (this.#death !== undefined) return Promise.reject(this.#death)
    return Promise.resolve(Object.fromEntries(watches.map((watch) => [watch, this.sandbox])))
  }

  async snapshot() {
    return { cells: {}, pools: {} }
  }

  usage() {
    return { memory: 0, user: 0, kernel: 0 }
  }

  async stop(): Promise<void> {
    await this.#last
    this.#gone.resolve(undefined)
  }

  kill(): Promise<void> {
    this.#gone.resolve(undefined)
    return Promise.resolve()
  }

  #inOrder(work: () => Emissions): Promise<Emissions> {
    const next = this.#last.then(async () => {
      await new Promise(setImmediate)
      if (this.#death !== undefined) throw this.#death
      return work()
    })
    this.#last = next.catch(() => undefined)
    return next
  }
}

function emit(records: readonly string[]): Emissions {
  const parts = records.map((record) => new TextEncoder().encode(record))
  const bytes = new Uint8Array(Buffer.concat(parts))
  const bounds: number[] = []
  let at = 0
  for (const part of parts) {
    bounds.push(at, at + part.length)
    at += part.length
  }
  const indexes = records.map((_, index) => index)
  const outputs = records.length === 0 ? [] : [{ slot: 1, frames: { bytes, bounds, position: 0 }, indexes }]
  return { consumed: records.length, seconds: NO_SECONDS, outputs, rejects: [] }
}
