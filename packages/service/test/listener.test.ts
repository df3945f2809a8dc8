import { Agent, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createListener } from '../src/listener.ts'
import { ask, dial, sendBytes } from './calls.ts'
import { startThings, testCertificate } from './things.ts'

let server: Server
let port = 0
beforeAll(async () => {
  server = createListener({}, await testCertificate(), async (request, response) => {
    let size = 0
    for await (const chunk of request) size += (chunk as Buffer).length
    response.end(`${'encrypted' in request.socket ? 'https' : 'http'} ${request.url} ${size}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('one port', () => {
  test('answers http and https', async () => {
    expect((await ask(port, { path: '/a' })).text).toBe('http /a 0')
    expect((await ask(port, { path: '/b', tls: true })).text).toBe('https /b 0')
  })

  test('takes a request that comes byte by byte', async () => {
    const { socket, all } = dial(port)
    socket.setNoDelay(true)
    for (const byte of 'GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n') {
      socket.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await all).toMatch(/^HTTP\/1\.1 200 OK\r\n.*http \/slow 0/s)
  })

  test.each([false, true])('takes a body of some megabytes whole (tls: %s)', async (tls) => {
    const body = Buffer.alloc(3_000_000, 'x')
    const { text } = await ask(port, { method: 'PUT', path: '/big', body, tls })
    expect(text).toBe(`${tls ? 'https' : 'http'} /big 3000000`)
  })

  test.each([false, true])('keeps a connection alive for several requests (tls: %s)', async (tls) => {
    const agent = tls ? new TlsAgent({ keepAlive: true, maxSockets: 1 }) : new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ports = new Set<number | undefined>()
    for (const path of ['/1', '/2', '/3']) {
      const [text, used] = await new Promise<[string, number | undefined]>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, agent, rejectUnauthorized: false }
        const call = (tls ? httpsRequest : httpRequest)(options, async (response: IncomingMessage) => {
          // The socket leaves the response at its end.
          const { localPort } = response.socket
          resolve([(await response.toArray()).join(''), localPort])
        })
        call.on('error', reject).end()
      })
      expect(text).toBe(`${tls ? 'https' : 'http'} ${path} 0`)
      ports.add(used)
    }
    expect(ports.size).toBe(1)
  })

  test('answers many callers of both kinds at once', async () => {
    const calls = Array.from({ length: 100 }, (_, n) => ask(port, { path: `/${n}`, tls: n % 2 === 1 }))
    const texts = (await Promise.all(calls)).map(({ text }) => text)
    expect(texts).toEqual(texts.map((_, n) => `${n % 2 === 1 ? 'https' : 'http'} /${n} 0`))
  })

  test('offers HTTP/1.1 to TLS callers, and at least TLS 1.2', async () => {
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] }
      const connection = connectTls(options, () => resolve(connection))
      connection.on('error', reject)
    })
    expect(socket.alpnProtocol).toBe('http/1.1')
    expect(['TLSv1.2', 'TLSv1.3']).toContain(socket.getProtocol())
    socket.destroy()
  })
})

describe('a bad connection does no harm', () => {
  const stillAnswers = async () => {
    expect((await ask(port, { path: '/still' })).text).toBe('http /still 0')
    expect((await ask(port, { path: '/still', tls: true })).text).toBe('https /still 0')
  }

  const starts: [name: string, bytes: number[]][] = [
    ['TLS rubbish', [0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5]],
    ['the first byte of TLS, then HTTP', [0x16, ...Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
    ['many bytes of TLS rubbish', [0x16, ...Buffer.alloc(20_000, 0xff)]],
  ]
  test.each(starts)('when it sends %s', async (_, bytes) => {
    const { socket, all } = dial(port)
    socket.write(Uint8Array.from(bytes))
    socket.end()
    expect(await all).not.toMatch(/HTTP/)
    await stillAnswers()
  })

  test('when it closes without a word', async () => {
    const { socket, all } = dial(port)
    socket.end()
    expect(await all).toBe('')
    await stillAnswers()
  })

  test('when it is cut off without a word, in the first byte, and in the middle of a handshake', async () => {
    for (const bytes of [[], [0x16], [0x47], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]]) {
      const { socket, all } = dial(port)
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      if (bytes.length > 0) await new Promise((resolve) => socket.write(Uint8Array.from(bytes), resolve))
      await new Promise((resolve) => setTimeout(resolve, 10))
      socket.resetAndDestroy()
      await all
    }
    await stillAnswers()
  })

  test('when it goes away as soon as the handshake is done', async () => {
    await new Promise<void>((resolve) => {
      const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => socket.destroy())
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
    await stillAnswers()
  })

  test('when the caller does not trust the certificate', async () => {
    const refused = new Promise((_, reject) => connectTls({ host: '127.0.0.1', port }).on('error', reject))
    await expect(refused).rejects.toThrow(/self-signed/)
    await stillAnswers()
  })
})

describe('a service that stops', () => {
  const silent: [name: string, bytes: number[]][] = [
    ['has sent nothing', []],
    ['has begun a handshake', [0x16, 0x03, 0x01]],
  ]
  test.each(silent)(
    'does not wait for a connection that %s',
    async (_, bytes) => {
      const service = await startThings()
      const { socket, all } = dial(service.port)
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      if (bytes.length > 0) socket.write(Uint8Array.from(bytes))
      // A request on another connection: by its end the service has seen the silent one.
      await ask(service.port)
      await service.stop()
      expect(await all).toBe('')
    },
    5000,
  )

  test('does not wait for an idle connection, plain or TLS', async () => {
    const service = await startThings()
    const agents = [new Agent({ keepAlive: true }), new TlsAgent({ keepAlive: true })] as const
    for (const agent of agents) {
      await new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: service.port, path: '/1/health', agent, rejectUnauthorized: false }
        const send = agent instanceof TlsAgent ? httpsRequest : httpRequest
        send(options, (response) => response.resume().on('end', resolve))
          .on('error', reject)
          .end()
      })
    }
    await service.stop()
    for (const agent of agents) agent.destroy()
  }, 5000)
})

test('nothing but the answer is sent to a plain caller', async () => {
  const got = await sendBytes(port, 'GET /x HTTP/1.0\r\nHost: x\r\n\r\n')
  expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(got.split('\r\n\r\n')[1]).toBe('http /x 0')
})
