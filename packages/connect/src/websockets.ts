// The websockets of Connect: upgrade requests come in, listeners and sources go out.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { connectOperations, failure, PitotError } from '@pitot/api'
import { queryReader, writePlainAnswer } from '@pitot/service'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Hub, mostListeners, type NotificationFilter } from './hub.ts'
import { listenByWebsocket } from './outlets.ts'
import type { Sender, Sources } from './sources.ts'

const largestFromListener = 4096
const largestFromSource = 16 * 1024 * 1024

type Take = (websocket: WebSocket, socket: Duplex) => void

interface Way {
  readonly server: WebSocketServer
  /** What to do with the websocket that such a request asks for; throws the error to answer with. */
  readonly read: (url: string) => Take
}

export function websocketUpgrade(hub: Hub, sources: Sources) {
  const options = { noServer: true, perMessageDeflate: false, clientTracking: false }
  const listeners = new WebSocketServer({ ...options, maxPayload: largestFromListener })
  const senders = new WebSocketServer({ ...options, maxPayload: largestFromSource })
  const listen = (read: (url: string) => unknown): Way => ({
    server: listeners,
    read(url) {
      const filter = read(url) as NotificationFilter
      if (hub.isFull) throw failure('too-many-listeners', { most: mostListeners })
      return (websocket, socket) => listenByWebsocket(hub, websocket, socket, filter)
    },
  })
  const { getNotifications, getPneumo, sendNotifications } = connectOperations
  const readSender = queryReader(sendNotifications)
  const ways: Readonly<Record<string, Way>> = {
    [getNotifications.path]: listen(queryReader(getNotifications)),
    [getPneumo.path]: listen(queryReader(getPneumo)),
    [sendNotifications.path]: {
      server: senders,
      read(url) {
        const { service = 'service', id = '' } = readSender(url) as Partial<Sender>
        return (websocket) => sources.accept(websocket, { service, id })
      },
    },
  }
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = request.url ?? '/'
    const path = url.split('?', 1)[0]!
    try {
      const way = Object.hasOwn(ways, path) ? ways[path]! : undefined
      if (way === undefined) throw failure('unknown-path', { path, near: '' })
      const take = way.read(url)
      way.server.handleUpgrade(request, socket, head, (websocket) => take(websocket, socket))
    } catch (error) {
      const { status, message } = error instanceof PitotError ? error : failure('internal', { request: '-' })
      writePlainAnswer(socket, status, message)
    }
  }
}
