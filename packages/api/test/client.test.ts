import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientOptions, createClient } from '../src/client.ts'
import { bytes, empty, json, operations } from '../src/operation.ts'
import { anyWords, flag, integer, text } from '../src/parameters.ts'

const Echo = Type.Object({
  method: Type.String(),
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
})
const echo = { 200: json(Echo, 'What came in.') }
const table = operations({
  list: {
    method: 'GET',
    path: '/1/thing',
    summary: 'Lists.',
    query: { q: text('Q.'), n: integer('N.'), all: flag('All.'), return: anyWords('R.') },
    replies: echo,
  },
  get: { method: 'GET', path: '/1/thing/{thing}', summary: 'Gets.', names: { thing: 'T' }, replies: echo },
  part: {
    method: 'PUT',
    path: '/1/thing/{thing}/part/{number}',
    summary: 'Puts.',
    names: { thing: 'T' },
    integers: { number: 'N' },
    body: { summary: 'B', types: ['text/plain'], as: 'stream', required: false },
    replies: echo,
  },
  remove: { method: 'DELETE', path: '/1/thing/{thing}', summary: 'Deletes.', names: { thing: 'T' }, replies: echo },
  download: { method: 'GET', path: '/slow', summary: 'Streams.', replies: { 200: bytes('B.', 'text/plain') } },
  fail: { method: 'POST', path: '/fail', summary: 'Fails.', replies: { 204: empty('Never.') } },
})

/** Pieces of the slow download that were asked for, and how its connection ended. */
const release: (() => void)[] = []
const server = createServer(async (request, response) => {
  if (request.url === '/fail') return void response.writeHead(403).end('no')
  if (request.url === '/slow') {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('first;')
    release.push(() => response.end('second'))
    return
  }
  const { method, url, headers } = request
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ method, url, headers, body: await bodyOf(request) }))
})
let url = ''
const client = (options: Partial<ClientOptions> = {}) => createClient(table, { url, ...options })

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('the address of a call', () => {
  const names: [name: string, segment: string][] = [
    ['plain', 'plain'],
    ['with space', 'with%20space'],
    ['a/b', 'a%2Fb'],
    ['../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['100%', '100%25'],
    ['%2F', '%252F'],
    ['a?b#c&d=e', 'a%3Fb%23c%26d%3De'],
    ['semi;colon', 'semi%3Bcolon'],
    ['back\\slash', 'back%5Cslash'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['日本', '%E6%97%A5%E6%9C%AC'],
    ['😀', '%F0%9F%98%80'],
    ['{thing}', '%7Bthing%7D'],
    ['$&', '%24%26'],
  ]
  test.each(names)('has the name %j as the one segment %s', async (thing, segment) => {
    const reply = await client().get({ path: { thing } })
    expect((await reply.json()).url).toBe(`/1/thing/${segment}`)
  })

  // A URL cannot carry these as a segment: `fetch` would take them, even as %2E, for steps up the path.
  test.each(['.', '..'])('cannot have the name %j, so nothing is sent', async (thing) => {
    const call = client().part({ path: { thing, number: 1 } })
    await expect(call).rejects.toMatchObject({ code: 'bad-name', message: `the thing name must not be '${thing}'` })
  })

  test('cannot have a name that is no Unicode text, so nothing is sent', async () => {
    await expect(client().get({ path: { thing: 'a\ud800' } })).rejects.toMatchObject({
      code: 'bad-name',
      message: 'the thing name is not valid UTF-8',
    })
  })

  test('arrives with the very name, whatever it is', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..')
    await fc.assert(
      fc.asyncProperty(name, fc.nat(), async (thing, number) => {
        const echoed = await (await client().part({ path: { thing, number } })).json()
        const segments = echoed.url.split('/').map(decodeURIComponent)
        expect(segments).toEqual(['', '1', 'thing', thing, 'part', String(number)])
      }),
    )
  })

  const bases = ['', '/', '//', '/prefix', '/prefix/']
  test.each(bases)('begins with the base address, here followed by %j', async (tail) => {
    const reply = await client({ url: url + tail }).list()
    expect((await reply.json()).url).toBe(`${tail.replace(/\/+$/, '')}/1/thing`)
  })
})

describe('the query of a call', () => {
  const queries: [
    query: NonNullable<NonNullable<Parameters<ReturnType<typeof client>['list']>[0]>['query']>,
    url: string,
  ][] = [
    [{}, '/1/thing'],
    [{ n: 0 }, '/1/thing?n=0'],
    [{ all: false }, '/1/thing?all=false'],
    [{ q: '' }, '/1/thing?q='],
    [{ q: 'a b&c=d+é' }, '/1/thing?q=a+b%26c%3Dd%2B%C3%A9'],
    [{ return: ['host', 'port'] }, '/1/thing?return=host%2Cport'],
    [{ return: [] }, '/1/thing?return='],
    [{ q: 'x', n: -1 }, '/1/thing?q=x&n=-1'],
  ]
  test.each(queries)('%j is written %s', async (query, expected) => {
    const reply = await client().list({ query })
    expect((await reply.json()).url).toBe(expected)
  })

  test('arrives with the very text, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (q) => {
        const echoed = await (await client().list({ query: { q } })).json()
        expect(new URL(echoed.url, url).searchParams.get('q')).toBe(q)
      }),
    )
  })
})

