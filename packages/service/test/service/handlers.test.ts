import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import { ask, dial } from '../calls.ts'
import { startForTest } from '../things.ts'

/** A log that is kept. */
function keptLog() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

describe('a handler that breaks', () => {
  test.each(['text/plain', 'application/json'])(
    'is answered with 500, the request id and no secrets (Accept: %s)',
    async (accept) => {
      const { log, lines } = keptLog()
      const { port } = await startForTest({}, { log })
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
    const { port } = await startForTest({ getSlow })
    const { status, text } = await ask(port, { path: '/1/slow', headers: { 'x-request-id': 'r-2' } })
    expect(text).toBe('something went wrong inside the service; its log has the details under request id r-2')
    expect(status).toBe(500)
    expect((await ask(port)).status).toBe(200)
  })
})

test('every request is logged when the log is that fine, with its status and id', async () => {
  const { log, lines } = keptLog()
  const { port } = await startForTest({}, { log })
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
  const { port } = await startForTest({
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
  const { port } = await startForTest({
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
