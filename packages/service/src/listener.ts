// One port for HTTP and HTTPS: the first byte of a connection tells which it is.
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from './certificate.ts'

/** The first byte of a TLS connection: a record of type "handshake". */
const tlsHandshake = 0x16
/** How long a connection may stay silent before its first byte. */
const firstByteTimeout = 20_000

type Accept = (this: Server, socket: Socket) => void

/** An HTTP server that takes TLS connections as well, all handled by the one `listener`. */
export function createListener(options: ServerOptions, certificate: Certificate, listener: RequestListener): Server {
  const server = createServer(options, listener)
  const accept = server.listeners('connection')[0] as Accept
  server.removeListener('connection', accept as () => void)
  /** Connections that have sent nothing yet, or not enough of a handshake: the HTTP server does not know them. */
  const undecided = new Map<string, Socket>()
  const closeIdle = server.closeIdleConnections
  // Called when the server closes, which would else wait for them.
  server.closeIdleConnections = () => {
    for (const socket of undecided.values()) socket.destroy()
    closeIdle.call(server)
  }
  const secure = createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] })
  secure.on('secureConnection', (socket) => {
    undecided.delete(nameOf(socket))
    accept.call(server, socket)
  })
  // A failed handshake is the caller's trouble (a scanner, a client that does not trust us): it must not end the process.
  secure.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    undecided.set(name, socket)
    socket.once('close', () => undecided.delete(name))
    const giveUp = () => socket.destroy()
    socket.once('error', giveUp)
    socket.setTimeout(firstByteTimeout, giveUp)
    socket.once('readable', () => {
      const first: Buffer | null = socket.read(1)
      if (first === null) return void giveUp()
      socket.removeListener('error', giveUp)
      socket.setTimeout(0, giveUp)
      socket.removeListener('timeout', giveUp)
      socket.unshift(first)
      if (first[0] === tlsHandshake) return void secure.emit('connection', socket)
      undecided.delete(name)
      accept.call(server, socket)
    })
  })
  return server
}

/** The same for a connection and the TLS connection inside it. */
function nameOf(socket: Socket): string {
  return `${socket.localAddress} ${socket.remoteAddress} ${socket.remotePort}`
}
