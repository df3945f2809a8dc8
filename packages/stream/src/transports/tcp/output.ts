// Bytes to a connection that is made again when it breaks; or to all who connect.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sink, type StreamContext, StreamFailure } from '../../transport.ts'
import { networkReason } from '../network-failure.ts'
import { sinkFrom } from '../sink.ts'
import { place, type TcpOptions } from './options.ts'
import { connect, listen } from './socket.ts'

/** How long the other side has, at the end, to close its half. */
const LAST_WORDS = 1000

/** A write that a broken connection has swallowed is written again to the next, so records may come twice. */
export async function writeToServer(options: TcpOptions, context: StreamContext): Promise<Sink> {
  const { signal } = context
  let socket = received(await connect(options, signal))
  return sinkFrom(`the connection to ${place(options)}`, {
    async write({ bytes, bounds }) {
      if (bounds.length === 0) return
      const range = bytes.subarray(bounds[0], bounds[1])
      for (;;) {
        const reason = await send(socket, range)
        if (reason === undefined) return
        if (signal.aborted) throw new StreamFailure(`the stream to ${place(options)} was stopped`)
        context.log('warn', `the connection to ${place(options)} broke: ${reason}; connecting again`)
        socket.destroy()
        socket = received(await connect(options, signal))
      }
    },
    close: () => end(socket),
  })
}

/** Everybody who is connected gets everything from then on; while nobody is, writing waits. */
export async function writeToClients(options: TcpOptions, context: StreamContext): Promise<Sink> {
  const clients = new Set<Socket>()
  const server = await listen(options, (socket) => {
    clients.add(received(socket))
    socket.once('close', () => clients.delete(socket))
    server.emit('waiting')
  })
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, context.signal])
  signal.addEventListener('abort', () => server.close(), { once: true })
  return sinkFrom(`the port ${place(options)}`, {
    async write({ bytes, bounds }) {
      if (bounds.length === 0) return
      const range = bytes.subarray(bounds[0], bounds[1])
      for (let reached = 0; reached === 0; ) {
        while (clients.size === 0) await aClient()
        const reasons = await Promise.all([...clients].map((client) => send(client, range)))
        reached = reasons.filter((reason) => reason === undefined).length
      }
    },
    async close() {
      stop.abort()
      await Promise.all([...clients].map(end))
    },
  })

  async function aClient(): Promise<void> {
    try {
      await once(server, 'waiting', { signal })
    } catch (error) {
      throw new StreamFailure(`nobody connected to ${place(options)} before the stream was closed`, { cause: error })
    }
  }
}

/** What the other side says is not for us, but has to be read, or it would be stuck. */
function received(socket: Socket): Socket {
  return socket.resume()
}

/** Resolves when the kernel has the bytes; with the reason when it cannot take them. */
async function send(socket: Socket, bytes: Uint8Array): Promise<string | undefined> {
  if (socket.destroyed || socket.readableEnded || !socket.writable) return 'the other side has closed it'
  return new Promise((resolve) => {
    // A write to a connection that is destroyed meanwhile may never be called back.
    const gone = () => resolve('the other side has closed it')
    socket.once('close', gone)
    socket.write(bytes, (error) => {
      socket.removeListener('close', gone)
      resolve(error ? networkReason(error) : undefined)
    })
  })
}

async function end(socket: Socket): Promise<void> {
  if (socket.destroyed) return
  const closed = once(socket, 'close').catch(() => undefined)
  socket.end()
  await Promise.race([closed, sleep(LAST_WORDS, undefined, { ref: false })])
  socket.destroy()
}
