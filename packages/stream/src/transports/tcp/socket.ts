// Connections: made with patience, served to whoever connects, and watched for silence.
import { once } from 'node:events'
import { createServer, type Server, Socket } from 'node:net'
import { StreamFailure } from '../../transport.ts'
import { BackOff } from '../back-off.ts'
import { networkReason } from '../network-failure.ts'
import { place, type TcpOptions } from './options.ts'

/** Two reads of Node's: one that is worked on, one that waits. */
const RECEIVED_AHEAD = 2 ** 17

/** The kernel asks a silent peer after this time whether it is still there, and ten times more a second apart. */
const KEEP_ALIVE = 10_000

/** Tries again until `RetryTime` is over. Rejects with a `StreamFailure`, or with the signal's reason. */
export async function connect(options: TcpOptions, signal: AbortSignal): Promise<Socket> {
  const backOff = new BackOff(options.RetryTime, signal)
  for (;;) {
    const socket = new Socket({ readableHighWaterMark: RECEIVED_AHEAD } as object)
    const leave = () => socket.destroy(new Error('the stream was closed'))
    signal.addEventListener('abort', leave, { once: true })
    try {
      signal.throwIfAborted()
      socket.connect({ host: options.Host!, port: options.Port })
      await once(socket, 'connect')
      watch(socket, options)
      return socket
    } catch (error) {
      socket.destroy()
      if (await backOff.again()) continue
      signal.throwIfAborted()
      throw new StreamFailure(`cannot connect to ${place(options)}: ${networkReason(error)}`, {
        passing: true,
        cause: error,
      })
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}

/** A peer that has vanished without a word ends the connection with an error. */
export function watch(socket: Socket, { IdleTime }: Pick<TcpOptions, 'IdleTime'>): void {
  socket.setKeepAlive(true, KEEP_ALIVE)
  socket.setNoDelay(true)
  // Without a listener an error would end the process; whoever reads or writes is told by the call.
  socket.on('error', () => undefined)
  if (IdleTime === null) return
  socket.setTimeout(IdleTime, () => {
    // When it is us who do not read, the silence is ours.
    if (socket.readableLength > 0) socket.setTimeout(IdleTime)
    else socket.destroy(new Error(`nothing came for ${IdleTime} ms`))
  })
}

export async function listen(options: TcpOptions, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ pauseOnConnect: true, highWaterMark: RECEIVED_AHEAD }, (socket) => {
    watch(socket, options)
    onConnection(socket)
  })
  server.listen({ host: options.Host ?? '127.0.0.1', port: options.Port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StreamFailure(`cannot listen on ${place(options)}: ${networkReason(error)}`, { cause: error })
  }
  server.on('error', () => undefined)
  return server
}
