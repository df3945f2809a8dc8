// How R models are run.
import { ModelFailure, type Runner } from '@pitot/jet'
import type { JetSettings } from '../../options.ts'

export async function rRunner(_settings: JetSettings): Promise<Runner> {
  throw new ModelFailure('models in R cannot be run yet')
}
