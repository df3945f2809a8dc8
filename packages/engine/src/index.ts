// Starts the Engine: options come in, the running service goes out.
import { engineOperations } from '@pitot/api'
import { type RunningService, type ServiceOptions, startService } from '@pitot/service'
import { engineHandlers } from './operations.ts'

export function startEngine(options: ServiceOptions): Promise<RunningService> {
  return startService(
    { name: 'engine', title: 'Engine API', operations: engineOperations, handlers: engineHandlers() },
    options,
  )
}
