import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bareConnection, bodyOf, call, gatewayBefore, until } from './surroundings.ts'

const base = '/api/1/service/engine-1'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly raw: readonly string[]
  readonly body: string
}

/** An instance that answers `ok` and remembers what it was asked. */
async function remembering() {
  const seen: Seen[] = []
  const all = await gatewayBefore(async (message, response) => {
    const body = (await bodyOf(message)).toString()
    seen.push({ method: message.method, url: message.url, headers: message.headers, raw: message.rawHeaders, body })
    response.end('ok')
  })
  return { ...all, seen }
}

describe('what reaches the instance', () => {
  test.for(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s stays %s', async (method) => {
    const { port, seen } = await remembering()
    const answer = await call(port, `${base}/1/thing`, { method })
    expect(answer.status).toBe(200)
    expect(answer.body).toBe(method === 'HEAD' ? '' : 'ok')
    expect(seen.map((one) => `${one.method} ${one.url}`)).toEqual([`${method} /1/thing`])
  })

  const targets = [
    '/1/health',
    '/1/job/status?return=model,jets',
    '/1/model/a%2Fb%20c',
    '/1/model/%E4%B8%96%e7%95%8c',
    '/1/x?a=1&a=2&b=%26%3D+%20&&=&c',
    '/1/x?',
    '/1/x??d=e#f',
    '//two//slashes/',
    '/1/./a/../b',
    '/1/..%2f..%2fetc',
    "/1/semi;colon=,'()*!~@:$",
    '/api/1/service/engine-1/1/health',
    '/',
  ]
  test.for(targets)('path and query %s are untouched', async (target) => {
    const { port, seen } = await remembering()
    expect((await call(port, `${base}${target}`)).status).toBe(200)
    expect(seen[0]?.url).toBe(target)
  })

  test('without a path it is the root', async () => {
    const { port, seen } = await remembering()
    expect((await call(port, base)).status).toBe(200)
    expect(seen[0]?.url).toBe('/')
  })

  test('an encoded instance name is the same name', async () => {
    const { port, seen } = await remembering()
    expect((await call(port, '/api/1/service/engine%2D1/1/x')).status).toBe(200)
    expect(seen[0]?.url).toBe('/1/x')
  })

  test('headers go on, tokens and repeated ones included', async () => {
    const { port, seen, instance } = await remembering()
    await call(port, `${base}/1/x`, {
      method: 'PUT',
      body: 'a body',
      headers: {
        authorization: 'Bearer a.b-c',
        accept: 'application/json, */*;q=0.1',
        'content-type': 'application/vnd.fastscore.model-python; charset=x',
        cookie: ['a=1', 'b=2'],
        'x-many': ['one', 'two', 'three'],
        'x-empty': '',
        'if-match': '"7"',
        'user-agent': 'client/1.4',
      },
    })
    const [{ headers, body }] = seen as [Seen]
    expect(body).toBe('a body')
    expect(headers).toMatchObject({
      authorization: 'Bearer a.b-c',
      accept: 'application/json, */*;q=0.1',
      'content-type': 'application/vnd.fastscore.model-python; charset=x',
      'content-length': '6',
      cookie: 'a=1; b=2',
      'x-many': 'one, two, three',
      'x-empty': '',
      'if-match': '"7"',
      'user-agent': 'client/1.4',
      host: `127.0.0.1:${instance.port}`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${port}`,
      'x-forwarded-proto': 'http',
    })
  })

  test('headers of the connection stay behind, those that Connection names too', async () => {
    const { port, seen } = await remembering()
    await call(port, `${base}/1/x`, {
      headers: { connection: 'close, x-private', 'x-private': '1', te: 'trailers', 'proxy-authorization': 'Basic x' },
    })
    const names = Object.keys(seen[0]!.headers)
    for (const name of ['x-private', 'te', 'proxy-authorization']) expect(names).not.toContain(name)
    expect(seen[0]!.headers.connection).toBe('keep-alive')
  })

  test('a request without a body has none there either', async () => {
    const { port, seen } = await remembering()
    await call(port, `${base}/1/x`, { method: 'DELETE' })
    expect(seen[0]!.headers).not.toHaveProperty('transfer-encoding')
    expect(seen[0]!.headers).not.toHaveProperty('content-length')
  })
})

describe('what comes back', () => {
  test('status, reason, headers and body are those of the instance', async () => {
    const { port } = await gatewayBefore((_, response) => {
      response.writeHead(418, 'Short And Stout', [
        ...['Content-Type', 'application/vnd.pitot.model-r', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ...['X-Many', 'one', 'X-Many', 'two', 'ETag', '"9"', 'Keep-Alive', 'timeout=9', 'Warning', '299 - "old"'],
      ])
      response.end('a teapot')
    })
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.reason, answer.body]).toEqual([418, 'Short And Stout', 'a teapot'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.pitot.model-r',
      'set-cookie': ['a=1', 'b=2'],
      'x-many': 'one, two',
      etag: '"9"',
      warning: '299 - "old"',
    })
    expect(answer.headers['keep-alive']).not.toBe('timeout=9')
  })

  test('an error of the instance passes as it is', async () => {
    const { port } = await gatewayBefore((_, response) => {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('the database is away')
    })
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([503, '1', 'the database is away'])
  })

  test('HEAD has the length and no body', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(200, { 'content-length': 12345 }).end())
    const answer = await call(port, `${base}/1/x`, { method: 'HEAD' })
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '12345', ''])
  })

  test.for([204, 304])('%i has no body', async (status) => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(status, { etag: '"1"' }).end())
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers.etag, answer.body]).toEqual([status, '"1"', ''])
    expect(answer.headers).not.toHaveProperty('transfer-encoding')
  })

  test('an empty 200 is an empty 200', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(200, { 'content-length': 0 }).end())
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '0', ''])
  })

  test('the request id is the same for caller and instance, given or not', async () => {
    const { port, seen } = await remembering()
    const given = await call(port, `${base}/1/x`, { headers: { 'x-request-id': 'abc-1' } })
    expect(given.headers['x-request-id']).toBe('abc-1')
    expect(seen[0]!.headers['x-request-id']).toBe('abc-1')
    const made = await call(port, `${base}/1/x`)
    expect(made.headers['x-request-id']).toMatch(/^[\w-]+$/)
    expect(seen[1]!.headers['x-request-id']).toBe(made.headers['x-request-id'])
    const harmful = await call(port, `${base}/1/x`, { headers: { 'x-request-id': 'a b"c' } })
    expect(harmful.headers['x-request-id']).not.toContain('"')
    expect(seen[2]!.headers['x-request-id']).toBe(harmful.headers['x-request-id'])
  })
})

describe('bodies flow', () => {
  const lengths: [name: string, headers: Record<string, string>][] = [
    ['in chunks', {}],
    ['of a known length', { 'content-length': '15' }],
  ]
  test.for(lengths)('a request body %s arrives piece by piece', async ([_, headers]) => {
    let arrived = ''
    const { port } = await gatewayBefore((message, response) => {
      message.on('data', (chunk: Buffer) => {
        arrived += chunk.toString()
      })
      message.on('end', () => response.end(arrived))
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', headers, agent: false })
    const answer = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve))
    let sent = ''
    for (const piece of ['first', '-next', '-last']) {
      outgoing.write(piece)
      sent += piece
      await until(() => arrived === sent, `the piece ${piece}`)
    }
    outgoing.end()
    expect((await bodyOf(await answer)).toString()).toBe('first-next-last')
  })

  test('an answer arrives piece by piece', async () => {
    let response: ServerResponse | undefined
    const { port } = await gatewayBefore((_, given) => {
      response = given
      given.write('first')
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, agent: false }).end()
    let arrived = ''
    let ended = false
    outgoing.once('response', (answer: IncomingMessage) => {
      answer.on('data', (chunk: Buffer) => {
        arrived += chunk.toString()
      })
      answer.on('end', () => {
        ended = true
      })
    })
    await until(() => arrived === 'first', 'the first piece')
    response!.write('-next')
    await until(() => arrived === 'first-next', 'the next piece')
    expect(ended).toBe(false)
    response!.end('-last')
    await until(() => ended, 'the end')
    expect(arrived).toBe('first-next-last')
  })

  test('both ways at the same time', async () => {
    const { port } = await gatewayBefore((message, response) => {
      response.writeHead(200)
      message.pipe(response)
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'POST', agent: false })
    let arrived = ''
    outgoing.once('response', (answer: IncomingMessage) => {
      answer.on('data', (chunk: Buffer) => {
        arrived += chunk.toString()
      })
    })
    outgoing.write('ping')
    await until(() => arrived === 'ping', 'the echo')
    outgoing.write('-pong')
    await until(() => arrived === 'ping-pong', 'the second echo')
    outgoing.end()
  })

  test('large ones whole, up and down', async () => {
    const large = randomBytes(48 * 2 ** 20)
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const { port } = await gatewayBefore(async (message, response) => {
      if (message.method === 'PUT') return void response.end(hash(await bodyOf(message)))
      return void response.end(large)
    })
    const up = await call(port, `${base}/1/x`, { method: 'PUT', body: large })
    expect(up.body).toBe(hash(large))
    const down = await new Promise<Buffer>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path: `${base}/1/x`, agent: false }, (answer) => {
        bodyOf(answer).then(resolve, reject)
      }).end()
    })
    expect(hash(down)).toBe(hash(large))
  })

  test('a slow instance slows the caller down; the gateway does not fill up', async () => {
    let message: IncomingMessage | undefined
    const { port } = await gatewayBefore((given) => {
      message = given
    })
    const total = 256
    const piece = Buffer.alloc(2 ** 20, 'x')
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', agent: false })
    outgoing.on('error', () => undefined)
    let sent = 0
    const next = () => {
      while (sent < total) {
        sent++
        if (!outgoing.write(piece)) return void outgoing.once('drain', next)
      }
      return void outgoing.end()
    }
    next()
    await until(() => message !== undefined, 'the request')
    let quietRounds = 0
    let before = sent
    await until(() => {
      quietRounds = sent === before ? quietRounds + 1 : 0
      before = sent
      return quietRounds > 50
    }, 'the caller to be held up')
    expect(sent).toBeLessThan(total / 2)
    let arrived = 0
    message!.on('data', (chunk: Buffer) => {
      arrived += chunk.length
    })
    await until(() => arrived === total * piece.length, 'the rest')
  })

  test('an instance may answer before it has read the body', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(403).end('not this'))
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', agent: false })
    outgoing.on('error', () => undefined)
    onTestFinished(() => void outgoing.destroy())
    const answer = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve))
    outgoing.write('the beginning')
    const early = await answer
    expect(early.statusCode).toBe(403)
    expect((await bodyOf(early)).toString()).toBe('not this')
  })
})

describe('breaks', () => {
  const kinds: [name: string, headers: Record<string, string>][] = [
    ['of a known length', { 'content-length': '1000' }],
    ['in chunks', {}],
  ]
  test.for(kinds)('an answer %s that breaks off breaks off for the caller', async ([_, headers]) => {
    const { port } = await gatewayBefore((_message, response) => {
      response.writeHead(200, headers)
      response.write('a part', () => response.destroy())
    })
    await expect(call(port, `${base}/1/x`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('a caller that leaves in the middle of its body leaves the instance too', async () => {
    let arrived = 0
    let aborted = false
    const { port } = await gatewayBefore((message) => {
      message.on('data', (chunk: Buffer) => {
        arrived += chunk.length
      })
      message.on('error', () => undefined)
      message.on('close', () => {
        aborted = !message.complete
      })
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', agent: false })
    outgoing.on('error', () => undefined)
    outgoing.write('a part')
    await until(() => arrived === 6, 'the part')
    outgoing.destroy()
    await until(() => aborted, 'the instance to see it')
  })

  test('a caller that leaves while it waits for the answer leaves the instance too', async () => {
    let response: ServerResponse | undefined
    let left = false
    const { port, gateway } = await gatewayBefore((_, given) => {
      response = given
      given.on('close', () => {
        left = true
      })
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/job/output`, agent: false })
    outgoing.on('error', () => undefined)
    outgoing.end()
    await until(() => response !== undefined, 'the request')
    outgoing.destroy()
    await until(() => left, 'the instance to see it')
    expect((await call(gateway.port, '/1/health')).status).toBe(200)
  })

  test('a caller that leaves in the middle of the answer leaves the instance too', async () => {
    let left = false
    const { port } = await gatewayBefore((_, response) => {
      response.write('a part')
      response.on('close', () => {
        left = true
      })
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, agent: false })
    outgoing.on('error', () => undefined)
    outgoing.once('response', (answer: IncomingMessage) => {
      answer.on('error', () => undefined)
      answer.once('data', () => outgoing.destroy())
    })
    outgoing.end()
    await until(() => left, 'the instance to see it')
  })

  test('an instance that hangs up without an answer is 502', async () => {
    const { port, instance } = await gatewayBefore((message) => void message.socket.destroy())
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers['content-type']]).toEqual([502, 'text/plain; charset=utf-8'])
    expect(answer.body).toBe(
      `instance 'engine-1' at 127.0.0.1:${instance.port} does not answer: it closed the connection`,
    )
  })

  test('an instance that does not speak HTTP is 502', async () => {
    const { port } = await gatewayBefore((message) => void message.socket.end('SSH-2.0-OpenSSH\r\n'))
    const answer = await call(port, `${base}/1/x`)
    expect(answer.status).toBe(502)
    expect(answer.body).toMatch(/^instance 'engine-1' at 127\.0\.0\.1:\d+ does not answer: \S/)
  })

  /** Closes a connection on its second request, as a server does whose patience ends at that very moment. */
  function onceOnly() {
    const used = new WeakSet<object>()
    const seen: string[] = []
    const listener = async (message: IncomingMessage, response: ServerResponse) => {
      seen.push(message.method!)
      if (used.has(message.socket)) return void message.socket.destroy()
      used.add(message.socket)
      await bodyOf(message)
      return void response.end('ok')
    }
    return { listener, seen }
  }

  test.for(['GET', 'HEAD', 'DELETE', 'PUT'])(
    '%s without a body is sent again when a kept connection was closed',
    async (method) => {
      const { listener, seen } = onceOnly()
      const { port } = await gatewayBefore(listener)
      expect((await call(port, `${base}/1/x`)).status).toBe(200)
      expect((await call(port, `${base}/1/x`, { method })).status).toBe(200)
      expect(seen).toEqual(['GET', method, method])
    },
  )

  const unsafe: [name: string, options: { method: string; body?: string }][] = [
    ['a POST', { method: 'POST' }],
    ['a PUT with a body', { method: 'PUT', body: 'x' }],
  ]
  test.for(unsafe)('%s may have been carried out, so it is not sent again', async ([_, options]) => {
    const { listener, seen } = onceOnly()
    const { port } = await gatewayBefore(listener)
    expect((await call(port, `${base}/1/x`)).status).toBe(200)
    const answer = await call(port, `${base}/1/x`, options)
    expect(answer.status).toBe(502)
    expect(answer.body).toContain('it closed the connection')
    expect(seen).toEqual(['GET', options.method])
  })
})

