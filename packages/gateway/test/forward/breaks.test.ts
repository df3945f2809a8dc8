import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { bodyOf, call, gatewayBefore, until } from '../surroundings.ts'
import { base } from './instance.ts'

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
