// A small service to test the kernel with: things with parts, and operations that are slow, broken or streaming.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commonOperations, type Handlers, type OperationTable, type Parameter } from '@pitot/api'
import { onTestFinished } from 'vitest'
import { type Certificate, ownCertificate } from '../src/certificate.ts'
import type { CommonHandlers } from '../src/common-handlers.ts'
import { createLog } from '../src/log.ts'
import { type RunningService, type ServiceDefinition, type ServiceOptions, startService } from '../src/service.ts'

const digit: Parameter<number> = {
  summary: 'A digit.',
  allowed: 'a digit',
  schema: { type: 'integer' },
  read: (given) => (/^\d$/.test(given) ? Number(given) : undefined),
}
const word: Parameter<string> = {
  summary: 'A text.',
  allowed: 'a text',
  schema: { type: 'string' },
  read: (given) => given,
}
const anything = { 200: { summary: 'What came in.', kind: 'json', schema: {} } } as const
const content = { summary: 'The content.', kind: 'bytes', types: ['text/plain'] } as const
const document = { summary: 'A document.', types: ['text/plain'], as: 'bytes', required: true } as const

export const thingOperations = {
  ...commonOperations,
  listThings: { method: 'GET', path: '/1/thing', summary: 'Lists things.', replies: anything },
  getThing: {
    method: 'GET',
    path: '/1/thing/{thing}',
    summary: 'Gives a thing.',
    query: { digit, word },
    replies: anything,
  },
  putThing: { method: 'PUT', path: '/1/thing/{thing}', summary: 'Takes a thing.', body: document, replies: anything },
  putPart: {
    method: 'PUT',
    path: '/1/thing/{thing}/part/{part}',
    summary: 'Takes a part, as it comes.',
    body: { ...document, as: 'stream', required: false },
    replies: anything,
  },
  getNumbered: {
    method: 'GET',
    path: '/1/numbered/{id}',
    integers: { id: 'Id.' },
    summary: 'Gives what has a number.',
    replies: anything,
  },
  scale: {
    method: 'POST',
    path: '/1/scale',
    summary: 'Needs a digit.',
    query: { digit: { ...digit, required: true } },
    replies: { 204: { summary: 'Done.', kind: 'empty' } },
  },
  getStream: { method: 'GET', path: '/1/stream', summary: 'Streams.', replies: { 200: content } },
  headStream: {
    method: 'HEAD',
    path: '/1/stream',
    summary: 'Tells of the stream.',
    replies: { 200: { summary: 'Good.', kind: 'empty' } },
  },
  getSlow: { method: 'GET', path: '/1/slow', summary: 'Waits.', replies: { 200: content } },
  getBroken: { method: 'GET', path: '/1/broken', summary: 'Breaks.', replies: { 200: content } },
} as const satisfies OperationTable

export type ThingHandlers = Omit<Handlers<typeof thingOperations>, keyof CommonHandlers>

export const thingHandlers: ThingHandlers = {
  listThings: () => ({ status: 200, body: [] }),
  getThing: ({ path, query, id }) => ({ status: 200, body: { path, query, id } }),
  putThing: ({ path, body }) => ({ status: 200, body: { path, text: Buffer.from(body).toString() } }),
  async putPart({ path, body }) {
    const chunks: Uint8Array[] = []
    for await (const chunk of body.chunks) chunks.push(chunk)
    return { status: 200, body: { path, length: body.length ?? null, text: Buffer.concat(chunks).toString() } }
  },
  getNumbered: ({ path }) => ({ status: 200, body: path }),
  scale: () => ({ status: 204 }),
  getStream: () => ({ status: 200, body: pieces('one ', 'two ', 'three'), type: 'text/plain' }),
  headStream: () => ({ status: 200, type: 'text/plain', headers: { 'content-length': '13' } }),
  getSlow: () => ({ status: 200, body: Buffer.from('slow'), type: 'text/plain' }),
  getBroken() {
    throw new TypeError('a secret of the inside')
  },
}

export async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

let made: Promise<Certificate> | undefined

/** One for all services of a test file. */
export function testCertificate(): Promise<Certificate> {
  made ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pitot-service-'))
    const certificate = await ownCertificate(folder)
    await rm(folder, { recursive: true })
    return certificate
  })()
  return made
}

export async function testOptions(options: Partial<ServiceOptions> = {}): Promise<ServiceOptions> {
  return {
    host: '127.0.0.1',
    port: 0,
    certificate: await testCertificate(),
    tlsRequired: false,
    allowHosts: [],
    allowOrigins: [],
    maxDocument: 1000,
    log: createLog({ level: 'silent', format: 'json' }),
    ...options,
  }
}

/** For one test: it is stopped when the test has finished. */
export async function startForTest(...given: Parameters<typeof startThings>): Promise<RunningService> {
  const service = await startThings(...given)
  onTestFinished(() => service.stop())
  return service
}

export async function startThings(
  handlers: Partial<ThingHandlers> = {},
  options: Partial<ServiceOptions> = {},
  more: Partial<ServiceDefinition<typeof thingOperations>> = {},
): Promise<RunningService> {
  const definition = { name: 'things', title: 'Things API', operations: thingOperations }
  return startService(
    { ...definition, handlers: { ...thingHandlers, ...handlers }, ...more },
    await testOptions(options),
  )
}
