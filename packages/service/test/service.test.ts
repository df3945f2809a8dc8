import { Agent, request as httpRequest } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { bindingTrouble, type RunningService } from '../src/service.ts'
import { type Answer, ask, type Call, dial, sendBytes } from './calls.ts'
import { startThings, thingHandlers } from './things.ts'

type Start = Parameters<typeof startThings>

async function start(...given: Start): Promise<RunningService> {
  const service = await startThings(...given)
  onTestFinished(() => service.stop())
  return service
}

/** A handler that waits until it is let go. */
function gate() {
  const entered = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const getSlow = async (): Promise<{ status: 200; body: Uint8Array }> => {
    entered.resolve()
    await open.promise
    return { status: 200, body: Buffer.from('finished') }
  }
  return { entered: entered.promise, open: open.resolve, getSlow }
}

/** A log that is kept. */
function keptLog() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

describe('a request id', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  const idOf = async (headers: Record<string, string>, path = '/1/thing/a') =>
    (await ask(service.port, { path, headers })).headers['x-request-id']

  test.each(['a', 'req-1', '0123456789abcdef', 'A.b:c_d-e', 'x'.repeat(128)])(
    'of the caller is used: %s',
    async (id) => {
      const { headers, text } = await ask(service.port, { path: '/1/thing/a', headers: { 'x-request-id': id } })
      expect(headers['x-request-id']).toBe(id)
      expect(JSON.parse(text).id).toBe(id)
    },
  )

  test.each(['', ' ', 'a b', 'a"b', '<script>', 'a/b', 'x'.repeat(129), 'a, b', '{}'])(
    'of the caller is replaced when it is unsafe: %j',
    async (id) => {
      expect(await idOf({ 'x-request-id': id })).toMatch(/^[0-9a-z]{5}-[0-9a-z]+$/)
    },
  )

  test('is made when there is none, and is never the same', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => idOf({})))
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{5}-[0-9a-z]+$/)
  })

  test.each(['/nowhere', '/1/thing/%zz', '/1/thing/a?x=1'])('is given on errors too: %s', async (path) => {
    expect(await idOf({ 'x-request-id': 'mine' }, path)).toBe('mine')
  })
})

