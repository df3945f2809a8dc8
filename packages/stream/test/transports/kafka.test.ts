// The kafka transport on one real broker: partitions, positions, groups, batches, transactions and what can go wrong.
import { afterEach, describe, expect, it } from 'vitest'
import type { Chunk, MessageDetails } from '../../src/transport.ts'
import { kafka } from '../../src/transports/kafka.ts'
import { bytesOf, framesOf, textOf, transportContract } from './contract.ts'
import { describeKafka, frames, numbered, readAll, readOptions, readSome, texts } from './kafka/cluster.ts'

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

  describe('where reading begins and ends', () => {
    it.each([
      { skipToRecord: 'earliest', expected: numbered(10) },
      { skipToRecord: 0, expected: numbered(10) },
      { skipToRecord: 7, expected: numbered(3, 7) },
      { skipToRecord: 10, expected: [] },
      { skipToRecord: 'latest', expected: [] },
    ] as const)('begins at $skipToRecord', async ({ skipToRecord, expected }) => {
      const Topic = await brokers.topic()
      await brokers.write({ Topic }, numbered(10))
      const { records } = await readAll(await brokers.source({ Topic }, { skipToRecord }))
      expect(records).toEqual(expected)
    })

    it('begins at the end when nothing is said, from the moment of opening', async () => {
      const Topic = await brokers.topic()
      await brokers.write({ Topic }, ['before'])
      const source = await brokers.source({ Topic }, { skipToRecord: undefined })
      await brokers.write({ Topic }, ['after'])
      expect((await readAll(source)).records).toEqual(['after'])
    })

    it('says when the record to begin at is not there', async () => {
      const Topic = await brokers.topic()
      await brokers.write({ Topic }, numbered(3))
      await expect(brokers.source({ Topic }, { skipToRecord: 4 })).rejects.toThrow(/ends before record 3.*no record 4/)
    })

    it('ends after MaxWaitTime without records, and not before', async () => {
      const Topic = await brokers.topic()
      await brokers.write({ Topic }, ['first'])
      const iterator = (await brokers.source({ Topic, MaxWaitTime: 700 }))[Symbol.asyncIterator]()
      await readSome(iterator, 1)
      setTimeout(() => void brokers.write({ Topic }, ['late']), 300)
      await readSome(iterator, 1)
      const start = performance.now()
      expect((await iterator.next()).done).toBe(true)
      expect(performance.now() - start).toBeGreaterThan(690)
      expect(performance.now() - start).toBeLessThan(2500)
    })

    it('goes on at any position that it gave, also in the middle of a chunk', async () => {
      const Topic = await brokers.topic(2)
      await brokers.write({ Topic, Partition: 0 }, numbered(10))
      await brokers.write({ Topic, Partition: 1 }, numbered(10, 10))
      const { chunks } = await readAll(await brokers.source({ Topic, Partition: 'all' }))
      const all = chunks.flatMap(texts)
      let before = 0
      for (const chunk of chunks) {
        for (const index of [0, 4, 9]) {
          const from = JSON.parse(JSON.stringify(chunk.position(index))) as Record<string, unknown>
          const { records } = await readAll(
            await brokers.source({ Topic, Partition: 'all', MaxWaitTime: 100 }, { from }),
          )
          expect(records.toSorted()).toEqual(all.slice(before + index + 1).toSorted())
        }
        before += 10
      }
    })

    it('ends at once when it is closed or aborted, also while it waits', async () => {
      const Topic = await brokers.topic()
      const abort = new AbortController()
      const closed = await brokers.source({ Topic, MaxWaitTime: 60_000 })
      const aborted = await brokers.source({ Topic, MaxWaitTime: 60_000 }, { signal: abort.signal })
      const ends = [closed, aborted].map((source) => readAll(source))
      setTimeout(() => {
        void closed.close()
        abort.abort()
      }, 200)
      const start = performance.now()
      await Promise.all(ends)
      expect(performance.now() - start).toBeLessThan(2000)
    })

    it('fetches no more than one answer ahead of a reader that does not ask', async () => {
      const Topic = await brokers.topic()
      const sink = await brokers.sink({ Topic })
      const megabyte = frames(Array.from({ length: 1024 }, () => 'x'.repeat(1024)))
      for (let count = 0; count < 24; count++) await sink.write(megabyte)
      const source = await brokers.source({ Topic })
      const iterator = source[Symbol.asyncIterator]()
      await iterator.next()
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(source.counters().fetches).toBe(2)
    })

    it('goes on behind what the broker has deleted', async () => {
      const Topic = await brokers.topic()
      await brokers.write({ Topic }, numbered(10))
      await brokers.admin((admin) =>
        admin.deleteRecords({ topics: [{ name: Topic, partitions: [{ partition: 0, offset: 6n }] }] }),
      )
      const source = await brokers.source({ Topic }, { from: { topic: Topic, offsets: { 0: 2 } } })
      expect((await readAll(source)).records).toEqual(numbered(4, 6))
    })
  })

  describe('groups', () => {
    it('goes on where the last acknowledged position was, and nowhere else', async () => {
      const Topic = await brokers.topic()
      const Group = `group-of-${Topic}`
      await brokers.write({ Topic }, numbered(10))
      const first = await brokers.source({ Topic, Group })
      const chunks: Chunk[] = []
      for await (const chunk of first) chunks.push(chunk)
      expect(chunks.flatMap(texts)).toEqual(numbered(10))
      // The stream has ended; what it gave is acknowledged all the same.
      await first.acknowledge(chunks[0]?.position(3) ?? {})
      await first.close()
      expect((await readAll(await brokers.source({ Topic, Group }))).records).toEqual(numbered(6, 4))
    })

    it('commits nothing when CommitOffset is false', async () => {
      const Topic = await brokers.topic()
      const given = { Topic, Group: Topic, CommitOffset: false }
      await brokers.write({ Topic }, numbered(3))
      for (let time = 0; time < 2; time++) {
        const source = await brokers.source(given)
        for await (const chunk of source) await source.acknowledge(chunk.position())
        await source.close()
      }
      expect((await readAll(await brokers.source(given))).records).toEqual(numbered(3))
    })

    it('shares partitions with a reader that joins, and takes them back when it leaves', async () => {
      const Topic = await brokers.topic(4)
      const Group = Topic
      const seen: string[] = []
      const follow = async (source: Awaited<ReturnType<typeof brokers.source>>, own: string[]) => {
        for await (const chunk of source) {
          own.push(...texts(chunk))
          seen.push(...texts(chunk))
          await source.acknowledge(chunk.position())
        }
      }
      const sink = await brokers.sink({ Topic, Partition: 'all' })
      const write = async (from: number) => {
        for (let index = 0; index < 8; index++) await sink.write(frames([`record ${from + index}`]))
      }
      const [one, other]: [string[], string[]] = [[], []]
      const first = await brokers.source({ Topic, Group, MaxWaitTime: 20_000 })
      const firstEnd = follow(first, one)
      await write(0)
      await until(() => seen.length >= 8)
      const second = await brokers.source({ Topic, Group, MaxWaitTime: 20_000 })
      const secondEnd = follow(second, other)
      await until(() => brokers.log.filter((line) => line.includes('partitions') && line.includes(Topic)).length >= 3)
      await write(8)
      await until(() => seen.length >= 16)
      expect(other.length).toBeGreaterThan(0)
      await second.close()
      await secondEnd
      await write(16)
      await until(() => new Set(seen).size >= 24)
      await first.close()
      await firstEnd
      expect([...new Set(seen)].length).toBe(24)
      expect(new Set(seen)).toEqual(new Set(numbered(24)))
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

  describe('transactions', () => {
    it('shows messages and positions together, or neither', async () => {
      const [from, to] = [await brokers.topic(2), await brokers.topic()]
      await brokers.write({ Topic: from, Partition: 0 }, numbered(5))
      await brokers.write({ Topic: from, Partition: 1 }, numbered(5, 5))
      const source = await brokers.source({ Topic: from, Group: from })
      const { sink, transactions } = await withTransactions(to)
      let index = 0
      for await (const chunk of source) {
        await transactions.begin()
        await sink.write(chunk.frames)
        const last = index++ === 1
        if (last) await transactions.abort()
        else await transactions.commit([{ source, position: chunk.position() }])
      }
      await source.close()
      const { records } = await readAll(await brokers.source({ Topic: to }))
      expect(records).toHaveLength(5)
      const again = await readAll(await brokers.source({ Topic: from, Group: from }))
      expect([...records, ...again.records].toSorted()).toEqual(numbered(10).toSorted())
    })

    it('gives no record twice to the output when the group is shared out anew', async () => {
      const [from, to] = [await brokers.topic(2), await brokers.topic()]
      for (const Partition of [0, 1]) await brokers.write({ Topic: from, Partition }, numbered(5, Partition * 5))
      const { sink, transactions } = await withTransactions(to)
      const given = { Topic: from, Group: from, MaxWaitTime: 3000 }
      const first = await brokers.source(given)
      const { records, position } = await readSome(first[Symbol.asyncIterator](), 10)
      await transactions.begin()
      await sink.write(frames(records))
      // Another reader takes one of the two partitions, before what was read from it is committed.
      const second = await brokers.source(given)
      await expect(transactions.commit([{ source: first, position }])).rejects.toThrow(
        /abort the transaction and read on/,
      )
      await transactions.abort()
      await first.close()
      for await (const chunk of second) {
        await transactions.begin()
        await sink.write(chunk.frames)
        await transactions.commit([{ source: second, position: chunk.position() }])
      }
      const { records: written } = await readAll(await brokers.source({ Topic: to }))
      expect(written.toSorted()).toEqual(numbered(10).toSorted())
    })

    it('passes over every aborted transaction, between committed ones', async () => {
      const Topic = await brokers.topic()
      const { sink, transactions } = await withTransactions(Topic)
      const kept: string[] = []
      for (let turn = 0; turn < 12; turn++) {
        await transactions.begin()
        await sink.write(frames(numbered(3, turn * 3)))
        if (turn % 3 === 0) await transactions.abort()
        else {
          await transactions.commit()
          kept.push(...numbered(3, turn * 3))
        }
      }
      await sink.write(frames(['alone']))
      expect((await readAll(await brokers.source({ Topic }))).records).toEqual([...kept, 'alone'])
    })

    it('goes on after a transaction that failed', async () => {
      const Topic = await brokers.topic(1, { configs: { 'max.message.bytes': '20000' } })
      const { sink, transactions } = await withTransactions(Topic)
      await sink.write(frames(numbered(5000)))
      await transactions.begin()
      await sink.write(frames(['lost']))
      await expect(sink.write(frames(['x'.repeat(30_000)]))).rejects.toThrow(/does not take a message/)
      await transactions.abort()
      await sink.write(frames(['kept']))
      expect((await readAll(await brokers.source({ Topic }))).records).toEqual([...numbered(5000), 'kept'])
    })

    it('says that another writer took over', async () => {
      const Topic = await brokers.topic()
      const first = await withTransactions(Topic)
      await first.transactions.begin()
      await first.sink.write(frames(['lost']))
      const second = await withTransactions(Topic)
      await second.sink.write(frames(['kept']))
      await expect(first.transactions.commit()).rejects.toThrow(/Another writer with the same TransactionalId/)
      expect((await readAll(await brokers.source({ Topic }))).records).toEqual(['kept'])
    })

    it('needs an input with a Group', async () => {
      const Topic = await brokers.topic()
      const source = await brokers.source({ Topic })
      const { transactions } = await withTransactions(Topic)
      await transactions.begin()
      await expect(transactions.commit([{ source, position: {} }])).rejects.toThrow(/give the input a Group/)
      await transactions.abort()
    })

    async function withTransactions(Topic: string) {
      const sink = await brokers.sink({ Topic, TransactionalId: `writer of ${Topic}` })
      if (sink.transactions === undefined) throw new Error('there are no transactions')
      return { sink, transactions: sink.transactions }
    }
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

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