describe('what a call sends', () => {
  test('is the method of its row, and no token unless there is one', async () => {
    const echoed = await (await client().remove({ path: { thing: 'a' } })).json()
    expect(echoed.method).toBe('DELETE')
    expect(echoed.headers).not.toHaveProperty('authorization')
    expect(echoed.headers).not.toHaveProperty('content-type')
    expect(echoed.body).toBe('')
  })

  test('is the token, the content type, own headers and the body', async () => {
    const path = { thing: 'a', number: 1 }
    const call = { path, headers: { 'x-own': 'mine' }, type: 'application/zip', body: 'größe' }
    const echoed = await (await client({ token: 'secret' }).part(call)).json()
    expect(echoed.method).toBe('PUT')
    expect(echoed.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/zip',
      'x-own': 'mine',
      'content-length': '7',
    })
    expect(echoed.body).toBe('größe')
  })

  test('can be a stream, which goes out in chunks', async () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const piece of ['one ', 'two ', 'three']) {
          controller.enqueue(new TextEncoder().encode(piece))
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        controller.close()
      },
    })
    const echoed = await (await client().part({ path: { thing: 'a', number: 2 }, body })).json()
    expect(echoed.body).toBe('one two three')
    expect(echoed.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
  })
})

describe('what a call gives', () => {
  test('is the answer, whatever its status', async () => {
    const reply = await client().fail()
    expect(reply.status).toBe(403)
    expect(await reply.text()).toBe('no')
  })

  test('is a stream that can be read before it ends', async () => {
    const reply = await client().download()
    const reader = reply.body!.getReader()
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toBe('first;')
    release.pop()!()
    const second = await reader.read()
    expect(new TextDecoder().decode(second.value)).toBe('second')
    expect((await reader.read()).done).toBe(true)
  })

  test('is an error when the caller gives up', async () => {
    const controller = new AbortController()
    const reply = await client().download({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(reply.text()).rejects.toThrow('enough')
    release.pop()!()
  })

  test('is an error when the caller had given up before', async () => {
    await expect(client().list({ signal: AbortSignal.abort(new Error('never mind')) })).rejects.toThrow('never mind')
  })

  test('is an error when nobody listens', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    await new Promise((resolve) => silent.close(resolve))
    await expect(client({ url: `http://127.0.0.1:${port}` }).list()).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

test('another way to carry requests is used when given', async () => {
  const seen: [string, string | undefined][] = []
  const carried = client({
    url: 'https://elsewhere',
    fetch: async (address, init) => {
      seen.push([address, init.method])
      return new Response('carried')
    },
  })
  expect(await (await carried.get({ path: { thing: 'a b' } })).text()).toBe('carried')
  expect(seen).toEqual([['https://elsewhere/1/thing/a%20b', 'GET']])
})
