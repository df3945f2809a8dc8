import { Agent, request as httpRequest } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { bindingTrouble } from '../../src/service.ts'
import { type Answer, ask, dial } from '../calls.ts'
import { startForTest, startThings } from '../things.ts'

describe('start', () => {
  test('fails when the port is taken', async () => {
    const { port } = await startForTest()
    await expect(startThings({}, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  const hosts: [host: string, url: RegExp][] = [
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ]
  test.each(hosts)('on %s gives an address to call', async (host, url) => {
    const service = await startForTest({}, { host })
    expect(service.name).toBe('things')
    expect(service.host).toBe(host)
    expect(service.url).toMatch(url)
    expect((await fetch(`${service.url}/1/health`)).status).toBe(200)
  })
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