describe('websockets', () => {
  function handshake(path: string, more = ''): string {
    return (
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`
    )
  }

  /** Accepts every handshake, says hello with it, and keeps what comes. */
  async function accepting() {
    const server = createServer()
    const state: { request?: IncomingMessage; socket?: Duplex; received: string; closed: boolean } = {
      received: '',
      closed: false,
    }
    server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
      state.request = message
      state.socket = socket
      state.received += head.toString()
      socket.on('data', (chunk: Buffer) => {
        state.received += chunk.toString()
      })
      socket.on('error', () => undefined)
      socket.on('end', () => {
        state.closed = true
        socket.end()
      })
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nhello',
      )
    })
    return { ...(await gatewayBefore(() => undefined, server)), state }
  }

  test('the handshake and bytes pass in both directions, those sent along with it too', async () => {
    const { port, state } = await accepting()
    const { socket, received } = await bareConnection(port)
    socket.write(`${handshake(`${base}/1/notify?src=a%20b`, 'Authorization: Bearer t\r\n')}early`)
    await until(() => received().endsWith('\r\n\r\nhello'), 'the answer')
    expect(received()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
    expect(received()).toContain('\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
    expect(received().toLowerCase()).toContain('\r\nupgrade: websocket\r\n')
    expect(state.request!.url).toBe('/1/notify?src=a%20b')
    expect(state.request!.headers).toMatchObject({
      authorization: 'Bearer t',
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    })
    await until(() => state.received === 'early', 'what was sent along')
    socket.write('-more')
    await until(() => state.received === 'early-more', 'the next piece')
    state.socket!.write('-world')
    await until(() => received().endsWith('hello-world'), 'the next piece back')
  })

  test('when the caller leaves, the instance is left, with all that was said before', async () => {
    const { port, state } = await accepting()
    const { socket, received } = await bareConnection(port)
    socket.write(handshake(`${base}/1/notify`))
    await until(() => received().endsWith('hello'), 'the answer')
    socket.end('-bye')
    await until(() => state.closed, 'the instance to see it')
    expect(state.received).toBe('-bye')
  })

  test('when the instance leaves, the caller is left, with all that was said before', async () => {
    const { port, state } = await accepting()
    const { socket, received, closed } = await bareConnection(port)
    socket.write(handshake(`${base}/1/notify`))
    await until(() => received().endsWith('hello'), 'the answer')
    state.socket!.end('-bye')
    await until(closed, 'the end')
    expect(received()).toMatch(/hello-bye$/)
  })

  test('a refusal of the instance reaches the caller with its sentence', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(403).end('no websocket for you'))
    const { socket, received, closed } = await bareConnection(port)
    socket.write(handshake(`${base}/1/notify`))
    await until(closed, 'the end')
    expect(received()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(received()).toMatch(/\r\n\r\nno websocket for you$/)
  })

  const refusals: [name: string, path: string, more: string, status: number, sentence: string][] = [
    [
      'for an unknown instance',
      '/api/1/service/engine-7/1/notify',
      '',
      404,
      "there is no instance 'engine-7' in the fleet",
    ],
    ['for another path', '/1/notify', '', 404, 'there is no /1/notify here'],
    [
      'with a name that is no UTF-8',
      '/api/1/service/%FF/1/notify',
      '',
      400,
      'the path is not valid percent-encoded UTF-8',
    ],
    [
      'from a page of another origin',
      `${base}/1/notify`,
      'Origin: https://evil.example\r\n',
      403,
      "a page of 'https://evil.example' may not call this service",
    ],
  ]
  test.for(refusals)('a handshake %s is refused', async ([_, path, more, status, sentence]) => {
    const { port } = await accepting()
    const { socket, received, closed } = await bareConnection(port)
    socket.write(handshake(path, more))
    await until(closed, 'the end')
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(received()).toContain(sentence)
  })

  test('an instance that is down is 502', async () => {
    const { port, instance } = await accepting()
    await instance.stop()
    const { socket, received, closed } = await bareConnection(port)
    socket.write(handshake(`${base}/1/notify`))
    await until(closed, 'the end')
    expect(received()).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
    expect(received()).toContain(
      `instance 'engine-1' at 127.0.0.1:${instance.port} does not answer: nothing listens there (connection refused)`,
    )
  })

  test('an open one does not keep the gateway from stopping', async () => {
    const { port, state, gateway } = await accepting()
    const { socket, received, closed } = await bareConnection(port)
    socket.write(handshake(`${base}/1/notify`))
    await until(() => received().endsWith('hello'), 'the answer')
    await gateway.stop()
    await until(() => closed() && state.closed, 'both ends to close')
  })
})
