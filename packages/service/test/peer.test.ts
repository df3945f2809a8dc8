import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askPeer, reasonOf } from '../src/peer.ts'
import { testCertificate } from './things.ts'

/** A peer for one test; gives the port it listens on. */
async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

async function peer(listener: RequestListener): Promise<URL> {
  return new URL(`http://127.0.0.1:${await listen(createServer(listener))}/1/health?x=y`)
}

describe('askPeer', () => {
  test('gives status, headers and the whole body', async () => {
    const url = await peer((request, response) => {
      response.writeHead(203, { 'x-given': 'yes' })
      response.write('one ')
      setTimeout(() => response.end(`${request.method} ${request.url} ${request.headers.authorization}`), 5)
    })
    const answer = await askPeer(url, { timeout: 5000, headers: { authorization: 'Bearer t' } })
    expect(answer.status).toBe(203)
    expect(answer.headers['x-given']).toBe('yes')
    expect(answer.body.toString()).toBe('one GET /1/health?x=y Bearer t')
  })

  test('does not mind a certificate of its own making', async () => {
    const server = createTlsServer(await testCertificate(), (_, response) => response.end('safe'))
    const url = new URL(`https://127.0.0.1:${await listen(server)}/`)
    expect((await askPeer(url, { timeout: 5000 })).body.toString()).toBe('safe')
  })

  test('uses a connection again', async () => {
    const ports: (number | undefined)[] = []
    const url = await peer((request, response) => {
      ports.push(request.socket.remotePort)
      response.end()
    })
    await askPeer(url, { timeout: 5000 })
    await askPeer(url, { timeout: 5000 })
    expect(ports).toHaveLength(2)
    expect(ports[1]).toBe(ports[0])
  })

  test('gives up on a peer that does not answer', async () => {
    const url = await peer(() => {})
    await expect(askPeer(url, { timeout: 50 })).rejects.toThrow(/^no answer within 50 ms$/)
  })

  test('gives up on a peer that stops in the middle of its answer', async () => {
    const url = await peer((_, response) => void response.writeHead(200, { 'content-length': '10' }).write('half'))
    await expect(askPeer(url, { timeout: 100 })).rejects.toThrow(/^no answer within 100 ms$/)
  })

  test('gives up on a peer that is no HTTP server and says nothing', async () => {
    const server = createNetServer((socket) => void socket.on('error', () => {}).resume())
    const url = new URL(`http://127.0.0.1:${await listen(server)}/`)
    await expect(askPeer(url, { timeout: 50 })).rejects.toThrow(/^no answer within 50 ms$/)
  })

  test('says that nothing listens', async () => {
    const server = createNetServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    await expect(askPeer(new URL(`http://127.0.0.1:${port}/`), { timeout: 5000 })).rejects.toThrow(
      /^nothing listens there \(connection refused\)$/,
    )
  })

  test('says that the connection was closed, before the answer and in the middle of it', async () => {
    const before = await peer((request) => void request.socket.destroy())
    await expect(askPeer(before, { timeout: 5000 })).rejects.toThrow(/^it closed the connection$/)
    const middle = await peer((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => request.socket.destroy())
    })
    await expect(askPeer(middle, { timeout: 5000 })).rejects.toThrow(/^it closed the connection$/)
  })

  test('takes an answer of 4 MiB and refuses a longer one', async () => {
    const mebibytes = Buffer.alloc(4 * 1024 * 1024)
    const longest = await peer((_, response) => void response.end(mebibytes))
    expect((await askPeer(longest, { timeout: 20_000 })).body.length).toBe(4_194_304)
    const longer = await peer((_, response) => {
      response.on('error', () => {})
      response.write(mebibytes)
      response.end('x')
    })
    await expect(askPeer(longer, { timeout: 20_000 })).rejects.toThrow(/^the answer is longer than 4194304 bytes$/)
  })

  test('stops when it is aborted, before and during the answer', async () => {
    const url = await peer((_, response) => void response.writeHead(200).write('half'))
    const controller = new AbortController()
    const asking = askPeer(url, { timeout: 5000, signal: controller.signal })
    setTimeout(() => controller.abort(), 30)
    await expect(asking).rejects.toThrow(/aborted/)
    await expect(askPeer(url, { timeout: 5000, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
  })

  test.each([
    ['an address that is not HTTP', 'ftp://127.0.0.1/', {}],
    ['a header that cannot be sent', 'http://127.0.0.1:1/', { authorization: 'a\nb' }],
  ])('refuses %s at once, and nothing happens later', async (_, url, headers) => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => uncaught.push(error)
    process.on('uncaughtException', note)
    onTestFinished(() => void process.off('uncaughtException', note))
    await expect(askPeer(new URL(url), { timeout: 20, headers })).rejects.toThrow(/protocol|Invalid character/i)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(uncaught).toEqual([])
  })
})

describe('reasonOf', () => {
  const reasons: [thrown: unknown, reason: string][] = [
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }, 'nothing listens there (connection refused)'],
    [{ code: 'ENOTFOUND' }, 'the host name is not known'],
    [{ code: 'EHOSTUNREACH' }, 'the host cannot be reached'],
    [{ code: 'ETIMEDOUT' }, 'the connection timed out'],
    [{ code: 'EWHATEVER', message: 'what it says' }, 'what it says'],
    [{ code: 'EWHATEVER', message: '' }, 'EWHATEVER'],
    [new Error('plain'), 'plain'],
    [new AggregateError([], ''), 'AggregateError'],
    ['a text', 'a text'],
  ]
  test.each(reasons)('%o is "%s"', (thrown, reason) => {
    expect(reasonOf(thrown)).toBe(reason)
  })
})
