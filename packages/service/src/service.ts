// A service: a table of operations and its handlers come in, a running HTTP(S) server goes out.
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { failure, type Handler, type Handlers, type Operation, type OperationTable, type PitotError } from '@pitot/api'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Certificate } from './certificate.ts'
import { answerClientError, writePlainAnswer } from './client-error.ts'
import { type CommonHandlers, commonHandlers } from './common-handlers.ts'
import { createGuard, type Guard, isLoopback } from './guard.ts'
import { createListener } from './listener.ts'
import type { Logger } from './log.ts'
import { Meter } from './meter.ts'
import { addProcessMetrics, Metrics } from './metrics.ts'
import { healthRecord } from './release.ts'
import { asPitotError, sendError, sendReply } from './reply.ts'
import { type AnyRequest, bodyReader, pathReader, queryReader, ReadRequest } from './request.ts'
import { type TracedRoute, traceRequests } from './request-tracing.ts'
import { routeFinder } from './route-finder.ts'
import { Tracing } from './tracing.ts'

/** What every service is started with. */
export interface ServiceOptions {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  readonly token?: string | undefined
  readonly certificate: Certificate
  readonly tlsRequired: boolean
  readonly allowHosts: readonly string[]
  readonly allowOrigins: readonly string[]
  /** The largest document, in bytes, that is held in memory. */
  readonly maxDocument: number
  readonly log: Logger
}

/** What makes one service different from the others. */
export interface ServiceDefinition<Table extends OperationTable> {
  /** As in the fleet: `connect`, `model-manage`, … */
  readonly name: string
  readonly title: string
  /** The id in its health record; a new one when it is left out. */
  readonly id?: string
  readonly operations: Table
  readonly handlers: Omit<Handlers<Table>, keyof CommonHandlers>
  readonly metrics?: Metrics
  /** Throws the error to answer with while the service cannot do its work. */
  readonly checkHealth?: () => Promise<void>
  /** Routes that are no operations: pages, pass-through. */
  readonly extend?: (app: FastifyInstance) => void
  /** Takes over a connection, for websockets; called only for callers that may call. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Called first when the service stops: ends the answers that have no end of their own. */
  readonly stopping?: () => void
  /** Called after the last request has been answered. */
  readonly close?: () => Promise<void>
}

export interface RunningService {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly url: string
  readonly metrics: Metrics
  /** Lets the requests under way finish, then stops. */
  stop(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request has reached its operation: quicker to find than by the route. */
    meter?: Meter
  }
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

interface RouteConfig {
  readonly meter?: Meter
  readonly operation?: TracedRoute
}

interface Life {
  /** From the call of `stop` on. */
  stopping: boolean
}

/** How long requests under way may take to finish when the service stops. */
const stopTimeout = 10_000
const longestUrl = 8192
const longestHead = 32 * 1024
const headersTimeout = 20_000
const keepAliveTimeout = 72_000
/** A connection on which nothing moves for this long in the middle of a request is closed. */
const idleTimeout = 300_000

export async function startService<Table extends OperationTable>(
  definition: ServiceDefinition<Table>,
  options: ServiceOptions,
): Promise<RunningService> {
  const metrics = definition.metrics ?? new Metrics()
  addProcessMetrics(metrics)
  const log = options.log.child({ service: definition.name })
  const guard = createGuard(options)
  const life: Life = { stopping: false }
  const app = fastify({
    serverFactory: (handler, _options) =>
      createListener(
        {
          maxHeaderSize: longestHead,
          headersTimeout,
          keepAliveTimeout,
          requestTimeout: 0,
          insecureHTTPParser: false,
          // The guard asks for it, and says so.
          requireHostHeader: false,
          // Some clients offer other protocols with every request; they are answered as if they had not.
          shouldUpgradeCallback: (request) => definition.upgrade !== undefined && isWebsocket(request),
        },
        options.certificate,
        handler,
      ),
    connectionTimeout: idleTimeout,
    // Longer than any URL can be: how long a name may be is not the router's to say.
    routerOptions: { maxParamLength: longestHead, caseSensitive: true },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: requestIds(),
    clientErrorHandler: answerClientError,
    // No hooks run before these errors, so the guard is asked here.
    frameworkErrors: (error, request, reply) =>
      sendError(request, reply as never, guard(request.raw) ?? asPitotError(error, request.id)) as never,
  })
  // Bodies are read as the operation wants them, whatever content type they claim: to the framework there are none.
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.decorateRequest('meter')
  const tracing = await Tracing.registered()
  if (tracing !== undefined) traceRequests(app, definition.name, tracing, (request) => configOf(request).operation)
  addHooks(app, guard, life, options.log, metrics)
  const fail: Fail = (error, request, reply) => {
    refuseToKeep(reply, life)
    return answerError(error, request, reply, log)
  }
  app.setErrorHandler(fail)
  const find = routeFinder(definition.operations)
  app.setNotFoundHandler((request, reply) => sendError(request, reply, find(request.method, request.raw.url ?? '/')))

  const handlers = {
    ...definition.handlers,
    ...commonHandlers(definition, healthRecord(definition.id), metrics),
  } as unknown as Record<string, Handler<Operation>>
  // HEAD rows first: the framework makes HEAD routes of its own for GETs that have none.
  const rows = Object.entries(definition.operations).sort(
    ([, a], [, b]) => Number(b.method === 'HEAD') - Number(a.method === 'HEAD'),
  )
  for (const [id, row] of rows) addRoute(app, id, row, handlers[id]!, new Meter(metrics, id), life, fail, options)
  definition.extend?.(app)

  const upgraded = definition.upgrade === undefined ? [] : addUpgrade(app, guard, definition.upgrade)

  await app.listen({ host: options.host, port: options.port })
  const { port } = app.server.address() as AddressInfo
  log.debug({ port }, 'listening')
  async function stop(): Promise<void> {
    life.stopping = true
    definition.stopping?.()
    // These have no end of their own, and the server would wait for them.
    for (const socket of upgraded) socket.destroy()
    const timer = setTimeout(() => app.server.closeAllConnections(), stopTimeout)
    await app.close()
    clearTimeout(timer)
    await definition.close?.()
  }
  let stopped: Promise<void> | undefined
  return {
    name: definition.name,
    host: options.host,
    port,
    url: `http${options.tlsRequired ? 's' : ''}://${urlHost(options.host)}:${port}`,
    metrics,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function addRoute(
  app: FastifyInstance,
  id: string,
  row: Operation,
  handle: Handler<Operation>,
  meter: Meter,
  life: Life,
  fail: Fail,
  options: ServiceOptions,
): void {
  const readPath = pathReader(row)
  const readQuery = queryReader(row)
  const readBody = row.body && bodyReader(row, { document: options.maxDocument })
  app.route({
    method: row.method,
    url: row.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { meter, operation: { id, row } } satisfies RouteConfig,
    // Gives nothing back: a reply that is awaited first listens for the end of its stream.
    handler: (request, reply) => void serve(request, reply),
  })

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.meter = meter
    try {
      const body = readBody === undefined ? undefined : readBody(request.raw)
      const given = await handle(
        new ReadRequest(
          request,
          reply.raw,
          readPath(request.params as Record<string, string>),
          readQuery(request.raw.url!),
          (body instanceof Promise ? await body : body) as AnyRequest['body'],
        ),
      )
      refuseToKeep(reply, life)
      sendReply(reply, row, given)
    } catch (error) {
      fail(error, request, reply)
    }
  }
}

function configOf(request: FastifyRequest): RouteConfig {
  return request.routeOptions.config as RouteConfig
}

function isWebsocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

function addUpgrade(
  app: FastifyInstance,
  guard: Guard,
  upgrade: NonNullable<ServiceDefinition<OperationTable>['upgrade']>,
): Iterable<Duplex> {
  const open = new Set<Duplex>()
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    const refusal = guard(request)
    if (refusal === undefined) upgrade(request, socket, head)
    else writePlainAnswer(socket, refusal.status, refusal.message)
  })
  return open
}

