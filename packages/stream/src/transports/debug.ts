// debug: an input whose data stands in the descriptor; as an output, records are collected to be looked at.
import { countFrames, frameAt } from '@pitot/codec'
import { type Field, nullable } from '../field.ts'
import { type Chunk, type StreamContext, StreamFailure, type Transport } from '../transport.ts'
import { sinkFrom } from './sink.ts'
import { byteChunk, plainBytes, sourceFrom, startOffset } from './source.ts'

export interface DebugOptions {
  readonly Data: string | readonly string[] | null
  readonly DataBinary: string | readonly string[] | null
}

function oneOrMany(allowed: string, isGood: (text: string) => boolean): Field {
  const isText = (value: unknown) => typeof value === 'string' && isGood(value)
  return {
    allowed,
    read: (value) => (isText(value) || (Array.isArray(value) && value.every(isText)) ? value : undefined),
  }
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** Records that are texts, one per element; or one text with all of them, to be cut by the envelope. */
export const debug: Transport<DebugOptions> = {
  type: 'debug',
  fields: {
    Data: nullable(oneOrMany('a text or a list of texts', () => true)),
    DataBinary: nullable(oneOrMany('a text in base64 or a list of them', (text) => base64.test(text))),
  },
  settle: (options, { direction }) => (direction === 'output' ? { Data: null, DataBinary: null } : options),
  preservesBoundaries: ({ Data, DataBinary }) => typeof (Data ?? DataBinary) !== 'string',
  seekable: 'bytes',
  check({ Data, DataBinary }, direction) {
    if (direction === 'output') return []
    if (Data !== null && DataBinary !== null) return ['Data and DataBinary exclude each other; give one of them']
    return Data === null && DataBinary === null ? ['a debug input needs Data or DataBinary'] : []
  },
  async open(options, context) {
    const given = options.Data ?? options.DataBinary
    if (given === null) throw new StreamFailure('a debug input needs Data or DataBinary')
    const form = options.Data === null ? 'base64' : 'utf8'
    const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, form))
    const read = typeof given === 'string' ? oneText(bytesOf(given), context) : manyTexts(given.map(bytesOf), context)
    return sourceFrom(context, { read })
  },
  create: async (_options, { outputs }) =>
    sinkFrom('debug', {
      async write(frames) {
        if (outputs === undefined) return
        for (let index = 0; index < countFrames(frames); index++) outputs.debug(new Uint8Array(frameAt(frames, index)))
      },
    }),
}

function oneText(bytes: Uint8Array, context: StreamContext) {
  return async function* (): AsyncGenerator<Chunk, void> {
    const offset = startOffset(context)
    if (offset < bytes.length) yield byteChunk(bytes.subarray(offset), offset)
  }
}

function manyTexts(records: readonly Uint8Array[], { from }: StreamContext) {
  const bytes = plainBytes(Buffer.concat(records))
  return async function* (): AsyncGenerator<Chunk, void> {
    const first = typeof from?.record === 'number' ? from.record : 0
    if (first < records.length) yield recordsFrom(first)
  }

  function recordsFrom(first: number): Chunk {
    const bounds: number[] = []
    let at = 0
    for (const [index, record] of records.entries()) {
      if (index >= first) bounds.push(at, at + record.length)
      at += record.length
    }
    const last = records.length - first - 1
    return {
      frames: { bytes, bounds, position: 0 },
      position: (index = last) => ({ record: first + index + 1 }),
    }
  }
}

/** What debug outputs have written, oldest first; the oldest are forgotten when there are too many. */
export class DebugBuffer {
  readonly #mostRecords: number
  readonly #mostBytes: number
  #records: Uint8Array[] = []
  /** Records before this one are forgotten already; moving the others up each time would be slow. */
  #first = 0
  #bytes = 0
  #forgotten = 0

  constructor(limits: { records?: number; bytes?: number } = {}) {
    this.#mostRecords = limits.records ?? 10_000
    this.#mostBytes = limits.bytes ?? 16 * 2 ** 20
  }

  add(record: Uint8Array): void {
    this.#records.push(record)
    this.#bytes += record.length
    while (this.#records.length - this.#first > this.#mostRecords || this.#bytes > this.#mostBytes) this.#forget()
  }

  #forget(): void {
    this.#bytes -= this.#records[this.#first]!.length
    this.#records[this.#first] = nothing
    this.#first++
    this.#forgotten++
    if (this.#first < 1024 || this.#first < this.#records.length / 2) return
    this.#records = this.#records.slice(this.#first)
    this.#first = 0
  }

  records(): readonly Uint8Array[] {
    return this.#records.slice(this.#first)
  }

  /** How many are not here any more. */
  get forgotten(): number {
    return this.#forgotten
  }

  clear(): void {
    this.#records = []
    this.#first = 0
    this.#bytes = 0
    this.#forgotten = 0
  }
}

const nothing = new Uint8Array()
