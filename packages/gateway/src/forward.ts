// Pass-through: a request for an instance comes in, is sent on as it flows, and the answer flows back.
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { failure } from '@pitot/api'
import { reasonOf, writePlainAnswer } from '@pitot/service'
import type { FastifyReply } from 'fastify'
import type { Instance } from './directory.ts'

const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) }
// Services make their own certificates, so there is no authority to check them with.
const https = { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true, rejectUnauthorized: false }) }

/** These belong to one connection, not to the request. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Of the request: the instance has its own name, the gateway has checked where the call is from, and has said "continue". */
const ownHeaders = new Set([...hopHeaders, 'host', 'origin', 'sec-fetch-site', 'expect', 'x-request-id'])

/** How long an instance may take to answer a websocket handshake. */
const handshakeTimeout = 30_000

/** RFC 9110, 9.2.2: a proxy must not automatically retry non-idempotent requests. */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** `target` is path and query for the instance, exactly as the caller wrote them. */
export async function forward(
  instance: Instance,
  target: string,
  raw: IncomingMessage,
  reply: FastifyReply,
): Promise<void> {
  const out = reply.raw
  const left = new AbortController()
  out.once('close', () => left.abort())
  const answer = await send(instance, target, raw, reply.request.id, left.signal, true)
  reply.hijack()
  out.writeHead(answer.statusCode!, answer.statusMessage, {
    ...without(answer, hopHeaders),
    'x-request-id': reply.request.id,
  })
  // An answer that breaks off must break off for the caller too, not look complete.
  pipeline(answer, out, (error) => {
    if (error) out.destroy()
  })
}

/** Sends the request on; `left` tells that the caller has gone, or has got its answer. */
function send(
  instance: Instance,
  target: string,
  raw: IncomingMessage,
  id: string,
  left: AbortSignal,
  mayRetry: boolean,
): Promise<IncomingMessage> {
  const length = raw.headers['content-length']
  const hasBody = raw.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  return new Promise((resolve, reject) => {
    const call = open(instance, target, raw, id, {})
    call.on('response', resolve)
    call.on('error', (error: NodeJS.ErrnoException) => {
      // A kept connection may have been closed by the other side just now; what has no body and does the same when done
      // twice can be sent again.
      const closed = call.reusedSocket && error.code === 'ECONNRESET' && !left.aborted
      if (mayRetry && closed && !hasBody && idempotent.has(raw.method!)) {
        return send(instance, target, raw, id, left, false).then(resolve, reject)
      }
      return reject(
        failure('instance-down', { name: instance.name, address: instance.url.host, reason: reasonOf(error) }),
      )
    })
    left.addEventListener('abort', () => call.destroy(), { once: true })
    if (hasBody) raw.pipe(call)
    else call.end()
  })
}

function open(
  instance: Instance,
  target: string,
  raw: IncomingMessage,
  id: string,
  more: OutgoingHttpHeaders,
): ClientRequest {
  const { request, agent } = instance.url.protocol === 'https:' ? https : http
  return request(new URL(instance.url), {
    agent,
    method: raw.method!,
    path: target,
    headers: {
      ...without(raw, ownHeaders),
      host: instance.url.host,
      'x-request-id': id,
      'x-forwarded-for': raw.socket.remoteAddress ?? '',
      'x-forwarded-host': raw.headers.host ?? '',
      'x-forwarded-proto': 'encrypted' in raw.socket ? 'https' : 'http',
      // Without a length the body goes on in chunks, as it came.
      ...(raw.headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
      ...more,
    },
  })
}

/** Sends a websocket handshake on and joins the two connections. */
export function forwardUpgrade(
  instance: Instance,
  target: string,
  raw: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const call = open(instance, target, raw, '', { connection: 'Upgrade', upgrade: raw.headers.upgrade ?? 'websocket' })
  call.on('upgrade', (answer, other, otherHead) => {
    call.setTimeout(0)
    other.setTimeout(0)
    const lines = [`HTTP/1.1 101 ${answer.statusMessage}`]
    for (let i = 0; i < answer.rawHeaders.length; i += 2)
      lines.push(`${answer.rawHeaders[i]}: ${answer.rawHeaders[i + 1]}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (otherHead.length > 0) socket.write(otherHead)
    if (head.length > 0) other.write(head)
    joinOneWay(socket, other)
    joinOneWay(other, socket)
  })
  call.on('response', async (answer) => {
    // No websocket there: its sentence is passed on.
    const body = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>))
    writePlainAnswer(socket, answer.statusCode!, body.toString().slice(0, 1000))
  })
  call.on('error', (error) => {
    const { status, message } = failure('instance-down', {
      name: instance.name,
      address: instance.url.host,
      reason: reasonOf(error),
    })
    writePlainAnswer(socket, status, message)
  })
  socket.once('close', () => call.destroy())
  call.setTimeout(handshakeTimeout, () => call.destroy(new Error(`no answer within ${handshakeTimeout} ms`)))
  call.end()
}

/** When one side ends, the other one still gets all that was said, then it is closed as well. */
function joinOneWay(from: Duplex, to: Duplex): void {
  const closeSoon = () => to.end(() => to.destroy())
  from.on('end', closeSoon)
  from.on('close', closeSoon)
  from.on('error', () => from.destroy())
  from.pipe(to, { end: false })
}

function without(message: IncomingMessage, unwanted: ReadonlySet<string>): OutgoingHttpHeaders {
  // Headers that a Connection header names belong to the connection too.
  const named = new Set((message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined && !unwanted.has(name) && !named.has(name)) kept[name] = value
  }
  return kept
}
