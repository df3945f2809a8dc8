// The queue between requests that bring data and the stream that reads it: bodies come in, chunks go out.
import { indexOfByte } from '@pitot/codec'
import { type Chunk, type Position, type Source, StreamFailure } from '../../transport.ts'
import type { RestMode } from '../rest.ts'
import { plainBytes } from '../source.ts'
import { splitBody } from './split-body.ts'
import { ReadProgress, type Unread } from './unread.ts'

/** Why a body was not taken, so that the reply can say so with the right status. */
export class BodyRefused extends StreamFailure {
  readonly reason: 'ended' | 'too-large' | 'broken'

  constructor(reason: BodyRefused['reason'], sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.reason = reason
  }
}

export interface RestInputOptions {
  readonly signal?: AbortSignal
  /** Bytes that wait to be read before requests are held. */
  readonly queueBytes?: number
  /** The largest body that is one record. */
  readonly bodyBytes?: number
  /** A byte without which a body holds no control record; undefined where no body ever does. */
  readonly controlSign?: number | undefined
}

/** A body up to this size is received before it takes its turn: a slow or broken sender holds nobody up. */
const RECEIVED_AHEAD = 2 ** 20
/** All such bodies together. */
const ALL_RECEIVED_AHEAD = 32 * 2 ** 20
/** Small bodies are read together up to this size. */
const CHUNK_BYTES = 2 ** 20

interface Entry {
  readonly bytes: Uint8Array
  readonly bounds: readonly number[]
}

/**
 * Bodies are read one after the other, never mixed, in the order in which they were received. `accept` resolves when a
 * body is in the queue, so a full queue holds the request and slows its sender down.
 */
export class RestInput implements Source {
  readonly mode: RestMode
  readonly #queueBytes: number
  readonly #bodyBytes: number
  readonly #controlSign: number | undefined
  #queue: Entry[] = []
  #queued = 0
  #receivedAhead = 0
  /** One body at a time is put into the queue; the others wait for their turn. */
  #hasTurn = false
  readonly #waiting: (() => void)[] = []
  #state: 'open' | 'ended' | 'closed' = 'open'
  #offset = 0
  /** The chunk that was given out last, until the reader comes back for more. */
  #inHand: Uint8Array | undefined
  readonly #progress = new ReadProgress()
  /** What was accepted up to here has been searched for the sign of control records, and has it up to there at the most. */
  #searched = 0
  #signEnd = 0
  #wakeReader: (() => void) | undefined
  #wakeSender: (() => void) | undefined

  constructor(mode: RestMode, options: RestInputOptions = {}) {
    this.mode = mode
    this.#queueBytes = options.queueBytes ?? 8 * 2 ** 20
    this.#bodyBytes = options.bodyBytes ?? 16 * 2 ** 20
    this.#controlSign = options.controlSign
    if (options.signal?.aborted) this.#stop('closed')
    options.signal?.addEventListener('abort', () => this.#stop('closed'), { once: true })
  }

  /** Takes one request's body. Rejects with `BodyRefused`; of a body that breaks off, what is read already stays read. */
  async accept(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    this.#refuseWhenOver()
    const rest = piecesOf(body)
    const ahead: Uint8Array[] = []
    let size = 0
    try {
      for (let isWhole = false; !isWhole && this.#mayReceiveAhead(size); ) {
        const { value, done } = await rest.next()
        if (value !== undefined) ahead.push(value)
        size += value?.length ?? 0
        this.#receivedAhead += value?.length ?? 0
        isWhole = done === true
      }
      await this.#takeTurn()
      try {
        if (this.mode === 'chunked') await this.#passOn(ahead, rest)
        else await this.#putMessages(await this.#gather(ahead, rest))
      } finally {
        this.#endTurn()
      }
    } finally {
      this.#receivedAhead -= size
      await rest.return()
    }
  }

  /** No more bodies are taken; the iteration ends after those that are here. */
  end(): void {
    this.#stop('ended')
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void> {
    try {
      for (;;) {
        while (this.#queue.length === 0 && this.#state === 'open') {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve
          })
        }
        if (this.#queue.length === 0 || this.#state === 'closed') return
        yield this.#nextChunk()
        // Whoever asks for more is done with this one.
        this.#inHand = undefined
        this.#progress.reach(this.#offset)
      }
    } finally {
      this.#progress.finish()
    }
  }

  /**
   * What was accepted by now, while there may be a control record in it that nobody has read; undefined when there is none.
   * Bodies are searched here, where somebody asks while they wait, and not on the way of every record; none is searched twice.
   */
  unread(): Unread | undefined {
    if (this.#controlSign === undefined) return undefined
    const end = this.#offset + this.#queued
    this.#search(this.#controlSign, end)
    return this.#signEnd > this.#progress.position ? this.#progress.upTo(end) : undefined
  }

  /** What was accepted is not kept for later: there is nothing to note. */
  async acknowledge(_position: Position): Promise<void> {}

  async close(): Promise<void> {
    this.#stop('closed')
  }

  counters(): Readonly<Record<string, number>> {
    return { queued_bytes: this.#queued }
  }

  #stop(state: 'ended' | 'closed'): void {
    if (this.#state === 'closed') return
    this.#state = state
    if (state === 'closed') {
      this.#queue = []
      this.#queued = 0
      this.#progress.finish()
    }
    // Nobody is left waiting behind a sender who has fallen silent.
    for (const wake of this.#waiting.splice(0)) wake()
    this.#wakeReader?.()
    this.#wakeSender?.()
  }

  #refuseWhenOver(): void {
    if (this.#state !== 'open') throw new BodyRefused('ended', 'the input stream has ended: it takes no more records')
  }

  #mayReceiveAhead(size: number): boolean {
    return size < RECEIVED_AHEAD && this.#receivedAhead < ALL_RECEIVED_AHEAD
  }

  async #takeTurn(): Promise<void> {
    if (this.#hasTurn) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#hasTurn = true
    this.#refuseWhenOver()
  }

  #endTurn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#hasTurn = false
    else next()
  }

  async #passOn(ahead: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): Promise<void> {
    for (const bytes of ahead) await this.#put({ bytes, bounds: [0, bytes.length] })
    for await (const bytes of rest) await this.#put({ bytes, bounds: [0, bytes.length] })
  }

  async #gather(pieces: Uint8Array[], rest: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    let size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    this.#refuseTooLarge(size)
    for await (const piece of rest) {
      size += piece.length
      this.#refuseTooLarge(size)
      pieces.push(piece)
    }
    return pieces.length === 1 ? pieces[0]! : plainBytes(Buffer.concat(pieces))
  }

