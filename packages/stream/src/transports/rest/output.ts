// The queue between the stream that writes results and requests that fetch them: frames come in, bodies of replies go out.
import type { Frames } from '@pitot/codec'
import { type Sink, StreamFailure } from '../../transport.ts'
import type { RestMode } from '../rest.ts'

export interface TakeOptions {
  /** Milliseconds to wait when there is nothing. */
  readonly wait: number
  /** Exactly one record, without a separator, where the stream knows records; everything there is otherwise. */
  readonly one?: boolean
  /** Milliseconds to wait while a pig is on its way; what is here by then is given. 30 s when not said. */
  readonly pigWait?: number
  /** What may bring a pig that the job has not read yet: it is waited for like one that is on its way. */
  readonly backlog?: Backlog | undefined
  /** Fires when whoever asked is gone: nothing is taken for him any more. */
  readonly signal?: AbortSignal
}

/** Records that the job had accepted before somebody came to fetch. */
export interface Backlog {
  /** They are not read yet, and will be if nothing changes. */
  isAhead(): boolean
  /** `wake` is called when that may have become otherwise. Gives a function that calls this off. */
  watch(wake: () => void): () => void
}

export type Taken =
  | {
      readonly kind: 'data'
      readonly bytes: Uint8Array
      /** For a reply that could not be sent: the next one gets these bytes first. */
      undo(): void
    }
  /** Nothing yet. */
  | { readonly kind: 'nothing' }
  /** Nothing any more. */
  | { readonly kind: 'end' }

export interface RestOutputOptions {
  readonly signal?: AbortSignal
  /** Bytes that wait to be fetched before the stream is held. */
  readonly queueBytes?: number
}

/** What one write left behind, its records side by side; those before `next` are taken already. */
interface Batch {
  readonly bytes: Uint8Array
  readonly bounds: readonly number[]
  next: number
}

interface Taker {
  readonly one: boolean
  readonly backlog: Backlog | undefined
  /** Has waited as long as one waits for records, and waits for a pig only. */
  isLate: boolean
  readonly answer: (taken: Taken) => void
}

const LINE_FEED = 0x0a

/**
 * `write` resolves when there is room again, so results that nobody fetches hold the job. What is written lives in this
 * process only; at the end of the stream it stays until it is fetched.
 */
export class RestOutput implements Sink {
  readonly mode: RestMode
  readonly #queueBytes: number
  #queue: Batch[] = []
  #queued = 0
  #takers: Taker[] = []
  #pigs = 0
  #state: 'open' | 'ended' | 'closed' = 'open'
  #wakeWriter: (() => void) | undefined

  constructor(mode: RestMode, options: RestOutputOptions = {}) {
    this.mode = mode
    this.#queueBytes = options.queueBytes ?? 8 * 2 ** 20
    if (options.signal?.aborted) this.#drop()
    options.signal?.addEventListener('abort', () => this.#drop(), { once: true })
  }

  async write(frames: Frames): Promise<void> {
    if (this.#state !== 'open') throw new StreamFailure('the REST output is closed: nothing can be written any more')
    const batch = compact(frames)
    const isWorthKeeping = this.mode === 'chunked' ? batch.bytes.length > 0 : batch.bounds.length > 0
    if (isWorthKeeping) {
      this.#queue.push(batch)
      this.#queued += batch.bytes.length
    }
    this.#serve()
    while (this.#isFull && this.#state === 'open') {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve
      })
    }
  }

  /** Nothing can be done to make it safer. */
  async flush(): Promise<void> {}

  /** What is left can still be taken; then comes the end. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    this.#wakeWriter?.()
    this.#serve()
  }

  counters(): Readonly<Record<string, number>> {
    return { queued_bytes: this.#queued, pigs_in_flight: this.#pigs }
  }

  /** A pig went into the job: whoever fetches now waits for it, so that one reply has all that came before. */
  pigEntered(): void {
    this.#pigs++
  }

  /** The pig was written here, or will not come. */
  pigLeft(): void {
    this.#pigs = Math.max(0, this.#pigs - 1)
    this.#serve()
  }

  /** A pig is on its way to this output, or may be. */
  awaitsPig(backlog?: Backlog): boolean {
    return this.#pigs > 0 || backlog?.isAhead() === true
  }

