// One request comes in, the response goes out, after redirects; or a failure that knows whether another try makes sense.
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { StreamFailure } from '../../transport.ts'
import { networkReason } from '../network-failure.ts'
import type { HttpOptions } from './options.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Statuses that are fine besides 2xx. */
  readonly alsoFine?: readonly number[]
  /** Told of the connection of each request, of which there are several after redirects. */
  readonly connected?: (socket: Socket) => void
}

/** `passing` tells whether to try again; `retryAfter`, in milliseconds, when. */
export class RequestFailure extends StreamFailure {
  readonly retryAfter: number

  constructor(sentence: string, options: { passing: boolean; cause?: unknown; retryAfter?: number }) {
    super(sentence, options)
    this.retryAfter = options.retryAfter ?? 0
  }
}

/** Connections of a stream; kept open between requests where `keepAlive` says so. */
export class Connections {
  readonly #options: HttpOptions
  readonly #agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent }

  constructor(options: HttpOptions, keepAlive: boolean) {
    this.#options = options
    const tls = {
      rejectUnauthorized: options.Verify,
      ...(options.CA !== null && { ca: [...rootCertificates, options.CA] }),
    }
    this.#agents = { 'http:': new http.Agent({ keepAlive }), 'https:': new https.Agent({ keepAlive, ...tls }) }
  }

  close(): void {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  /** Resolves when the headers are here. Rejects with a `RequestFailure`. */
  async request(request: HttpRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    let url = new URL(this.#options.Url)
    let own: Readonly<Record<string, string>> = this.#options.Headers
    for (let redirects = 0; ; redirects++) {
      const response = await this.#send(url, { ...request, headers: { ...own, ...request.headers } }, signal)
      const { statusCode: status = 0 } = response
      if ((status >= 200 && status < 300) || request.alsoFine?.includes(status)) return response
      const next = redirectOf(response, url, request.method)
      if (next === undefined) throw await refusal(response, url, request.method)
      response.resume()
      if (redirects >= this.#options.MaxRedirects) {
        const { MaxRedirects } = this.#options
        throw new RequestFailure(`${shown(url)} leads to more than ${MaxRedirects} redirects`, { passing: false })
      }
      if (next.origin !== url.origin) own = withoutCredentials(own)
      url = next
    }
  }

  #send(
    url: URL,
    { method, headers, body, connected }: HttpRequest,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage> {
    const { IdleTime } = this.#options
    const secure = url.protocol === 'https:'
    const agent = this.#agents[secure ? 'https:' : 'http:']
    return new Promise((resolve, reject) => {
      const sent = (secure ? https : http).request(
        url,
        { method, headers, agent, signal, ...(IdleTime !== null && { timeout: IdleTime }) },
        resolve,
      )
      sent.on('socket', (socket) => {
        socket.setKeepAlive(true, 10_000)
        connected?.(socket)
      })
      sent.on('timeout', () => sent.destroy(new Error(`nothing came for ${IdleTime} ms`)))
      sent.on('error', (error) => {
        const passing = !isCertificateTrouble(error)
        const hint = passing ? '' : '; give the certificate to trust as CA, or set Verify to false'
        reject(
          new RequestFailure(`${method} ${shown(url)} failed: ${networkReason(error)}${hint}`, {
            passing,
            cause: error,
          }),
        )
      })
      sent.end(body)
    })
  }
}

/** Without user and password. */
export function shown(url: URL): string {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain.href
}

function isCertificateTrouble(error: NodeJS.ErrnoException): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(error.code ?? '')
}

/** A GET goes where it is sent; a POST only where it is said that it stays a POST. Never from https to http. */
function redirectOf(response: http.IncomingMessage, url: URL, method: string): URL | undefined {
  const allowed = method === 'GET' ? [301, 302, 303, 307, 308] : [307, 308]
  const { location } = response.headers
  if (!allowed.includes(response.statusCode ?? 0) || location === undefined) return undefined
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (next === undefined || !/^https?:$/.test(next.protocol)) return undefined
  return url.protocol === 'https:' && next.protocol === 'http:' ? undefined : next
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isCredential = (name: string) => /^(authorization|proxy-authorization|cookie|x-api-key)$/i.test(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isCredential(name)))
}

const LONGEST_EXCERPT = 200

/** What the server said, with the beginning of its explanation. */
async function refusal(response: http.IncomingMessage, url: URL, method: string): Promise<RequestFailure> {
  const { statusCode: status = 0, statusMessage = '', headers } = response
  let text = ''
  try {
    for await (const piece of response.setEncoding('utf8')) {
      text += piece
      if (text.length > LONGEST_EXCERPT) break
    }
  } catch {
    // The status says enough.
  }
  const excerpt = text.trim().split('\n', 1)[0]!.slice(0, LONGEST_EXCERPT)
  const to = headers.location === undefined ? '' : ` to ${headers.location}, which is not followed`
  const explained = excerpt === '' ? '' : `: ${excerpt}`
  return new RequestFailure(`${method} ${shown(url)} was answered with ${status} ${statusMessage}${to}${explained}`, {
    passing: status >= 500 || status === 408 || status === 425 || status === 429,
    retryAfter: retryAfter(headers['retry-after']),
  })
}

function retryAfter(header: string | undefined): number {
  if (header === undefined) return 0
  const time = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(time) ? 0 : Math.max(0, time)
}
