import type { Emissions, JetBatch } from '@pitot/jet'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { JetPool, type PoolOptions } from '../../src/jets/pool.ts'
import { JetWatches } from '../../src/jets/watches.ts'
import { pieceOf, recordsOf } from '../manifold/pieces.ts'
import { ScriptedJet } from './scripted-jet.ts'

function poolOf(kills: (record: string) => boolean, options: Partial<PoolOptions> = {}) {
  const jets: ScriptedJet[] = []
  let wake: () => void = () => undefined
  const pool = new JetPool({
    start: async () => {
      const jet = new ScriptedJet(kills)
      jets.push(jet)
      return jet
    },
    wake: () => wake(),
    begun: () => undefined,
    fail: (error) => {
      throw error
    },
    log: () => undefined,
    watches: new JetWatches(),
    ...options,
  })
  /** Gives batches to the pool as it has room for them. */
  async function score(batches: readonly JetBatch[]): Promise<Emissions[]> {
    const answers: Promise<Emissions>[] = []
    for (const batch of batches) {
      while (!pool.hasRoom) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      answers.push(pool.score(batch))
    }
    return Promise.all(answers)
  }
  return { pool, jets, score }
}

function batchOf(records: readonly string[], isRecordset = false): JetBatch {
  return { slot: 0, first: 1, isRecordset, frames: pieceOf(records).frames }
}

function emitted({ outputs }: Emissions): string[] {
  return outputs.flatMap((output) => recordsOf(output))
}

describe('a pool of jets', () => {
  test('rejects exactly the records that kill, and scores every other one once and in order', async () => {
    const record = fc.oneof(
      { weight: 9, arbitrary: fc.constant('good') },
      { weight: 1, arbitrary: fc.constant('kills') },
    )
    const batch = fc.array(record, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 6 }), fc.integer({ min: 1, max: 3 }), async (given, jets) => {
        const named = given.map((records, at) => records.map((word, index) => `${word} ${at}.${index}`))
        const { pool, score } = poolOf((text) => text.startsWith('kills'))
        pool.scale(jets)
        const answers = await score(named.map((records) => batchOf(records)))
        for (const [at, answer] of answers.entries()) {
          const guilty = named[at]!.flatMap((text, index) => (text.startsWith('kills') ? [index] : []))
          expect(answer.rejects.map(({ index }) => index)).toEqual(guilty)
          expect(emitted(answer)).toEqual(named[at]!.filter((text) => text.startsWith('good')))
        }
        await pool.stop()
      }),
      { numRuns: 40 },
    )
  })

  test('does not blame the record that a jet had when somebody else killed it', async () => {
    const { pool, jets } = poolOf(() => false)
    pool.scale(1)
    await vi.waitFor(() => expect(pool.hasRoom).toBe(true))
    const answer = pool.score(batchOf(['innocent']))
    jets[0]!.die()
    expect(emitted(await answer)).toEqual(['innocent'])
    await pool.stop()
  })

  test('rejects a record set as a whole when no jet survives it', async () => {
    const { pool, score } = poolOf((text) => text === 'kills')
    pool.scale(1)
    const [answer] = await score([batchOf(['a', 'kills'], true)])
    expect(answer!.rejects.map(({ index, step }) => [index, step])).toEqual([
      [0, 'model'],
      [1, 'model'],
    ])
    await pool.stop()
  })

  test('scales up and down, and down to nothing', async () => {
    const { pool, score } = poolOf(() => false)
    for (const target of [1, 4, 2, 0, 3]) {
      pool.scale(target)
      await vi.waitFor(() => expect(pool.members.filter(({ isLeaving }) => !isLeaving)).toHaveLength(target))
    }
    expect(emitted((await score([batchOf(['a'])]))[0]!)).toEqual(['a'])
    await pool.stop()
  })

  test('takes no jet that is ready only when it is not wanted any more', async () => {
    const started = Promise.withResolvers<void>()
    const { pool } = poolOf(() => false, {
      start: async () => {
        await started.promise
        return new ScriptedJet()
      },
    })
    pool.scale(2)
    pool.scale(0)
    started.resolve()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([pool.members.length, pool.hasRoom]).toEqual([0, false])
    await pool.stop()
  })

  test('tells a jet that is on its way of a stream that changes meanwhile', async () => {
    const first = { slot: 1, stream: null }
    const second = { slot: 1, stream: null }
    const { pool, jets } = poolOf(() => false)
    await pool.attach(first)
    pool.scale(1)
    const attached = pool.attach(second)
    await vi.waitFor(() => expect(pool.members).toHaveLength(1))
    await attached
    expect(jets[0]!.attached.at(-1)).toBe(second)
    await pool.stop()
  })

  test('gives a model up whose jets die before they have scored anything', async () => {
    const fail = vi.fn()
    const { pool } = poolOf(() => false, {
      start: () => Promise.reject(new Error('no such interpreter')),
      fail,
    })
    pool.scale(1)
    await vi.waitFor(() => expect(fail).toHaveBeenCalled(), { timeout: 10_000 })
    expect(pool.restarts.last).toBe('no such interpreter')
    await pool.kill()
  })

  test('attaches streams to the jets it has and to those to come', async () => {
    const { pool, jets } = poolOf(() => false)
    pool.scale(1)
    await vi.waitFor(() => expect(pool.members).toHaveLength(1))
    await pool.attach({ slot: 1, stream: null })
    pool.scale(2)
    await vi.waitFor(() => expect(pool.members).toHaveLength(2))
    expect(pool.members.map(({ jet }) => (jet as ScriptedJet).attached.length)).toEqual([1, 1])
    expect(jets.length).toBeGreaterThanOrEqual(2)
    await pool.stop()
  })
})
