// The first thing a loaded jet does: what the model emits when it begins goes out.
import { type Emissions, type Jet, ModelFailure, NO_FRAME } from '@pitot/jet'

/** Rejects when the model raises: no record is to blame. */
export async function beginJet(jet: Jet): Promise<Emissions> {
  const emissions = await jet.begin()
  const raised = emissions.rejects.find(({ index }) => index === NO_FRAME)
  if (raised !== undefined) throw new ModelFailure(`begin fails: ${raised.reason}`, raised.trace)
  return emissions
}
