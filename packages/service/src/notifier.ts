// Sends the notifications of a service to Connect: notices come in at any time, and go out in their order over one
// connection, which is made again when it breaks. What waits is bounded; what is dropped is counted, and said.
import { logLevelNumbers, type Notice } from '@pitot/api'
import { WebSocket } from 'ws'
import { type Clock, systemClock } from './clock.ts'
import type { Metrics } from './metrics.ts'

export interface NotifierOptions {
  /** Address of Connect. Without one, notices go nowhere. */
  readonly connect?: URL | undefined
  readonly token?: string | undefined
  /** Kind of service, which is its name until Connect finds it in the fleet. */
  readonly service: string
  /** Id in the health record of the service. */
  readonly id: string
  readonly metrics?: Metrics
  readonly clock?: Clock
}

/** Numbered when it is first sent; Connect tells up to which number it has received. */
interface Entry {
  number: number | undefined
  readonly text: string
}

/** In characters; a longer one is dropped, because Connect would not take it. */
const largestNotification = 1024 * 1024
const mostWaiting = 1000
const mostBytesWaiting = 8 * 1024 * 1024
const largestFrame = 256 * 1024
/** Milliseconds. */
const firstDelay = 250
const longestDelay = 10_000
const answerTimeout = 15_000
const closingTimeout = 1000

export class Notifier {
  readonly #options: NotifierOptions
  readonly #clock: Clock
  #queue: Entry[] = []
  #bytes = 0
  /** How many of the queue, from its beginning, are sent on this connection and not yet acknowledged. */
  #sent = 0
  #lastNumber = 0
  #made = 0
  /** Dropped since the last time it was said. */
  #untold = 0
  dropped = 0
  #socket: WebSocket | undefined
  #isReady = false
  #isClosed = false
  #delay = firstDelay
  #cancelRetry: () => void = () => undefined
  #cancelAnswerTimer: (() => void) | undefined
  #whenEmpty: (() => void) | undefined

  constructor(options: NotifierOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    const { metrics } = options
    metrics?.observedCounter('pitot_notifications_total', 'Notifications made.', () => this.#made)
    metrics?.observedCounter('pitot_notifications_dropped_total', 'Notifications not sent.', () => this.dropped)
    metrics?.gauge('pitot_notifications_connected', 'Whether Connect takes notifications.', () => Number(this.#isReady))
    if (options.connect !== undefined) this.#connect(options.connect)
  }

  send(notice: Notice): void {
    if (this.#options.connect === undefined || this.#isClosed) return
    this.#made++
    const entry = this.#insert(notice, this.#queue.length)
    if (entry.text.length > largestNotification) this.#drop(this.#queue.length - 1)
    while (this.#isOverfull && this.#sent < this.#queue.length) this.#drop()
    this.#flush()
  }

  get isConnected(): boolean {
    return this.#isReady
  }

  get #isOverfull(): boolean {
    return this.#queue.length > mostWaiting || this.#bytes > mostBytesWaiting
  }

  /** Waits a moment for what is still to be sent. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#isReady && this.#queue.length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve
        setTimeout(resolve, closingTimeout).unref()
      })
    }
    this.#cancelRetry()
    this.#cancelAnswerTimer?.()
    this.#socket?.terminate()
  }

  /** The oldest one goes that is not under way: what is new says more than what is old. */
  #drop(index = this.#sent): void {
    const [gone] = this.#queue.splice(index, 1)
    this.#bytes -= gone!.text.length
    this.dropped++
    this.#untold++
  }

  #insert(notice: Notice, index: number): Entry {
    const stamped = { src: this.#options.service, timestamp: this.#clock.date().toISOString(), ...notice }
    const entry = { number: undefined, text: JSON.stringify(stamped) }
    this.#queue.splice(index, 0, entry)
    this.#bytes += entry.text.length
    return entry
  }

  #connect(connect: URL): void {
    const { token, service, id } = this.#options
    const url = new URL('/1/notify/source', connect)
    url.protocol = connect.protocol === 'https:' ? 'wss:' : 'ws:'
    url.search = new URLSearchParams({ service, id }).toString()
    const socket = new WebSocket(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      // Services make their own certificates, so there is no authority to check them with.
      rejectUnauthorized: false,
      handshakeTimeout: answerTimeout,
      perMessageDeflate: false,
      maxPayload: largestFrame,
    })
    this.#socket = socket
    // The connection must not keep a process alive that has nothing else to do.
    socket.on('upgrade', (response) => response.socket.unref())
    socket.on('message', (data) => this.#acknowledge(String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#reconnect(connect))
  }

  #reconnect(connect: URL): void {
    this.#isReady = false
    this.#sent = 0
    this.#cancelAnswerTimer?.()
    this.#cancelAnswerTimer = undefined
    if (this.#isClosed) return void this.#whenEmpty?.()
    const delay = this.#delay * (0.5 + Math.random())
    this.#delay = Math.min(this.#delay * 2, longestDelay)
    this.#cancelRetry = systemClock.at(systemClock.now() + delay, () => this.#connect(connect))
  }

  /** The first answer comes unasked, and says what was received before the connection broke. */
  #acknowledge(text: string): void {
    const { received } = JSON.parse(text) as { received: number }
    const kept = this.#queue.findIndex(({ number }) => number === undefined || number > received)
    const gone = this.#queue.splice(0, kept < 0 ? this.#queue.length : kept)
    for (const entry of gone) this.#bytes -= entry.text.length
    this.#sent = Math.max(0, this.#sent - gone.length)
    this.#isReady = true
    this.#delay = firstDelay
    this.#cancelAnswerTimer?.()
    this.#cancelAnswerTimer = undefined
    this.#tellDropped()
    this.#flush()
    if (this.#queue.length === 0) this.#whenEmpty?.()
  }

  #flush(): void {
    if (!this.#isReady) return
    while (this.#sent < this.#queue.length && this.#socket!.bufferedAmount < largestFrame) {
      const frame = this.#nextFrame()
      this.#socket!.send(`{"last":${frame.at(-1)!.number},"notifications":[${frame.map(({ text }) => text).join()}]}`)
      this.#sent += frame.length
    }
    if (this.#sent > 0)
      this.#cancelAnswerTimer ??= systemClock.at(systemClock.now() + answerTimeout, () => this.#socket?.terminate())
  }

  #nextFrame(): Entry[] {
    const frame: Entry[] = []
    for (let size = 0, index = this.#sent; index < this.#queue.length; index++) {
      const entry = this.#queue[index]!
      size += entry.text.length
      if (frame.length > 0 && size > largestFrame) break
      entry.number ??= ++this.#lastNumber
      frame.push(entry)
    }
    return frame
  }

  /** Stands behind what has a number, which is where the dropped ones stood. */
  #tellDropped(): void {
    const count = this.#untold
    if (count === 0) return
    this.#untold = 0
    const place = this.#queue.findIndex(({ number }) => number === undefined)
    const text = `${count} notifications were dropped, because Connect did not take them`
    const notice: Notice = { type: 'log', level: logLevelNumbers.warning, text, skipped: count }
    this.#insert(notice, place < 0 ? this.#queue.length : place)
  }
}
