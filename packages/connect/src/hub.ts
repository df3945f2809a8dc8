// The hub: notifications of the fleet come in one by one, and go out to every listener, in bounded memory.
//
// What comes within a few milliseconds goes out together: it is put into bytes once for all listeners that want the same,
// and written once to each. A listener that does not read has at most one such batch waiting; what it misses is counted,
// and said as soon as it reads again.
import { logLevelNumbers, type Notification } from '@pitot/api'
import type { Metrics } from '@pitot/service'

/** A listener's way out. */
export interface Outlet {
  /** Bytes that the other side has not taken yet. */
  readonly waiting: number
  write(bytes: Uint8Array): void
  /** No more will come. */
  end(): void
  /** One notification in the form of this outlet; the same function for all outlets of one kind. */
  readonly form: (json: string) => Uint8Array
}

export interface NotificationFilter {
  readonly src?: readonly string[] | undefined
  readonly type?: readonly string[] | undefined
}

/** For `GET /2/pneumo`. */
const historyLength = 60
/** Milliseconds between two batches: more when writing takes longer, so that it takes a twentieth of the time, no more. */
const shortestPause = 20
const longestPause = 1000
const pauseFactor = 20
const largestBatch = 256 * 1024
/** With more bytes than this waiting, a listener misses the next batch. */
const mostWaiting = 64 * 1024
export const mostListeners = 5000

interface Message {
  readonly notification: Notification
  readonly json: string
}

export class Hub {
  readonly #listeners = new Set<Listener>()
  readonly #history: Notification[] = []
  #batch: Message[] = []
  #batchSize = 0
  #timer: NodeJS.Timeout | undefined
  #nextFlush = 0
  #published = 0
  #skipped = 0
  /** Called with every notification, besides the listeners. */
  relay: ((notification: Notification, json: string) => void) | undefined

  constructor(metrics: Metrics) {
    metrics.observedCounter('pitot_hub_notifications_total', 'Notifications received.', () => this.#published)
    metrics.observedCounter('pitot_hub_skipped_total', 'Notifications that slow listeners missed.', () => this.#skipped)
    metrics.gauge('pitot_hub_listeners', 'Listeners.', () => this.#listeners.size)
  }

  publish(notification: Notification): void {
    const json = JSON.stringify(notification)
    this.#published++
    this.#history.push(notification)
    if (this.#history.length > historyLength) this.#history.shift()
    this.relay?.(notification, json)
    if (this.#listeners.size === 0) return
    this.#batch.push({ notification, json })
    this.#batchSize += json.length
    if (this.#batchSize >= largestBatch) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#nextFlush - performance.now()))
  }

  /** Oldest first. */
  history(filter: NotificationFilter): readonly Notification[] {
    return this.#history.filter((notification) => wants(filter, notification))
  }

  get isFull(): boolean {
    return this.#listeners.size >= mostListeners
  }

  /** What is published from now on goes to the outlet. */
  listen(outlet: Outlet, filter: NotificationFilter): { readonly drained: () => void; readonly leave: () => void } {
    // What waits for the others was published before.
    this.#flush()
    const listener = new Listener(outlet, filter)
    this.#listeners.add(listener)
    return {
      drained: () => listener.tellSkipped(),
      leave: () => void this.#listeners.delete(listener),
    }
  }

  /** Sends what waits, and ends all outlets. */
  close(): void {
    this.#flush()
    for (const listener of this.#listeners) listener.end()
    this.#listeners.clear()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#batch.length === 0) return
    const start = performance.now()
    const batch = new Batch(this.#batch)
    this.#batch = []
    this.#batchSize = 0
    for (const listener of this.#listeners) this.#skipped += listener.offer(batch)
    const end = performance.now()
    this.#nextFlush = end + Math.min(Math.max(shortestPause, pauseFactor * (end - start)), longestPause)
  }
}

function wants({ src, type }: NotificationFilter, notification: Notification): boolean {
  return (src?.includes(notification.src) ?? true) && (type?.includes(notification.type) ?? true)
}

/** Notifications that go out together, put into bytes once for each form and filter. */
class Batch {
  readonly #messages: readonly Message[]
  readonly #made = new Map<Outlet['form'], Map<string, { readonly count: number; readonly bytes: Uint8Array }>>()

  constructor(messages: readonly Message[]) {
    this.#messages = messages
  }

  for({ form }: Outlet, filter: NotificationFilter, key: string) {
    const made = this.#made.getOrInsertComputed(form, () => new Map())
    return made.getOrInsertComputed(key, () => {
      const wanted = this.#messages.filter(({ notification }) => wants(filter, notification))
      return { count: wanted.length, bytes: Buffer.concat(wanted.map(({ json }) => form(json))) }
    })
  }
}

class Listener {
  readonly #outlet: Outlet
  readonly #filter: NotificationFilter
  readonly #key: string
  #skipped = 0

  constructor(outlet: Outlet, filter: NotificationFilter) {
    this.#outlet = outlet
    this.#filter = filter
    this.#key = JSON.stringify(filter)
  }

  /** How many of the batch it misses. */
  offer(batch: Batch): number {
    const { count, bytes } = batch.for(this.#outlet, this.#filter, this.#key)
    if (count === 0) return 0
    this.tellSkipped()
    if (this.#outlet.waiting > mostWaiting) {
      this.#skipped += count
      return count
    }
    this.#outlet.write(bytes)
    return 0
  }

  end(): void {
    this.#outlet.end()
  }

  tellSkipped(): void {
    if (this.#skipped === 0 || this.#outlet.waiting > mostWaiting) return
    const notice: Notification = {
      src: 'connect',
      timestamp: new Date().toISOString(),
      type: 'log',
      level: logLevelNumbers.warning,
      text: `${this.#skipped} notifications were skipped, because this listener reads too slowly`,
      skipped: this.#skipped,
    }
    this.#skipped = 0
    this.#outlet.write(this.#outlet.form(JSON.stringify(notice)))
  }
}
