import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { HttpOptions } from '../../src/transports/http/options.ts'
import { http } from '../../src/transports/http.ts'
import { bytesOf, contextFor, framesOf, joined, messagesOf, readBytes, textOf, transportContract } from './contract.ts'

const toClose: (() => unknown)[] = []
const cleanUp = async () => {
  for (const close of toClose.splice(0)) await close()
}
afterEach(cleanUp)

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function optionsFor(url: string, more: Partial<HttpOptions> = {}): HttpOptions {
  return {
    Url: url,
    Headers: {},
    MaxRedirects: 5,
    RetryTime: 2000,
    IdleTime: null,
    Verify: true,
    CA: null,
    Chunked: false,
    Post: null,
    ContentType: 'application/octet-stream',
    ...more,
  }
}

const read = async (url: string, more: Partial<HttpOptions> = {}, context = {}) =>
  textOf(joined(await readBytes(await http.open!(optionsFor(url, more), contextFor(context)))))

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return joined(pieces)
}

/** Serves bytes, with ranges, as servers of files do. */
function fileServer(bytes: Uint8Array, tag = '"one"'): RequestListener {
  return (request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.setHeader('ETag', tag)
    if (start >= bytes.length && start > 0) return void response.writeHead(416).end()
    const isPartial =
      request.headers.range !== undefined && [undefined, tag].includes(request.headers['if-range'] as string)
    if (!isPartial) return void response.end(bytes)
    response
      .writeHead(206, { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` })
      .end(bytes.subarray(start))
  }
}

const refusing = (status: number) => async () => ({
  options: optionsFor(await serve((_request, response) => void response.writeHead(status).end('go away\nnow')), {
    RetryTime: 0,
  }),
  mentions: new RegExp(`GET http.* was answered with ${status} .*: go away$`),
})

describe.each(['batches', 'records'] as const)('HTTP, Post %s', (Post) => {
  transportContract({
    transport: http,
    input: async (messages) => ({ options: optionsFor(await serve(fileServer(joined(messages)))) }),
    output: async () => {
      const bodies: Uint8Array[] = []
      const url = await serve(async (request, response) => {
        bodies.push(await bodyOf(request))
        response.writeHead(204).end()
      })
      return { options: optionsFor(url, { Post }), received: async () => bodies }
    },
    resumes: true,
    brokenInput: refusing(404),
    cleanUp,
  })
})

describe('input', () => {
  test('SkipTo is a range, or dropped bytes where the server knows no ranges', async () => {
    const asked: (string | undefined)[] = []
    const withRanges = await serve((request, response) => {
      asked.push(request.headers.range)
      fileServer(bytesOf('0123456789'))(request, response)
    })
    expect(await read(withRanges, {}, { skipTo: 4 })).toBe('456789')
    expect(asked).toEqual(['bytes=4-'])
    const without = await serve((_request, response) => void response.end('0123456789'))
    expect(await read(without, {}, { skipTo: 4 })).toBe('456789')
    expect(await read(withRanges, {}, { skipTo: 10 })).toBe('')
    expect(await read(without, {}, { skipTo: 11 })).toBe('')
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('%s is decompressed', async (encoding, pack) => {
    const url = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toContain(encoding)
      response.setHeader('Content-Encoding', encoding).end(pack(Buffer.alloc(3_000_000, 'abcdefg\n')))
    })
    expect(await read(url)).toBe('abcdefg\n'.repeat(375_000))
  })

  test('what is not compressed as it says, or in an unknown way, fails with a sentence', async () => {
    const damaged = await serve(
      (_request, response) => void response.setHeader('Content-Encoding', 'gzip').end('plain text'),
    )
    await expect(read(damaged)).rejects.toThrow(/is damaged/)
    const unknown = await serve(
      (_request, response) => void response.setHeader('Content-Encoding', 'rot13').end('cynva'),
    )
    await expect(read(unknown)).rejects.toThrow(/'rot13', which is none of/)
  })

  test('a connection that breaks is resumed where it broke', async () => {
    const bytes = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >>> 3)
    let requests = 0
    const url = await serve((request, response) => {
      requests++
      if (requests > 6) return fileServer(bytes)(request, response)
      const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      response.writeHead(start > 0 ? 206 : 200, {
        ETag: '"one"',
        'Content-Length': bytes.length - start,
        ...(start > 0 && { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
      })
      response.write(bytes.subarray(start, start + 300_000), () => setTimeout(() => request.socket.destroy(), 20))
    })
    const hash = createHash('sha256')
    let end = 0
    for await (const chunk of await http.open!(optionsFor(url), contextFor())) {
      expect(chunk.frames.position).toBe(end)
      end += chunk.frames.bytes.length
      for (const message of messagesOf(chunk)) hash.update(message)
    }
    expect(requests).toBe(7)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('where the server knows no ranges, what was read already is dropped; also when it was compressed', async () => {
    for (const encoding of ['identity', 'gzip']) {
      let requests = 0
      const text = Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n')
      const packed = encoding === 'gzip' ? gzipSync(text) : bytesOf(text)
      const url = await serve((request, response) => {
        requests++
        response.writeHead(200, { 'Content-Length': packed.length, 'Content-Encoding': encoding })
        if (requests > 2) return void response.end(packed)
        response.write(packed.subarray(0, packed.length / 2), () => setTimeout(() => request.socket.destroy(), 30))
      })
      expect(await read(url)).toBe(text)
      expect(requests).toBe(3)
    }
  })

  test('data that changes while it is read ends the stream', async () => {
    let requests = 0
    const url = await serve((request, response) => {
      requests++
      response.writeHead(200, { ETag: `"version ${requests}"`, 'Content-Length': 100 })
      response.write('x'.repeat(50), () => setTimeout(() => request.socket.destroy(), 20))
    })
    await expect(read(url)).rejects.toThrow(/has changed while it was read; after 50 bytes/)
  })

  test('a body that breaks off again and again without a byte ends the stream, passing', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'Content-Length': 100 })
      response.flushHeaders()
      setTimeout(() => request.socket.destroy(), 5)
    })
    await expect(read(url, { RetryTime: 150 })).rejects.toMatchObject({ name: 'StreamFailure', passing: true })
  })

  test('a busy server is asked again, when it says so', async () => {
    const times: number[] = []
    const url = await serve((_request, response) => {
      times.push(Date.now())
      if (times.length > 2) return void response.end('at last')
      response.writeHead(times.length === 1 ? 503 : 429, times.length === 1 ? { 'Retry-After': '1' } : {}).end()
    })
    const log: string[] = []
    expect(await read(url, {}, { log: (_level: string, line: string) => void log.push(line) })).toBe('at last')
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990)
    expect(log).toEqual([expect.stringContaining('503'), expect.stringContaining('429')])
  })

  test('silence is taken for a broken connection', async () => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests++
      if (requests > 1) response.end('spoke')
    })
    expect(await read(url, { IdleTime: 60 })).toBe('spoke')
  })

  test('redirects are followed, up to a number, without credentials for other hosts', async () => {
    const seen: (string | undefined)[] = []
    const target = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.end('arrived')
    })
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization)
      const left = Number(request.url!.slice(1))
      response.writeHead(302, { Location: left > 0 ? `/${left - 1}` : target }).end()
    })
    const Headers = { Authorization: 'secret' }
    expect(await read(`${url}2`, { Headers })).toBe('arrived')
    expect(seen).toEqual(['secret', 'secret', 'secret', undefined])
    await expect(read(`${url}5`, { Headers })).rejects.toThrow(/more than 5 redirects/)
    await expect(read(`${url}0`, { MaxRedirects: 0 })).rejects.toThrow(/more than 0 redirects/)
  })

  test('passwords in the address are used, and never shown', async () => {
    const url = await serve((request, response) => {
      const expected = `Basic ${Buffer.from('me:secret').toString('base64')}`
      response.writeHead(request.headers.authorization === expected ? 404 : 500).end()
    })
    const failure = await read(url.replace('//', '//me:secret@')).catch((error: Error) => error.message)
    expect(failure).toMatch(/404/)
    expect(failure).not.toMatch(/secret/)
  })

  test('an endless body ends when the stream is closed', async () => {
    const url = await serve((_request, response) => {
      response.write('one\n')
      toClose.unshift(() => response.destroy())
    })
    const source = await http.open!(optionsFor(url), contextFor())
    const reading = readBytes(source)
    await sleep(50)
    await source.close()
    expect((await reading).map(textOf)).toEqual(['one\n'])
  })
})

test('https: certificates are checked, unless told otherwise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-https-'))
  toClose.push(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1'
  const make = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 ${subject}`
  execFileSync('sh', ['-c', `${make} -keyout "$0" -out "$1"`, key, cert], { stdio: 'ignore' })
  const bodies: string[] = []
  const server = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    async (request, response: ServerResponse) => {
      if (request.url === '/down') return void response.writeHead(302, { Location: 'http://127.0.0.1/' }).end()
      bodies.push(textOf(await bodyOf(request)))
      response.end('safe')
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(read(url)).rejects.toThrow(/give the certificate to trust as CA, or set Verify to false/)
  expect(await read(url, { CA: readFileSync(cert, 'utf8') })).toBe('safe')
  expect(await read(url, { Verify: false })).toBe('safe')
  await expect(read(`${url}down`, { Verify: false })).rejects.toThrow(/302 .*not followed/)
  const sink = await http.create!(optionsFor(url, { Verify: false, Post: 'batches' }), contextFor())
  await sink.write(framesOf([bytesOf('batch')]))
  await sink.close()
  expect(bodies.at(-1)).toBe('batch')
})

describe('output', () => {
  test('headers and the content type go along', async () => {
    let headers = {}
    const url = await serve((request, response) => {
      headers = request.headers
      request.resume()
      response.end()
    })
    const sink = await http.create!(
      optionsFor(url, { Post: 'batches', Headers: { 'X-Key': 'k' }, ContentType: 'application/x-ndjson' }),
      contextFor(),
    )
    await sink.write(framesOf([bytesOf('{}\n')]))
    await sink.close()
    expect(headers).toMatchObject({ 'x-key': 'k', 'content-type': 'application/x-ndjson', 'content-length': '3' })
  })

  test('what a server could not take is sent again, in order, until it can', async () => {
    const taken: string[] = []
    let requests = 0
    const url = await serve(async (request, response) => {
      const body = textOf(await bodyOf(request))
      requests++
      if (requests % 3 === 1) return void response.writeHead(503).end()
      if (requests % 3 === 2) return void request.socket.destroy()
      taken.push(body)
      response.end('fine')
    })
    const sink = await http.create!(optionsFor(url, { Post: 'records' }), contextFor())
    await sink.write(framesOf(['one', 'two', 'three'].map(bytesOf)))
    await sink.close()
    expect(taken).toEqual(['one', 'two', 'three'])
    expect(requests).toBe(9)
  })

  test.each([
    [400, false],
    [503, true],
  ])('a server that answers %i for good ends the stream; may it work later? %s', async (status, passing) => {
    const url = await serve((request, response) => {
      request.resume()
      response.writeHead(status).end('no')
    })
    const sink = await http.create!(optionsFor(url, { Post: 'batches', RetryTime: 100 }), contextFor())
    await expect(sink.write(framesOf([bytesOf('one')]))).rejects.toMatchObject({
      passing,
      message: expect.stringContaining(`${status}`),
    })
    await sink.close()
  })

  test('one connection serves many requests', async () => {
    const ports = new Set<number | undefined>()
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      request.resume()
      response.end('some answer')
    })
    const sink = await http.create!(optionsFor(url, { Post: 'records' }), contextFor())
    await sink.write(framesOf(Array.from({ length: 200 }, () => bytesOf('record'))))
    await sink.close()
    expect(ports.size).toBe(1)
  })

  test('a redirect that keeps the method is followed, another is not', async () => {
    const bodies: string[] = []
    const url = await serve(async (request, response) => {
      const body = textOf(await bodyOf(request))
      if (request.url === '/end') {
        bodies.push(body)
        return void response.end()
      }
      response.writeHead(Number(request.url!.slice(1)), { Location: '/end' }).end()
    })
    const sink = await http.create!(optionsFor(`${url}307`, { Post: 'batches' }), contextFor())
    await sink.write(framesOf([bytesOf('one')]))
    await sink.close()
    expect(bodies).toEqual(['one'])
    const other = await http.create!(optionsFor(`${url}302`, { Post: 'batches' }), contextFor())
    await expect(other.write(framesOf([bytesOf('one')]))).rejects.toThrow(/302 .*to \/end, which is not followed/)
    await other.close()
  })
})

test('Post has a meaning for outputs only', () => {
  const rest = { encoding: 'json', envelope: undefined }
  expect(http.settle!(optionsFor('http://a'), { direction: 'output', ...rest }).Post).toBe('batches')
  expect(http.settle!(optionsFor('http://a', { Post: 'records' }), { direction: 'input', ...rest }).Post).toBe(null)
})
