// The example of docs/tracing.md as a user runs it: a fleet with the SDK loaded before it, and a collector that gets the spans.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './http.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { temporaryFolder } from './service-options.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly Span[] }[]
  }[]
}

const exports: Export[] = []
let collector: Server
let pitot: PitotProcess
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = await request.toArray()
    if (request.url === '/v1/traces') exports.push(JSON.parse(Buffer.concat(body).toString()) as Export)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const free = ['gateway', 'connect', 'model-manage', 'engine'].flatMap((service) => [`--${service}-port`, '0'])
  pitot = await startPitot(['up', '--data', temporaryFolder(), '--log-level', 'error', ...free], {
    nodeArgs: ['--import', fileURLToPath(new URL('../examples/tracing/tracing.mjs', import.meta.url))],
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_SERVICE_NAME: 'fleet-under-test',
    },
  })
})
afterAll(async () => {
  await pitot?.end()
  collector?.close()
})

const spans = () =>
  exports.flatMap(({ resourceSpans }) => resourceSpans.flatMap((each) => each.scopeSpans)).flatMap((each) => each.spans)
const attribute = (span: Span, key: string) =>
  Object.values(span.attributes.find((each) => each.key === key)?.value ?? {})[0]

test('a request through the gateway is one trace, down to the batch that it waited for', async () => {
  const engine = '/api/1/service/engine-1'
  const put = async (path: string, body: object, type = 'application/json') => {
    const { status, text } = await call(pitot.urls.gateway!, `${engine}${path}`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    })
    expect(status, text).toBeLessThan(300)
  }
  const rest = { Transport: 'REST', Envelope: 'delimited', Encoding: 'json' }
  await put('/1/job/stream/out', rest)
  await put('/1/job/stream/in', rest)
  const model = { input: 'int', output: 'int', action: { '*': ['input', 'input'] } }
  await put('/1/job/model', model, 'application/vnd.pitot.model-pfa+json')

  const [traceId, caller] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const answer = await call(pitot.urls.gateway!, `${engine}/1/job/score`, {
    method: 'POST',
    headers: { traceparent: `00-${traceId}-${caller}-01` },
    body: '3\n4\n',
  })
  expect(answer.text).toBe('9\n16\n')

  const ours = () => spans().filter((span) => span.traceId === traceId)
  await expect.poll(() => ours().length, { timeout: 20_000 }).toBe(3)
  const [gateway, request, batch] = ['gateway', 'engine', undefined].map((service) =>
    ours().find((span) => attribute(span, 'pitot.service') === service),
  )
  expect(gateway!.parentSpanId).toBe(caller)
  expect(request).toMatchObject({ name: 'scoreRecords', parentSpanId: gateway!.spanId })
  expect(attribute(request!, 'http.response.status_code')).toBe(200)
  expect(batch).toMatchObject({ name: 'batch', parentSpanId: request!.spanId })
  expect(attribute(batch!, 'pitot.records')).toBe(2)
  const { resource } = exports[0]!.resourceSpans[0]!
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'fleet-under-test' } })
})

test('what was not sent yet is sent before the end', async () => {
  exports.length = 0
  const { status } = await call(pitot.urls['model-manage']!, '/1/model')
  expect(status).toBe(200)
  expect(await pitot.end()).toBe(0)
  expect(spans().map(({ name }) => name)).toContain('listModels')
})
