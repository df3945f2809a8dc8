// Notifications on a real Kafka topic, read back by a plain consumer that knows nothing of Pitot.
import { Notifier } from '@pitot/service'
import { Consumer, stringDeserializers } from '@platformatic/kafka'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeKafka } from '../../stream/test/transports/kafka/cluster.ts'
import { KafkaRelay, kafkaTarget } from '../src/kafka-relay.ts'
import { quiet, startedConnect } from './surroundings.ts'

interface Read {
  readonly key: string
  readonly value: string
}

async function consuming(bootstrapBrokers: string[], topic: string): Promise<Read[]> {
  const consumer = new Consumer({
    clientId: 'plain',
    groupId: `plain-${topic}`,
    bootstrapBrokers,
    deserializers: stringDeserializers,
  })
  const read: Read[] = []
  const stream = await consumer.consume({ topics: [topic], mode: 'earliest', sessionTimeout: 10_000 })
  stream.on('data', ({ key, value }: Read) => read.push({ key, value }))
  stream.on('error', () => undefined)
  onTestFinished(() => consumer.close(true).catch(() => undefined))
  return read
}

describeKafka('notifications on Kafka', { brokers: 1 }, (brokers) => {
  test('are those of the listeners, under their source, in order', async () => {
    const topic = await brokers.topic(3)
    const addresses = brokers.server.addresses()
    const connect = await startedConnect()
    const text = `pitot:\n  pneumo: { type: kafka, bootstrap: ['${addresses.join("', '")}'], topic: ${topic} }\n`
    await connect.connect.configure(text)
    const notifiers = ['a', 'b'].map((name) => new Notifier({ connect: new URL(connect.url), service: name, id: name }))
    onTestFinished(async () => {
      for (const notifier of notifiers) await notifier.close()
    })
    const said = Array.from({ length: 200 }, (_, index) => `m${index}`)
    for (const line of said) for (const notifier of notifiers) notifier.send({ type: 'log', level: 64, text: line })
    const read = await consuming(addresses, topic)
    await vi.waitFor(() => expect(read).toHaveLength(400), 30_000)
    for (const source of ['a', 'b']) {
      const own = read.filter(({ key }) => key === source).map(({ value }) => JSON.parse(value))
      expect(own.map(({ text }) => text)).toEqual(said)
      expect(own[0]).toEqual({
        src: source,
        timestamp: expect.stringMatching(/T.*Z$/),
        type: 'log',
        level: 64,
        text: 'm0',
      })
    }
    const metrics = await (await fetch(`${connect.url}/metrics`)).text()
    expect(metrics).toContain('pitot_kafka_notifications_total 400\n')
    // Another configuration, and nothing more goes to the topic.
    await connect.connect.configure('pitot: { pneumo: { type: REST } }')
    notifiers[0]!.send({ type: 'log', level: 64, text: 'elsewhere' })
    const pneumo = async () => (await fetch(`${connect.url}/2/pneumo`)).text()
    await vi.waitFor(async () => expect(await pneumo()).toContain('elsewhere'))
    expect(read).toHaveLength(400)
  }, 60_000)

  test('wait while there is no broker, the latest ones', async () => {
    const topic = await brokers.topic()
    const addresses = brokers.server.addresses()
    const relay = new KafkaRelay({ bootstrap: addresses, topic }, quiet)
    onTestFinished(() => relay.close())
    relay.add('a', 'before')
    await vi.waitFor(() => expect(relay.written).toBe(1), 20_000)
    await brokers.server.kill(1)
    for (let count = 0; count < 10_500; count++) relay.add('a', `m${count}`)
    expect(relay.dropped).toBeGreaterThan(0)
    await brokers.server.restart(1)
    await vi.waitFor(() => expect(relay.written + relay.dropped).toBe(10_501), 60_000)
    const read = await consuming(addresses, topic)
    await vi.waitFor(() => expect(read.at(-1)?.value).toBe('m10499'), 30_000)
    // At least once: a batch whose answer was lost may be there twice, but nothing is out of order.
    const seen = [...new Set(read.map(({ value }) => value))]
    const numbers = seen.slice(1).map((value) => Number(value.slice(1)))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers.length).toBe(10_500 - relay.dropped)
  }, 180_000)
})

describe('the topic', () => {
  test.each<[section: unknown, target: unknown]>([
    [
      { type: 'kafka', bootstrap: ['a:1'], topic: 't' },
      { bootstrap: ['a:1'], topic: 't' },
    ],
    [
      { type: 'kafka', bootstrap: ['a:1'] },
      { bootstrap: ['a:1'], topic: 'notify' },
    ],
    [{ type: 'kafka' }, undefined],
    [{ type: 'kafka', bootstrap: [] }, undefined],
    [{ type: 'REST' }, undefined],
    [undefined, undefined],
  ])('of %j is %j', (section, target) => {
    expect(kafkaTarget(section)).toEqual(target)
  })
})

test('a relay that cannot write ends all the same', async () => {
  const relay = new KafkaRelay({ bootstrap: ['127.0.0.1:1'], topic: 't' }, quiet)
  relay.add('a', 'never')
  await relay.close()
  expect(relay.written).toBe(0)
})