describe('a request that finds no operation', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  const cases: [method: string, path: string, status: number, sentence: string, allow?: string][] = [
    ['GET', '/1/helth', 404, 'there is no /1/helth here; did you mean /1/health?'],
    ['GET', '/', 404, 'there is no / here'],
    ['GET', '/1/health/', 404, 'there is no /1/health/ here; did you mean /1/health?'],
    ['GET', '//1/health', 404, 'there is no //1/health here; did you mean /1/health?'],
    ['POST', '/1/health', 405, 'POST is not possible on /1/health; possible: GET, HEAD', 'GET, HEAD'],
    ['OPTIONS', '/1/thing/a', 405, 'OPTIONS is not possible on /1/thing/a; possible: GET, HEAD, PUT', 'GET, HEAD, PUT'],
    ['TRACE', '/1/thing/a', 405, 'TRACE is not possible on /1/thing/a; possible: GET, HEAD, PUT', 'GET, HEAD, PUT'],
    [
      'PROPFIND',
      '/1/thing/a',
      405,
      'PROPFIND is not possible on /1/thing/a; possible: GET, HEAD, PUT',
      'GET, HEAD, PUT',
    ],
    [
      'DELETE',
      '/1/thing/a%2Fb',
      405,
      'DELETE is not possible on /1/thing/a%2Fb; possible: GET, HEAD, PUT',
      'GET, HEAD, PUT',
    ],
    ['GET', '/1/thing/', 400, 'the thing name is empty'],
    ['PUT', '/1/thing//part/x', 400, 'the thing name is empty'],
    ['PUT', '/1/thing/x/part/', 400, 'the part name is empty'],
  ]
  test.each(cases)('%s %s is answered with %i: %s', async (method, path, status, sentence, allow) => {
    const answer = await ask(service.port, { method, path })
    expect(answer.text).toBe(sentence)
    expect(answer.status).toBe(status)
    expect(answer.headers.allow).toBe(allow)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('a URL', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  test('of 8192 bytes is taken', async () => {
    const path = `/1/thing/a?word=${'x'.repeat(8192 - '/1/thing/a?word='.length)}`
    expect((await ask(service.port, { path })).status).toBe(200)
  })
  const long: [name: string, path: string][] = [
    ['in its query', `/1/thing/a?word=${'x'.repeat(8193 - '/1/thing/a?word='.length)}`],
    ['in a name', `/1/thing/${'x'.repeat(8200)}`],
    ['in a percent-encoded name', `/1/thing/${'%20'.repeat(5000)}`],
    ['in a path that nobody knows', `/${'x'.repeat(9000)}`],
  ]
  test.each(long)('that is longer %s is refused', async (_, path) => {
    const { status, text } = await ask(service.port, { path })
    expect(text).toBe('the URL is longer than 8192 bytes')
    expect(status).toBe(414)
  })
})

describe('a token', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings({}, { token: 'secret' })
  })
  afterAll(() => service.stop())
  const guarded: [method: string, path: string][] = [
    ['GET', '/1/thing'],
    ['HEAD', '/1/thing'],
    ['HEAD', '/1/stream'],
    ['PUT', '/1/thing/a'],
    ['GET', '/1/swagger'],
    ['GET', '/metrics'],
    ['GET', '/nowhere'],
    ['DELETE', '/1/thing'],
    ['GET', '/1/thing/'],
    ['GET', '/1/thing/%zz'],
    ['GET', `/1/thing/${'x'.repeat(9000)}`],
    ['OPTIONS', '/1/thing'],
  ]
  const named = guarded.map(([method, path]) => ({ method, path, shown: path.slice(0, 20) }))
  test.each(named)('is needed for $method $shown', async ({ method, path }) => {
    const { status, headers, text } = await ask(service.port, { method, path })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect(text).toBe(method === 'HEAD' ? '' : 'this service needs a token: send it as `Authorization: Bearer TOKEN`')
  })

  test('that is right opens everything', async () => {
    const headers = { authorization: 'Bearer secret' }
    const statuses = guarded.map(async ([method, path]) => (await ask(service.port, { method, path, headers })).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 400, 200, 200, 404, 405, 400, 400, 414, 405])
  })

  test('is not needed for health', async () => {
    expect((await ask(service.port, { path: '/1/health' })).status).toBe(200)
    expect((await ask(service.port, { path: '/1/health', method: 'HEAD' })).status).toBe(200)
  })

  test('that is missing stops an upload before it reaches its operation', async () => {
    const putPart = vi.fn(thingHandlers.putPart)
    const { port } = await start({ putPart }, { token: 'secret' })
    const { status } = await ask(port, { method: 'PUT', path: '/1/thing/a/part/b', body: 'x'.repeat(100_000) })
    expect(status).toBe(401)
    expect(putPart).not.toHaveBeenCalled()
  })
})

