// Puts a job on the network: a job comes in, the running service goes out.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { engineOperations } from '@pitot/api'
import { type Metrics, type RunningService, type Sensors, startService } from '@pitot/service'
import type { JobControl } from '../job/control.ts'
import type { EngineOptions } from '../options.ts'
import type { Registry } from '../registry.ts'
import { addJobMetrics } from '../status/metrics.ts'
import type { Trials } from '../trial/trials.ts'
import { engineHandlers } from './handlers.ts'

export interface ServedJob {
  /** In the health record. */
  readonly id: string
  readonly job: JobControl
  readonly registry: Registry
  readonly sensors: Sensors
  readonly trials: Trials
  readonly metrics: Metrics
  /** Called after the last request has been answered. */
  readonly close: () => Promise<void>
}

export async function serveJob(served: ServedJob, options: EngineOptions): Promise<RunningService> {
  const { id, job, registry, sensors, trials, metrics, close } = served
  const log = options.log.child({ service: 'engine' })
  // Models are kept here from the moment they are sent until they go.
  const folder = join(options.data, 'models')
  await mkdir(folder, { recursive: true })
  addJobMetrics(metrics, job)
  const handlers = engineHandlers(job, {
    packages: { folder, registry },
    probes: {
      registry,
      context: {
        log: (level, message) => log[level](message),
        fileRoot: options.fileRoot,
        allowExec: options.allowExec,
      },
    },
    sensors,
    trials,
  })
  const stopping = () => trials.stop()
  return startService(
    { name: 'engine', title: 'Engine API', id, operations: engineOperations, handlers, metrics, stopping, close },
    options,
  )
}
