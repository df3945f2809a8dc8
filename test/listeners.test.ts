// A thousand listeners, some of which never read: memory stays as it is, jobs keep their pace, everybody is told what he missed.
import type { Notification } from '@pitot/api'
import { Notifier } from '@pitot/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from './http.ts'
import { listen, type TestListener } from './notifications.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { temporaryFolder } from './service-options.ts'

const notifiers: Notifier[] = []
afterAll(async () => {
  for (const notifier of notifiers) await notifier.close()
})

function notifierOf(connect: string, service: string): Notifier {
  const notifier = new Notifier({ connect: new URL(connect), service, id: service })
  notifiers.push(notifier)
  return notifier
}

const listeners = (connect: string, count: number, query: string): Promise<TestListener[]> =>
  Promise.all(Array.from({ length: count }, () => listen(connect, `/1/notify${query}`)))

const skippedBy = (received: readonly Notification[]) =>
  received.reduce(
    (sum, message) => sum + (message.src === 'connect' && message.type === 'log' ? message.skipped! : 0),
    0,
  )
const own = (received: readonly Notification[]) => received.filter(({ src }) => src !== 'connect')
const text = 'x'.repeat(40_000)

describe('Connect', () => {
  let connect: PitotProcess
  beforeAll(async () => {
    connect = await startPitot(['connect', '--connect-port', '0', '--data', temporaryFolder(), '--log-level', 'error'])
  })
  afterAll(() => connect?.end())

  test('has 1,000 listeners, 50 of which do not read', async () => {
    const url = connect.urls.connect!
    const quick = await listeners(url, 948, '?src=small')
    const everything = await listeners(url, 2, '')
    const slow = await listeners(url, 50, '')
    for (const { socket } of slow) socket.pause()

    const [small, large] = [notifierOf(url, 'small'), notifierOf(url, 'large')]
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
    for (let turn = 0; turn < 20; turn++) await round()
    const before = connect.residentMemory()
    for (let turn = 0; turn < 40; turn++) await round()
    // 64 MB were published meanwhile, in one copy for all; whoever kept what the slow ones do not read would have grown by that.
    expect(connect.residentMemory() - before).toBeLessThan(32 * 2 ** 20)

    for (const { received } of quick)
      expect(received.map((message) => (message as { text: string }).text)).toEqual(
        Array.from({ length: smallSent }, (_, index) => String(index)),
      )

    for (const { socket } of slow) socket.resume()
    const complete = ({ received }: TestListener) =>
      own(received).length + skippedBy(received) === smallSent + largeSent
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
})

/** Records a second. */
interface Pace {
  readonly byClock: number
  readonly byWork: number
}

describe('a job', () => {
  let pitot: PitotProcess
  beforeAll(async () => {
    const free = ['gateway', 'connect', 'model-manage', 'engine'].flatMap((service) => [`--${service}-port`, '0'])
    const common = ['--data', temporaryFolder(), '--log-level', 'error', '--allow-exec', '/usr/bin/yes']
    // All services in one process, so that whatever Connect does is time that the engine does not have.
    pitot = await startPitot(['up', ...common, ...free])
  })
  afterAll(() => pitot?.end())

  async function send(method: string, path: string, body: object, type = 'application/json'): Promise<void> {
    const headers = { 'content-type': type }
    const answer = await call(pitot.urls.engine!, path, { method, headers, body: JSON.stringify(body) })
    expect(answer.status, answer.text).toBeLessThan(300)
  }

  /** Of all series with that name. */
  async function metricsOf(url: string): Promise<(name: string) => number> {
    const { text: metrics } = await call(url, '/metrics')
    return (name) => {
      const values = metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'gm'))
      return [...values].reduce((total, [, value]) => total + Number(value), 0)
    }
  }

  /** How far the job is, by the clock and in processor time of all that works for it: jets, and the process of the services. */
  async function progress() {
    const sum = await metricsOf(pitot.urls.engine!)
    return {
      records: sum('pitot_slot_records_total'),
      clock: performance.now() / 1000,
      work: sum('process_cpu_seconds_total') + sum('pitot_jet_cpu_seconds_total'),
    }
  }

  /** Over some seconds. */
  async function pace(): Promise<Pace> {
    const before = await progress()
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const after = await progress()
    const records = after.records - before.records
    return { byClock: records / (after.clock - before.clock), byWork: records / (after.work - before.work) }
  }

  test('keeps its pace while 1,000 listen, 50 of which do not read', async () => {
    const form = { Envelope: 'delimited', Encoding: 'json' }
    const yes = { Type: 'exec', Run: '/usr/bin/yes', Args: ['12345'] }
    await send('PUT', '/1/job/stream/out', { Transport: 'discard', ...form })
    await send('PUT', '/1/job/stream/in', { Transport: yes, ...form })
    const model = { input: 'int', output: 'int', action: { '+': ['input', 1] } }
    await send('PUT', '/1/job/model', model, 'application/vnd.pitot.model-pfa+json')
    const connect = pitot.urls.connect!
    const large = notifierOf(connect, 'large')
    const chatter = setInterval(() => {
      for (let count = 0; count < 5; count++) large.send({ type: 'log', level: 64, text })
    }, 100)
    const skipped = async () => (await metricsOf(connect))('pitot_hub_skipped_total')
    const alone: Pace[] = []
    const heard: Pace[] = []
    await pace()
    // In turns, so that both see the same machine.
    for (let turn = 0; turn < 3; turn++) {
      alone.push(await pace())
      const quick = await listeners(connect, 950, '?src=engine-1')
      const slow = await listeners(connect, 50, '')
      for (const { socket } of slow) socket.pause()
      const before = await skipped()
      heard.push(await pace())
      expect(quick.every(({ received }) => received.length > 0)).toBe(true)
      // What the slow ones do not read has filled all buffers on the way to them.
      await expect.poll(skipped, { timeout: 30_000, interval: 100 }).toBeGreaterThan(before)
      for (const { socket } of [...quick, ...slow]) socket.terminate()
    }
    clearInterval(chatter)
    const values = (paces: readonly Pace[], by: keyof Pace) => paces.map((each) => each[by]).toSorted((a, b) => a - b)
    expect(values(heard, 'byWork')[1]! / values(alone, 'byWork')[1]!).toBeGreaterThan(0.5)
    // By the clock the best turn counts: the listeners live in the process of this test, which needs processors too.
    expect(values(heard, 'byClock')[2]! / values(alone, 'byClock')[1]!).toBeGreaterThan(0.3)
  }, 180_000)
})
