import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Sequence } from '../../src/manifold/sequence.ts'

function sequenceOf(fail: (error: unknown) => void = () => undefined) {
  const delivered: number[] = []
  const sequence = new Sequence({ fail, moved: () => undefined })
  const push = (number: number, isBarrier = false) =>
    sequence.push({ isBarrier, deliver: async () => void delivered.push(number) })
  return { sequence, delivered, push }
}

describe('a sequence', () => {
  test('delivers in the order of pushing, whatever becomes ready first', async () => {
    const orders = fc.integer({ min: 1, max: 12 }).chain((count) => {
      const all = Array.from({ length: count }, (_, index) => index)
      return fc.shuffledSubarray(all, { minLength: count, maxLength: count })
    })
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { sequence, delivered, push } = sequenceOf()
        const ready = order.map((_, number) => push(number))
        for (const number of order) {
          ready[number]!()
          if (number % 3 === 0) await Promise.resolve()
        }
        await sequence.empty()
        expect(delivered).toEqual(order.map((_, number) => number))
      }),
    )
  })

  test('without order delivers what is ready, but nothing across a barrier', async () => {
    const { sequence, delivered, push } = sequenceOf()
    sequence.ordered = false
    const [a, b, barrier, c] = [push(0), push(1), push(2, true), push(3)]
    barrier!()
    c!()
    b!()
    await new Promise(setImmediate)
    expect(delivered).toEqual([1])
    expect(sequence.isBlocked).toBe(true)
    a!()
    await sequence.empty()
    expect(delivered).toEqual([1, 0, 2, 3])
  })

  test('stops at the first delivery that fails, and says so once', async () => {
    const fail = vi.fn()
    const { sequence, delivered, push } = sequenceOf(fail)
    const before = push(0)
    const bad = sequence.push({ isBarrier: false, deliver: () => Promise.reject(new Error('full')) })
    const after = push(2)
    after()
    bad()
    before()
    await sequence.empty()
    expect(delivered).toEqual([0])
    expect(fail.mock.calls).toEqual([[new Error('full')]])
  })
})