  /** Requests are served in the order in which they came. */
  take({ wait, one = false, pigWait = 30_000, backlog, signal }: TakeOptions): Promise<Taken> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      let leaveBacklog: (() => void) | undefined
      const leave = () => answer({ kind: 'nothing' })
      const answer = (taken: Taken) => {
        clearTimeout(timer)
        leaveBacklog?.()
        signal?.removeEventListener('abort', leave)
        this.#takers = this.#takers.filter((each) => each !== taker)
        resolve(taken)
      }
      const taker: Taker = { one, backlog, isLate: false, answer }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      this.#takers.push(taker)
      const isOver = () =>
        answer(this.#takers[0] === taker && this.#queue.length > 0 ? this.#data(one) : { kind: 'nothing' })
      timer = setTimeout(() => {
        taker.isLate = true
        if (one || pigWait <= wait || !this.awaitsPig(backlog)) isOver()
        else timer = setTimeout(isOver, pigWait - wait)
      }, wait)
      leaveBacklog = backlog?.watch(() => this.#serve())
      this.#serve()
    })
  }

  get #isFull(): boolean {
    return this.#queued > this.#queueBytes
  }

  #drop(): void {
    this.#state = 'closed'
    this.#queue = []
    this.#queued = 0
    this.#wakeWriter?.()
    this.#serve()
  }

  #serve(): void {
    for (let taker = this.#takers[0]; taker !== undefined; taker = this.#takers[0]) {
      const isOpen = this.#state === 'open'
      if (isOpen && !this.#isFull && !taker.one && this.awaitsPig(taker.backlog)) return
      if (this.#queue.length > 0) taker.answer(this.#data(taker.one))
      else if (!isOpen) taker.answer({ kind: 'end' })
      else if (taker.isLate) taker.answer({ kind: 'nothing' })
      else return
    }
  }

  #data(one: boolean): Taken {
    const hasRecords = this.mode !== 'chunked'
    const batches = one && hasRecords ? [this.#firstRecord()] : this.#queue.splice(0)
    const size = batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
    this.#queued -= size
    this.#wakeWriter?.()
    const undo = () => {
      if (this.#state === 'closed') return
      this.#queue.unshift(...batches)
      this.#queued += size
      this.#serve()
    }
    return { kind: 'data', bytes: join(batches, hasRecords && !one), undo }
  }

  #firstRecord(): Batch {
    const batch = this.#queue[0]!
    const { bytes, bounds, next } = batch
    batch.next++
    if (2 * batch.next === bounds.length) this.#queue.shift()
    return { bytes, bounds: bounds.slice(2 * next, 2 * next + 2), next: 0 }
  }
}

function sizeOf({ bounds, next }: Batch): number {
  return bounds.at(-1)! - bounds[2 * next]!
}

/** Records get a line each; a stream of bytes has its separators already. */
function join(batches: readonly Batch[], inLines: boolean): Uint8Array {
  let size = 0
  for (const batch of batches) size += sizeOf(batch) + (inLines ? batch.bounds.length / 2 - batch.next : 0)
  const all = new Uint8Array(size)
  let at = 0
  for (const { bytes, bounds, next } of batches) {
    for (let index = 2 * next; index < bounds.length; index += 2) {
      all.set(bytes.subarray(bounds[index], bounds[index + 1]), at)
      at += bounds[index + 1]! - bounds[index]!
      if (inLines) all[at++] = LINE_FEED
    }
  }
  return all
}

/** A copy of the frames without what lies between them: the memory they were in may be much larger. */
function compact({ bytes, bounds }: Frames): Batch {
  let size = 0
  for (let index = 0; index < bounds.length; index += 2) size += bounds[index + 1]! - bounds[index]!
  const copy = new Uint8Array(size)
  const moved: number[] = []
  let at = 0
  for (let index = 0; index < bounds.length; index += 2) {
    copy.set(bytes.subarray(bounds[index], bounds[index + 1]), at)
    moved.push(at)
    at += bounds[index + 1]! - bounds[index]!
    moved.push(at)
  }
  return { bytes: copy, bounds: moved, next: 0 }
}
