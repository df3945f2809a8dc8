import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createGuard, type GuardOptions, isLoopback } from '../src/guard.ts'
import { createListener } from '../src/listener.ts'
import { ask, type Call, sendBytes } from './calls.ts'
import { testCertificate } from './things.ts'

const servers: Server[] = []
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

/** A server that tells what the guard says: `open`, or status, code and sentence. */
async function guarded(options: Partial<GuardOptions>): Promise<number> {
  const guard = createGuard({ host: '127.0.0.1', tlsRequired: false, allowHosts: [], allowOrigins: [], ...options })
  const server = createListener({ requireHostHeader: false }, await testCertificate(), (request, response) => {
    const refusal = guard(request)
    if (refusal === undefined) response.end('open')
    else response.writeHead(refusal.status, { ...refusal.headers, 'x-code': refusal.code }).end(refusal.message)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** `open` or the code of the refusal. */
async function verdict(port: number, call: Call): Promise<unknown> {
  const { status, headers, text } = await ask(port, call)
  return status === 200 ? (call.method === 'HEAD' ? 'open' : text) : headers['x-code']
}

interface Case extends Call {
  readonly name: string
  readonly says: string
}

function suite(title: string, options: Partial<GuardOptions>, cases: readonly Case[]) {
  describe(title, async () => {
    const port = guarded(options)
    test.each(cases)('$name: $says', async ({ says, ...call }) => {
      expect(await verdict(await port, call)).toBe(says)
    })
  })
}

const host = (name: string, says: string): Case => ({ name: `Host ${name}`, headers: { host: name }, says })

suite('on loopback, the host name', {}, [
  host('localhost', 'open'),
  host('localhost:8001', 'open'),
  host('LocalHost:8001', 'open'),
  host('localhost.:8001', 'open'),
  host(hostname(), 'open'),
  host(`${hostname().toUpperCase()}:8001`, 'open'),
  host('127.0.0.1', 'open'),
  host('127.0.0.1:8001', 'open'),
  host('127.1.2.3:8001', 'open'),
  host('[::1]:8001', 'open'),
  host('[::1]', 'open'),
  host('evil.example', 'host-refused'),
  host('evil.example:8001', 'host-refused'),
  host('localhost.evil.example', 'host-refused'),
  host('127.0.0.1.evil.example', 'host-refused'),
  host('localhost@evil.example', 'host-refused'),
  host('10.0.0.1', 'host-refused'),
  host('[2001:db8::1]:8001', 'host-refused'),
  host('0.0.0.0:8001', 'host-refused'),
  host('*', 'host-refused'),
  { ...host('evil.example', 'host-refused'), name: 'even for health', path: '/1/health' },
])

suite('off loopback, the host name', { host: '0.0.0.0' }, [
  host('localhost', 'open'),
  host('10.0.0.1:8001', 'open'),
  host('[2001:db8::1]:8001', 'open'),
  host('evil.example', 'host-refused'),
])

suite('with hosts to allow, the host name', { host: 'pitot.example', allowHosts: ['Dash.Example', 'other:9000'] }, [
  host('pitot.example:8001', 'open'),
  host('dash.example', 'open'),
  host('other', 'open'),
  host('other:1', 'open'),
  host('another', 'host-refused'),
])

suite('with any host allowed', { allowHosts: ['*'] }, [host('evil.example', 'open'), host('10.1.1.1', 'open')])

const origin = (name: string, says: string, authority = 'localhost:8001'): Case => ({
  name: `Origin ${name} at Host ${authority}`,
  headers: { host: authority, origin: name },
  says,
})

suite('a page of', { allowOrigins: ['https://Dash.example.org'] }, [
  origin('http://localhost:8001', 'open'),
  origin('https://localhost:8001', 'open'),
  origin('HTTP://LOCALHOST:8001', 'open'),
  origin('http://127.0.0.1:8001', 'open', '127.0.0.1:8001'),
  origin('https://dash.example.org', 'open'),
  origin('http://localhost:8002', 'origin-refused'),
  origin('http://localhost', 'origin-refused'),
  origin('http://127.0.0.1:8001', 'origin-refused'),
  origin('http://dash.example.org', 'origin-refused'),
  origin('https://dash.example.org:444', 'origin-refused'),
  origin('https://evil.example', 'origin-refused'),
  origin('null', 'origin-refused'),
])

const site = (name: string, headers: Record<string, string>, says: string, more: Partial<Case> = {}): Case => ({
  name,
  headers: { host: 'localhost:8001', ...headers },
  path: '/1/model',
  says,
  ...more,
})

suite('a browser that asks', {}, [
  site('from the page itself', { 'sec-fetch-site': 'same-origin' }, 'open'),
  site('because its user typed the address', { 'sec-fetch-site': 'none' }, 'open'),
  site(
    'for an image on another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    'origin-refused',
  ),
  site(
    'for another port of this host',
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    'origin-refused',
  ),
  site('for health, from another site', { 'sec-fetch-site': 'cross-site' }, 'origin-refused', { path: '/1/health' }),
  site('by a link to an operation', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'origin-refused'),
  site('by a link to the page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'open', {
    path: '/',
  }),
  site('by a link into the page', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }, 'open', {
    path: '/?a=b',
  }),
  site('by a form to the page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'origin-refused', {
    path: '/',
    method: 'POST',
  }),
])

