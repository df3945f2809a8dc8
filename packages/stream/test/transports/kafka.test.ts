// The kafka transport on one real broker: the contract, partitions, large messages, and what can be missing.
import { afterEach, describe, expect, it } from 'vitest'
import type { MessageDetails } from '../../src/transport.ts'
import { kafka } from '../../src/transports/kafka.ts'
import { bytesOf, framesOf, textOf, transportContract } from './contract.ts'
import { describeKafka, frames, numbered, readAll, readOptions, texts } from './kafka/cluster.ts'

describeKafka('kafka', {}, (brokers) => {
  afterEach(() => brokers.closeAll())

  transportContract({
    transport: kafka,
    async input(messages) {
      const Topic = await brokers.topic()
      const sink = await brokers.sink({ Topic })
      await sink.write(framesOf(messages))
      return { options: brokers.options({ Topic, MaxWaitTime: 300 }), context: { skipToRecord: 'earliest' } }
    },
    async output() {
      const Topic = await brokers.topic()
      const received = async () => {
        const { records } = await readAll(await brokers.source({ Topic }))
        return records.map(bytesOf)
      }
      return { options: brokers.options({ Topic }), received }
    },
    brokenInput: async () => ({ options: brokers.options({ Topic: 'nowhere' }), mentions: /no topic "nowhere"/ }),
    brokenOutput: async () => ({ options: brokers.options({ Topic: 'nowhere' }), mentions: /no topic "nowhere"/ }),
    resumes: true,
  })

  describe('partitions', () => {
    it('reads what was written, in order', async () => {
      const Topic = await brokers.topic()
      await brokers.write({ Topic }, numbered(1000))
      const { records } = await readAll(await brokers.source({ Topic }))
      expect(records).toEqual(numbered(1000))
    })

    it.each([
      { Partition: 1, expected: ['b'] },
      { Partition: [0, 2], expected: ['a', 'c'] },
      { Partition: 'all', expected: ['a', 'b', 'c'] },
    ])('reads partition $Partition', async ({ Partition, expected }) => {
      const Topic = await brokers.topic(3)
      for (const [index, record] of ['a', 'b', 'c'].entries())
        await brokers.write({ Topic, Partition: index }, [record])
      const { records } = await readAll(await brokers.source({ Topic, Partition }))
      expect(records.toSorted()).toEqual(expected)
    })

    it('writes to all partitions in turn, and a key always to the same', async () => {
      const Topic = await brokers.topic(3)
      const sink = await brokers.sink({ Topic, Partition: 'all' })
      for (let turn = 0; turn < 6; turn++) await sink.write(frames([`turn ${turn}`]))
      for (let turn = 0; turn < 4; turn++) {
        await sink.write(frames(['x', 'y']), [{ key: Buffer.from('one') }, { key: Buffer.from('other') }])
      }
      const { chunks } = await readAll(await brokers.source({ Topic, Partition: 'all' }))
      const turns = chunks.map((chunk) => texts(chunk).filter((record) => record.startsWith('turn')).length)
      expect(turns).toEqual([2, 2, 2])
      for (const key of ['one', 'other']) {
        const holders = chunks.filter((chunk) =>
          chunk.details?.some((each) => textOf(each.key ?? new Uint8Array()) === key),
        )
        expect(holders).toHaveLength(1)
      }
    })

    it('carries keys, headers and empty values through', async () => {
      const Topic = await brokers.topic()
      const details: MessageDetails[] = [
        {},
        { key: Buffer.from([0, 255]) },
        {
          headers: [
            ['name', Buffer.from('first')],
            ['name', Buffer.from('second')],
            ['empty', Buffer.alloc(0)],
          ],
        },
      ]
      await brokers.write({ Topic }, ['plain', '', 'headed'], details)
      const { chunks, records } = await readAll(await brokers.source({ Topic }))
      expect(records).toEqual(['plain', '', 'headed'])
      const read = chunks.flatMap((chunk) => chunk.details ?? [])
      expect(read.map(({ key }) => key && [...key])).toEqual([undefined, [0, 255], undefined])
      const headers = read[2]?.headers?.map(([name, value]) => [name, Buffer.from(value).toString()])
      expect(headers).toEqual([
        ['name', 'first'],
        ['name', 'second'],
        ['empty', ''],
      ])
    })

    it.each(['gzip', 'snappy', 'lz4', 'zstd'])('compresses with %s', async (Compression) => {
      const Topic = await brokers.topic()
      const records = numbered(5000)
      await brokers.write({ Topic, Compression }, records)
      await brokers.write({ Topic }, ['not compressed'])
      const { records: read } = await readAll(await brokers.source({ Topic }))
      expect(read).toEqual([...records, 'not compressed'])
    })
  })

  describe('too large', () => {
    it('splits a batch that the topic does not take', async () => {
      const Topic = await brokers.topic(1, { configs: { 'max.message.bytes': '20000' } })
      await brokers.write({ Topic }, numbered(5000))
      expect((await readAll(await brokers.source({ Topic }))).records).toEqual(numbered(5000))
    })

    it('names the message that the topic does not take', async () => {
      const Topic = await brokers.topic(1, { configs: { 'max.message.bytes': '20000' } })
      const sink = await brokers.sink({ Topic })
      await expect(sink.write(frames(['x'.repeat(30_000)]))).rejects.toThrow(
        /does not take a message of 30031 bytes \(partition 0\): write smaller records/,
      )
      await sink.write(frames(['small']))
      expect((await readAll(await brokers.source({ Topic }))).records).toEqual(['small'])
    })

    it('reads a message larger than one fetch', async () => {
      const Topic = await brokers.topic(1, { configs: { 'max.message.bytes': '10000000' } })
      await brokers.write({ Topic }, ['before', 'y'.repeat(6_000_000), 'after'])
      const { records } = await readAll(await brokers.source({ Topic }))
      expect(records.map((record) => record.length)).toEqual([6, 6_000_000, 5])
    })
  })

  describe('what is missing', () => {
    it.each(['source', 'sink'] as const)('says which topic a %s does not find', async (kind) => {
      await expect(brokers[kind]({ Topic: 'nowhere' })).rejects.toThrow(
        /has no topic "nowhere": create it, or correct Topic/,
      )
    })

    it.each(['source', 'sink'] as const)('says which partition a %s does not find', async (kind) => {
      const Topic = await brokers.topic(2)
      await expect(brokers[kind]({ Topic, Partition: [0, 2] })).rejects.toThrow(/has no partition 2: it has 2/)
    })

    it.each(['source', 'sink'] as const)('says that a %s finds no broker, and that this may pass', async (kind) => {
      const given = { BootstrapServers: '127.0.0.1:1', Topic: 't', RetryTime: 300 }
      const failure = await brokers[kind](given).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(failure).toMatchObject({ name: 'StreamFailure', passing: true })
      expect(String(failure)).toMatch(/Kafka at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/)
    })

    it('says that a topic was deleted while it is read', async () => {
      const Topic = await brokers.topic()
      const reading = readAll(await brokers.source({ Topic, MaxWaitTime: 60_000 }))
      reading.catch(() => undefined)
      await brokers.admin((admin) => admin.deleteTopics({ topics: [Topic] }))
      await expect(reading).rejects.toThrow(/has no topic/)
    })
  })
})

describe('rules of the kafka transport', () => {
  const base = { BootstrapServers: 'a:1', Topic: 't' }
  it.each([
    { given: { Group: 'g', Partition: [1] }, broken: /leave out Partition, or Group/ },
    { given: { Group: 'g' }, broken: undefined },
    { given: { Principal: 'p' }, broken: /Principal needs a Keytab/ },
    { given: { Keytab: '/k' }, broken: /Keytab needs the Principal/ },
    {
      given: { Principal: 'p', Keytab: '/k', SASL: { Mechanism: 'plain', Username: 'u', Password: 'p' } },
      broken: /two ways to log in/,
    },
  ])('$given', ({ given, broken }) => {
    const sentences = kafka.check?.(readOptions({ ...base, ...given }), 'input') ?? []
    if (broken === undefined) expect(sentences).toEqual([])
    else expect(sentences.join()).toMatch(broken)
  })
})
