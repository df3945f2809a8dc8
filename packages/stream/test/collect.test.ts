// Buffers that are held on to for a while and then dropped do not pile up, however many there are.
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { countMoved } from '../src/collect.ts'

const mebibyte = 2 ** 20

test.each([
  ['dropped at once', 0],
  ['held for a while', 100],
])('buffers %s do not pile up', (_, held) => {
  const queue: Buffer[] = []
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  for (let moved = 0; moved < 512 * mebibyte; moved += 2 ** 16) {
    queue.push(Buffer.alloc(2 ** 16, 'some work'))
    if (queue.length > held) queue.shift()
    countMoved(2 ** 16)
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  expect(most / mebibyte).toBeLessThan(48)
})

test('what stays in use does not call for a collection each time', async () => {
  const kinds: unknown[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kinds.push((entry as { detail?: { kind?: unknown } }).detail?.kind)
  })
  observer.observe({ entryTypes: ['gc'] })
  const inUse = Array.from({ length: 64 }, () => Buffer.alloc(mebibyte))
  for (let round = 0; round < 500; round++) countMoved(mebibyte)
  await new Promise((resolve) => setTimeout(resolve, 50))
  observer.disconnect()
  const thorough = kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MAJOR)
  expect(thorough.length).toBeGreaterThan(0)
  expect(thorough.length).toBeLessThan(5)
  expect(inUse).toHaveLength(64)
})
