import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RunningService } from '../../src/service.ts'
import { ask } from '../calls.ts'
import { startForTest, startThings, thingHandlers } from '../things.ts'

describe('a token', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings({}, { token: 'secret' })
  })
  afterAll(() => service.stop())
  const guarded: [method: string, path: string][] = [
    ['GET', '/1/thing'],
    ['HEAD', '/1/thing'],
    ['HEAD', '/1/stream'],
    ['PUT', '/1/thing/a'],
    ['GET', '/1/swagger'],
    ['GET', '/metrics'],
    ['GET', '/nowhere'],
    ['DELETE', '/1/thing'],
    ['GET', '/1/thing/'],
    ['GET', '/1/thing/%zz'],
    ['GET', `/1/thing/${'x'.repeat(9000)}`],
    ['OPTIONS', '/1/thing'],
  ]
  const named = guarded.map(([method, path]) => ({ method, path, shown: path.slice(0, 20) }))
  test.each(named)('is needed for $method $shown', async ({ method, path }) => {
    const { status, headers, text } = await ask(service.port, { method, path })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect(text).toBe(method === 'HEAD' ? '' : 'this service needs a token: send it as `Authorization: Bearer TOKEN`')
  })

  test('that is right opens everything', async () => {
    const headers = { authorization: 'Bearer secret' }
    const statuses = guarded.map(async ([method, path]) => (await ask(service.port, { method, path, headers })).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 400, 200, 200, 404, 405, 400, 400, 414, 405])
  })

  test('is not needed for health', async () => {
    expect((await ask(service.port, { path: '/1/health' })).status).toBe(200)
    expect((await ask(service.port, { path: '/1/health', method: 'HEAD' })).status).toBe(200)
  })

  test('that is missing stops an upload before it reaches its operation', async () => {
    const putPart = vi.fn(thingHandlers.putPart)
    const { port } = await startForTest({ putPart }, { token: 'secret' })
    const { status } = await ask(port, { method: 'PUT', path: '/1/thing/a/part/b', body: 'x'.repeat(100_000) })
    expect(status).toBe(401)
    expect(putPart).not.toHaveBeenCalled()
  })
})

test('a host and an origin that are not allowed are refused on every path', async () => {
  const { port } = await startForTest()
  for (const path of ['/1/health', '/1/thing', '/nowhere', '/1/thing/%zz']) {
    expect((await ask(port, { path, headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await ask(port, { path, headers: { origin: 'http://evil.example' } })).status).toBe(403)
  }
})

test('a service that requires TLS says so to plain callers, and its address is https', async () => {
  const { port, url } = await startForTest({}, { tlsRequired: true })
  expect(url).toBe(`https://127.0.0.1:${port}`)
  const { status, text } = await ask(port)
  expect(status).toBe(403)
  expect(text).toBe('this service was started with --tls required: use https:// instead of http://')
  expect((await ask(port, { tls: true })).status).toBe(200)
})
