import { describe, expect, test, vi } from 'vitest'
import { Ledger } from '../../src/manifold/ledger.ts'

const markAt = (records: number) => ({ position: { offset: records }, records })

function ledgerOf(secure: () => Promise<void> = async () => undefined) {
  const events: unknown[] = []
  const fail = vi.fn()
  const ledger = new Ledger({
    secure: async () => {
      events.push('secured')
      await secure()
    },
    acknowledge: async (mark) => void events.push(mark),
    fail,
    interval: 1_000_000,
  })
  return { ledger, events, fail }
}

describe('a ledger', () => {
  test('acknowledges nothing beyond a batch that is under way', async () => {
    const { ledger, events } = ledgerOf()
    const [first, second, third] = [1, 2, 3].map((offset) => ledger.enter(markAt(offset)))
    third!()
    second!()
    await ledger.settle()
    expect(events).toEqual([])
    first!()
    await ledger.settle()
    expect(events).toEqual(['secured', markAt(3)])
    ledger.close()
  })

  test('acknowledges only what the outputs have secured', async () => {
    const { ledger, events, fail } = ledgerOf(() => Promise.reject(new Error('disk full')))
    ledger.enter(markAt(1))()
    await ledger.settle()
    expect(events).toEqual(['secured'])
    expect(fail).toHaveBeenCalledWith(new Error('disk full'))
    ledger.close()
  })

  test('tells when everything is delivered', async () => {
    const { ledger } = ledgerOf()
    const done = ledger.enter(markAt(1))
    let isDelivered = false
    const delivered = ledger.delivered().then(() => {
      isDelivered = true
    })
    await Promise.resolve()
    expect(isDelivered).toBe(false)
    done()
    await delivered
    ledger.close()
  })
})
