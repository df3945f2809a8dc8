// One request to another service whose answer is passed on as it comes: reading slowly slows the sender down.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { reasonOf } from '@pitot/service'

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Milliseconds until the answer must begin, and the longest pause within it. */
  readonly timeout: number
}

export interface Exchange {
  readonly status: number
  /** Content type; `application/octet-stream` when none is given. */
  readonly type: string
  /** To be read to the end, or left: either way the connection is not kept waiting. Rejects when the answer breaks off. */
  readonly chunks: AsyncIterable<Uint8Array>
}

const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true, maxSockets: 8 }) }
// Services make their own certificates, so there is no authority to check them with.
const https = {
  request: httpsRequest,
  agent: new HttpsAgent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false }),
}

/** Rejects with a short reason when no answer begins. */
export function exchange(url: URL, { method, headers, body, timeout }: ExchangeRequest): Promise<Exchange> {
  const { request, agent } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent, headers: { ...headers, 'content-length': String(body?.length ?? 0) } })
    call.setTimeout(timeout, () => call.destroy(new Error(`nothing came for ${timeout} ms`)))
    call.on('error', (error) => reject(new Error(reasonOf(error))))
    call.on('response', (response) => {
      const type = response.headers['content-type'] ?? 'application/octet-stream'
      resolve({ status: response.statusCode!, type, chunks: chunksOf(response) })
    })
    call.end(body)
  })
}

async function* chunksOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* response as AsyncIterable<Buffer>
  } catch (error) {
    throw new Error(`the answer broke off: ${reasonOf(error)}`)
  }
}
