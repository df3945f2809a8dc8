import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { failure } from '@pitot/api'
import { startConnect } from '@pitot/connect'
import { startEngine } from '@pitot/engine'
import { startModelManage } from '@pitot/model-manage'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { engineSettings } from '../../../test/service-options.ts'
import type { RunningService, ServiceOptions } from '../src/service.ts'
import { ask } from './calls.ts'
import { startThings, testOptions } from './things.ts'

let service: RunningService
beforeAll(async () => {
  service = await startThings()
})
afterAll(() => service.stop())

const swagger = (query = '', accept?: string) =>
  ask(service.port, { path: `/1/swagger${query}`, headers: accept === undefined ? {} : { accept } })

describe('GET /1/swagger', () => {
  const forms: [accept: string | undefined, type: string][] = [
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/x-yaml', 'application/x-yaml'],
    ['application/yaml', 'application/yaml'],
    ['text/yaml', 'text/yaml'],
    ['application/x-yaml, application/json;q=0.5', 'application/x-yaml'],
    // Better the document than an error: every client can read JSON.
    ['text/html', 'application/json'],
  ]
  test.each(forms)('with Accept: %s gives exactly the type %s', async (accept, type) => {
    const { status, headers, text } = await swagger('', accept)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(type)
    const document = type === 'application/json' ? JSON.parse(text) : parse(text)
    expect(document.swagger).toBe('2.0')
    expect(document.info).toEqual({ title: 'Things API', version: '1.3' })
    expect(document.paths['/thing/{thing}'].put.operationId).toBe('putThing')
  })

  test('says the same in YAML and in JSON, without references', async () => {
    const yaml = (await swagger('', 'application/x-yaml')).text
    expect(parse(yaml)).toEqual(JSON.parse((await swagger()).text))
    expect(yaml).not.toMatch(/[&*]a\d/)
  })

  test('gives a valid Swagger 2.0 document', async () => {
    const document = JSON.parse((await swagger('?format=swagger2')).text)
    await expect(SwaggerParser.validate(document)).resolves.toMatchObject({ swagger: '2.0', basePath: '/1' })
  })

  test('gives a valid OpenAPI 3.1 document when asked for it', async () => {
    const { status, text } = await swagger('?format=openapi3')
    expect(status).toBe(200)
    const document = JSON.parse(text)
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/metrics')
    expect(await new Validator().validate(document)).toEqual({ valid: true })
    expect(parse((await swagger('?format=openapi3', 'application/x-yaml')).text).openapi).toBe('3.1.0')
  })

  test('refuses another format', async () => {
    const { status, text } = await swagger('?format=raml')
    expect(status).toBe(403)
    expect(text).toBe("query parameter 'format' is 'raml', but must be one of swagger2, openapi3")
  })
})

describe('GET /1/health', () => {
  test('tells id, release and time of the build', async () => {
    const { status, headers, text } = await ask(service.port, { path: '/1/health' })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      release: '1.3',
      built_on: expect.stringMatching(/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}$/),
    })
    expect((await ask(service.port, { path: '/1/health' })).text).toBe(text)
  })

  test('tells why the service cannot work', async () => {
    let works = false
    const sick = await startThings(
      {},
      {},
      {
        async checkHealth() {
          if (!works) throw failure('store-unavailable', { reason: 'it is away' })
        },
      },
    )
    onTestFinished(() => sick.stop())
    const { status, text } = await ask(sick.port)
    expect(status).toBe(503)
    expect(text).toBe('the database cannot be reached: it is away; the request was not carried out, try again')
    works = true
    expect((await ask(sick.port)).status).toBe(200)
  })
})

describe('GET /metrics', () => {
  test('counts requests by operation and status', async () => {
    const counted = await startThings()
    onTestFinished(() => counted.stop())
    await ask(counted.port, { path: '/1/thing/a' })
    await ask(counted.port, { path: '/1/thing/b' })
    await ask(counted.port, { path: '/1/thing/b?digit=x' })
    await ask(counted.port, { path: '/nowhere' })
    await ask(counted.port, { path: '/1/health', headers: { host: 'evil.example' } })
    const { status, headers, text } = await ask(counted.port, { path: '/metrics' })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text).toContain('# HELP pitot_requests_total Requests answered.\n# TYPE pitot_requests_total counter\n')
    expect(text).toContain('\npitot_requests_total{operation="getThing",status="200"} 2\n')
    expect(text).toContain('\npitot_requests_total{operation="getThing",status="403"} 1\n')
    expect(text).toContain('\npitot_requests_total{operation="other",status="404"} 1\n')
    expect(text).toContain('\npitot_requests_total{operation="getHealth",status="403"} 1\n')
    expect(text).toContain('\npitot_request_seconds_bucket{operation="getThing",le="+Inf"} 3\n')
    expect(text).toContain('\npitot_request_seconds_count{operation="getThing"} 3\n')
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
    expect(text).toMatch(/^[^\n]+\n$|\n$/)
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^# (HELP|TYPE) \S+ .+$|^[a-z_]+(\{[^{}]+\})? [-+.\deE]+$/)
  })

  test('has what the service itself counts', async () => {
    service.metrics.counter('things_total', 'Things.').add(3)
    expect((await ask(service.port, { path: '/metrics' })).text).toContain('\nthings_total 3\n')
  })
})

/** The only thing a published client checks before it goes on. */
describe('the title in the swagger document', () => {
  const titles: [title: string, start: (options: ServiceOptions & { data: string }) => Promise<RunningService>][] = [
    ['Connect API', startConnect],
    ['Model Manage API', startModelManage],
    ['Engine API', (options) => startEngine({ ...options, ...engineSettings })],
  ]
  test.each(titles)('is exactly %s', async (title, start) => {
    const data = await mkdtemp(join(tmpdir(), 'pitot-titles-'))
    onTestFinished(() => rm(data, { recursive: true, force: true }))
    const started = await start({ ...(await testOptions()), data })
    onTestFinished(() => started.stop())
    const { text } = await ask(started.port, { path: '/1/swagger' })
    expect(JSON.parse(text).info).toEqual({ title, version: '1.3' })
    await SwaggerParser.validate(JSON.parse(text))
  })
})
