import type { Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { answerClientError, writePlainAnswer } from '../src/client-error.ts'
import { createListener } from '../src/listener.ts'
import type { RunningService } from '../src/service.ts'
import { ask, dial, sendBytes } from './calls.ts'
import { startThings, testCertificate } from './things.ts'

let service: RunningService
beforeAll(async () => {
  service = await startThings()
})
afterAll(() => service.stop())

/** The whole answer on the wire. */
const answer = (status: string, sentence: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(sentence)}\r\nconnection: close\r\n\r\n${sentence}`
const request = 'GET /1/health HTTP/1.1\r\nHost: localhost\r\n'

describe('a caller that does not speak HTTP', () => {
  const cases: [name: string, bytes: string, status: string, sentence: string][] = [
    [
      'sends rubbish',
      'rubbish\r\n\r\n',
      '400 Bad Request',
      'the request cannot be read: Parse Error: Invalid method encountered',
    ],
    [
      'sends a wrong header',
      `${request}No Colon Here\r\n\r\n`,
      '400 Bad Request',
      'the request cannot be read: Parse Error: Invalid header token',
    ],
    [
      'sends another version',
      'GET /1/health HTTP/9.9\r\n\r\n',
      '400 Bad Request',
      'the request cannot be read: Parse Error: Invalid HTTP version',
    ],
    [
      'sends two lengths that differ',
      `${request}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      '400 Bad Request',
      'the request cannot be read: Parse Error: Duplicate Content-Length',
    ],
    [
      'hides a second request (smuggling)',
      `${request}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400 Bad Request',
      "the request cannot be read: Parse Error: Transfer-Encoding can't be present with Content-Length",
    ],
    [
      'sends a head of more than 32 KiB',
      `${request}X-Long: ${'x'.repeat(33 * 1024)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'the request head is larger than 32 KiB',
    ],
    [
      'sends a URL of more than 32 KiB',
      `GET /${'x'.repeat(33 * 1024)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'the request head is larger than 32 KiB',
    ],
  ]
  test.each(cases)('that %s gets a sentence and is disconnected', async (_, bytes, status, sentence) => {
    expect(await sendBytes(service.port, bytes)).toBe(answer(status, sentence))
  })

  test('that sends no Host header is told so', async () => {
    const got = await sendBytes(service.port, 'GET /1/health HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(got).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(got.split('\r\n\r\n')[1]).toBe('the request cannot be read: it has no Host header')
  })

  test('that sends rubbish after a good request gets the second answer after the first', async () => {
    const { socket, all } = dial(service.port)
    socket.once('data', () => socket.write('rubbish\r\n\r\n'))
    socket.write(`${request}\r\n`)
    const got = await all
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(
      got.endsWith(answer('400 Bad Request', 'the request cannot be read: Parse Error: Invalid method encountered')),
    ).toBe(true)
  })

  test('never stops the service, whatever the bytes are', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 }).filter(([first]) => first !== 0x16)
    await fc.assert(
      fc.asyncProperty(bytes, async (garbage) => {
        const { socket, all } = dial(service.port)
        socket.end(garbage)
        expect(await all).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
      }),
      { numRuns: 50 },
    )
    expect((await ask(service.port)).status).toBe(200)
  })
})

test('a caller that sends its head too slowly is told so', async () => {
  const timeouts = { headersTimeout: 60, requestTimeout: 100, connectionsCheckingInterval: 20 }
  const server = createListener(timeouts, await testCertificate(), (_, response) => response.end('never'))
  server.on('clientError', answerClientError as never)
  const port = await listen(server)
  const { socket, all } = dial(port)
  socket.write('GET / HTTP/1.1\r\nHo')
  expect(await all).toBe(answer('408 Request Timeout', 'the request did not arrive in time'))
})

describe('writePlainAnswer', () => {
  test('counts bytes, not characters', async () => {
    const server = createNetServer((socket) => writePlainAnswer(socket, 403, 'größer'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { all } = dial((server.address() as AddressInfo).port)
    expect(Buffer.from(await all, 'latin1').toString()).toBe(answer('403 Forbidden', 'größer'))
  })

  test('does nothing on a connection that is gone', async () => {
    const { socket, all } = dial(service.port)
    socket.destroy()
    await all
    expect(() => writePlainAnswer(socket, 400, 'late')).not.toThrow()
    expect(socket.destroyed).toBe(true)
  })
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
