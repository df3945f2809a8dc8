// A span for every request: hooks that begin it with the trace of the caller, and end it with the status of the answer.
import { STATUS_CODES } from 'node:http'
import type { Operation } from '@pitot/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TracedWork, Tracing } from './tracing.ts'

/** What a route tells of its operation. */
export interface TracedRoute {
  readonly id: string
  readonly row: Operation
}

/** To be added before all other hooks: what they and the handler do is done at the place of the span. */
export function traceRequests(
  app: FastifyInstance,
  service: string,
  tracing: Tracing,
  operationOf: (request: FastifyRequest) => TracedRoute | undefined,
): void {
  const works = new WeakMap<FastifyRequest, TracedWork>()
  app.addHook('onRequest', (request, _reply, done) => {
    const operation = operationOf(request)
    const route = operation?.row.path ?? request.routeOptions.url
    const attributes = {
      'pitot.service': service,
      'http.request.method': request.method,
      ...(route !== undefined && { 'http.route': route }),
    }
    const name = operation?.id ?? [request.method, route].filter(Boolean).join(' ')
    const work = tracing.beginRequest(name, attributes, request.raw.headers)
    works.set(request, work)
    work.run(done)
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const attributes = { 'http.response.status_code': statusCode }
    // A mistake of the caller is no failure of the service.
    if (statusCode >= 500) works.get(request)?.fail(STATUS_CODES[statusCode] ?? '', attributes)
    else works.get(request)?.end(attributes)
    done()
  })
}
