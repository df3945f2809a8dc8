import { describe, expect, test } from 'vitest'
import { call } from '../surroundings.ts'
import { base, remembering, type Seen } from './instance.ts'

describe('what reaches the instance', () => {
  test.for(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s stays %s', async (method) => {
    const { port, seen } = await remembering()
    const answer = await call(port, `${base}/1/thing`, { method })
    expect(answer.status).toBe(200)
    expect(answer.body).toBe(method === 'HEAD' ? '' : 'ok')
    expect(seen.map((one) => `${one.method} ${one.url}`)).toEqual([`${method} /1/thing`])
  })

  const targets = [
    '/1/health',
    '/1/job/status?return=model,jets',
    '/1/model/a%2Fb%20c',
    '/1/model/%E4%B8%96%e7%95%8c',
    '/1/x?a=1&a=2&b=%26%3D+%20&&=&c',
    '/1/x?',
    '/1/x??d=e#f',
    '//two//slashes/',
    '/1/./a/../b',
    '/1/..%2f..%2fetc',
    "/1/semi;colon=,'()*!~@:$",
    '/api/1/service/engine-1/1/health',
    '/',
  ]
  test.for(targets)('path and query %s are untouched', async (target) => {
    const { port, seen } = await remembering()
    expect((await call(port, `${base}${target}`)).status).toBe(200)
    expect(seen[0]?.url).toBe(target)
  })

  test('without a path it is the root', async () => {
    const { port, seen } = await remembering()
    expect((await call(port, base)).status).toBe(200)
    expect(seen[0]?.url).toBe('/')
  })

  test('an encoded instance name is the same name', async () => {
    const { port, seen } = await remembering()
    expect((await call(port, '/api/1/service/engine%2D1/1/x')).status).toBe(200)
    expect(seen[0]?.url).toBe('/1/x')
  })

  test('headers go on, tokens and repeated ones included', async () => {
    const { port, seen, instance } = await remembering()
    await call(port, `${base}/1/x`, {
      method: 'PUT',
      body: 'a body',
      headers: {
        authorization: 'Bearer a.b-c',
        accept: 'application/json, */*;q=0.1',
        'content-type': 'application/vnd.fastscore.model-python; charset=x',
        cookie: ['a=1', 'b=2'],
        'x-many': ['one', 'two', 'three'],
        'x-empty': '',
        'if-match': '"7"',
        'user-agent': 'client/1.4',
      },
    })
    const [{ headers, body }] = seen as [Seen]
    expect(body).toBe('a body')
    expect(headers).toMatchObject({
      authorization: 'Bearer a.b-c',
      accept: 'application/json, */*;q=0.1',
      'content-type': 'application/vnd.fastscore.model-python; charset=x',
      'content-length': '6',
      cookie: 'a=1; b=2',
      'x-many': 'one, two, three',
      'x-empty': '',
      'if-match': '"7"',
      'user-agent': 'client/1.4',
      host: `127.0.0.1:${instance.port}`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${port}`,
      'x-forwarded-proto': 'http',
    })
  })

  test('headers of the connection stay behind, those that Connection names too', async () => {
    const { port, seen } = await remembering()
    await call(port, `${base}/1/x`, {
      headers: { connection: 'close, x-private', 'x-private': '1', te: 'trailers', 'proxy-authorization': 'Basic x' },
    })
    const names = Object.keys(seen[0]!.headers)
    for (const name of ['x-private', 'te', 'proxy-authorization']) expect(names).not.toContain(name)
    expect(seen[0]!.headers.connection).toBe('keep-alive')
  })

  test('a request without a body has none there either', async () => {
    const { port, seen } = await remembering()
    await call(port, `${base}/1/x`, { method: 'DELETE' })
    expect(seen[0]!.headers).not.toHaveProperty('transfer-encoding')
    expect(seen[0]!.headers).not.toHaveProperty('content-length')
  })
})
