// Spans of batches, made by the real SDK and kept in memory.
import { context, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { Tracing } from '@pitot/service'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { debugInput, debugOutput, harness, modelOf, square } from '../job/harness.ts'

const memory = new InMemorySpanExporter()
let tracing: Tracing
beforeAll(async () => {
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: memory })] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  tracing = (await Tracing.registered())!
})
beforeEach(() => memory.reset())

const batches = () => memory.getFinishedSpans().filter(({ name }) => name === 'batch')
const sum = (attribute: string) => batches().reduce((total, span) => total + Number(span.attributes[attribute]), 0)

test('every batch of a stream is a trace of its own, from its dispatch to its delivery', async () => {
  await using one = harness({}, { tracing })
  await one.job.attachStream(1, debugOutput, {})
  await one.job.attachStream(0, debugInput([1, 22, 333]), {})
  await one.job.loadModel(modelOf('pfa-json', square), {})
  await one.state('FINISHED')
  expect(sum('pitot.records')).toBe(3)
  expect(sum('pitot.bytes')).toBe('122333'.length)
  for (const span of batches()) {
    expect(span.attributes['pitot.slot']).toBe(0)
    expect(span.parentSpanContext).toBeUndefined()
    expect(span.status.code).toBe(0)
    expect(span.events.map(({ name }) => name)).toEqual(['scored'])
  }
})

const rest = { Transport: 'REST', Envelope: 'delimited', Encoding: 'json' }

test('a round trip is part of the trace of its request; a batch that several wait for is linked to all', async () => {
  await using one = harness({}, { tracing })
  await one.job.attachStream(1, rest, {})
  await one.job.attachStream(0, rest, {})
  await one.job.loadModel(modelOf('pfa-json', square), {})
  const requests: Span[] = []
  const score = (body: string) =>
    trace.getTracer('test').startActiveSpan('request', async (span) => {
      requests.push(span)
      await one.job.score({ input: 0, output: 1, body: Buffer.from(body), timeout: 20_000 })
      span.end()
    })
  await Promise.all(Array.from({ length: 50 }, (_, index) => score(String(index))))
  const related = batches().flatMap(({ parentSpanContext, links }) => [
    parentSpanContext!.spanId,
    ...links.map(({ context: { spanId } }) => spanId),
  ])
  expect(related.toSorted()).toEqual(requests.map((span) => span.spanContext().spanId).toSorted())
  expect(sum('pitot.records')).toBe(50)
  // Far fewer batches than requests: those that waited for a jet went together.
  expect(batches().length).toBeLessThan(50)
})

test('batches that are not delivered any more are ended with the reason', async () => {
  await using one = harness({}, { tracing })
  await one.job.attachStream(1, debugOutput, {})
  await one.job.attachStream(0, debugInput([1]), {})
  await one.job.loadModel(modelOf('python3', 'import time\ndef action(x):\n    time.sleep(20)\n    yield x\n'), {})
  await vi.waitFor(() => expect(one.job.report().queue.batches).toBe(1), { timeout: 10_000 })
  await one.job.reset()
  expect(batches()).toHaveLength(1)
  expect(batches()[0]!.status).toEqual({ code: 2, message: expect.stringContaining('it was deleted') })
})
