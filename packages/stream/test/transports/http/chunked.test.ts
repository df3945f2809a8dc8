// Chunks of HTTP bodies: they are found wherever the connection cuts them, and come out of real servers as records.
import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { frameAt } from '@pitot/codec'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { readDescriptor } from '../../../src/descriptor/read.ts'
import { InputStream } from '../../../src/input-stream.ts'
import { ChunkSizes } from '../../../src/transports/http/chunked.ts'
import { http } from '../../../src/transports/http.ts'

const toClose: (() => unknown)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
})

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Answers every request with these bytes, in as many packets as there are pieces. */
function answering(pieces: (request: number) => readonly (string | Buffer)[]): Promise<string> {
  let requests = 0
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.setNoDelay(true)
    socket.once('data', async () => {
      for (const piece of pieces(requests++)) {
        socket.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      socket.end()
    })
  })
  return listening(server)
}

async function read(url: string, more: { descriptor?: object; from?: Record<string, unknown>; limit?: number } = {}) {
  const log: string[] = []
  const given = { Transport: { Type: 'HTTP', Url: url, Chunked: true, RetryTime: 1000 }, ...more.descriptor }
  const { descriptor, warnings } = readDescriptor(given, 'input', [http])
  expect(warnings).toEqual([])
  const context = {
    log: (_: string, line: string) => void log.push(line),
    signal: new AbortController().signal,
    allowExec: [],
    from: more.from,
  }
  const stream = await InputStream.open(descriptor, { type: null, context })
  const records: string[] = []
  const positions: unknown[] = []
  try {
    for await (const piece of stream) {
      if (piece.kind !== 'frames') continue
      for (let index = 0; index < piece.frames.bounds.length / 2; index++) {
        records.push(Buffer.from(frameAt(piece.frames, index)).toString())
        positions.push(piece.position(index))
      }
      if (records.length >= (more.limit ?? Number.POSITIVE_INFINITY)) break
    }
  } finally {
    await stream.close()
  }
  return { records, positions, log }
}

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

describe('sizes', () => {
  test('are the same however the connection cuts them', () => {
    const chunks = fc.array(
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.constantFrom('', ';name="a"', ' ')),
    )
    fc.assert(
      fc.property(chunks, fc.boolean(), fc.array(fc.nat(), { maxLength: 20 }), (given, isInterim, cuts) => {
        const parts = [Buffer.from(`${isInterim ? 'HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n' : ''}${head}`)]
        for (const [bytes, extension] of given)
          parts.push(
            Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`),
            Buffer.from(bytes),
            Buffer.from('\r\n'),
          )
        parts.push(Buffer.from('0\r\nTrailer: ff\r\n\r\n'))
        const all = Buffer.concat(parts)
        const seen = new ChunkSizes({ on: () => undefined } as never)
        const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length]
        for (let index = 1; index < places.length; index++) seen.push(all.subarray(places[index - 1], places[index]))
        expect(seen.sizes).toEqual(given.map(([bytes]) => bytes.length))
      }),
    )
  })
})

describe('each chunk is a record', () => {
  test.each<[string, (string | Buffer)[], string[]]>([
    ['several in one packet', [`${head}${chunk('one')}${chunk('two\n')}${chunk('é')}0\r\n\r\n`], ['one', 'two\n', 'é']],
    ['one in several packets', [head, '5\r', '\nhe', 'll', 'o\r\n0\r\n\r\n'], ['hello']],
    ['none', [`${head}0\r\n\r\n`], []],
    ['large ones', [head, chunk('x'.repeat(300_000)), chunk('y'), '0\r\n\r\n'], ['x'.repeat(300_000), 'y']],
  ])('%s', async (_title, pieces, expected) => {
    const { records, positions } = await read(await answering(() => pieces))
    expect(records).toEqual(expected)
    expect(positions).toEqual(expected.map((_, index) => ({ record: index + 1 })))
  })

  test('from a server that writes one after the other, behind a redirect', async () => {
    const server = createHttpServer(async ({ url }, response: ServerResponse) => {
      if (url === '/') return void response.writeHead(302, { Location: '/there' }).end('elsewhere')
      for (let index = 0; index < 50; index++) {
        response.write(`record ${index}`)
        // What is written in one turn is sent as one chunk.
        await new Promise((resolve) => setTimeout(resolve, index % 7 === 0 ? 5 : 0))
      }
      response.end()
    })
    const { records } = await read(await listening(server))
    expect(records).toEqual(Array.from({ length: 50 }, (_, index) => `record ${index}`))
  })

  test('goes on where it broke off, and where an earlier reader stood', async () => {
    const whole = ['one', 'two', 'three', 'four'].map(chunk)
    const url = await answering((request) =>
      request === 0 ? [head, whole[0]!, whole[1]!, '5\r\nth'] : [head, ...whole, '0\r\n\r\n'],
    )
    const broken = await read(url)
    expect(broken.records).toEqual(['one', 'two', 'three', 'four'])
    expect(broken.log.join()).toMatch(/broke off after 2 records/)
    expect((await read(url, { from: { record: 3 } })).records).toEqual(['four'])
  })

  test('loops and skips', async () => {
    const url = await answering(() => [head, chunk('a'), chunk('b'), '0\r\n\r\n'])
    expect((await read(url, { descriptor: { SkipToRecord: 1 } })).records).toEqual(['b'])
    expect((await read(url, { descriptor: { Loop: true }, limit: 5 })).records.slice(0, 5)).toEqual([
      'a',
      'b',
      'a',
      'b',
      'a',
    ])
  })

  test.each<[string, string, RegExp]>([
    [
      'a body in one piece',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none',
      /its body in one piece: leave out Chunked/,
    ],
    [
      'compressed chunks',
      'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /its chunks compressed \(br\)/,
    ],
    ['a chunk that is too large', `${head}2000000\r\nabc`, /a chunk of 33554432 bytes; a record has at most/],
  ])('refuses %s', async (_title, answer, sentence) => {
    await expect(read(await answering(() => [answer]))).rejects.toThrow(sentence)
  })
})
