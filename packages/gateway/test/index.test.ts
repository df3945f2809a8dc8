import { request } from 'node:https'
import { describe, expect, test } from 'vitest'
import { bodyOf, type Call, call, connectWith, startedGateway, startedServer } from './surroundings.ts'

const evil = 'https://evil.example'
const friend = 'https://dash.example.org'
const token = 'the-token'

/** Two real services one behind the other: the instance is a gateway too, so it has checks of its own. */
async function gatewayBeforeService() {
  const nobody = await startedServer(connectWith([]))
  const instance = await startedGateway(nobody.url, { token })
  const connect = await startedServer(connectWith([{ name: 'engine-1', port: instance.port }]))
  const options = { token, allowOrigins: [friend], allowHosts: ['pitot.example.org'] }
  return startedGateway(connect.url, options)
}

const forwarded = '/api/1/service/engine-1/1/swagger'
const bearer = { authorization: `Bearer ${token}` }

interface Row {
  readonly path?: string
  readonly options: Call
  readonly status: number
  readonly sentence?: string
}

const rows: Record<string, Row> = {
  'a call with the token passes, and the token with it': { options: { headers: bearer }, status: 200 },
  'a call without a token is 401': {
    options: {},
    status: 401,
    sentence: 'this service needs a token: send it as `Authorization: Bearer TOKEN`',
  },
  'a call with a wrong token is 401': {
    options: { headers: { authorization: 'Bearer other' } },
    status: 401,
    sentence: 'the token is not the one this service was started with',
  },
  'the page needs the token': {
    path: '/',
    options: {},
    status: 401,
    sentence: 'this service needs a token: send it as `Authorization: Bearer TOKEN`',
  },
  'health of the gateway itself is open': { path: '/1/health', options: {}, status: 200 },
  'health of an instance is not open through the gateway': {
    path: '/api/1/service/engine-1/1/health',
    options: {},
    status: 401,
    sentence: 'this service needs a token: send it as `Authorization: Bearer TOKEN`',
  },
  'a foreign host name is refused': {
    options: { headers: { ...bearer, host: 'evil.example' } },
    status: 403,
    sentence:
      "this service does not answer to the host name 'evil.example'; start it with --allow-host evil.example if it should",
  },
  'an allowed host name passes, though the instance does not know it': {
    options: { headers: { ...bearer, host: 'pitot.example.org' } },
    status: 200,
  },
  'a page of another origin is refused': {
    options: { headers: { ...bearer, origin: evil } },
    status: 403,
    sentence: `a page of '${evil}' may not call this service; start it with --allow-origin ${evil} if it should`,
  },
  'an image of another site is refused': {
    options: { headers: { ...bearer, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
    status: 403,
    sentence:
      "a page of 'another site' may not call this service; start it with --allow-origin another site if it should",
  },
  'a page of an allowed origin passes, though the instance does not know it': {
    options: { headers: { ...bearer, origin: friend, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } },
    status: 200,
  },
  'a write of a page of another origin is refused': {
    options: { method: 'POST', body: '{}', headers: { ...bearer, origin: evil } },
    status: 403,
    sentence: `a page of '${evil}' may not call this service; start it with --allow-origin ${evil} if it should`,
  },
}

describe('who may call', () => {
  for (const [name, { path = forwarded, options, status, sentence }] of Object.entries(rows)) {
    test(name, async () => {
      const { port } = await gatewayBeforeService()
      const answer = await call(port, path, options)
      expect(answer.status).toBe(status)
      if (sentence !== undefined) expect(answer.body).toBe(sentence)
      if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer')
    })
  }

  test('a call that is refused does not reach the instance', async () => {
    let reached = 0
    const instance = await startedServer((_, response) => {
      reached++
      response.end()
    })
    const connect = await startedServer(connectWith([{ name: 'engine-1', port: instance.port }]))
    const { port } = await startedGateway(connect.url)
    const path = '/api/1/service/engine-1/1/job'
    expect((await call(port, path, { method: 'DELETE', headers: { origin: evil } })).status).toBe(403)
    expect((await call(port, path, { method: 'DELETE', headers: { host: 'evil.example' } })).status).toBe(403)
    expect(reached).toBe(0)
    expect((await call(port, path, { method: 'DELETE' })).status).toBe(200)
    expect(reached).toBe(1)
  })
})

describe('the gateway itself', () => {
  test('answers health and describes itself', async () => {
    const connect = await startedServer(connectWith([]))
    const { port } = await startedGateway(connect.url)
    const health = JSON.parse((await call(port, '/1/health')).body)
    expect(Object.keys(health)).toEqual(['id', 'release', 'built_on'])
    expect(JSON.parse((await call(port, '/1/swagger')).body).info.title).toBe('Gateway API')
  })

  test('is called over TLS on the same port, and tells the instance', async () => {
    const seen: unknown[] = []
    const instance = await startedServer((message, response) => {
      seen.push(message.headers['x-forwarded-proto'])
      response.end('ok')
    })
    const connect = await startedServer(connectWith([{ name: 'engine-1', port: instance.port }]))
    const { port } = await startedGateway(connect.url)
    const body = await new Promise<string>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/api/1/service/engine-1/1/x', agent: false }
      const call = request({ ...options, rejectUnauthorized: false }, (answer) => {
        bodyOf(answer).then((bytes) => resolve(bytes.toString()), reject)
      })
      call.on('error', reject)
      call.end()
    })
    expect([body, seen]).toEqual(['ok', ['https']])
  })

  test('a request under way is finished when it stops', async () => {
    let finish: (() => void) | undefined
    const instance = await startedServer((_, response) => {
      finish = () => response.end('done')
    })
    const connect = await startedServer(connectWith([{ name: 'engine-1', port: instance.port }]))
    const gateway = await startedGateway(connect.url)
    const answer = call(gateway.port, '/api/1/service/engine-1/1/x')
    while (finish === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    const stopped = gateway.stop()
    finish()
    expect((await answer).body).toBe('done')
    await stopped
    await expect(call(gateway.port, '/1/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
