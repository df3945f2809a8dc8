// Callers that send exactly what they are told, and hand back all that comes: no default headers, no clean-up of paths.
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'

export interface Call {
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
  /** An array is sent in chunks, without Content-Length. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[]
  readonly tls?: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** One request on a connection of its own. */
export function ask(port: number, call: Call = {}): Promise<Answer> {
  const { method = 'GET', path = '/1/health', headers = {}, body, tls = false } = call
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false }
    const request = tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options)
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode!, headers: response.headers, text })
      })
    })
    if (typeof body === 'string' || body instanceof Uint8Array)
      request.setHeader('content-length', Buffer.byteLength(body))
    if (Array.isArray(body)) for (const chunk of body) request.write(chunk)
    request.end(Array.isArray(body) ? undefined : (body as string | Uint8Array | undefined))
  })
}

/** A bare connection. `all` resolves with everything received, when the other side has closed. */
export function dial(port: number): { readonly socket: Socket; readonly all: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  const all = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
  return { socket, all }
}

/** Sends bytes as they are and gives back everything received until the other side closes. */
export function sendBytes(port: number, bytes: string | Uint8Array): Promise<string> {
  const { socket, all } = dial(port)
  socket.write(bytes)
  return all
}
