// The kafka transport while brokers are lost, restarted and relieved: what was written is read once, whatever happens between.
import { afterEach, expect, it } from 'vitest'
import type { StreamFailure } from '../../src/transport.ts'
import type { KafkaSource } from '../../src/transports/kafka/source.ts'
import { describeKafka, frames, numbered, readSome, texts } from './kafka/cluster.ts'

const records = 1_000_000
const batch = 2000

describeKafka('kafka with two brokers', { brokers: 2 }, (brokers) => {
  afterEach(() => brokers.closeAll())

  it(`carries ${records} records through a broker that is killed and restarted, each of them once`, async () => {
    const Topic = await brokers.topic(4, { replicas: 2 })
    const source = await brokers.source({ Topic, Partition: 'all', MaxWaitTime: 120_000 })
    const sink = await brokers.sink({ Topic, Partition: 'all' })
    const tally = new Tally(records)
    const reading = tally.read(source)
    const events = new Map([
      [Math.floor(records / batch / 3), () => brokers.server.kill(2)],
      [Math.floor((2 * records) / batch / 3), () => brokers.server.restart(2)],
    ])
    const restarts: Promise<void>[] = []
    for (let index = 0; index * batch < records; index++) {
      const event = events.get(index)
      if (event !== undefined) restarts.push(event())
      await sink.write(frames(numbered(batch, index * batch)))
    }
    await Promise.all(restarts)
    await reading
    expect(tally.report()).toEqual({ missing: 0, twice: 0 })
    expect(sink.counters().retries).toBeGreaterThan(0)
  }, 180_000)

  it('follows partitions to another leader', async () => {
    const Topic = await brokers.topic(4, { replicas: 2 })
    const iterator = (await brokers.source({ Topic, Partition: 'all', MaxWaitTime: 60_000 }))[Symbol.asyncIterator]()
    const sink = await brokers.sink({ Topic, Partition: 'all' })
    for (let index = 0; index < 4; index++) await sink.write(frames([`before ${index}`]))
    await readSome(iterator, 4)
    await brokers.server.halt(2)
    for (let index = 0; index < 4; index++) await sink.write(frames([`after ${index}`]))
    const { records: read } = await readSome(iterator, 4)
    expect(read.toSorted()).toEqual(['after 0', 'after 1', 'after 2', 'after 3'])
    await brokers.server.restart(2)
  }, 60_000)

  it('keeps its group, its commits and its transactions through the loss of the coordinator', async () => {
    const Topic = await brokers.topic(1, { replicas: 2 })
    const Group = Topic
    const sink = await brokers.sink({ Topic, TransactionalId: Topic })
    const source = await brokers.source({ Topic, Group, MaxWaitTime: 60_000 })
    const iterator = source[Symbol.asyncIterator]()
    await sink.write(frames(numbered(5)))
    await source.acknowledge((await readSome(iterator, 5)).position)
    // Each broker once: one of them holds the group, one of them the transactions.
    for (const broker of [2, 1]) {
      await brokers.server.kill(broker)
      await brokers.server.restart(broker)
      await sink.write(frames(numbered(5, 5)))
      await source.acknowledge((await readSome(iterator, 5)).position)
    }
    await source.close()
    await sink.write(frames(['last']))
    const next = await brokers.source({ Topic, Group })
    expect((await readSome(next[Symbol.asyncIterator](), 1)).records).toEqual(['last'])
  }, 120_000)

  it('gives up after RetryTime, and says that it may work later', async () => {
    const Topic = await brokers.topic(1, { replicas: 2 })
    const given = { Topic, RetryTime: 1500, MaxWaitTime: 60_000 }
    const iterator = (await brokers.source(given))[Symbol.asyncIterator]()
    const sink = await brokers.sink(given)
    await sink.write(frames(['before']))
    await readSome(iterator, 1)
    await Promise.all([brokers.server.kill(1), brokers.server.kill(2)])
    const failures = await Promise.all(
      [sink.write(frames(['after'])), iterator.next()].map((each) =>
        each.then(
          () => undefined,
          (error) => error as StreamFailure,
        ),
      ),
    )
    for (const failure of failures) {
      expect(failure).toMatchObject({ name: 'StreamFailure', passing: true })
      expect(failure?.message).toMatch(/^Kafka at 127.* cannot be reached: /)
    }
  }, 60_000)
})

/** Counts how often each numbered record was read. */
class Tally {
  readonly #times: Uint8Array
  #left: number

  constructor(count: number) {
    this.#times = new Uint8Array(count)
    this.#left = count
  }

  async read(source: KafkaSource): Promise<void> {
    for await (const chunk of source) {
      for (const text of texts(chunk)) {
        const number = Number(text.slice('record '.length))
        if (this.#times[number] === 0) this.#left--
        this.#times[number] = (this.#times[number] ?? 0) + 1
      }
      if (this.#left === 0) return
    }
  }

  report(): { missing: number; twice: number } {
    return { missing: this.#left, twice: this.#times.filter((times) => times > 1).length }
  }
}
