// Spans of requests, made by the real SDK and kept in memory.
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { RunningService } from '../src/service.ts'
import { Tracing } from '../src/tracing.ts'
import { ask } from './calls.ts'
import { startThings } from './things.ts'

const memory = new InMemorySpanExporter()
let things: RunningService
const seen: { active?: string | undefined; header?: unknown } = {}
beforeAll(async () => {
  expect(await Tracing.registered()).toBeUndefined()
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: memory })] }))
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  things = await startThings({
    async listThings({ headers }) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      seen.active = trace.getActiveSpan()?.spanContext().spanId
      seen.header = headers.traceparent
      return { status: 200, body: [] }
    },
  })
})
afterAll(() => things?.stop())
beforeEach(() => memory.reset())

/** The span of the only request; the answer may be there before it. */
async function theSpan() {
  return vi.waitFor(() => {
    const spans = memory.getFinishedSpans()
    expect(spans).toHaveLength(1)
    return spans[0]!
  })
}

const ok = 0
const failed = 2

test.each([
  { path: '/1/thing', name: 'listThings', route: '/1/thing', status: 200, code: ok },
  { path: '/1/thing/a?digit=1', name: 'getThing', route: '/1/thing/{thing}', status: 200, code: ok },
  { path: '/1/thing/a?digit=x', name: 'getThing', route: '/1/thing/{thing}', status: 403, code: ok },
  { method: 'POST', path: '/1/scale?digit=1', name: 'scale', route: '/1/scale', status: 204, code: ok },
  { path: '/1/broken', name: 'getBroken', route: '/1/broken', status: 500, code: failed },
  { path: '/1/nothing', name: 'GET', route: undefined, status: 404, code: ok },
  { path: '/1/thing', headers: { host: 'evil' }, name: 'listThings', route: '/1/thing', status: 403, code: ok },
])('$path -> $status is a span $name', async ({ name, route, status, code, ...request }) => {
  expect((await ask(things.port, request)).status).toBe(status)
  const span = await theSpan()
  expect(span.name).toBe(name)
  expect(span.attributes).toEqual({
    'pitot.service': 'things',
    'http.request.method': request.method ?? 'GET',
    ...(route && { 'http.route': route }),
    'http.response.status_code': status,
  })
  expect(span.status.code).toBe(code)
  expect(span.parentSpanContext).toBeUndefined()
})

test('the trace of the caller goes on, in what the handler does and in the headers it may pass on', async () => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  await ask(things.port, { path: '/1/thing', headers: { traceparent: `00-${traceId}-${spanId}-01` } })
  const span = await theSpan()
  expect(span.spanContext().traceId).toBe(traceId)
  expect(span.parentSpanContext?.spanId).toBe(spanId)
  expect(seen.active).toBe(span.spanContext().spanId)
  expect(seen.header).toBe(`00-${traceId}-${span.spanContext().spanId}-01`)
})
