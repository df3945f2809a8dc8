import { request as httpRequest } from 'node:http'
import { failure } from '@pitot/api'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { asPitotError } from '../src/reply.ts'
import type { RunningService } from '../src/service.ts'
import { ask } from './calls.ts'
import { startThings, type ThingHandlers } from './things.ts'

async function withHandlers(handlers: Partial<ThingHandlers>): Promise<RunningService> {
  const service = await startThings(handlers)
  onTestFinished(() => service.stop())
  return service
}

describe('bytes arrive as they are, with the content type they were given', () => {
  const bodies: [name: string, bytes: Uint8Array][] = [
    ['a short text', Buffer.from('0.25')],
    ['nothing', new Uint8Array()],
    ['text beyond ASCII', Buffer.from('naïve 雪')],
    ['bytes that are no text', Uint8Array.of(0xff, 0x00, 0x80)],
    ['a view into other bytes', Buffer.from('before inside behind').subarray(7, 13)],
    ['a long text', Buffer.alloc(10_000, 'x')],
  ]
  test.each(bodies)('%s', async (_, bytes) => {
    for (const type of ['application/json', 'text/plain']) {
      const service = await withHandlers({ getSlow: () => ({ status: 200, body: bytes, type: type as 'text/plain' }) })
      const reply = await fetch(`http://127.0.0.1:${service.port}/1/slow`)
      expect(reply.headers.get('content-type')).toBe(type)
      expect(reply.headers.get('content-length')).toBe(String(bytes.length))
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from(bytes))
    }
  })
})

test('JSON beyond ASCII has the right length, and no charset beside its type', async () => {
  const service = await withHandlers({ listThings: () => ({ status: 200, body: ['naïve 雪'] }) })
  const reply = await fetch(`http://127.0.0.1:${service.port}/1/thing`)
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(await reply.json()).toEqual(['naïve 雪'])
})

describe('an error', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  const sentence = "query parameter 'digit' is 'x', but must be a digit"
  const problem = {
    type: 'urn:pitot:error:bad-parameter',
    title: 'A query parameter has a value that it cannot have.',
    status: 403,
    code: 'bad-parameter',
    detail: sentence,
    instance: 'my-id',
  }

  const accepts: [accept: string | undefined, form: 'text' | 'problem'][] = [
    [undefined, 'text'],
    ['*/*', 'text'],
    ['text/plain', 'text'],
    ['application/json', 'problem'],
    ['Application/JSON', 'problem'],
    ['application/problem+json', 'problem'],
    ['application/json, */*', 'text'],
    ['application/json, text/plain', 'text'],
    ['application/json;q=0.9', 'text'],
    ['application/*', 'text'],
    ['application/x-yaml', 'text'],
    ['', 'text'],
  ]
  test.each(accepts)('with Accept: %s is a %s', async (accept, form) => {
    const { status, headers, text } = await ask(service.port, {
      path: '/1/thing/a?digit=x',
      headers: { 'x-request-id': 'my-id', ...(accept !== undefined && { accept }) },
    })
    expect(status).toBe(403)
    expect(headers['x-request-id']).toBe('my-id')
    expect(headers['cache-control']).toBe('no-store')
    if (form === 'text') {
      expect(headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(text).toBe(sentence)
    } else {
      expect(headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(text)).toEqual(problem)
    }
  })

  test('is one line in UTF-8, whatever it quotes', async () => {
    const { text, headers } = await ask(service.port, { path: '/1/thing/a?digit=%C3%A9%0D%0A%E2%80%A8x' })
    expect(text).toBe("query parameter 'digit' is 'é x', but must be a digit")
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
  })

  test('has no body on HEAD, but the same status and headers', async () => {
    const { status, headers, text } = await ask(service.port, { method: 'HEAD', path: '/1/thing/a?digit=x' })
    expect(status).toBe(403)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['content-length']).toBe(String(sentence.length))
    expect(text).toBe('')
  })

  test('that a handler throws goes out with its own headers', async () => {
    const { port } = await withHandlers({
      getSlow() {
        throw failure('store-unavailable', { reason: 'it is away' }, { 'retry-after': '5' })
      },
    })
    const { status, headers, text } = await ask(port, { path: '/1/slow' })
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('5')
    expect(text).toBe('the database cannot be reached: it is away; the request was not carried out, try again')
  })
})

