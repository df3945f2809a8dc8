// Starts the gateway: options come in, the running service goes out.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { commonOperations, failure, PitotError } from '@pitot/api'
import { type RunningService, type ServiceOptions, startService, writePlainAnswer } from '@pitot/service'
import type { FastifyInstance } from 'fastify'
import { Directory } from './directory.ts'
import { forward, forwardUpgrade } from './forward.ts'
import { fleetPage, pageHeaders } from './page.ts'

export interface GatewayOptions extends ServiceOptions {
  /** The address of Connect. */
  readonly connect: URL
}

/** `/api/1/service/<instance name>/<path and query for the instance>` */
const instancePath = /^\/api\/1\/service\/([^/?]+)(\/.*)?$/s

export async function startGateway(options: GatewayOptions): Promise<RunningService> {
  const { connect, token } = options
  const directory = new Directory({ connect, token, scheme: options.tlsRequired ? 'https' : 'http' })
  return startService(
    {
      name: 'gateway',
      title: 'Gateway API',
      operations: commonOperations,
      handlers: {},
      extend: (app) => addRoutes(app, directory),
      upgrade: (request, socket, head) => void upgrade(directory, request, socket, head),
    },
    options,
  )
}

function addRoutes(app: FastifyInstance, directory: Directory): void {
  app.all('/api/1/service/*', async (request, reply) => {
    const { name, target } = readPath(request.raw.url!)
    await forward(await directory.find(name), target, request.raw, reply)
    return reply
  })
  app.get('/', async (_request, reply) => {
    const trouble = { sentence: undefined as string | undefined }
    const entries = await directory.entries().catch((error: Error) => {
      trouble.sentence = error.message
      return []
    })
    return reply.headers(pageHeaders).send(fleetPage(entries, trouble.sentence))
  })
}

function readPath(url: string): { name: string; target: string } {
  const match = instancePath.exec(url)
  if (match === null) throw failure('unknown-path', { path: url.split('?', 1)[0]!, near: '' })
  return { name: decoded(match[1]!), target: match[2] ?? '/' }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw failure('bad-request', { reason: 'the path is not valid percent-encoded UTF-8' })
  }
}

async function upgrade(directory: Directory, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  try {
    const { name, target } = readPath(request.url!)
    forwardUpgrade(await directory.find(name), target, request, socket, head)
  } catch (error) {
    const known = error instanceof PitotError ? error : failure('internal', { request: 'of this websocket' })
    writePlainAnswer(socket, known.status, known.message)
  }
}
