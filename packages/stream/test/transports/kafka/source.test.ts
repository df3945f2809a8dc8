// Reading from Kafka on one real broker: where it begins and ends, what a group shares out, and what is acknowledged late.
import { afterEach, describe, expect, it } from 'vitest'
import { readDescriptor } from '../../../src/descriptor/read.ts'
import { InputStream } from '../../../src/input-stream.ts'
import type { Chunk, Position } from '../../../src/transport.ts'
import { kafka } from '../../../src/transports/kafka.ts'
import { describeKafka, frames, numbered, readAll, readSome, texts } from './cluster.ts'

describeKafka('kafka, reading', {}, (brokers) => {
  afterEach(() => brokers.closeAll())

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
      await Promise.all(ends)
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

  describe('partitions that are added', () => {
    it.each([
      { kind: 'all', given: () => ({ Partition: 'all' }) },
      { kind: 'a group', given: (Topic: string) => ({ Group: Topic }) },
    ])(
      'are read from their first record, while reading goes on: $kind',
      async ({ given }) => {
        const Topic = await brokers.topic()
        const context = { skipToRecord: 'latest' } as const
        const source = await brokers.source({ Topic, MaxWaitTime: 60_000, ...given(Topic) }, context)
        const iterator = source[Symbol.asyncIterator]()
        const first = readSome(iterator, 1)
        await brokers.admin((admin) => admin.createPartitions({ topics: [{ name: Topic, count: 3 }] }))
        await brokers.write({ Topic, Partition: 2 }, numbered(5))
        await brokers.write({ Topic, Partition: 0 }, ['to the old one'])
        const seen = (await first).records
        if (seen.length < 6) seen.push(...(await readSome(iterator, 6 - seen.length)).records)
        expect(seen.toSorted()).toEqual([...numbered(5), 'to the old one'].toSorted())
      },
      60_000,
    )

    it('are read from their first record by one who goes on', async () => {
      const Topic = await brokers.topic(2)
      await brokers.write({ Topic, Partition: 1 }, numbered(5))
      const context = { from: { topic: Topic, offsets: { 0: 0 } }, skipToRecord: 'latest' } as const
      const { records } = await readAll(await brokers.source({ Topic, Partition: 'all' }, context))
      expect(records).toEqual(numbered(5))
    })
  })

  it('is open until it is closed as a stream, so that what was read last can be acknowledged', async () => {
    const Topic = await brokers.topic()
    await brokers.write({ Topic }, numbered(10))
    const open = async () => {
      const transport = { Type: 'kafka', ...brokers.options({ Topic, Group: Topic, MaxWaitTime: 400 }) }
      const { descriptor } = readDescriptor({ Transport: transport, SkipToRecord: 'earliest' }, 'input', [kafka])
      return InputStream.open(descriptor, { type: null, context: brokers.context() })
    }
    const stream = await open()
    let last: Position | undefined
    for await (const piece of stream) if (piece.kind === 'frames') last = piece.position(6)
    expect(stream.statistics.records).toBe(10)
    await stream.acknowledge(last!)
    await stream.close()
    const again = await open()
    for await (const _ of again);
    await again.close()
    expect(again.statistics.records).toBe(3)
  })
})

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
