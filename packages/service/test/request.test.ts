import type { PitotError } from '@pitot/api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readName } from '../src/request.ts'
import type { RunningService } from '../src/service.ts'
import { ask, dial, sendBytes } from './calls.ts'
import { startThings, type ThingHandlers, thingHandlers } from './things.ts'

let service: RunningService
const uploads: (string | PitotError)[] = []
const documents: string[] = []
const handlers: Partial<ThingHandlers> = {
  async putPart(request) {
    try {
      const reply = await thingHandlers.putPart(request)
      uploads.push('whole')
      return reply
    } catch (error) {
      uploads.push(error as PitotError)
      throw error
    }
  },
  putThing(request) {
    documents.push(request.path.thing)
    return thingHandlers.putThing(request)
  },
}
beforeAll(async () => {
  service = await startThings(handlers)
})
afterAll(() => service.stop())

const get = (path: string) => ask(service.port, { path })

describe('a name', () => {
  const good: [segment: string, name: string][] = [
    ['plain', 'plain'],
    ['a%2Fb', 'a/b'],
    ['%2F', '/'],
    ['..%2F..%2Fetc%2Fpasswd', '../../etc/passwd'],
    ['a%5Cb', 'a\\b'],
    ['...', '...'],
    ['.a', '.a'],
    ['a+b', 'a+b'],
    ['a%20b', 'a b'],
    ['%20', ' '],
    ['100%25', '100%'],
    ['%252F', '%2F'],
    ['%2525', '%25'],
    ['a;b=c,d@e:f!*', 'a;b=c,d@e:f!*'],
    ['a%3Fb%23c', 'a?b#c'],
    ['gr%C3%B6%C3%9Fe', 'größe'],
    ['%F0%9F%98%80', '😀'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
    ['a'.repeat(255), 'a'.repeat(255)],
    [`${'%C3%A9'.repeat(127)}a`, `${'é'.repeat(127)}a`],
    ['%F0%9F%98%80'.repeat(63), '😀'.repeat(63)],
  ]
  test.each(good)('written %s is %j', async (segment, name) => {
    const { status, text } = await get(`/1/thing/${segment}`)
    expect(status).toBe(200)
    expect(JSON.parse(text).path).toEqual({ thing: name })
  })

  const bad: [segment: string, sentence: string][] = [
    ['', 'the thing name is empty'],
    ['.', "the thing name must not be '.'"],
    ['..', "the thing name must not be '..'"],
    ['%2E', "the thing name must not be '.'"],
    ['%2e%2E', "the thing name must not be '..'"],
    ['a%00b', 'the thing name has a control character (U+0000)'],
    ['%0A', 'the thing name has a control character (U+000A)'],
    ['%7F', 'the thing name has a control character (U+007F)'],
    ['%C2%85', 'the thing name has a control character (U+0085)'],
    ['%E2%80%A8', 'the thing name has a control character (U+2028)'],
    ['a'.repeat(256), 'the thing name is 256 bytes long; the longest possible is 255'],
    ['%C3%A9'.repeat(128), 'the thing name is 256 bytes long; the longest possible is 255'],
    ['%F0%9F%98%80'.repeat(64), 'the thing name is 256 bytes long; the longest possible is 255'],
    ['%ED%A0%80', 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
    ['%FF', 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
    ['%', 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
    ['%zz', 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
    ['a%2', 'the request cannot be read: the path is not valid percent-encoded UTF-8'],
  ]
  test.each(bad)('written %j is refused: %s', async (segment, sentence) => {
    const { status, headers, text } = await get(`/1/thing/${segment}`)
    expect(text).toBe(sentence)
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['x-request-id']).toMatch(/./)
  })

  test('of a part is checked as well', async () => {
    const { status, text } = await ask(service.port, { method: 'PUT', path: '/1/thing/a/part/%00' })
    expect(status).toBe(400)
    expect(text).toBe('the part name has a control character (U+0000)')
  })

  test.each(['a\ud800', '\udc00'])('that is no Unicode text is refused: %j', (name) => {
    expect(() => readName('thing', name)).toThrow('the thing name is not valid UTF-8')
  })

  test('arrives as it was sent, whatever it is', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not allowed in names
      .filter((text) => text !== '.' && text !== '..' && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text))
    await fc.assert(
      fc.asyncProperty(name, async (thing) => {
        const { text } = await get(`/1/thing/${encodeURIComponent(thing)}`)
        expect(JSON.parse(text).path).toEqual({ thing })
      }),
      { numRuns: 50 },
    )
  })

  test('is taken exactly when it is 1 to 255 bytes of clean text', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), maxLength: 300 }),
    )
    fc.assert(
      fc.property(name, (text) => {
        const size = Buffer.byteLength(text)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not allowed in names
        const clean = text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
        if (clean && size > 0 && size <= 255 && text !== '.' && text !== '..') expect(readName('x', text)).toBe(text)
        else expect(() => readName('x', text)).toThrow(/^the x name /)
      }),
    )
  })
})