describe('a reply', () => {
  test('in JSON has exactly the type application/json', async () => {
    const { port } = await withHandlers({
      listThings: () => ({ status: 200, body: { name: 'größe' }, headers: { etag: '"1"' } }),
    })
    const { status, headers, text } = await ask(port, { path: '/1/thing' })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(headers['content-length']).toBe('18')
    expect(headers.etag).toBe('"1"')
    expect(text).toBe('{"name":"größe"}')
  })

  test('in JSON may name another type', async () => {
    const { port } = await withHandlers({
      listThings: () => ({ status: 200, body: null, type: 'application/schema+json' }),
    })
    const { headers, text } = await ask(port, { path: '/1/thing' })
    expect(headers['content-type']).toBe('application/schema+json')
    expect(text).toBe('null')
  })

  const all = Buffer.from('--content--')
  const bodies: [name: string, body: Uint8Array][] = [
    ['a buffer', Buffer.from('content')],
    ['a part of a buffer', all.subarray(2, 9)],
    ['a part of an array', new Uint8Array(all.buffer, all.byteOffset + 2, 7)],
  ]
  test.each(bodies)('of %s is sent as it is, with its length and exactly its type', async (_, body) => {
    const { port } = await withHandlers({
      getSlow: () => ({ status: 200, body, type: 'application/vnd.pitot.model-r' }),
    })
    const { headers, text } = await ask(port, { path: '/1/slow' })
    expect(text).toBe('content')
    expect(headers['content-length']).toBe('7')
    expect(headers['content-type']).toBe('application/vnd.pitot.model-r')
  })

  test('of pieces is sent in chunks', async () => {
    const { port } = await withHandlers({})
    const { headers, text } = await ask(port, { path: '/1/stream' })
    expect(text).toBe('one two three')
    expect(headers['transfer-encoding']).toBe('chunked')
    expect(headers['content-type']).toBe('text/plain')
  })

  test('of pieces whose length is known says so', async () => {
    const body = async function* () {
      yield Buffer.from('12345')
    }
    const { port } = await withHandlers({
      getStream: () => ({ status: 200, body: body(), headers: { 'content-length': '5' } }),
    })
    const { headers, text } = await ask(port, { path: '/1/stream' })
    expect(text).toBe('12345')
    expect(headers['content-length']).toBe('5')
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  test('without content has none', async () => {
    const { port } = await withHandlers({})
    const { status, headers, text } = await ask(port, { method: 'POST', path: '/1/scale?digit=1' })
    expect(status).toBe(204)
    expect(text).toBe('')
    expect(headers['content-type']).toBeUndefined()
  })

  test('to a HEAD of its own tells length and type', async () => {
    const { port } = await withHandlers({})
    const { status, headers, text } = await ask(port, { method: 'HEAD', path: '/1/stream' })
    expect(status).toBe(200)
    expect(headers['content-length']).toBe('13')
    expect(headers['content-type']).toBe('text/plain')
    expect(text).toBe('')
  })

  test('that breaks in the middle is cut off, so that nobody takes it for whole', async () => {
    const body = async function* () {
      yield Buffer.from('half')
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('gone')
    }
    const { port } = await withHandlers({ getStream: () => ({ status: 200, body: body() }) })
    await expect(ask(port, { path: '/1/stream' })).rejects.toThrow(/aborted|ECONNRESET|socket hang up/)
    expect((await ask(port)).status).toBe(200)
  })

  test('that nobody reads any more is ended', async () => {
    const ended = vi.fn()
    const body = async function* () {
      try {
        while (true) yield Buffer.alloc(65536)
      } finally {
        ended()
      }
    }
    const { port } = await withHandlers({ getStream: () => ({ status: 200, body: body() }) })
    await new Promise<void>((resolve) => {
      const request = httpRequest({ host: '127.0.0.1', port, path: '/1/stream', agent: false }, (response) => {
        response.on('error', () => {})
        response.once('data', () => request.destroy())
        response.on('close', () => resolve())
      })
      request.on('error', () => {}).end()
    })
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), 5000)
  })
})

describe('asPitotError', () => {
  test('leaves an error of the catalogue as it is', () => {
    const error = failure('config-not-set', {})
    expect(asPitotError(error, 'r1')).toBe(error)
  })
  test.each([new Error('secret'), 'secret', null, undefined, { code: 'ENOENT' }])(
    'makes an internal error of %o, without its words',
    (thrown) => {
      const error = asPitotError(thrown, 'r1')
      expect(error.code).toBe('internal')
      expect(error.status).toBe(500)
      expect(error.message).toBe('something went wrong inside the service; its log has the details under request id r1')
    },
  )
})
