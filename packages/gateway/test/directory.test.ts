import { createServer } from 'node:https'
import { describe, expect, test } from 'vitest'
import { Directory } from '../src/directory.ts'
import { call, connectWith, startedGateway, startedServer, testCertificate } from './surroundings.ts'

const plain = 'text/plain; charset=utf-8'

/** What Connect answers with while it is not configured. */
const unconfigured = JSON.stringify({ code: 'connect-not-configured', status: 403, detail: 'no configuration yet' })

describe('an instance is found', () => {
  test('by its name, wherever it stands', async () => {
    const connect = await startedServer(
      connectWith([
        { name: 'engine-1', port: 1 },
        { name: 'blue', host: 'blue.example.org', port: 8003 },
        { name: 'six', host: '::1', port: 8004 },
        { name: 'safe', host: 'a', port: 8005, scheme: 'https' },
      ]),
    )
    const directory = new Directory({ connect: connect.url, scheme: 'http' })
    expect((await directory.find('engine-1')).url.href).toBe('http://127.0.0.1:1/')
    expect((await directory.find('blue')).url.href).toBe('http://blue.example.org:8003/')
    expect((await directory.find('six')).url.href).toBe('http://[::1]:8004/')
    expect((await directory.find('safe')).url.href).toBe('https://a:8005/')
    const secure = new Directory({ connect: connect.url, scheme: 'https' })
    expect((await secure.find('blue')).url.href).toBe('https://blue.example.org:8003/')
  })

  test('`connect` is Connect, and nobody is asked for it', async () => {
    const seen: string[] = []
    const connect = await startedServer(connectWith([{ name: 'connect', port: 1 }], seen))
    const directory = new Directory({ connect: connect.url, scheme: 'http' })
    expect(await directory.find('connect')).toEqual({ name: 'connect', url: connect.url })
    expect(seen).toEqual([])
  })

  test('many at the same time ask Connect once, with the token', async () => {
    const seen: (string | undefined)[] = []
    const answer = connectWith([{ name: 'engine-1', port: 1 }])
    const connect = await startedServer((message, response) => {
      seen.push(message.headers.authorization)
      answer(message, response)
    })
    const directory = new Directory({ connect: connect.url, scheme: 'http', token: 'secret' })
    await Promise.all(Array.from({ length: 50 }, () => directory.find('engine-1')))
    expect(seen).toEqual(['Bearer secret'])
  })

  test('a failure of Connect is not kept', async () => {
    let healthy = false
    const answer = connectWith([{ name: 'engine-1', port: 1 }])
    const connect = await startedServer((message, response) =>
      healthy ? answer(message, response) : void response.writeHead(500).end('oh'),
    )
    const directory = new Directory({ connect: connect.url, scheme: 'http' })
    await expect(directory.find('engine-1')).rejects.toThrow(/does not answer: status 500: oh$/)
    healthy = true
    expect((await directory.find('engine-1')).name).toBe('engine-1')
  })
})

describe('through the gateway', () => {
  test('`connect` is forwarded to Connect', async () => {
    const connect = await startedServer(connectWith([]))
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/api/1/service/connect/1/config?q=db')
    expect([answer.status, answer.body]).toEqual([200, 'Connect was asked for /1/config?q=db'])
  })

  const unknown: [name: string, sentence: string][] = [
    [
      'engine-3',
      "there is no instance 'engine-3' in the fleet; did you mean 'engine-1'?; there are: connect, engine-1, blue",
    ],
    ['Blue', "there is no instance 'Blue' in the fleet; did you mean 'blue'?; there are: connect, engine-1, blue"],
    ['somebody-else', "there is no instance 'somebody-else' in the fleet; there are: connect, engine-1, blue"],
    ['a%0D%0Ab', "there is no instance 'a b' in the fleet; there are: connect, engine-1, blue"],
  ]
  test.for(unknown)('the unknown instance %s is 404', async ([name, sentence]) => {
    const connect = await startedServer(
      connectWith([
        { name: 'engine-1', port: 1 },
        { name: 'blue', port: 2 },
      ]),
    )
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, `/api/1/service/${name}/1/health`)
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([404, plain, sentence])
  })

  const otherPaths: [path: string, status: number, sentence: string][] = [
    ['/api/1/service/', 404, 'there is no /api/1/service/ here'],
    ['/api/1/service', 404, 'there is no /api/1/service here'],
    ['/api/2/service/connect/1/health', 404, 'there is no /api/2/service/connect/1/health here'],
    ['/api/1/service/%FF/1/health', 400, 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
    ['/api/1/service/%ZZ/1/health', 400, 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
  ]
  test.for(otherPaths)('%s is %i', async ([path, status, sentence]) => {
    const connect = await startedServer(connectWith([]))
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, path)
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([status, plain, sentence])
  })

  test('while Connect is not configured there is nobody but Connect', async () => {
    const connect = await startedServer(({ headers }, response) => {
      // Connect gives the code to those who accept JSON only.
      if (headers.accept === 'application/json') response.writeHead(403).end(unconfigured)
      else response.writeHead(403).end('Connect has no configuration yet')
    })
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/api/1/service/engine-1/1/health')
    expect([answer.status, answer.body]).toEqual([
      404,
      "there is no instance 'engine-1' in the fleet; there are: connect",
    ])
  })

  test('an instance that is down is 502 with its address and the reason', async () => {
    const gone = await startedServer(() => undefined)
    await gone.stop()
    const connect = await startedServer(connectWith([{ name: 'engine-1', port: gone.port }]))
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/api/1/service/engine-1/1/health', { method: 'PUT', body: 'x' })
    expect([answer.status, answer.headers['content-type']]).toEqual([502, plain])
    expect(answer.body).toBe(
      `instance 'engine-1' at 127.0.0.1:${gone.port} does not answer: nothing listens there (connection refused)`,
    )
  })

  test.for(['connect', 'engine-1'])('when Connect is down, %s is 502', async (name) => {
    const connect = await startedServer(() => undefined)
    await connect.stop()
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, `/api/1/service/${name}/1/health`)
    expect(answer.status).toBe(502)
    expect(answer.body).toBe(
      `instance 'connect' at 127.0.0.1:${connect.port} does not answer: nothing listens there (connection refused)`,
    )
  })

  const troubles: [name: string, status: number, body: string, reason: string][] = [
    ['another token', 401, 'the token is wrong', 'status 401: the token is wrong'],
    [
      'no plain HTTP',
      403,
      JSON.stringify({ code: 'tls-required', detail: 'use https:// instead of http://' }),
      'status 403: use https:// instead of http://',
    ],
    ['an answer that is no list', 200, '{}', 'status 200: {}'],
    ['a page', 200, '<html>', 'status 200: <html>'],
  ]
  test.for(troubles)('a Connect with %s is 502 and says so', async ([_, status, body, reason]) => {
    const connect = await startedServer((_message, response) => void response.writeHead(status).end(body))
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/api/1/service/engine-1/1/health')
    expect([answer.status, answer.body]).toEqual([
      502,
      `instance 'connect' at 127.0.0.1:${connect.port} does not answer: ${reason}`,
    ])
  })

  test('an instance that speaks only TLS is called so when its entry says so', async () => {
    const server = createServer(await testCertificate(), (_, response) => response.end('safe'))
    const instance = await startedServer(() => undefined, server)
    const entry = { name: 'engine-1', port: instance.port }
    const connect = await startedServer(connectWith([{ ...entry, scheme: 'https' }]))
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/api/1/service/engine-1/1/x')
    expect([answer.status, answer.body]).toEqual([200, 'safe'])
  })
})