  #refuseTooLarge(size: number): void {
    if (size <= this.#bodyBytes) return
    throw new BodyRefused(
      'too-large',
      `a request with one record may have ${this.#bodyBytes} bytes; send less, or set Mode to chunked`,
    )
  }

  async #putMessages(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    await this.#put({ bytes, bounds: this.mode === 'automatic' ? splitBody(bytes) : [0, bytes.length] })
  }

  async #put(entry: Entry): Promise<void> {
    while (this.#queued >= this.#queueBytes && this.#state === 'open') {
      await new Promise<void>((resolve) => {
        this.#wakeSender = resolve
      })
    }
    this.#refuseWhenOver()
    if (entry.bounds.length === 0) return
    this.#queue.push(entry)
    this.#queued += entry.bytes.length
    this.#wakeReader?.()
  }

  /** From the end, where what has not been searched is. */
  #search(sign: number, end: number): void {
    let at = end
    const look = (bytes: Uint8Array) => {
      if (this.#signEnd < at && indexOfByte(bytes, sign, 0) >= 0) this.#signEnd = at
      at -= bytes.length
    }
    for (let index = this.#queue.length - 1; index >= 0 && at > this.#searched; index--) look(this.#queue[index]!.bytes)
    if (at > this.#searched && this.#inHand !== undefined) look(this.#inHand)
    this.#searched = end
  }

  #nextChunk(): Chunk {
    let count = 0
    let size = 0
    while (count < this.#queue.length && (count === 0 || size + this.#queue[count]!.bytes.length <= CHUNK_BYTES)) {
      size += this.#queue[count]!.bytes.length
      count++
    }
    const frames = this.#join(this.#queue.splice(0, count))
    const offset = this.#offset
    this.#offset += size
    this.#queued -= size
    this.#inHand = frames.bytes
    this.#wakeSender?.()
    const last = frames.bounds.length / 2 - 1
    return {
      frames: { ...frames, position: offset },
      position: (index = last) => ({ offset: offset + frames.bounds[2 * index + 1]! }),
    }
  }

  #join(entries: readonly Entry[]): Entry {
    if (entries.length === 1) return entries[0]!
    const bytes = plainBytes(Buffer.concat(entries.map((entry) => entry.bytes)))
    if (this.mode === 'chunked') return { bytes, bounds: [0, bytes.length] }
    const bounds: number[] = []
    let at = 0
    for (const entry of entries) {
      for (const bound of entry.bounds) bounds.push(at + bound)
      at += entry.bytes.length
    }
    return { bytes, bounds }
  }
}

async function* piecesOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of body) if (piece.length > 0) yield plainBytes(piece)
  } catch (error) {
    throw new BodyRefused('broken', `the request broke off: ${(error as Error).message}`, error)
  }
}
