// A small question to another service of the fleet: its address and a path come in, the whole answer goes out.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export interface PeerAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface PeerRequest {
  readonly timeout: number
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const largestAnswer = 4 * 1024 * 1024
const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true, maxSockets: 8 }) }
// Services make their own certificates, so there is no authority to check them with.
const https = {
  request: httpsRequest,
  agent: new HttpsAgent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false }),
}

/** Rejects with a short reason when there is no whole answer within the timeout. */
export function askPeer(url: URL, options: PeerRequest): Promise<PeerAnswer> {
  const { request, agent } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const call = request(url, {
      agent,
      headers: { ...options.headers },
      ...(options.signal && { signal: options.signal }),
    })
    const late = setTimeout(() => call.destroy(new Error(`no answer within ${options.timeout} ms`)), options.timeout)
    const fail = (error: Error) => {
      clearTimeout(late)
      reject(new Error(reasonOf(error)))
    }
    call.on('error', fail)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('error', fail)
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > largestAnswer) call.destroy(new Error(`the answer is longer than ${largestAnswer} bytes`))
        else chunks.push(chunk)
      })
      response.on('end', () => {
        clearTimeout(late)
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
      })
    })
    call.end()
  })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
}

/** A sentence for a person instead of the system's code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return reasons[code ?? ''] ?? (message === undefined || message === '' ? String(code ?? error) : message)
}
