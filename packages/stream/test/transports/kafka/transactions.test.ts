// Transactions on one real broker: messages and the positions they came from become visible together, or not at all.
import { afterEach, describe, expect, it } from 'vitest'
import { readDescriptor } from '../../../src/descriptor/read.ts'
import { InputStream } from '../../../src/input-stream.ts'
import { OutputStream } from '../../../src/output-stream.ts'
import { kafka } from '../../../src/transports/kafka.ts'
import { describeKafka, frames, numbered, readAll, readSome } from './cluster.ts'

describeKafka('kafka', {}, (brokers) => {
  afterEach(() => brokers.closeAll())

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

    it('are within reach of streams', async () => {
      const [from, to] = [await brokers.topic(), await brokers.topic()]
      await brokers.write({ Topic: from }, numbered(10))
      const open = (given: Record<string, unknown>) => ({ Type: 'kafka', ...brokers.options(given) })
      const reads = { Transport: open({ Topic: from, Group: from, MaxWaitTime: 400 }), SkipToRecord: 'earliest' }
      const writes = { Transport: open({ Topic: to, TransactionalId: `stream to ${to}` }) }
      const context = brokers.context()
      const input = await InputStream.open(readDescriptor(reads, 'input', [kafka]).descriptor, { type: null, context })
      const output = await OutputStream.open(readDescriptor(writes, 'output', [kafka]).descriptor, {
        type: null,
        context,
      })
      for await (const piece of input) {
        if (piece.kind !== 'frames') throw new Error(`unexpected ${piece.kind}`)
        await output.transactions!.begin()
        await output.write({ ...piece.frames, bounds: piece.frames.bounds.slice(0, 8) })
        await output.write({ ...piece.frames, bounds: [] })
        await output.transactions!.commit([{ source: input.source, position: piece.position(3) }])
      }
      await Promise.all([input.close(), output.close()])
      expect((await readAll(await brokers.source({ Topic: to }))).records).toEqual(numbered(4))
      const left = await readAll(await brokers.source({ Topic: from, Group: from }))
      expect(left.records).toEqual(numbered(6, 4))
    })

    async function withTransactions(Topic: string) {
      const sink = await brokers.sink({ Topic, TransactionalId: `writer of ${Topic}` })
      if (sink.transactions === undefined) throw new Error('there are no transactions')
      return { sink, transactions: sink.transactions }
    }
  })
})
