// From an HTTP request to the typed request of an operation: names, numbers and query parameters checked, body at hand.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  didYouMean,
  failure,
  type Operation,
  type OperationRequest,
  type Parameter,
  type StreamedBody,
} from '@pitot/api'

export type AnyRequest = OperationRequest<Operation>

/** The request as a handler sees it. */
export class ReadRequest implements AnyRequest {
  readonly path: AnyRequest['path']
  readonly query: AnyRequest['query']
  readonly headers: AnyRequest['headers']
  readonly body: AnyRequest['body']
  readonly id: string
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor(
    request: { readonly headers: AnyRequest['headers']; readonly id: string },
    response: ServerResponse,
    path: AnyRequest['path'],
    query: AnyRequest['query'],
    body: AnyRequest['body'],
  ) {
    this.path = path
    this.query = query
    this.headers = request.headers
    this.body = body
    this.id = request.id
    this.#response = response
  }

  /** Made only when it is asked for. */
  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.#response)
    return this.#signal
  }
}

/** A request is closed as soon as its body was read, so that it is the response that tells whether somebody waits. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (!response.writableFinished) gone.abort()
  }
  if (response.closed) leave()
  else response.once('close', leave)
  return gone.signal
}

/** Decoded path parameters as the router gives them. */
type PathTexts = Readonly<Record<string, string>>

const encoder = new TextEncoder()
const longestName = 255

/** Reads the path parameters of one operation. */
export function pathReader(row: Operation): (texts: PathTexts) => AnyRequest['path'] {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const integers = row.integers ?? {}
  return (texts) => {
    const values: Record<string, string | number> = {}
    for (const name of names) {
      const text = texts[name]!
      values[name] = name in integers ? readId(name, text) : readName(name, text)
    }
    return values as AnyRequest['path']
  }
}

function readId(what: string, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > 2 ** 31 - 1) throw failure('bad-id', { what, found: text })
  return value
}

/** A name is any text that fits one segment of a URL; it never becomes a path. */
export function readName(what: string, name: string): string {
  const reason = nameTrouble(name)
  if (reason !== undefined) throw failure('bad-name', { what, reason })
  return name
}

function nameTrouble(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (name === '.' || name === '..') return `must not be '${name}'`
  if (!name.isWellFormed()) return 'is not valid UTF-8'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.exec(name)?.[0]
  if (control !== undefined) {
    return `has a control character (U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')})`
  }
  // Three bytes per unit is the most that UTF-8 needs: short names need no counting.
  const size = name.length * 3 <= longestName ? 0 : encoder.encode(name).length
  return size > longestName ? `is ${size} bytes long; the longest possible is ${longestName}` : undefined
}

/** Reads the query parameters of one operation from the text after `?`. */
export function queryReader(row: Operation): (url: string) => AnyRequest['query'] {
  const parameters = Object.entries(row.query ?? {})
  const known = new Map<string, Parameter<unknown>>(parameters)
  const needed = parameters.filter(([, parameter]) => parameter.required)
  const nothing = {} as AnyRequest['query']
  return (url) => {
    const mark = url.indexOf('?')
    if ((mark < 0 || mark === url.length - 1) && needed.length === 0) return nothing
    const values: Record<string, unknown> = {}
    for (const [name, text] of new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))) {
      const parameter = known.get(name)
      if (parameter === undefined) {
        const names = [...known.keys()]
        const list = names.length === 0 ? 'none' : names.join(', ')
        throw failure('unknown-parameter', { name, near: didYouMean(name, names), known: list })
      }
      if (Object.hasOwn(values, name)) throw failure('repeated-parameter', { name })
      const value = parameter.read(text)
      if (value === undefined) throw failure('bad-parameter', { name, found: text, allowed: parameter.allowed })
      values[name] = value
    }
    for (const [name, parameter] of needed) {
      if (!Object.hasOwn(values, name)) throw failure('missing-parameter', { name, allowed: parameter.allowed })
    }
    return values as AnyRequest['query']
  }
}

export interface BodyLimits {
  /** Bytes of a body that is held in memory. */
  readonly document: number
}

/** Gives the body of one operation the shape its row asks for. */
export function bodyReader(
  row: Operation,
  limits: BodyLimits,
): (raw: IncomingMessage) => Promise<Uint8Array> | StreamedBody {
  const body = row.body!
  if (body.as === 'stream') {
    return (raw) => {
      refuseCompression(raw)
      return { chunks: wholeChunks(raw), length: announcedLength(raw) }
    }
  }
  return async (raw) => {
    refuseCompression(raw)
    const bytes = await readBytes(raw, limits.document)
    if (body.required && bytes.length === 0) throw failure('body-missing', { what: insideSentence(body.summary) })
    return bytes
  }
}

/** `The model.` -> `the model` */
function insideSentence(summary: string): string {
  return summary.charAt(0).toLowerCase() + summary.slice(1).replace(/\.$/, '')
}

function refuseCompression(raw: IncomingMessage): void {
  const encoding = raw.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw failure('unsupported-encoding', { encoding })
}

function announcedLength(raw: IncomingMessage): number | undefined {
  const length = raw.headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** With listeners of its own: for a body of one piece, which most are, an iterator costs more than all the rest. */
async function readBytes(raw: IncomingMessage, limit: number): Promise<Uint8Array> {
  const tooLarge = () => failure('body-too-large', { limit, option: '--max-document' })
  if ((announcedLength(raw) ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  await new Promise<void>((resolve, reject) => {
    const leave = (error: unknown) => {
      // The socket must stay open: the answer has to go out on it.
      raw.pause()
      raw.removeAllListeners('data')
      reject(error)
    }
    raw.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size > limit) leave(tooLarge())
      else chunks.push(chunk)
    })
    raw.once('end', resolve)
    raw.once('error', (cause) => leave(failure('body-incomplete', { reason: cause.message })))
    raw.once('close', () => {
      if (!raw.complete) leave(failure('body-incomplete', { reason: 'the connection was closed' }))
    })
  })
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
}

/** The chunks of a request; a connection that breaks in the middle is an error, never a shorter body. */
async function* wholeChunks(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    // The socket must stay open when the consumer stops early: the answer has to go out on it.
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw failure('body-incomplete', { reason: cause instanceof Error ? cause.message : String(cause) })
  }
  if (!raw.complete) throw failure('body-incomplete', { reason: 'the connection was closed' })
}
