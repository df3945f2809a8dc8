import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RateLimit } from '../src/rate-limit.ts'
import { FakeClock } from './fake-clock.ts'

function limited(most: number, more: { mostSize?: number } = {}) {
  const clock = new FakeClock()
  const sent: [items: string[], skipped: number][] = []
  const send = (items: string[], skipped: number) => sent.push([items, skipped])
  const limit = new RateLimit<string>({ most, interval: 1000, send, clock, size: (item) => item.length, ...more })
  return { clock, sent, limit }
}

describe('a rate limit', () => {
  test('lets the first through at once, gathers the next, and counts the rest', async () => {
    const { clock, sent, limit } = limited(2)
    for (const item of ['a', 'b', 'c', 'd', 'e']) limit.add(item)
    expect(sent).toEqual([[['a'], 0]])
    await clock.pass(1)
    expect(sent).toEqual([
      [['a'], 0],
      [['b', 'c'], 2],
    ])
    await clock.pass(5)
    limit.add('f')
    expect(sent[2]).toEqual([['f'], 0])
    limit.add('g')
    limit.stop()
    expect(sent[3]).toEqual([['g'], 0])
    expect(clock.waiting).toBe(0)
  })

  test('limits the size too', async () => {
    const { clock, sent, limit } = limited(100, { mostSize: 5 })
    for (const item of ['x', 'abc', 'def', 'gh']) limit.add(item)
    await clock.pass(1)
    expect(sent).toEqual([
      [['x'], 0],
      [['abc', 'gh'], 1],
    ])
    limit.add('far too long')
    await clock.pass(1)
    expect(sent[2]).toEqual([[], 1])
  })

  test('loses count of nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('item'), fc.nat(3000))),
        fc.integer({ min: 1, max: 3 }),
        async (events, most) => {
          const { clock, sent, limit } = limited(most)
          for (const event of events) {
            if (typeof event === 'string') limit.add(event)
            else await clock.pass(event / 1000)
          }
          limit.stop()
          const total = sent.reduce((sum, [items, skipped]) => sum + items.length + skipped, 0)
          expect(total).toBe(events.filter((event) => event === 'item').length)
          expect(sent.every(([items]) => items.length <= most)).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })
})