test('a host and an origin that are not allowed are refused on every path', async () => {
  const { port } = await start()
  for (const path of ['/1/health', '/1/thing', '/nowhere', '/1/thing/%zz']) {
    expect((await ask(port, { path, headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await ask(port, { path, headers: { origin: 'http://evil.example' } })).status).toBe(403)
  }
})

test('a service that requires TLS says so to plain callers, and its address is https', async () => {
  const { port, url } = await start({}, { tlsRequired: true })
  expect(url).toBe(`https://127.0.0.1:${port}`)
  const { status, text } = await ask(port)
  expect(status).toBe(403)
  expect(text).toBe('this service was started with --tls required: use https:// instead of http://')
  expect((await ask(port, { tls: true })).status).toBe(200)
})

describe('a handler that breaks', () => {
  test.each(['text/plain', 'application/json'])(
    'is answered with 500, the request id and no secrets (Accept: %s)',
    async (accept) => {
      const { log, lines } = keptLog()
      const { port } = await start({}, { log })
      const { status, text, headers } = await ask(port, {
        path: '/1/broken',
        headers: { 'x-request-id': 'r-1', accept },
      })
      expect(status).toBe(500)
      expect(headers['x-request-id']).toBe('r-1')
      const sentence = 'something went wrong inside the service; its log has the details under request id r-1'
      if (accept === 'text/plain') expect(text).toBe(sentence)
      else expect(JSON.parse(text)).toMatchObject({ code: 'internal', detail: sentence, instance: 'r-1' })
      expect(text).not.toMatch(/secret of the inside|TypeError|\.ts:/)
      expect(lines.find((line) => line.msg === 'internal error')).toMatchObject({
        level: 50,
        service: 'things',
        request: 'r-1',
        method: 'GET',
        url: '/1/broken',
        err: { type: 'TypeError', message: 'a secret of the inside' },
      })
    },
  )

  test.each([
    ['rejects', () => Promise.reject(new Error('x'))],
    ['throws nothing', () => Promise.reject(undefined)],
    ['throws a text', () => Promise.reject('x')],
  ])('by what it %s is answered with 500, and the service goes on', async (_, getSlow) => {
    const { port } = await start({ getSlow })
    const { status, text } = await ask(port, { path: '/1/slow', headers: { 'x-request-id': 'r-2' } })
    expect(text).toBe('something went wrong inside the service; its log has the details under request id r-2')
    expect(status).toBe(500)
    expect((await ask(port)).status).toBe(200)
  })
})

test('every request is logged when the log is that fine, with its status and id', async () => {
  const { log, lines } = keptLog()
  const { port } = await start({}, { log })
  await ask(port, { path: '/1/thing/a?digit=x', headers: { 'x-request-id': 'r-3' } })
  await vi.waitFor(() =>
    expect(lines.find((line) => line.msg === 'request')).toMatchObject({
      level: 20,
      request: 'r-3',
      method: 'GET',
      url: '/1/thing/a?digit=x',
      status: 403,
      ms: expect.any(Number),
    }),
  )
})

test('a handler learns that its caller has gone away', async () => {
  const gone = Promise.withResolvers<boolean>()
  const entered = Promise.withResolvers<void>()
  const { port } = await start({
    async getSlow({ signal }) {
      signal.addEventListener('abort', () => gone.resolve(true))
      entered.resolve()
      await gone.promise
      return { status: 200, body: Buffer.from('late') }
    },
  })
  const { socket, all } = dial(port)
  socket.write('GET /1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await entered.promise
  socket.destroy()
  await all
  expect(await gone.promise).toBe(true)
})

test('a caller who waits for his answer is not gone, though his request was read to the end', async () => {
  const signals: AbortSignal[] = []
  const { port } = await start({
    async putThing({ signal, path }) {
      signals.push(signal)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { status: 200, body: { path, gone: signal.aborted } }
    },
  })
  const answer = await ask(port, { method: 'PUT', path: '/1/thing/a', body: 'text' })
  expect(JSON.parse(answer.text)).toMatchObject({ gone: false })
  await ask(port, { path: '/1/thing' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

describe('stop', () => {
  test('lets a slow request finish, then calls close, and the port is free', async () => {
    const { entered, open, getSlow } = gate()
    const close = vi.fn(async () => {})
    const service = await startThings({ getSlow }, {}, { close })
    const answer = ask(service.port, { path: '/1/slow' })
    await entered
    const stopped = service.stop()
    await expect(ask(service.port)).rejects.toThrow(/ECONNREFUSED/)
    expect(close).not.toHaveBeenCalled()
    open()
    expect(await answer).toMatchObject({ status: 200, text: 'finished' })
    await stopped
    expect(close).toHaveBeenCalledOnce()
    const again = await startThings({}, { port: service.port })
    expect(again.port).toBe(service.port)
    await again.stop()
  })

  test('does not wait for a caller that keeps its connection after a slow request', async () => {
    const { entered, open, getSlow } = gate()
    const service = await startThings({ getSlow })
    const agent = new Agent({ keepAlive: true })
    const answer = keepAlive(service.port, '/1/slow', agent)
    await entered
    const stopped = service.stop()
    open()
    expect(await answer).toMatchObject({ status: 200, text: 'finished', headers: { connection: 'close' } })
    await stopped
    agent.destroy()
  }, 5000)

  test('answers a request that comes too late on a kept connection with 503', async () => {
    const last = Promise.withResolvers<void>()
    const body = async function* () {
      yield Buffer.from('first ')
      await last.promise
      yield Buffer.from('last')
    }
    const service = await startThings({ getStream: () => ({ status: 200, body: body() }) })
    const { socket, all } = dial(service.port)
    const begun = new Promise((resolve) => socket.once('data', resolve))
    socket.write('GET /1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await begun
    const stopped = service.stop()
    socket.write('GET /1/thing HTTP/1.1\r\nHost: localhost\r\n\r\n')
    setTimeout(last.resolve, 50)
    const [first, second] = (await all).split('\r\n0\r\n\r\n') as [string, string]
    await stopped
    expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n.*first .*last$/s)
    expect(second).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(second).toContain('\r\nretry-after: 1\r\n')
    expect(second).toMatch(/\r\nconnection: close\r\n/i)
    expect(second).toMatch(/\r\n\r\nthe service is stopping; try again in a moment$/)
  }, 5000)

  test('may be called twice', async () => {
    const close = vi.fn(async () => {})
    const service = await startThings({}, {}, { close })
    await Promise.all([service.stop(), service.stop()])
    await service.stop()
    expect(close).toHaveBeenCalledOnce()
  }, 5000)
})

/** One request on a connection that the caller would like to keep. */
function keepAlive(port: number, path: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, agent }, async (response) => {
      const text = (await response.toArray()).join('')
      resolve({ status: response.statusCode!, headers: response.headers, text })
    })
    request.on('error', reject).end()
  })
}

describe('start', () => {
  test('fails when the port is taken', async () => {
    const { port } = await start()
    await expect(startThings({}, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  const hosts: [host: string, url: RegExp][] = [
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ]
  test.each(hosts)('on %s gives an address to call', async (host, url) => {
    const service = await start({}, { host })
    expect(service.name).toBe('things')
    expect(service.host).toBe(host)
    expect(service.url).toMatch(url)
    expect((await fetch(`${service.url}/1/health`)).status).toBe(200)
  })
})

describe('more than operations', () => {
  test('a service may have routes that are none, behind the same guard', async () => {
    const { port } = await start(
      {},
      { token: 't' },
      {
        extend: (app) => void app.get('/page', (_, reply) => reply.type('text/html').send('<p>page</p>')),
      },
    )
    const call: Call = { path: '/page' }
    expect((await ask(port, call)).status).toBe(401)
    expect(await ask(port, { ...call, headers: { authorization: 'Bearer t' } })).toMatchObject({
      status: 200,
      text: '<p>page</p>',
    })
  })

  const upgrade = (more: string) =>
    `GET /1/notify HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`

  test('a service may take over a connection, for those who may call', async () => {
    const { port } = await start(
      {},
      { token: 't' },
      {
        upgrade: (request, socket) => socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\nhello ${request.url}`),
      },
    )
    expect(await sendBytes(port, upgrade('Authorization: Bearer t\r\n'))).toBe(
      'HTTP/1.1 101 Switching Protocols\r\n\r\nhello /1/notify',
    )
    const refused = await sendBytes(port, upgrade(''))
    expect(refused).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
    expect(refused).toMatch(/\r\n\r\nthis service needs a token: send it as `Authorization: Bearer TOKEN`$/)
    const foreign = await sendBytes(port, upgrade('Origin: http://evil.example\r\nAuthorization: Bearer t\r\n'))
    expect(foreign).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  })

  test('a service that takes over none answers as if nothing else were asked', async () => {
    const { port } = await start()
    const got = await sendBytes(port, upgrade('').replace('Connection: Upgrade', 'Connection: Upgrade, close'))
    expect(got).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  })
})

test('many requests at once get each their own answer', async () => {
  const { port } = await start()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => ask(port, { path: `/1/thing/${n}?word=${n}`, tls: n % 4 === 0 })),
  )
  for (const [n, { status, text }] of answers.entries()) {
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ path: { thing: String(n) }, query: { word: String(n) } })
  }
})

describe('bindingTrouble', () => {
  const trouble = (host: string) =>
    `listening on ${host} makes the services reachable from other machines: set --token, or --insecure if that is what you want`
  const cases: [given: Parameters<typeof bindingTrouble>[0], trouble: string | undefined][] = [
    [{ host: '127.0.0.1', insecure: false }, undefined],
    [{ host: 'localhost', insecure: false }, undefined],
    [{ host: '::1', insecure: false }, undefined],
    [{ host: '0.0.0.0', insecure: false }, trouble('0.0.0.0')],
    [{ host: '::', insecure: false }, trouble('::')],
    [{ host: '10.0.0.1', insecure: false, token: 't' }, undefined],
    [{ host: '10.0.0.1', insecure: true }, undefined],
  ]
  test.each(cases)('%j: %s', (given, expected) => {
    expect(bindingTrouble(given)).toBe(expected)
  })
})
