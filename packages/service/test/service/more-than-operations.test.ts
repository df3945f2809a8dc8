import { describe, expect, test } from 'vitest'
import { ask, type Call, sendBytes } from '../calls.ts'
import { startForTest } from '../things.ts'

describe('more than operations', () => {
  test('a service may have routes that are none, behind the same guard', async () => {
    const { port } = await startForTest(
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
    const { port } = await startForTest(
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
    const { port } = await startForTest()
    const got = await sendBytes(port, upgrade('').replace('Connection: Upgrade', 'Connection: Upgrade, close'))
    expect(got).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  })
})