describe('an id', () => {
  test.each([
    ['1', 1],
    ['007', 7],
    ['2147483647', 2147483647],
  ])('written %s is %i', async (segment, id) => {
    const { status, text } = await get(`/1/numbered/${segment}`)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ id })
  })

  test.each(['0', '-1', '+1', '1.0', '1e3', '2147483648', '99999999999', 'x', 'constructor'])(
    'cannot be %s',
    async (segment) => {
      const { status, text } = await get(`/1/numbered/${segment}`)
      expect(text).toBe(`there is no id '${segment}': ids are whole numbers from 1`)
      expect(status).toBe(404)
    },
  )
})

describe('a query', () => {
  const good: [query: string, values: object][] = [
    ['', {}],
    ['?', {}],
    ['?digit=7', { digit: 7 }],
    ['?word=a+b%26c', { word: 'a b&c' }],
    ['?word=', { word: '' }],
    ['?word', { word: '' }],
    ['?digit=1&word=x', { digit: 1, word: 'x' }],
    ['?%64igit=3', { digit: 3 }],
    ['?word=a?b=c', { word: 'a?b=c' }],
    ['?&digit=1&', { digit: 1 }],
  ]
  test.each(good)('%j is read as %j', async (query, values) => {
    const { status, text } = await get(`/1/thing/a${query}`)
    expect(status).toBe(200)
    expect(JSON.parse(text).query).toEqual(values)
  })

  const bad: [target: string, sentence: string][] = [
    ['/1/thing/a?digit=77', "query parameter 'digit' is '77', but must be a digit"],
    ['/1/thing/a?digit=', "query parameter 'digit' is '', but must be a digit"],
    ['/1/thing/a?digit=1&digit=1', "query parameter 'digit' is given more than once"],
    ['/1/thing/a?digits=1', "there is no query parameter 'digits' here; did you mean 'digit'?; known: digit, word"],
    ['/1/thing/a?zebra=1', "there is no query parameter 'zebra' here; known: digit, word"],
    ['/1/thing/a?Digit=1', "there is no query parameter 'Digit' here; did you mean 'digit'?; known: digit, word"],
    ['/1/thing/a?constructor=1', "there is no query parameter 'constructor' here; known: digit, word"],
    ['/1/thing/a?__proto__=1', "there is no query parameter '__proto__' here; known: digit, word"],
    ['/1/thing?x=1', "there is no query parameter 'x' here; known: none"],
    ['/1/health?x=%0A', "there is no query parameter 'x' here; known: none"],
    ['/1/thing/a?digit=1%0A2', "query parameter 'digit' is '1 2', but must be a digit"],
  ]
  test.each(bad)('%s is refused: %s', async (path, sentence) => {
    const { status, text } = await get(path)
    expect(text).toBe(sentence)
    expect(status).toBe(403)
  })

  test.each(['', '?', '?&'])('that lacks a needed parameter is refused: %j', async (query) => {
    const { status, text } = await ask(service.port, { method: 'POST', path: `/1/scale${query}` })
    expect(text).toBe("query parameter 'digit' is missing; it must be a digit")
    expect(status).toBe(403)
  })

  test('with a needed parameter is taken', async () => {
    expect((await ask(service.port, { method: 'POST', path: '/1/scale?digit=0' })).status).toBe(204)
  })

  test('of any text is read or refused with 403 in one line', async () => {
    const query = fc.string({
      unit: fc.constantFrom('digit', 'word', '=', '&', '1', '%', '%41', '%ff', '+', '?', ';', '%0a'),
    })
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const answer = await get(`/1/thing/a?${text}`)
        expect([200, 403]).toContain(answer.status)
        expect(answer.text).not.toMatch(/[\r\n]/)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a document', () => {
  const put = (call: Parameters<typeof ask>[1]) => ask(service.port, { method: 'PUT', path: '/1/thing/a', ...call })
  const tooLarge = 'the body is larger than the limit of 1000 bytes; raise it with --max-document'

  const good: [name: string, body: string | string[], text: string][] = [
    ['with a length', 'größe', 'größe'],
    ['in chunks', ['one ', 'two ', 'three'], 'one two three'],
    ['as large as the limit', 'x'.repeat(1000), 'x'.repeat(1000)],
    ['in chunks as large as the limit', ['x'.repeat(999), 'y'], `${'x'.repeat(999)}y`],
  ]
  test.each(good)('%s is taken', async (_, body, expected) => {
    const { status, text } = await put({ body })
    expect(status).toBe(200)
    expect(JSON.parse(text).text).toBe(expected)
  })

  const types = [
    undefined,
    'application/json',
    'text/plain; charset=latin1',
    'rubbish',
    'constructor',
    '/',
    ';',
    'a/b/c',
    'multipart/form-data',
  ]
  test.each(types)('is taken with the content type %j: what that means is for the operation to say', async (type) => {
    const { status, text } = await put({ body: '{', headers: type === undefined ? {} : { 'content-type': type } })
    expect(text).toBe('{"path":{"thing":"a"},"text":"{"}')
    expect(status).toBe(200)
  })

  test.each([
    ['with a length', 'x'.repeat(1001)],
    ['in chunks', ['x'.repeat(1000), 'y']],
    ['in chunks, many times over', Array.from({ length: 64 }, () => 'x'.repeat(65536))],
  ])('larger than the limit, %s, is refused', async (_, body) => {
    const before = documents.length
    const { status, text } = await put({ body })
    expect(text).toBe(tooLarge)
    expect(status).toBe(413)
    expect(documents).toHaveLength(before)
  })

  test('announced as larger than the limit is refused before it is sent', async () => {
    const { socket, all } = dial(service.port)
    const head = 'PUT /1/thing/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\nConnection: close\r\n\r\n'
    socket.once('data', () => socket.end())
    socket.write(head)
    const got = await all
    expect(got).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
    expect(got.split('\r\n\r\n')[1]).toBe(tooLarge)
  })

  test('that is missing is refused', async () => {
    for (const body of [undefined, '', []]) {
      const { status, text } = await put(body === undefined ? {} : { body })
      expect(text).toBe('the request has no body; it must hold a document')
      expect(status).toBe(400)
    }
  })

  test.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'constructor'])(
    'that is compressed with %s is refused',
    async (encoding) => {
      const { status, text } = await put({ body: 'x', headers: { 'content-encoding': encoding } })
      expect(text).toBe(`Content-Encoding '${encoding}' is not supported; send the body as it is`)
      expect(status).toBe(415)
    },
  )

  test.each(['identity', 'Identity'])('with Content-Encoding %s is taken', async (encoding) => {
    expect((await put({ body: 'x', headers: { 'content-encoding': encoding } })).status).toBe(200)
  })

  test('that breaks off is never given to the operation', async () => {
    const before = documents.length
    for (const head of ['Content-Length: 10\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n']) {
      const { socket, all } = dial(service.port)
      await new Promise((resolve) =>
        socket.write(`PUT /1/thing/broken HTTP/1.1\r\nHost: localhost\r\n${head}`, resolve),
      )
      await ask(service.port)
      socket.destroy()
      await all
    }
    await ask(service.port)
    expect(documents.slice(before)).toEqual([])
  })

  test('that comes where none is wanted is passed over', async () => {
    const { status } = await ask(service.port, { method: 'POST', path: '/1/scale?digit=1', body: 'x'.repeat(5000) })
    expect(status).toBe(204)
    expect((await ask(service.port, { path: '/1/thing', body: 'x' })).text).toBe('[]')
  })
})

