import type { Emissions, JetBatch } from '@pitot/jet'
import { expect, test } from 'vitest'
import { warmPool } from '../../src/jets/warm.ts'
import { JetWatches } from '../../src/jets/watches.ts'
import { fetchOutput } from '../../src/job/fetch.ts'
import { Manifold } from '../../src/manifold/manifold.ts'
import { RunStatistics } from '../../src/manifold/statistics.ts'
import { InputSlot } from '../../src/slots/input.ts'
import { OutputSlot } from '../../src/slots/output.ts'
import { readSlot } from '../../src/slots/read.ts'
import { ScriptedJet } from '../jets/scripted-jet.ts'

const lines = { Transport: { Type: 'REST' }, Envelope: 'delimited', Encoding: 'json' }
const context = { transport: { log: () => undefined, allowExec: [] } }
const readAt = async (slot: number) => (await readSlot(slot, lines, undefined, { schema: async () => undefined })).read

/** Answers nothing before it is let go. */
class HeldJet extends ScriptedJet {
  readonly letGo = Promise.withResolvers<void>()

  override async score(batch: JetBatch): Promise<Emissions> {
    await this.letGo.promise
    return super.score(batch)
  }
}

test('a pig that is read while an output is being replaced is waited for there', async () => {
  const input = await InputSlot.open(await readAt(0), context)
  const [old, next] = [await OutputSlot.open(await readAt(1), context), await OutputSlot.open(await readAt(1), context)]
  const jet = new HeldJet()
  const fail = (error: unknown) => {
    throw error
  }
  let manifold: Manifold | undefined
  const pool = {
    start: async () => jet,
    wake: () => manifold?.pump(),
    begun: () => undefined,
    fail,
    log: () => undefined,
    watches: new JetWatches(),
  }
  manifold = new Manifold({
    inputs: [input],
    outputs: [old],
    model: { ...(await warmPool(pool, [], 1)), slots: [] },
    statistics: new RunStatistics(),
    policy: () => ({ onError: 'skip' }),
    rejected: () => undefined,
    finishing: () => undefined,
    finished: () => undefined,
    fail,
  })
  await input.rest!.accept([Buffer.from('1\n')])
  await expect.poll(() => manifold.gauges.batches).toBe(1)
  manifold.replaceOutput(next)
  await input.rest!.accept([Buffer.from('2\n{"$pitot":"pig"}\n')])
  await expect.poll(() => old.stream.counters().pigs_in_flight).toBe(1)

  const job = { restOutput: () => manifold.output(1)?.rest, backlog: () => undefined }
  const fetching = fetchOutput(job, 1, old.rest!, { wait: 3_600_000, singly: true })
  jet.letGo.resolve()
  const taken = await fetching
  expect(taken.kind === 'data' && Buffer.from(taken.bytes).toString()).toBe('1\n2\n{"$pitot":"pig"}\n')
  expect([manifold.output(1), next.stream.counters().pigs_in_flight]).toEqual([next, 0])
  manifold.stop(new Error('the test is over'))
  await manifold.pool.kill()
})
