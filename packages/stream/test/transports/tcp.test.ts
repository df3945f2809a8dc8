import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { TcpOptions } from '../../src/transports/tcp/options.ts'
import { tcp } from '../../src/transports/tcp.ts'
import { bytesOf, contextFor, framesOf, joined, messagesOf, readBytes, textOf, transportContract } from './contract.ts'

const toClose: (() => unknown)[] = []
const cleanUp = async () => {
  for (const close of toClose.splice(0)) await close()
}

/** A server of the test's own; `onSocket` is told of each connection. */
async function serve(onSocket: (socket: Socket) => void, port = 0): Promise<{ port: number; server: Server }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    toClose.push(() => socket.destroy())
    onSocket(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => server.close())
  return { port: (server.address() as AddressInfo).port, server }
}

/** A port that nobody listens on at the moment. */
async function freePort(): Promise<number> {
  const { port, server } = await serve(() => undefined)
  server.close()
  await once(server, 'close')
  return port
}

function optionsFor(port: number, more: Partial<TcpOptions> = {}): TcpOptions {
  return { Host: '127.0.0.1', Port: port, Listen: false, RetryTime: 3000, IdleTime: null, ...more }
}

function collect(socket: Socket): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  return once(socket, 'end').then(() => {
    socket.end()
    return joined(pieces)
  })
}