function addHooks(app: FastifyInstance, guard: Guard, life: Life, log: Logger, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const refusal = guard(request.raw) ?? urlTrouble(request) ?? stopTrouble(life)
    if (refusal === undefined) done()
    else {
      refuseToKeep(reply, life)
      sendError(request, reply, refusal)
    }
  })
  const others = new Meter(metrics, 'other')
  app.addHook('onResponse', (request, reply, done) => {
    const meter = request.meter ?? configOf(request).meter ?? others
    meter.count(reply.statusCode, reply.elapsedTime)
    if (life.stopping) setImmediate(() => app.server.closeIdleConnections())
    if (log.isLevelEnabled('debug')) {
      const { method, url } = request.raw
      log.debug({ request: request.id, method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'request')
    }
    done()
  })
}

/** A caller that keeps its connection would keep a stopping service from its end. */
function refuseToKeep(reply: FastifyReply, life: Life): void {
  if (life.stopping) reply.header('connection', 'close')
}

function stopTrouble(life: Life): PitotError | undefined {
  return life.stopping ? failure('service-stopping', {}, { 'retry-after': '1' }) : undefined
}

function urlTrouble(request: FastifyRequest): PitotError | undefined {
  return request.raw.url!.length > longestUrl ? failure('url-too-long', { limit: longestUrl }) : undefined
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const error = asPitotError(thrown, request.id)
  const facts = { request: request.id, method: request.method, url: request.raw.url }
  if (error.code === 'internal') log.error({ ...facts, err: thrown }, 'internal error')
  else if (error.status >= 500) log.warn(facts, error.message)
  return sendError(request, reply, error)
}

/** Takes a caller's own request id when it is a harmless one, else counts; the prefix tells processes apart in shared logs. */
function requestIds(): (raw: { headers: Record<string, string | string[] | undefined> }) => string {
  const prefix = Math.floor(Math.random() * 36 ** 5)
    .toString(36)
    .padStart(5, '0')
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given
    return `${prefix}-${(++count).toString(36)}`
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Off loopback a service needs a token, unless its owner insists. */
export function bindingTrouble(options: {
  host: string
  token?: string | undefined
  insecure: boolean
}): string | undefined {
  if (isLoopback(options.host) || options.token !== undefined || options.insecure) return undefined
  return `listening on ${options.host} makes the services reachable from other machines: set --token, or --insecure if that is what you want`
}
