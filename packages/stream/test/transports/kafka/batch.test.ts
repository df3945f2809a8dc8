// Record batches as they are written: read back by the client library's own reader, an independent codec.
import { Reader, readRecordsBatches } from '@platformatic/kafka'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packRecords, recordBytes, sealBatch } from '../../../src/transports/kafka/batch.ts'
import { findBatches } from '../../../src/transports/kafka/batches.ts'
import { readRecords } from '../../../src/transports/kafka/records.ts'
import { frames } from './cluster.ts'

const bytes = fc.uint8Array({ maxLength: 200 })
const details = fc.record(
  { key: bytes, headers: fc.array(fc.tuple(fc.string({ maxLength: 9, unit: 'grapheme' }), bytes), { maxLength: 3 }) },
  { requiredKeys: [] },
)
const messages = fc.array(fc.tuple(bytes, details), { minLength: 1, maxLength: 40 })
const compression = fc.constantFrom('none', 'gzip', 'snappy', 'lz4', 'zstd')
const identity = { producerId: 2n ** 40n + 7n, producerEpoch: 3, sequence: 17, transactional: false }

it('is read by the library as it was written, in any compression', async () => {
  await fc.assert(
    fc.asyncProperty(messages, compression, fc.boolean(), async (list, algorithm, transactional) => {
      const lot = {
        frames: frames(list.map(([value]) => value)),
        details: list.map(([, each]) => each),
        indexes: list.map((_, index) => index),
      }
      const batch = sealBatch(await packRecords(lot, algorithm), { ...identity, transactional }, 1_700_000_000_000)
      const [read, ...more] = readRecordsBatches(Reader.from(batch))
      expect(more).toEqual([])
      expect(read).toMatchObject({ magic: 2, producerId: identity.producerId, producerEpoch: 3, firstSequence: 17 })
      expect(read).toMatchObject({ firstTimestamp: 1_700_000_000_000n, lastOffsetDelta: list.length - 1 })
      expect(Boolean((read?.attributes ?? 0) & 16)).toBe(transactional)
      expect(read?.records.map(({ value }) => [...(value ?? [])])).toEqual(list.map(([value]) => [...value]))
      expect(read?.records.map(({ key }) => (key === null ? undefined : [...key]))).toEqual(
        list.map(([, { key }]) => key && [...key]),
      )
      expect(
        read?.records.map(({ headers }) => [...headers].map(([name, value]) => [String(name), [...(value ?? [])]])),
      ).toEqual(list.map(([, { headers = [] }]) => headers.map(([name, value]) => [name, [...value]])))
      if (algorithm === 'none') {
        const room = lot.indexes.reduce((sum, index) => sum + recordBytes(lot, index), 61)
        expect(batch.length).toBeLessThanOrEqual(room)
      }
      // The checksum is tested by our own reader, which refuses a wrong one.
      const { batches } = findBatches(batch, 0, [], 'Partition 0')
      expect([...readRecords(batches, 0)].flatMap(({ offsets }) => offsets)).toEqual(lot.indexes)
    }),
    { numRuns: 150 },
  )
})

it('takes the frames that it is told, and long ones', async () => {
  const lot = {
    frames: frames(['a', 'b'.repeat(100_000), 'c', 'd'.repeat(3_000_000)]),
    details: undefined,
    indexes: [1, 3],
  }
  const batch = sealBatch(await packRecords(lot, 'none'), identity, 0)
  const [read] = readRecordsBatches(Reader.from(batch))
  expect(read?.records.map(({ value }) => `${value?.length} ${String(value).slice(0, 1)}`)).toEqual([
    '100000 b',
    '3000000 d',
  ])
})
