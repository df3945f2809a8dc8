import { expect, test } from 'vitest'
import { ReportQueue } from '../src/sensor-sink.ts'

test('reports that a slow sink cannot take are dropped, and counted', async () => {
  const written: object[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const sink = {
    write: async (report: object) => {
      await held
      written.push(report)
    },
    close: async () => undefined,
  }
  const queue = new ReportQueue(sink, () => undefined)
  for (let id = 0; id < 1500; id++) queue.add({ id })
  expect(queue.dropped).toBe(499)
  release()
  await queue.close()
  expect(written).toEqual(Array.from({ length: 1001 }, (_, id) => ({ id })))
})

test('a sink that fails is said, and the next report is tried', async () => {
  const troubles: unknown[] = []
  const written: object[] = []
  const sink = {
    write: async (report: object) => {
      if (written.push(report) === 1) throw new Error('no')
    },
    close: () => Promise.reject(new Error('not even that')),
  }
  const queue = new ReportQueue(sink, (error) => troubles.push((error as Error).message))
  queue.add({ id: 1 })
  queue.add({ id: 2 })
  await queue.close()
  expect(written).toHaveLength(2)
  expect(troubles).toEqual(['no', 'not even that'])
})
