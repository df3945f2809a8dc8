// A thousand listeners of Connect, some of which never read: memory stays as it is, and everybody is told what he missed.
import type { Notification } from '@pitot/api'
import { Notifier } from '@pitot/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type TestListener } from './notifications.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { temporaryFolder } from './service-options.ts'

let connect: PitotProcess
const notifiers: Notifier[] = []
beforeAll(async () => {
  connect = await startPitot(['connect', '--connect-port', '0', '--data', temporaryFolder(), '--log-level', 'error'])
})
afterAll(async () => {
  for (const notifier of notifiers) await notifier.close()
  await connect?.end()
})

function notifierOf(service: string): Notifier {
  const notifier = new Notifier({ connect: new URL(connect.urls.connect!), service, id: service })
  notifiers.push(notifier)
  return notifier
}

const listeners = (count: number, query: string): Promise<TestListener[]> =>
  Promise.all(Array.from({ length: count }, () => listen(connect.urls.connect!, `/1/notify${query}`)))

const skippedBy = (received: readonly Notification[]) =>
  received.reduce(
    (sum, message) => sum + (message.src === 'connect' && message.type === 'log' ? message.skipped! : 0),
    0,
  )
const own = (received: readonly Notification[]) => received.filter(({ src }) => src !== 'connect')

test('1,000 listeners, 50 of which do not read', async () => {
  const quick = await listeners(940, '?src=small')
  const everything = await listeners(10, '')
  const slow = await listeners(50, '')
  for (const { socket } of slow) socket.pause()

  const [small, large] = [notifierOf('small'), notifierOf('large')]
  const text = 'x'.repeat(20_000)
  let [smallSent, largeSent] = [0, 0]
  /** One round of notifications, and the wait for those who read. */
  const round = async () => {
    for (let count = 0; count < 40; count++) large.send({ type: 'log', level: 64, text: `${largeSent++} ${text}` })
    small.send({ type: 'log', level: 64, text: String(smallSent++) })
    const all = () => [
      ...quick.map(({ received }) => received.length - smallSent),
      ...everything.map(({ received }) => own(received).length + skippedBy(received) - smallSent - largeSent),
    ]
    await expect.poll(() => all().every((missing) => missing === 0), { timeout: 30_000, interval: 20 }).toBe(true)
  }
  for (let turn = 0; turn < 10; turn++) await round()
  const before = connect.residentMemory()
  for (let turn = 0; turn < 20; turn++) await round()
  // 16 MB were published to 60 listeners meanwhile; each slow one may keep a batch, which they share.
  expect(connect.residentMemory() - before).toBeLessThan(40 * 2 ** 20)

  for (const { received } of quick)
    expect(received.map((message) => (message as { text: string }).text)).toEqual(
      Array.from({ length: smallSent }, (_, index) => String(index)),
    )

  for (const { socket } of slow) socket.resume()
  const complete = ({ received }: TestListener) => own(received).length + skippedBy(received) === smallSent + largeSent
  await expect.poll(() => slow.every(complete), { timeout: 30_000, interval: 50 }).toBe(true)
  expect(slow.every(({ received }) => skippedBy(received) > 0)).toBe(true)
  for (const { received } of slow) {
    const numbers = own(received)
      .filter(({ src }) => src === 'large')
      .map((message) => Number.parseInt((message as { text: string }).text, 10))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
  // Who reads again, hears again.
  await round()
  await expect.poll(() => slow.every(complete), { timeout: 30_000, interval: 50 }).toBe(true)
}, 180_000)
