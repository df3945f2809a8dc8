// What a model remembers when its input has ended: state of its jets and of what they share goes to Model Manage.
import type { JetPool } from '../jets/pool.ts'
import type { JobEnvironment } from './environment.ts'
import type { RunningModel } from './running-model.ts'
import { writeState } from './state-text.ts'

/** For models that ask for it. The scores are written by then: a snapshot that cannot be stored is told and is no failure of the job. */
export async function storeSnapshot(
  model: RunningModel | undefined,
  pool: JetPool,
  { registry, log, trial }: Pick<JobEnvironment, 'registry' | 'log' | 'trial'>,
): Promise<void> {
  if (trial !== undefined || model === undefined || model.loaded.snapshots !== 'eof') return
  const { name } = model.package
  try {
    const [own, shared] = [await pool.snapshot(), model.state.snapshot()]
    const state = { cells: { ...own.cells, ...shared.cells }, pools: { ...own.pools, ...shared.pools } }
    await registry.storeSnapshot(name, writeState(state))
  } catch (error) {
    log('error', `no snapshot of model ${name} was stored: ${(error as Error).message}`)
  }
}
