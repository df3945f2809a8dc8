// The two ways out of the hub: websockets, and server-sent events.
import type { Duplex } from 'node:stream'
import { PassThrough } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Hub, NotificationFilter, Outlet } from './hub.ts'

/** Milliseconds between signs of life on quiet connections, which some proxies would close. */
const heartbeat = 30_000
/** RFC 6455, 7.4.1. */
const goingAway = 1001

/** Listens until the websocket closes. Frames are written past the library, whole, because many listeners share them. */
export function listenByWebsocket(hub: Hub, websocket: WebSocket, socket: Duplex, filter: NotificationFilter): void {
  const outlet: Outlet = {
    get waiting() {
      return socket.writableLength
    },
    write(bytes) {
      if (websocket.readyState === websocket.OPEN) socket.write(bytes)
    },
    end: () => websocket.close(goingAway),
    form: textFrame,
  }
  const { drained, leave } = hub.listen(outlet, filter)
  const beat = setInterval(() => {
    if (socket.writableLength === 0) websocket.ping()
  }, heartbeat)
  beat.unref()
  socket.on('drain', drained)
  // Listeners have nothing to say; what they send is read and dropped.
  websocket.on('error', () => websocket.terminate())
  websocket.on('close', () => {
    clearInterval(beat)
    leave()
  })
}

/** RFC 6455, 5.2: a whole text message, not masked, as servers send it. */
export function textFrame(json: string): Uint8Array {
  const length = Buffer.byteLength(json)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (head === 2) frame[1] = length
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(json, head)
  return frame
}

/** The body of an answer that never ends by itself; the hub is left when the caller has gone. */
export function listenByEvents(hub: Hub, filter: NotificationFilter, gone: AbortSignal): PassThrough {
  const body = new PassThrough({ signal: gone })
  body.on('error', () => undefined)
  const outlet: Outlet = {
    get waiting() {
      return body.writableLength + body.readableLength
    },
    write: (bytes) => void body.write(bytes),
    end: () => void body.end(),
    form: serverSentEvent,
  }
  const { drained, leave } = hub.listen(outlet, filter)
  // A comment: it brings the head of the answer on its way.
  body.write(':\n\n')
  const beat = setInterval(() => {
    if (outlet.waiting === 0) body.write(':\n\n')
  }, heartbeat)
  beat.unref()
  body.on('drain', drained)
  body.on('close', () => {
    clearInterval(beat)
    leave()
  })
  return body
}

/** JSON has no line ends, so one line of data is enough. */
function serverSentEvent(json: string): Uint8Array {
  return Buffer.from(`data: ${json}\n\n`)
}
