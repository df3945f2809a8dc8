// Jets that are ready to score at once: they know the streams and have begun.
import type { Attach, Emissions, Jet } from '@pitot/jet'
import { beginJet } from './begin.ts'
import { JetPool, type PoolOptions } from './pool.ts'

/** Rejects when one of them cannot; nothing is left of them then. */
export async function warmPool(
  options: PoolOptions,
  streams: Iterable<Attach>,
  count: number,
): Promise<{ readonly pool: JetPool; readonly begun: readonly Emissions[] }> {
  const pool = new JetPool(options)
  const jets: Jet[] = []
  try {
    for (const attach of streams) await pool.attach(attach)
    const started = await Promise.allSettled(Array.from({ length: count }, () => pool.ready()))
    for (const each of started) if (each.status === 'fulfilled') jets.push(each.value)
    for (const each of started) if (each.status === 'rejected') throw each.reason
    const begun = await Promise.all(jets.map((jet) => beginJet(jet)))
    pool.adopt(jets)
    return { pool, begun }
  } catch (error) {
    await Promise.all(jets.map((jet) => jet.kill()))
    await pool.kill()
    throw error
  }
}
