import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningService } from '../../src/service.ts'
import { ask } from '../calls.ts'
import { startForTest, startThings } from '../things.ts'

describe('a request id', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  const idOf = async (headers: Record<string, string>, path = '/1/thing/a') =>
    (await ask(service.port, { path, headers })).headers['x-request-id']

  test.each(['a', 'req-1', '0123456789abcdef', 'A.b:c_d-e', 'x'.repeat(128)])(
    'of the caller is used: %s',
    async (id) => {
      const { headers, text } = await ask(service.port, { path: '/1/thing/a', headers: { 'x-request-id': id } })
      expect(headers['x-request-id']).toBe(id)
      expect(JSON.parse(text).id).toBe(id)
    },
  )

  test.each(['', ' ', 'a b', 'a"b', '<script>', 'a/b', 'x'.repeat(129), 'a, b', '{}'])(
    'of the caller is replaced when it is unsafe: %j',
    async (id) => {
      expect(await idOf({ 'x-request-id': id })).toMatch(/^[0-9a-z]{5}-[0-9a-z]+$/)
    },
  )

  test('is made when there is none, and is never the same', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => idOf({})))
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{5}-[0-9a-z]+$/)
  })

  test.each(['/nowhere', '/1/thing/%zz', '/1/thing/a?x=1'])('is given on errors too: %s', async (path) => {
    expect(await idOf({ 'x-request-id': 'mine' }, path)).toBe('mine')
  })
})

describe('a request that finds no operation', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  const cases: [method: string, path: string, status: number, sentence: string, allow?: string][] = [
    ['GET', '/1/helth', 404, 'there is no /1/helth here; did you mean /1/health?'],
    ['GET', '/', 404, 'there is no / here'],
    ['GET', '/1/health/', 404, 'there is no /1/health/ here; did you mean /1/health?'],
    ['GET', '//1/health', 404, 'there is no //1/health here; did you mean /1/health?'],
    ['POST', '/1/health', 405, 'POST is not possible on /1/health; possible: GET, HEAD', 'GET, HEAD'],
    ['OPTIONS', '/1/thing/a', 405, 'OPTIONS is not possible on /1/thing/a; possible: GET, HEAD, PUT', 'GET, HEAD, PUT'],
    ['TRACE', '/1/thing/a', 405, 'TRACE is not possible on /1/thing/a; possible: GET, HEAD, PUT', 'GET, HEAD, PUT'],
    [
      'PROPFIND',
      '/1/thing/a',
      405,
      'PROPFIND is not possible on /1/thing/a; possible: GET, HEAD, PUT',
      'GET, HEAD, PUT',
    ],
    [
      'DELETE',
      '/1/thing/a%2Fb',
      405,
      'DELETE is not possible on /1/thing/a%2Fb; possible: GET, HEAD, PUT',
      'GET, HEAD, PUT',
    ],
    ['GET', '/1/thing/', 400, 'the thing name is empty'],
    ['PUT', '/1/thing//part/x', 400, 'the thing name is empty'],
    ['PUT', '/1/thing/x/part/', 400, 'the part name is empty'],
  ]
  test.each(cases)('%s %s is answered with %i: %s', async (method, path, status, sentence, allow) => {
    const answer = await ask(service.port, { method, path })
    expect(answer.text).toBe(sentence)
    expect(answer.status).toBe(status)
    expect(answer.headers.allow).toBe(allow)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('a URL', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startThings()
  })
  afterAll(() => service.stop())
  test('of 8192 bytes is taken', async () => {
    const path = `/1/thing/a?word=${'x'.repeat(8192 - '/1/thing/a?word='.length)}`
    expect((await ask(service.port, { path })).status).toBe(200)
  })
  const long: [name: string, path: string][] = [
    ['in its query', `/1/thing/a?word=${'x'.repeat(8193 - '/1/thing/a?word='.length)}`],
    ['in a name', `/1/thing/${'x'.repeat(8200)}`],
    ['in a percent-encoded name', `/1/thing/${'%20'.repeat(5000)}`],
    ['in a path that nobody knows', `/${'x'.repeat(9000)}`],
  ]
  test.each(long)('that is longer %s is refused', async (_, path) => {
    const { status, text } = await ask(service.port, { path })
    expect(text).toBe('the URL is longer than 8192 bytes')
    expect(status).toBe(414)
  })
})

test('many requests at once get each their own answer', async () => {
  const { port } = await startForTest()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => ask(port, { path: `/1/thing/${n}?word=${n}`, tls: n % 4 === 0 })),
  )
  for (const [n, { status, text }] of answers.entries()) {
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ path: { thing: String(n) }, query: { word: String(n) } })
  }
})
