// From what a handler gives back, or throws, to what goes out on the wire.
import { isAscii } from 'node:buffer'
import { Readable } from 'node:stream'
import { errorCatalogue, failure, type Operation, type OperationReply, PitotError } from '@pitot/api'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An operation's reply, seen without its exact types. */
export interface AnyReply {
  readonly status: number
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function sendReply(reply: FastifyReply, row: Operation, given: OperationReply<Operation>): FastifyReply {
  const { status, body, type, headers } = given as AnyReply
  reply.code(status)
  if (headers !== undefined) reply.headers(headers)
  const kind = row.replies[status]?.kind
  if (kind === 'json') return sendText(reply.header('content-type', type ?? 'application/json'), JSON.stringify(body))
  if (type !== undefined) reply.header('content-type', type)
  if (kind !== 'bytes') return reply.send()
  if (body instanceof Uint8Array) return sendBytes(reply, body)
  return reply.send(Readable.from(body as AsyncIterable<Uint8Array>, { objectMode: false }))
}

/** Bytes up to here are looked at: if they are text, they go out in one piece with the head of the reply. */
const shortBody = 4096

function sendBytes(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  const body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (body.length <= shortBody && reply.hasHeader('content-type') && isAscii(body)) {
    return sendText(reply, body.toString('latin1'))
  }
  return reply.send(body)
}

/** With a serializer, so that nothing is added to the content type: clients compare it exactly. */
function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.serializer(asItIs).send(text)
}

function asItIs(text: string): string {
  return text
}

const problemTypes: ReadonlySet<string> = new Set(['application/json', 'application/problem+json'])

/** One line of text; the same as problem details (RFC 9457) for callers that accept JSON and nothing else. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: PitotError): FastifyReply {
  reply.code(error.status).headers(error.headers)
  reply.header('x-request-id', request.id)
  reply.header('cache-control', 'no-store')
  const accept = request.headers.accept?.trim().toLowerCase()
  if (accept !== undefined && problemTypes.has(accept)) {
    const problem = {
      type: `urn:pitot:error:${error.code}`,
      title: errorCatalogue[error.code].help,
      status: error.status,
      code: error.code,
      detail: error.message,
      instance: request.id,
    }
    reply.header('content-type', 'application/problem+json')
    return reply.send(Buffer.from(JSON.stringify(problem)))
  }
  reply.header('content-type', 'text/plain; charset=utf-8')
  return reply.send(Buffer.from(error.message))
}

/** The catalogue's word for whatever was thrown; an unexpected one becomes `internal`. */
export function asPitotError(thrown: unknown, requestId: string): PitotError {
  if (thrown instanceof PitotError) return thrown
  // Of the framework's own complaints only these two can reach a caller.
  const code = (thrown as { code?: unknown } | null)?.code
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_INVALID_URL') {
    return failure('bad-request', { reason: 'the path is not valid percent-encoded UTF-8' })
  }
  return failure('internal', { request: requestId })
}
