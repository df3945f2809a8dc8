// Starts the Engine: options come in, the running service goes out.
import type { RunningService } from '@pitot/service'
import type { EngineOptions } from './options.ts'

export type { EngineOptions, JetSettings } from './options.ts'

export function startEngine(_options: EngineOptions): Promise<RunningService> {
  throw new Error('there is no job yet to serve with serveJob(…) of operations/serve.ts')
}