async function client(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  toClose.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const broken = async () => ({
  options: optionsFor(await freePort(), { RetryTime: 0 }),
  mentions: /cannot connect .*is something listening/,
})

describe('as a client', () => {
  transportContract({
    transport: tcp,
    input: async () => {
      const sockets: Socket[] = []
      const { port } = await serve((socket) => sockets.push(socket))
      return {
        options: optionsFor(port),
        async send(messages) {
          while (sockets.length === 0) await sleep(5)
          for (const message of messages) sockets[0]!.write(message)
        },
        async end() {
          sockets[0]!.end()
        },
      }
    },
    output: async () => {
      const received: Promise<Uint8Array>[] = []
      const { port } = await serve((socket) => received.push(collect(socket)))
      return { options: optionsFor(port), received: () => Promise.all(received) }
    },
    brokenInput: broken,
    brokenOutput: broken,
    cleanUp,
  })
})

describe('as a server', () => {
  const taken = async () => {
    const { port } = await serve(() => undefined)
    return { options: optionsFor(port, { Listen: true }), mentions: /cannot listen on .*in use/ }
  }
  transportContract({
    transport: tcp,
    input: async () => {
      const port = await freePort()
      let socket: Socket
      return {
        options: optionsFor(port, { Listen: true }),
        async send(messages) {
          socket = await client(port)
          for (const message of messages) socket.write(message)
        },
        async end() {
          socket.end()
        },
      }
    },
    output: async () => {
      const port = await freePort()
      let isOver = false
      const received = (async () => {
        while (!isOver) {
          const socket = await client(port).catch(() => undefined)
          if (socket !== undefined) return collect(socket)
          await sleep(5)
        }
        return new Uint8Array()
      })()
      return {
        options: optionsFor(port, { Listen: true }),
        received: async () => {
          isOver = true
          return [await received]
        },
      }
    },
    brokenInput: taken,
    brokenOutput: taken,
    cleanUp,
  })

  test('connections are read one after the other, each a part of its own', async () => {
    const port = await freePort()
    const source = await tcp.open!(optionsFor(port, { Listen: true, Host: null }), contextFor())
    const [first, second] = [await client(port), await client(port)]
    second.end('second')
    await sleep(20)
    first.write('fir')
    await sleep(20)
    first.end('st')
    const seen: string[] = []
    for await (const chunk of source) {
      seen.push(chunk.endOfPart ? '|' : messagesOf(chunk).map(textOf).join(''))
      if (seen.filter((each) => each === '|').length === 2) break
    }
    await source.close()
    expect(seen.join('')).toBe('first|second|')
    await cleanUp()
  })

  test('everybody who is connected gets everything; who leaves is forgotten; while nobody is there, writing waits', async () => {
    const port = await freePort()
    const sink = await tcp.create!(optionsFor(port, { Listen: true }), contextFor())
    let written = false
    const writing = sink.write(framesOf([bytesOf('one\n')])).then(() => {
      written = true
    })
    await sleep(30)
    expect(written).toBe(false)
    const first = collect(await client(port))
    await writing
    const leaves = await client(port)
    const second = collect(await client(port))
    await sleep(20)
    leaves.resetAndDestroy()
    await sleep(20)
    await sink.write(framesOf([bytesOf('two\n')]))
    await sink.close()
    expect([textOf(await first), textOf(await second)]).toEqual(['one\ntwo\n', 'two\n'])
    await cleanUp()
  })
})

test('a connection that breaks is made again; what was unfinished ends there', async () => {
  let connections = 0
  const { port } = await serve((socket) => {
    connections++
    if (connections > 1) return void socket.end('rest\n')
    socket.write('begin', () => setTimeout(() => socket.resetAndDestroy(), 20))
  })
  const log: string[] = []
  const source = await tcp.open!(optionsFor(port), contextFor({ log: (_level, line) => void log.push(line) }))
  const seen: string[] = []
  for await (const chunk of source) seen.push(chunk.endOfPart ? '|' : messagesOf(chunk).map(textOf).join(''))
  expect(seen).toEqual(['begin', '|', 'rest\n'])
  expect(log).toEqual([expect.stringMatching(/broke: the other side broke the connection; connecting again/)])
  await cleanUp()
})

test('a server that comes late is waited for', async () => {
  const port = await freePort()
  const opening = tcp.open!(optionsFor(port), contextFor())
  await sleep(150)
  await serve((socket) => socket.end('here'), port)
  expect((await readBytes(await opening)).map(textOf)).toEqual(['here'])
  await cleanUp()
})

test('a server that never comes back ends the stream with a sentence, which says that it may work later', async () => {
  const { port, server } = await serve((socket) => {
    server.close()
    setTimeout(() => socket.resetAndDestroy(), 20)
  })
  const source = await tcp.open!(optionsFor(port, { RetryTime: 100 }), contextFor())
  await expect(readBytes(source)).rejects.toMatchObject({ name: 'StreamFailure', passing: true })
  await cleanUp()
})

test('a peer that has fallen silent is taken for gone', async () => {
  let connections = 0
  const { port } = await serve((socket) => {
    connections++
    if (connections === 2) socket.end('spoke')
  })
  const source = await tcp.open!(optionsFor(port, { IdleTime: 50 }), contextFor())
  expect(textOf(joined(await readBytes(source)))).toBe('spoke')
  expect(connections).toBe(2)
  await cleanUp()
})

test('a consumer that does not ask holds the sender up', async () => {
  let accepted = 0
  const piece = new Uint8Array(64 * 1024)
  const { port } = await serve((socket) => {
    const more = () => {
      while (accepted < 64 * 2 ** 20) {
        accepted += piece.length
        if (!socket.write(piece)) return void socket.once('drain', more)
      }
      socket.end()
    }
    more()
  })
  const source = await tcp.open!(optionsFor(port), contextFor())
  const iterator = source[Symbol.asyncIterator]()
  await iterator.next()
  await sleep(200)
  expect(accepted).toBeLessThan(32 * 2 ** 20)
  let size = 0
  for (let next = await iterator.next(); !next.done; next = await iterator.next())
    size += next.value.frames.bytes.length
  expect(size).toBeGreaterThan(60 * 2 ** 20)
  await cleanUp()
})

test('an output that lost its connection writes again to the next', async () => {
  const received: Promise<Uint8Array>[] = []
  const sockets: Socket[] = []
  const { port } = await serve((socket) => {
    sockets.push(socket)
    received.push(collect(socket).catch(() => new Uint8Array()))
  })
  const sink = await tcp.create!(optionsFor(port), contextFor())
  await sink.write(framesOf([bytesOf('one\n')]))
  await sleep(20)
  sockets[0]!.resetAndDestroy()
  await sleep(20)
  await sink.write(framesOf([bytesOf('two\n')]))
  await sink.close()
  expect(textOf(await received[1]!)).toBe('two\n')
  await cleanUp()
})

test('rules: a client needs a host, a server does not', () => {
  expect(tcp.check!(optionsFor(1, { Host: null }), 'input')).toEqual([expect.stringContaining('Host')])
  expect(tcp.check!(optionsFor(1, { Host: null, Listen: true }), 'input')).toEqual([])
})
