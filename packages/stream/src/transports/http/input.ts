// The body of a GET as a stream of bytes, or of its chunks; when the connection breaks, another GET goes on where it broke.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { type Chunk, type Source, type StreamContext, StreamFailure } from '../../transport.ts'
import { BackOff } from '../back-off.ts'
import { networkReason } from '../network-failure.ts'
import { byteChunk, sourceFrom, startOffset } from '../source.ts'
import { ChunkSizes, wholeChunks } from './chunked.ts'
import type { HttpOptions } from './options.ts'
import { Connections, RequestFailure, shown } from './request.ts'

export async function readHttp(options: HttpOptions, context: StreamContext): Promise<Source> {
  const connections = new Connections(options, false)
  const download = new Download(options, connections, context)
  try {
    await download.begin(context.signal)
  } catch (error) {
    connections.close()
    throw error
  }
  return sourceFrom(context, { read: (signal) => download.read(signal), dispose: () => connections.close() })
}

/**
 * Offsets count bytes as they are after decompression: what one who asks for no compression would get. Where each chunk of
 * the body is a record they count records.
 */
class Download {
  readonly #options: HttpOptions
  readonly #connections: Connections
  readonly #context: StreamContext
  readonly #name: string
  readonly #unit: 'bytes' | 'records'
  #offset: number
  /** Bytes or records of the response at hand that were read already, or are to be skipped. */
  #toDrop = 0
  #sizes: ChunkSizes | undefined
  #response: IncomingMessage | undefined
  #version: Version | undefined

  constructor(options: HttpOptions, connections: Connections, context: StreamContext) {
    this.#options = options
    this.#connections = connections
    this.#context = context
    this.#name = shown(new URL(options.Url))
    this.#unit = options.Chunked ? 'records' : 'bytes'
    const { from } = context
    this.#offset = options.Chunked ? (typeof from?.record === 'number' ? from.record : 0) : startOffset(context)
  }

