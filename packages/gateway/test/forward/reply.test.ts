import { describe, expect, test } from 'vitest'
import { call, gatewayBefore } from '../surroundings.ts'
import { base, remembering } from './instance.ts'

describe('what comes back', () => {
  test('status, reason, headers and body are those of the instance', async () => {
    const { port } = await gatewayBefore((_, response) => {
      response.writeHead(418, 'Short And Stout', [
        ...['Content-Type', 'application/vnd.pitot.model-r', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ...['X-Many', 'one', 'X-Many', 'two', 'ETag', '"9"', 'Keep-Alive', 'timeout=9', 'Warning', '299 - "old"'],
      ])
      response.end('a teapot')
    })
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.reason, answer.body]).toEqual([418, 'Short And Stout', 'a teapot'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.pitot.model-r',
      'set-cookie': ['a=1', 'b=2'],
      'x-many': 'one, two',
      etag: '"9"',
      warning: '299 - "old"',
    })
    expect(answer.headers['keep-alive']).not.toBe('timeout=9')
  })

  test('an error of the instance passes as it is', async () => {
    const { port } = await gatewayBefore((_, response) => {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('the database is away')
    })
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([503, '1', 'the database is away'])
  })

  test('HEAD has the length and no body', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(200, { 'content-length': 12345 }).end())
    const answer = await call(port, `${base}/1/x`, { method: 'HEAD' })
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '12345', ''])
  })

  test.for([204, 304])('%i has no body', async (status) => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(status, { etag: '"1"' }).end())
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers.etag, answer.body]).toEqual([status, '"1"', ''])
    expect(answer.headers).not.toHaveProperty('transfer-encoding')
  })

  test('an empty 200 is an empty 200', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(200, { 'content-length': 0 }).end())
    const answer = await call(port, `${base}/1/x`)
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '0', ''])
  })

  test('the request id is the same for caller and instance, given or not', async () => {
    const { port, seen } = await remembering()
    const given = await call(port, `${base}/1/x`, { headers: { 'x-request-id': 'abc-1' } })
    expect(given.headers['x-request-id']).toBe('abc-1')
    expect(seen[0]!.headers['x-request-id']).toBe('abc-1')
    const made = await call(port, `${base}/1/x`)
    expect(made.headers['x-request-id']).toMatch(/^[\w-]+$/)
    expect(seen[1]!.headers['x-request-id']).toBe(made.headers['x-request-id'])
    const harmful = await call(port, `${base}/1/x`, { headers: { 'x-request-id': 'a b"c' } })
    expect(harmful.headers['x-request-id']).not.toContain('"')
    expect(seen[2]!.headers['x-request-id']).toBe(harmful.headers['x-request-id'])
  })
})
