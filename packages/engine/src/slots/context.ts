// What streams of slots need from the engine.
import type { StreamContext } from '@pitot/stream'
import type { TrialSettings } from '../job/environment.ts'

export interface SlotContext {
  /** What every transport gets, but for what belongs to one stream. */
  readonly transport: Pick<StreamContext, 'log' | 'fileRoot' | 'allowExec' | 'outputs'>
  readonly trial?: TrialSettings | undefined
}