const token = (name: string, call: Call, says: string): Case => ({ name, path: '/1/model', ...call, says })

suite('with a token, a caller', { token: 'Secret-1' }, [
  token('that has it', { headers: { authorization: 'Bearer Secret-1' } }, 'open'),
  token('that writes bearer small', { headers: { authorization: 'bearer   Secret-1' } }, 'open'),
  token('without one', {}, 'token-needed'),
  token('with an empty header', { headers: { authorization: '' } }, 'token-needed'),
  token('with Basic', { headers: { authorization: 'Basic Secret-1' } }, 'token-needed'),
  token('with the bare token', { headers: { authorization: 'Secret-1' } }, 'token-needed'),
  token('with two tokens', { headers: { authorization: 'Bearer Secret-1 x' } }, 'token-needed'),
  token('with another', { headers: { authorization: 'Bearer other' } }, 'token-wrong'),
  token('with a part of it', { headers: { authorization: 'Bearer Secret-' } }, 'token-wrong'),
  token('with more than it', { headers: { authorization: 'Bearer Secret-11' } }, 'token-wrong'),
  token('with other case', { headers: { authorization: 'Bearer secret-1' } }, 'token-wrong'),
  token('that asks for health', { path: '/1/health' }, 'open'),
  token('that asks for health by HEAD', { path: '/1/health', method: 'HEAD' }, 'open'),
  token('that asks for more than health', { path: '/1/health?x=1' }, 'token-needed'),
  token('that asks for something below health', { path: '/1/health/../model' }, 'token-needed'),
  token('that asks for health in disguise', { path: '/1/healt%68' }, 'token-needed'),
  token('that asks by HEAD', { method: 'HEAD' }, 'token-needed'),
  token('that asks for the options', { method: 'OPTIONS' }, 'token-needed'),
  token('of another host', { headers: { host: 'evil.example', authorization: 'Bearer Secret-1' } }, 'host-refused'),
  token(
    'of another origin',
    { headers: { origin: 'http://evil.example', authorization: 'Bearer Secret-1' } },
    'origin-refused',
  ),
])

suite('where TLS is required, a caller', { tlsRequired: true }, [
  { name: 'with https', tls: true, says: 'open' },
  { name: 'with http', says: 'tls-required' },
])

describe('a refusal', () => {
  const needed = guarded({ token: 't' })
  test('for want of a token asks for one', async () => {
    const { status, headers, text } = await ask(await needed, { path: '/1/model' })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect(text).toBe('this service needs a token: send it as `Authorization: Bearer TOKEN`')
  })
  test('of a wrong token does not repeat it', async () => {
    const { status, headers, text } = await ask(await needed, {
      path: '/1/model',
      headers: { authorization: 'Bearer wrong-one' },
    })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect(text).toBe('the token is not the one this service was started with')
  })
  test('of a host or an origin names it and what to do', async () => {
    const port = await needed
    expect(await ask(port, { headers: { host: 'Evil.example:80' } })).toMatchObject({
      status: 403,
      text: "this service does not answer to the host name 'evil.example'; start it with --allow-host evil.example if it should",
    })
    expect(await ask(port, { headers: { origin: 'http://Evil.example' } })).toMatchObject({
      status: 403,
      text: "a page of 'http://Evil.example' may not call this service; start it with --allow-origin http://Evil.example if it should",
    })
  })
  test.each(['GET /1/health HTTP/1.0\r\n\r\n', 'GET /1/health HTTP/1.0\r\nHost:\r\n\r\n'])(
    'of a caller that names no host says so: %j',
    async (request) => {
      const got = await sendBytes(await needed, request)
      expect(got).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      expect(got.split('\r\n\r\n')[1]).toBe('the request cannot be read: it has no Host header')
    },
  )
  test('comes for every token but the right one', async () => {
    const port = await needed
    const other = fc.stringMatching(/^[!-~]{1,40}$/).filter((text) => text !== 't')
    await fc.assert(
      fc.asyncProperty(other, async (text) => {
        const call = { path: '/1/model', headers: { authorization: `Bearer ${text}` } }
        expect(await verdict(port, call)).toBe('token-wrong')
      }),
      { numRuns: 50 },
    )
  })
})

describe('isLoopback', () => {
  const hosts: [host: string, loopback: boolean][] = [
    ['localhost', true],
    ['LOCALHOST', true],
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['[::1]:8000', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['127.0.0.1.example', false],
    ['example.org', false],
    ['', false],
  ]
  test.each(hosts)('%j: %s', (name, loopback) => {
    expect(isLoopback(name)).toBe(loopback)
  })
})