  /** Asks for the data from the offset on, with patience. */
  async begin(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(this.#options.RetryTime, signal)
    for (;;) {
      try {
        return await this.#ask(signal)
      } catch (error) {
        if (!(error instanceof RequestFailure) || !error.passing || !(await backOff.again(error.retryAfter)))
          throw error
        this.#context.log('warn', `${error.message}; trying again`)
      }
    }
  }

  async *read(signal: AbortSignal): AsyncGenerator<Chunk, void> {
    const backOff = new BackOff(this.#options.RetryTime, signal)
    for (;;) {
      const before = this.#offset
      const broken = yield* this.#readResponse(signal)
      if (broken === undefined || signal.aborted) return
      if (this.#offset > before) backOff.reset()
      const sentence = `${this.#name} broke off after ${this.#offset} ${this.#unit}: ${broken}`
      if (!(await backOff.again())) throw new StreamFailure(sentence, { passing: true })
      this.#context.log('warn', `${sentence}; going on from there`)
      await this.begin(signal)
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#options.Chunked) return this.#askForChunks(signal)
    const range: Record<string, string> = {}
    if (this.#offset > 0) {
      range.Range = `bytes=${this.#offset}-`
      if (this.#version?.tag?.startsWith('"')) range['If-Range'] = this.#version.tag
    }
    // A range of compressed data would be of no use.
    const headers = { 'Accept-Encoding': this.#offset > 0 ? 'identity' : 'gzip, br, zstd', ...range }
    const response = await this.#connections.request({ method: 'GET', headers, alsoFine: [416] }, signal)
    this.#response = response
    if (response.statusCode === 416) return
    this.#refuseOtherVersion(response)
    this.#toDrop = response.statusCode === 206 ? 0 : this.#offset
    const start = /^bytes (\d+)-/.exec(response.headers['content-range'] ?? '')?.[1]
    if (response.statusCode !== 206 || Number(start) === this.#offset) return
    response.destroy()
    throw new StreamFailure(`${this.#name} sent the range from ${start} on when asked for ${this.#offset}`)
  }

  /** There is no asking for a part: the whole is sent again. */
  async #askForChunks(signal: AbortSignal): Promise<void> {
    const connected = (socket: Socket) => {
      this.#sizes = new ChunkSizes(socket)
    }
    const headers = { 'Accept-Encoding': 'identity' }
    const response = await this.#connections.request({ method: 'GET', headers, connected }, signal)
    this.#response = response
    this.#refuseOtherVersion(response)
    this.#toDrop = this.#offset
    const { 'transfer-encoding': transfer, 'content-encoding': content = 'identity' } = response.headers
    if (transfer === 'chunked' && content === 'identity') return
    response.destroy()
    const found = transfer === 'chunked' ? `its chunks compressed (${content})` : 'its body in one piece'
    throw new StreamFailure(`${this.#name} sends ${found}: leave out Chunked, and tell records apart by an Envelope`)
  }

  #refuseOtherVersion(response: IncomingMessage): void {
    const version = versionOf(response)
    const known = this.#version
    this.#version = version
    if (known === undefined || isSame(known, version)) return
    response.destroy()
    throw new StreamFailure(
      `${this.#name} has changed while it was read; after ${this.#offset} ${this.#unit} the rest does not belong to them`,
    )
  }

  /** Gives back why it broke off, or nothing at the end. */
  async *#readResponse(signal: AbortSignal): AsyncGenerator<Chunk, string | undefined> {
    const response = this.#response!
    if (response.statusCode === 416) {
      // Nothing lies behind the end.
      response.resume()
      return undefined
    }
    const body = decompressed(response, this.#name)
    const stop = () => body.destroy()
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (this.#options.Chunked) yield* this.#records(body)
      else yield* this.#bytes(body)
      return undefined
    } catch (error) {
      if (error instanceof StreamFailure) throw error
      if (!response.complete || signal.aborted) return networkReason(error)
      throw new StreamFailure(`the data of ${this.#name} is damaged: ${(error as Error).message}`, { cause: error })
    } finally {
      signal.removeEventListener('abort', stop)
      response.destroy()
      body.destroy()
    }
  }

  async *#bytes(body: AsyncIterable<Buffer>): AsyncGenerator<Chunk, void> {
    for await (const bytes of body) {
      const dropped = Math.min(this.#toDrop, bytes.length)
      this.#toDrop -= dropped
      if (dropped === bytes.length) continue
      const offset = this.#offset
      this.#offset += bytes.length - dropped
      yield byteChunk(bytes.subarray(dropped), offset)
    }
  }

  async *#records(body: AsyncIterable<Buffer>): AsyncGenerator<Chunk, void> {
    let position = 0
    for await (const { bytes, bounds } of wholeChunks(body, this.#sizes!, this.#name)) {
      const dropped = Math.min(this.#toDrop, bounds.length / 2)
      const count = bounds.length / 2 - dropped
      this.#toDrop -= dropped
      const first = this.#offset
      this.#offset += count
      const frames = { bytes, bounds: bounds.slice(2 * dropped), position }
      if (count > 0) yield { frames, position: (index = count - 1) => ({ record: first + index + 1 }) }
      position += bounds.at(-1)!
    }
  }
}

interface Version {
  readonly tag: string | undefined
  readonly changed: string | undefined
  readonly encoding: string
}

function versionOf({ headers }: IncomingMessage): Version {
  return { tag: headers.etag, changed: headers['last-modified'], encoding: headers['content-encoding'] ?? '' }
}

/** Tags of differently compressed data differ; without a mark to compare, data is taken for the same. */
function isSame(one: Version, other: Version): boolean {
  if (one.tag !== undefined && other.tag !== undefined && one.encoding === other.encoding) return one.tag === other.tag
  return one.changed === undefined || other.changed === undefined || one.changed === other.changed
}

const chunkSize = 2 ** 16
const decompressors: Readonly<Record<string, () => Readable & NodeJS.WritableStream>> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  deflate: () => createInflate({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize }),
}

function decompressed(response: IncomingMessage, name: string): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  if (!Object.hasOwn(decompressors, encoding)) {
    response.destroy()
    throw new StreamFailure(`${name} is compressed with '${encoding}', which is none of gzip, br, zstd and deflate`)
  }
  const plain = decompressors[encoding]!()
  pipeline(response, plain, () => undefined)
  return plain
}
