import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Notification } from '@pitot/api'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { Metrics } from '../src/metrics.ts'
import { Notifier } from '../src/notifier.ts'

interface Frame {
  readonly last: number
  readonly notifications: readonly Notification[]
}

/** What a notifier needs of Connect: it remembers the last number, and acknowledges as far as it is told to. */
class Receiver {
  readonly frames: Frame[] = []
  readonly requests: { readonly url: string; readonly authorization: string | undefined }[] = []
  received = 0
  acknowledges = true
  #server: WebSocketServer | undefined
  #sockets: WebSocket[] = []
  port = 0

  async start(): Promise<void> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: this.port })
    await once(server, 'listening')
    this.port = (server.address() as AddressInfo).port
    this.#server = server
    server.on('connection', (socket, request) => {
      this.#sockets.push(socket)
      this.requests.push({ url: request.url!, authorization: request.headers.authorization })
      socket.send(JSON.stringify({ received: this.received }))
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame
        this.frames.push(frame)
        this.received = frame.last
        if (this.acknowledges) socket.send(JSON.stringify({ received: this.received }))
      })
    })
  }

  /** Ends everything at once, as a killed process does. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets.splice(0)) socket.terminate()
    await new Promise((resolve) => (this.#server === undefined ? resolve(undefined) : this.#server.close(resolve)))
    this.#server = undefined
  }

  texts(): string[] {
    return this.frames.flatMap(({ notifications }) =>
      notifications.map((notification) => (notification as { text: string }).text),
    )
  }
}

async function started(more: { token?: string; metrics?: Metrics } = {}) {
  const receiver = new Receiver()
  await receiver.start()
  const connect = new URL(`http://127.0.0.1:${receiver.port}`)
  const notifier = new Notifier({ connect, service: 'engine', id: 'an-id', ...more })
  onTestFinished(async () => {
    await notifier.close()
    await receiver.stop()
  })
  return { receiver, notifier }
}

const say = (notifier: Notifier, text: string) => notifier.send({ type: 'log', level: 64, text })
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `m${from + index}`)

describe('a notifier', () => {
  test('says who it is, and sends with source and time', async () => {
    const { receiver, notifier } = await started({ token: 'secret' })
    say(notifier, 'hello')
    await vi.waitFor(() => expect(receiver.frames).toHaveLength(1))
    expect(receiver.requests).toEqual([
      { url: '/1/notify/source?service=engine&id=an-id', authorization: 'Bearer secret' },
    ])
    expect(receiver.frames[0]!.notifications).toEqual([
      { src: 'engine', timestamp: expect.stringMatching(/^\d{4}-.*T.*Z$/), type: 'log', level: 64, text: 'hello' },
    ])
  })

  test('keeps the order across broken connections, and sends nothing twice', async () => {
    const { receiver, notifier } = await started()
    for (const text of numbered(1, 100)) say(notifier, text)
    await vi.waitFor(() => expect(receiver.texts()).toHaveLength(100))
    await receiver.stop()
    for (const text of numbered(101, 150)) say(notifier, text)
    await receiver.start()
    await vi.waitFor(() => expect(receiver.texts()).toHaveLength(150), 10_000)
    expect(receiver.texts()).toEqual(numbered(1, 150))
    expect(notifier.dropped).toBe(0)
  })

  test('sends again what was received but not acknowledged, only when it was not received', async () => {
    const { receiver, notifier } = await started()
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1))
    receiver.acknowledges = false
    say(notifier, 'm1')
    say(notifier, 'm2')
    await vi.waitFor(() => expect(receiver.texts()).toEqual(['m1', 'm2']))
    // The receiver comes back remembering only the first.
    await receiver.stop()
    receiver.received = 1
    receiver.acknowledges = true
    await receiver.start()
    await vi.waitFor(() => expect(receiver.texts()).toEqual(['m1', 'm2', 'm2']), 10_000)
  })

  test('drops the oldest when too many wait, counts them, and says so in their place', async () => {
    const metrics = new Metrics()
    const { receiver, notifier } = await started({ metrics })
    await vi.waitFor(() => expect(notifier.isConnected).toBe(true))
    await receiver.stop()
    await vi.waitFor(() => expect(notifier.isConnected).toBe(false))
    for (const text of numbered(1, 1500)) say(notifier, text)
    expect(notifier.dropped).toBe(500)
    expect(metrics.text()).toContain('pitot_notifications_dropped_total 500\n')
    await receiver.start()
    await vi.waitFor(() => expect(receiver.texts()).toHaveLength(1001), 10_000)
    const [told, ...kept] = receiver.frames.flatMap(({ notifications }) => notifications)
    expect(told).toMatchObject({
      type: 'log',
      level: 16,
      skipped: 500,
      text: expect.stringMatching(/^500 notifications were dropped/),
    })
    expect(kept.map((notification) => (notification as { text: string }).text)).toEqual(numbered(501, 1500))
  })

  test('drops the newest when too many are under way', async () => {
    const { receiver, notifier } = await started()
    await vi.waitFor(() => expect(notifier.isConnected).toBe(true))
    receiver.acknowledges = false
    for (const text of numbered(1, 1000)) say(notifier, text)
    await vi.waitFor(() => expect(receiver.texts()).toHaveLength(1000))
    for (const text of numbered(1001, 1003)) say(notifier, text)
    expect(notifier.dropped).toBe(3)
    receiver.acknowledges = true
    await receiver.stop()
    await receiver.start()
    await vi.waitFor(() => expect(receiver.texts()).toHaveLength(1001), 10_000)
    expect(receiver.texts().at(-1)).toMatch(/^3 notifications were dropped/)
  })

  test('is bounded in bytes too', async () => {
    const { receiver, notifier } = await started()
    await receiver.stop()
    for (let count = 0; count < 100; count++) say(notifier, 'x'.repeat(1_000_000))
    expect(notifier.dropped).toBe(92)
    say(notifier, 'y'.repeat(2 ** 20))
    expect(notifier.dropped).toBe(93)
    await receiver.start()
    await vi.waitFor(() => expect(receiver.texts()).toHaveLength(9), 10_000)
    expect(receiver.texts()[0]).toMatch(/^93 notifications were dropped/)
  })

  test('sends the last words when it is closed', async () => {
    const { receiver, notifier } = await started()
    say(notifier, 'first')
    await vi.waitFor(() => expect(receiver.texts()).toEqual(['first']))
    for (const text of numbered(1, 10)) say(notifier, text)
    await notifier.close()
    expect(receiver.texts()).toEqual(['first', ...numbered(1, 10)])
    say(notifier, 'too late')
  })

  test('without Connect says nothing', async () => {
    const notifier = new Notifier({ service: 'engine', id: 'an-id' })
    say(notifier, 'hello')
    await notifier.close()
    expect(notifier.dropped).toBe(0)
  })
})
