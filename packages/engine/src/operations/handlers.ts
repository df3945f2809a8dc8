// The operations of the Engine: they translate between HTTP and the job, and decide nothing.
import type { engineOperations, Handlers } from '@pitot/api'
import { type CommonHandlers, type Sensors, sensorControlHandlers } from '@pitot/service'
import type { JobControl } from '../job/control.ts'
import type { PackageContext } from '../model/read-package.ts'
import type { Trials } from '../trial/trials.ts'
import { jobHandlers } from './job.ts'
import { modelHandlers } from './model.ts'
import { refusing } from './refusals.ts'
import { restHandlers } from './rest.ts'
import { scoreHandlers } from './score.ts'
import { type ProbeContext, streamHandlers } from './streams.ts'
import { trialHandlers } from './trial.ts'

type EngineHandlers = Omit<Handlers<typeof engineOperations>, keyof CommonHandlers>

/** What the operations stand on, besides the job. */
export interface Surroundings {
  readonly packages: PackageContext
  readonly probes: ProbeContext
  readonly sensors: Sensors
  readonly trials: Trials
}

export function engineHandlers(job: JobControl, { packages, probes, sensors, trials }: Surroundings): EngineHandlers {
  return {
    ...sensorControlHandlers(sensors),
    ...refusing({
      ...streamHandlers(job, probes),
      ...modelHandlers(job, packages),
      ...restHandlers(job),
      ...scoreHandlers(job),
      ...jobHandlers(job),
      ...trialHandlers(trials, packages),
    }),
  }
}
