// Bytes from connections: from the one that was made, again when it breaks; or from those who connect, one after the other.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Chunk, Source, StreamContext } from '../../transport.ts'
import { networkReason } from '../network-failure.ts'
import { byteChunk, sourceFrom } from '../source.ts'
import { place, type TcpOptions } from './options.ts'
import { connect, listen } from './socket.ts'

/** How a connection ended: both ends agreed, or it broke. */
type Ending = { readonly kind: 'end' } | { readonly kind: 'broken'; readonly reason: string }

const nothing = new Uint8Array()

/** The end of the connection is the end of the stream. A connection that breaks is made again. */
export async function readFromServer(options: TcpOptions, context: StreamContext): Promise<Source> {
  let socket = await connect(options, context.signal)
  return sourceFrom(context, {
    async *read(signal) {
      for (let offset = 0; ; ) {
        const { ending, end } = yield* readSocket(socket, offset, signal)
        if (ending.kind === 'end' || signal.aborted) return
        context.log('warn', `the connection to ${place(options)} broke: ${ending.reason}; connecting again`)
        offset = end
        yield byteChunk(nothing, offset, { endOfPart: true })
        socket = await connect(options, signal)
      }
    },
    dispose: () => void socket.destroy(),
  })
}

/** One connection at a time, so that records of two are never mixed; the others wait. The stream itself has no end. */
export async function readFromClients(options: TcpOptions, context: StreamContext): Promise<Source> {
  const waiting: Socket[] = []
  const server = await listen(options, (socket) => {
    waiting.push(socket)
    server.emit('waiting')
  })
  return sourceFrom(context, {
    async *read(signal) {
      for (let offset = 0; ; ) {
        while (waiting.length === 0) await once(server, 'waiting', { signal })
        const { ending, end } = yield* readSocket(waiting.shift()!, offset, signal)
        if (signal.aborted) return
        if (ending.kind === 'broken') context.log('warn', `a connection to ${place(options)} broke: ${ending.reason}`)
        if (end > offset) yield byteChunk(nothing, end, { endOfPart: true })
        offset = end
      }
    },
    dispose() {
      server.close()
      for (const socket of waiting) socket.destroy()
    },
  })
}

async function* readSocket(
  socket: Socket,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Chunk, { readonly ending: Ending; readonly end: number }> {
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  let offset = start
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      yield byteChunk(bytes, offset)
      offset += bytes.length
    }
    return { ending: { kind: 'end' }, end: offset }
  } catch (error) {
    return { ending: { kind: 'broken', reason: networkReason(error) }, end: offset }
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}
