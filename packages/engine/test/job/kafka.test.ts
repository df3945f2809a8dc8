import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Brokers, describeKafka, readAll } from '../../../stream/test/transports/kafka/cluster.ts'
import { type Harness, harness, modelOf } from './harness.ts'

const identity = { input: 'int', output: 'int', action: ['input'] }
const count = 20_000
const numbers = Array.from({ length: count }, (_, number) => String(number))

async function written(brokers: Brokers, topic: string): Promise<string[]> {
  return (await readAll(await brokers.source({ Topic: topic, MaxWaitTime: 2000 }))).records
}

/** Attaches both ends and the model; the job runs until nothing has come for a while. */
async function run(job: Harness, brokers: Brokers, input: string, output: string, delivery: string): Promise<void> {
  const BootstrapServers = brokers.server.addresses()
  const Group = `group-of-${input}`
  const isExact = delivery === 'exactly-once'
  await job.job.attachStream(
    1,
    {
      Transport: { Type: 'kafka', BootstrapServers, Topic: output, ...(isExact && { TransactionalId: Group }) },
      Encoding: 'json',
      ...(isExact && { Delivery: delivery }),
    },
    {},
  )
  await job.job.attachStream(
    0,
    {
      Transport: { Type: 'kafka', BootstrapServers, Topic: input, Group, MaxWaitTime: 1500 },
      Encoding: 'json',
      SkipToRecord: 'earliest',
      Delivery: delivery,
    },
    {},
  )
  await job.job.loadModel(modelOf('pfa-json', identity), {})
}

describeKafka('a job from Kafka to Kafka', {}, (brokers) => {
  test.each(['at-least-once', 'exactly-once'])(
    '%s: what was written is not read again',
    { timeout: 60_000 },
    async (delivery) => {
      const [input, output] = [await brokers.topic(), await brokers.topic()]
      await brokers.write({ Topic: input }, numbers)
      for (let turn = 0; turn < 2; turn++) {
        await using job = harness()
        await run(job, brokers, input, output, delivery)
        await job.state('FINISHED')
        expect(job.job.report().output?.total_records).toBe(turn === 0 ? count : 0)
      }
      expect(await written(brokers, output)).toEqual(numbers)
    },
  )

  test.each(['at-least-once', 'exactly-once'])(
    '%s: a job that is stopped in the middle is taken up again',
    { timeout: 120_000 },
    async (delivery) => {
      const [input, output] = [await brokers.topic(), await brokers.topic()]
      await brokers.write({ Topic: input }, numbers)
      for (let turn = 0; turn < 3; turn++) {
        await using job = harness()
        await run(job, brokers, input, output, delivery)
        await vi.waitFor(() => expect(job.job.report().input?.total_records).toBeGreaterThan(0), {
          timeout: 20_000,
          interval: 1,
        })
        await sleep(30 * turn)
      }
      await using job = harness()
      await run(job, brokers, input, output, delivery)
      await job.state('FINISHED')
      const records = await written(brokers, output)
      expect([...new Set(records)].sort((a, b) => Number(a) - Number(b))).toEqual(numbers)
      if (delivery === 'exactly-once') expect(records).toEqual(numbers)
    },
  )

  test('keys and headers go with what came of them', { timeout: 60_000 }, async () => {
    const [input, output] = [await brokers.topic(), await brokers.topic()]
    const details = ['a', 'b'].map((key) => ({
      key: Buffer.from(key),
      headers: [['trace', Buffer.from(`of ${key}`)]] as const,
    }))
    await brokers.write({ Topic: input }, ['1', '2'], details)
    await using job = harness()
    await run(job, brokers, input, output, 'at-least-once')
    await job.state('FINISHED')
    const { chunks } = await readAll(await brokers.source({ Topic: output }))
    const keys = chunks.flatMap((chunk) => chunk.details?.map(({ key }) => Buffer.from(key!).toString()) ?? [])
    expect(keys).toEqual(['a', 'b'])
  })
})
