// Samples and rates of streams outside of any job.
import { expect, test } from 'vitest'
import { readDescriptor } from '../src/descriptor/read.ts'
import { rateStream, sampleStream } from '../src/probes.ts'
import { debug } from '../src/transports/debug.ts'

const context = { log: () => undefined, signal: new AbortController().signal, allowExec: [] }
const options = { type: null, context }
const stream = (records: number, more: object = {}) => {
  const Data = Array.from({ length: records }, (_, index) => String(index))
  return readDescriptor({ Transport: { Type: 'debug', Data }, ...more }, 'input', [debug]).descriptor
}
const texts = (records: readonly Uint8Array[]) => records.map((record) => Buffer.from(record).toString())

test('a sample is the first records, and no more than there are', async () => {
  expect(texts(await sampleStream(stream(100), options, 3))).toEqual(['0', '1', '2'])
  expect(texts(await sampleStream(stream(2), options, 10))).toEqual(['0', '1'])
})

test('a looping stream is sampled once', async () => {
  expect(await sampleStream(stream(2, { Loop: true }), options, 10)).toHaveLength(2)
})

test('a rate needs something to measure', async () => {
  const rates = await rateStream(stream(5000), options)
  expect(rates.length).toBeGreaterThan(0)
  for (const { rps, mbps } of rates) expect(rps > 0 && mbps > 0).toBe(true)
  await expect(rateStream(stream(3), options)).rejects.toThrow('too short to measure: it gave 3 records')
})
