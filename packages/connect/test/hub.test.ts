import type { Notification } from '@pitot/api'
import { Metrics } from '@pitot/service'
import { describe, expect, test, vi } from 'vitest'
import { Hub, type NotificationFilter, type Outlet } from '../src/hub.ts'

const form = (json: string) => Buffer.from(`${json}\n`)

/** Takes everything, or nothing while it is held. */
class TestOutlet implements Outlet {
  readonly form = form
  readonly writes: string[] = []
  ended = false
  waiting = 0
  isHeld = false

  write(bytes: Uint8Array): void {
    this.writes.push(Buffer.from(bytes).toString())
    if (this.isHeld) this.waiting += bytes.length
  }

  end(): void {
    this.ended = true
  }

  notifications(): Notification[] {
    return this.writes
      .join('')
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
}

const log = (text: string, src = 'engine-1'): Notification => ({
  src,
  timestamp: '2026-11-15T00:00:00.000Z',
  type: 'log',
  level: 64,
  text,
})

function listening(hub: Hub, filter: NotificationFilter = {}) {
  const outlet = new TestOutlet()
  return { outlet, ...hub.listen(outlet, filter) }
}

describe('the hub', () => {
  test('gives every listener everything, in order, from when it listens', async () => {
    const hub = new Hub(new Metrics())
    const first = listening(hub)
    hub.publish(log('1'))
    const second = listening(hub)
    for (const text of ['2', '3', '4']) hub.publish(log(text))
    await vi.waitFor(() => expect(second.outlet.notifications()).toEqual(['2', '3', '4'].map((text) => log(text))))
    expect(first.outlet.notifications()).toEqual(['1', '2', '3', '4'].map((text) => log(text)))
    first.leave()
    hub.publish(log('5'))
    await vi.waitFor(() => expect(second.outlet.notifications()).toHaveLength(4))
    expect(first.outlet.notifications()).toHaveLength(4)
  })

  test('writes once for what comes together', async () => {
    const hub = new Hub(new Metrics())
    const { outlet } = listening(hub)
    for (let count = 0; count < 50; count++) hub.publish(log(String(count)))
    await vi.waitFor(() => expect(outlet.notifications()).toHaveLength(50))
    expect(outlet.writes).toHaveLength(1)
  })

  test('filters by source and type', async () => {
    const hub = new Hub(new Metrics())
    const cases: [filter: NotificationFilter, texts: string[]][] = [
      [{}, ['log engine-1', 'log engine-2', 'output-eof engine-1']],
      [{ src: ['engine-2'] }, ['log engine-2']],
      [{ type: ['output-eof'] }, ['output-eof engine-1']],
      [{ src: ['engine-1', 'engine-2'], type: ['log'] }, ['log engine-1', 'log engine-2']],
      [{ src: [] }, []],
    ]
    const listeners = cases.map(([filter]) => listening(hub, filter))
    const eof: Notification = { src: 'engine-1', timestamp: '2026-11-15T00:00:00.000Z', type: 'output-eof' }
    for (const notification of [log('a'), log('b', 'engine-2'), eof]) hub.publish(notification)
    await vi.waitFor(() => expect(listeners[0]!.outlet.notifications()).toHaveLength(3))
    const texts = (notifications: readonly Notification[]) => notifications.map(({ type, src }) => `${type} ${src}`)
    for (const [index, [filter, expected]] of cases.entries()) {
      expect(texts(listeners[index]!.outlet.notifications())).toEqual(expected)
      expect(texts(hub.history(filter))).toEqual(expected)
    }
  })

  test('keeps the last 60', () => {
    const hub = new Hub(new Metrics())
    for (let count = 1; count <= 100; count++) hub.publish(log(String(count)))
    const history = hub.history({}) as readonly { text: string }[]
    expect(history).toHaveLength(60)
    expect([history[0]!.text, history[59]!.text]).toEqual(['41', '100'])
  })

  test('a listener that does not read misses some, and is told how many when it reads again', async () => {
    const metrics = new Metrics()
    const hub = new Hub(metrics)
    const [slow, quick] = [listening(hub), listening(hub)]
    slow.outlet.isHeld = true
    const text = 'x'.repeat(30_000)
    for (let count = 0; count < 20; count++) {
      hub.publish(log(`${count} ${text}`))
      await vi.waitFor(() => expect(quick.outlet.notifications()).toHaveLength(count + 1))
    }
    const before = slow.outlet.notifications().length
    expect(before).toBe(3)
    slow.outlet.waiting = 0
    slow.drained()
    hub.publish(log('20'))
    await vi.waitFor(() => expect(quick.outlet.notifications()).toHaveLength(21))
    const [told, last] = slow.outlet.notifications().slice(before)
    expect(told).toEqual({
      src: 'connect',
      timestamp: expect.stringMatching(/T.*Z$/),
      type: 'log',
      level: 16,
      text: '17 notifications were skipped, because this listener reads too slowly',
      skipped: 17,
    })
    expect(last).toEqual(log('20'))
    expect(metrics.text()).toContain('pitot_hub_skipped_total 17\n')
  })

  test('large notifications do not wait for others', () => {
    const hub = new Hub(new Metrics())
    const { outlet } = listening(hub)
    hub.publish(log('x'.repeat(300_000)))
    expect(outlet.notifications()).toHaveLength(1)
  })

  test('closed, it sends what waits and ends its listeners', () => {
    const hub = new Hub(new Metrics())
    const { outlet } = listening(hub)
    hub.publish(log('last'))
    hub.close()
    expect(outlet.notifications()).toEqual([log('last')])
    expect(outlet.ended).toBe(true)
  })

  test('hands everything on', () => {
    const hub = new Hub(new Metrics())
    const relayed: string[] = []
    hub.relay = ({ src }, json) => relayed.push(`${src} ${json}`)
    hub.publish(log('a'))
    expect(relayed).toEqual([`engine-1 ${JSON.stringify(log('a'))}`])
  })
})
