// Kafka at both ends of a job.

import { Admin } from '@platformatic/kafka'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findKafka, type TestKafka } from '../servers/kafka.ts'
import { debugIn, debugOut, type Fleet, squarePfa, startFleet } from './fleet.ts'

const found = findKafka()
if ('missing' in found) {
  if (process.env.CI === 'true') throw new Error(found.missing)
  describe.skip(`Kafka (skipped: ${found.missing})`, () => undefined)
} else {
  describe('Kafka', () => {
    let fleet: Fleet
    let kafka: TestKafka
    beforeAll(async () => {
      kafka = await found.start()
      fleet = await startFleet()
    })
    afterAll(async () => {
      await fleet?.stop()
      await kafka?.stop()
    })

    let topics = 0
    async function topic(partitions = 1): Promise<string> {
      const name = `scenario-${process.pid}-${Date.now()}-${++topics}`
      const admin = new Admin({ clientId: 'test', bootstrapBrokers: kafka.addresses(), retries: 20, retryDelay: 250 })
      await admin.createTopics({ topics: [name], partitions, replicas: 1 })
      await admin.close()
      return name
    }
    const transport = (Topic: string, more: object = {}) => ({
      Type: 'kafka',
      BootstrapServers: kafka.addresses(),
      Topic,
      ...more,
    })

    /** Records get into a topic the way anything does: by a job. */
    async function fill(Topic: string, records: readonly unknown[], more: object = {}): Promise<void> {
      const { engine } = fleet
      await engine.model('javascript', 'export const action = (x) => x\n')
      await engine.output({ Transport: transport(Topic, more), Encoding: 'json' })
      await engine.input(debugIn(records))
      await engine.finished()
    }

    test('from the earliest record to the end of patience', async () => {
      const { engine } = fleet
      const [from, to] = [await topic(), await topic()]
      await fill(from, [1, 2, 3, 4])
      await engine.model('pfa-json', squarePfa)
      await engine.output({ Transport: transport(to), Encoding: 'json', Schema: 'int' })
      await engine.input({
        Transport: transport(from, { MaxWaitTime: 500 }),
        SkipToRecord: 'earliest',
        Encoding: 'json',
        Schema: 'int',
      })
      const status = await engine.finished()
      expect(status).toMatchObject({ input: { total_records: 4, eof: true }, output: { total_records: 4 } })
      const sample = { Transport: transport(to), SkipToRecord: 'earliest', Encoding: 'json' }
      expect(await engine.json('POST /1/stream/sample?n=4', sample)).toEqual(['1', '4', '9', '16'])
    })

    test('from the latest on: what was there before is not read', async () => {
      const { engine } = fleet
      const from = await topic()
      await fill(from, [1, 2, 3])
      await engine.model('pfa-json', squarePfa)
      await engine.output(debugOut)
      await engine.input({ Transport: transport(from, { MaxWaitTime: 800 }), Encoding: 'json' })
      const status = await engine.finished()
      expect(status.input?.total_records).toBe(0)
      expect(await engine.debugOutput()).toEqual([])
    })

    test('from a certain record, of several partitions', async () => {
      const { engine } = fleet
      const from = await topic(3)
      for (const Partition of [0, 1, 2]) await fill(from, [10 * Partition, 10 * Partition + 1], { Partition })
      const read = async (more: object, rest: object = {}) => {
        await engine.model('javascript', 'export const action = (x) => x\n')
        await engine.output(debugOut)
        const Transport = transport(from, { MaxWaitTime: 500, ...more })
        await engine.input({ Transport, SkipToRecord: 'earliest', Encoding: 'json', ...rest })
        await engine.finished()
        return (await engine.debugOutput()).map(Number).sort((a, b) => a - b)
      }
      expect(await read({ Partition: 'all' })).toEqual([0, 1, 10, 11, 20, 21])
      expect(await read({ Partition: [0, 2] })).toEqual([0, 1, 20, 21])
      expect(await read({ Partition: 1 }, { SkipToRecord: 1 })).toEqual([11])
    })

    test('Avro binary, one record in each message', async () => {
      const { engine } = fleet
      const Schema = {
        type: 'record',
        name: 'Pair',
        fields: [
          { name: 'x', type: 'long' },
          { name: 'y', type: 'string' },
        ],
      }
      const binary = await topic()
      await engine.model('javascript', 'export const action = (x) => x\n')
      await engine.output({ Transport: transport(binary), Encoding: 'avro-binary', Envelope: null, Schema })
      await engine.input(
        debugIn(
          [
            { x: 1, y: 'a' },
            { x: 2 ** 40, y: 'b' },
          ],
          { Schema },
        ),
      )
      await engine.finished()
      await engine.model('javascript', 'export const action = (x) => x\n')
      await engine.output({ ...debugOut, Schema })
      await engine.input({
        Transport: transport(binary, { MaxWaitTime: 500 }),
        SkipToRecord: 'earliest',
        Encoding: 'avro-binary',
        Envelope: null,
        Schema,
      })
      await engine.finished()
      expect(await engine.debugOutput()).toEqual(['{"x":1,"y":"a"}', `{"x":${2 ** 40},"y":"b"}`])
    })

    test('a model is tried on the topic of a job, which keeps its partitions and its place', async () => {
      const { engine } = fleet
      const from = await topic(2)
      for (const Partition of [0, 1]) await fill(from, [Partition, Partition + 10], { Partition })
      const input = (MaxWaitTime: number) => ({
        Transport: transport(from, { Group: `${from}-readers`, MaxWaitTime }),
        SkipToRecord: 'earliest',
        Encoding: 'json',
      })
      const run = async (MaxWaitTime: number) => {
        await engine.model('javascript', 'export const action = (x) => x\n')
        await engine.output(debugOut)
        await engine.input(input(MaxWaitTime))
      }
      await run(6000)
      await engine.until(({ output }) => output?.total_records === 4, 'all records')
      const model = 'export const action = (x) => -x'
      const trial = { input: input(500), type: 'javascript', model }
      const { text } = await engine.ok('POST /1/job/debug', trial)
      expect(text).toContain('The model works: 4 of 4 records were scored.')
      await engine.finished()
      expect((await engine.debugOutput()).toSorted()).toEqual(['0', '1', '10', '11'])
      // What the job has read is committed for its group, as if nobody else had been there.
      await run(500)
      expect((await engine.finished()).input?.total_records).toBe(0)
    })

    test('a control record ends the job', async () => {
      const { engine } = fleet
      const from = await topic()
      await fill(from, [1, 2])
      await fleet.engine.model('javascript', 'export const action = (x) => x\n')
      // As text, so that it is written as it stands.
      await engine.output({ Transport: transport(from), Encoding: null })
      await engine.input({ Transport: { Type: 'debug', Data: ['{"$fastscore":"end"}', '3'] } })
      await engine.finished()
      await engine.model('pfa-json', squarePfa)
      await engine.output(debugOut)
      await engine.input({ Transport: transport(from), SkipToRecord: 'earliest', Encoding: 'json' })
      const status = await engine.finished()
      expect(status.input).toMatchObject({ eof: true, total_records: 2 })
      expect(await engine.debugOutput()).toEqual(['1', '4'])
    })
  })
}
