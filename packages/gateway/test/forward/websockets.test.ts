import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { bareConnection, gatewayBefore, until } from '../surroundings.ts'
import { base } from './instance.ts'

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