describe('a stream', () => {
  const put = (call: Parameters<typeof ask>[1]) =>
    ask(service.port, { method: 'PUT', path: '/1/thing/a/part/b', ...call })

  const good: [name: string, body: string | string[] | undefined, length: number | null, text: string][] = [
    ['with a length', 'größe', 7, 'größe'],
    ['in chunks', ['one ', 'two'], null, 'one two'],
    ['that is empty', '', 0, ''],
    ['larger than any document', 'x'.repeat(100_000), 100_000, 'x'.repeat(100_000)],
  ]
  test.each(good)('%s is taken', async (_, body, length, expected) => {
    const { status, text } = await put(body === undefined ? {} : { body })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ path: { thing: 'a', part: 'b' }, length, text: expected })
  })

  test('that is compressed is refused', async () => {
    const { status, text } = await put({ body: 'x', headers: { 'content-encoding': 'gzip' } })
    expect(text).toBe("Content-Encoding 'gzip' is not supported; send the body as it is")
    expect(status).toBe(415)
  })

  const broken: [name: string, bytes: string][] = [
    ['shorter than announced', 'Content-Length: 10\r\n\r\nhalf'],
    ['without its last chunk', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ]
  test.each(broken)('that ends %s is an error to whoever reads it, not a shorter body', async (_, bytes) => {
    uploads.length = 0
    const { socket, all } = dial(service.port)
    socket.write(`PUT /1/thing/a/part/b HTTP/1.1\r\nHost: localhost\r\n${bytes}`)
    await ask(service.port)
    socket.destroy()
    await all
    await vi.waitFor(() => expect(uploads).toHaveLength(1), 5000)
    expect(uploads[0]).toMatchObject({
      code: 'body-incomplete',
      message: 'the body ended early: aborted; nothing was stored',
    })
  })

  test('that ends with a half-closed connection is refused', async () => {
    uploads.length = 0
    const { socket, all } = dial(service.port)
    socket.end('PUT /1/thing/a/part/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf')
    expect(await all).not.toMatch(/ 200 OK/)
    await vi.waitFor(() => expect(uploads).toHaveLength(1), 5000)
    expect(uploads[0]).toMatchObject({ code: 'body-incomplete' })
  })

  test('whose chunks are rubbish is refused', async () => {
    uploads.length = 0
    const got = await sendBytes(
      service.port,
      'PUT /1/thing/a/part/b HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n',
    )
    expect(got).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(got).toContain('the request cannot be read: Parse Error: Invalid character in chunk size')
    await vi.waitFor(() => expect(uploads).toHaveLength(1), 5000)
    expect(uploads[0]).toMatchObject({ code: 'body-incomplete' })
  })
})
