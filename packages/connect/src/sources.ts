// Services that send their notifications: numbered frames come in over websockets, notifications under the sender's name in
// the fleet go out. Each frame is acknowledged, so that a sender knows after a break what has to be sent again.
import { isNotificationType, type Notification } from '@pitot/api'
import type { WebSocket } from 'ws'

export interface Sender {
  readonly service: string
  /** Id in its health record. */
  readonly id: string
}

interface Source {
  received: number
  websocket: WebSocket
}

/** Sources remembered after they have gone: long enough to come back, few enough to forget. */
const mostSources = 1000

export class Sources {
  readonly #publish: (notification: Notification) => void
  readonly #nameOf: (id: string) => string | undefined
  readonly #sources = new Map<string, Source>()

  constructor(publish: (notification: Notification) => void, nameOf: (id: string) => string | undefined) {
    this.#publish = publish
    this.#nameOf = nameOf
  }

  accept(websocket: WebSocket, sender: Sender): void {
    const before = this.#sources.get(sender.id)
    // Its old connection is dead, whether or not this side knows it: what still comes from there comes again from here.
    before?.websocket.terminate()
    const source: Source = { received: before?.received ?? 0, websocket }
    this.#sources.delete(sender.id)
    this.#sources.set(sender.id, source)
    this.#forget()
    const acknowledge = () => websocket.send(`{"received":${source.received}}`)
    websocket.on('error', () => websocket.terminate())
    websocket.on('message', (data) => {
      if (this.#sources.get(sender.id) !== source) return
      try {
        this.#take(String(data), source, sender)
        acknowledge()
      } catch {
        websocket.close(1008, 'a frame must be {"last": number, "notifications": [...]}')
      }
    })
    acknowledge()
  }

  #take(text: string, source: Source, sender: Sender): void {
    const { last, notifications } = JSON.parse(text) as { last: unknown; notifications: unknown }
    if (!Number.isSafeInteger(last) || !Array.isArray(notifications)) throw new TypeError()
    if ((last as number) <= source.received) return
    source.received = last as number
    for (const given of notifications) {
      if (!isNotification(given)) continue
      this.#publish({ ...given, src: this.#nameOf(sender.id) ?? sender.service })
    }
  }

  #forget(): void {
    for (const [id, { websocket }] of this.#sources) {
      if (this.#sources.size <= mostSources) return
      if (websocket.readyState === websocket.CLOSED) this.#sources.delete(id)
    }
  }
}

/** Listeners raise on what they do not know, so it goes no further. */
function isNotification(given: unknown): given is Notification {
  const { type, timestamp } = (given ?? {}) as Partial<Notification>
  return isNotificationType(type) && typeof timestamp === 'string'
}
