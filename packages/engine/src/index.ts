// Starts the Engine: options come in, the running service goes out.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningService } from '@pitot/service'
import { Job } from './job/job.ts'
import { SavedJobFolder } from './job/saved-job.ts'
import { serveJob } from './operations/serve.ts'
import type { EngineOptions } from './options.ts'
import { HttpRegistry } from './registry/http-registry.ts'

export type { EngineOptions, JetSettings } from './options.ts'

export async function startEngine(options: EngineOptions): Promise<RunningService> {
  // What an engine that was killed has left behind.
  for (const folder of ['jets', 'models']) await rm(join(options.data, folder), { recursive: true, force: true })
  const registry = new HttpRegistry({ ...options, scheme: options.tlsRequired ? 'https' : 'http' })
  const log = options.log.child({ service: 'engine' })
  const job = new Job({
    options,
    registry,
    log: (level, message) => log[level](message),
    tell: () => undefined,
    saved: options.resume ? new SavedJobFolder(join(options.data, 'job'), (message) => log.warn(message)) : undefined,
  })
  await job.resume()
  return serveJob({ job, registry, close: () => job.close() }, options)
}
