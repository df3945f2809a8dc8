// Starts the Engine: options come in, the running service goes out.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Metrics, Notifier, type RunningService, Sensors, Taps } from '@pitot/service'
import { Job } from './job/job.ts'
import { SavedJobFolder } from './job/saved-job.ts'
import { serveJob } from './operations/serve.ts'
import type { EngineOptions } from './options.ts'
import { HttpRegistry } from './registry/http-registry.ts'
import { JobNotices } from './status/notifications.ts'
import { FieldTaps } from './taps/fields.ts'
import { findProfile } from './taps/profiles.ts'

export type { EngineOptions, JetSettings } from './options.ts'

export async function startEngine(options: EngineOptions): Promise<RunningService> {
  // What an engine that was killed has left behind.
  for (const folder of ['jets', 'models']) await rm(join(options.data, folder), { recursive: true, force: true })
  const registry = new HttpRegistry({ ...options, scheme: options.tlsRequired ? 'https' : 'http' })
  const log = options.log.child({ service: 'engine' })
  const metrics = new Metrics()
  const id = randomUUID()
  const notifier = new Notifier({ connect: options.connect, token: options.token, service: 'engine', id, metrics })
  const notices = new JobNotices((notice) => notifier.send(notice))
  const file = join(options.data, 'sensors.json')
  const taps = new Taps()
  const fields = new FieldTaps(taps, (...field) => job.watchField(...field))
  const sensors = await Sensors.open({
    taps,
    file,
    notify: (notice) => notifier.send(notice),
    findProfile: (name, tap) => findProfile(registry, name, tap),
    log,
  })
  const job = new Job({
    options,
    registry,
    log: (level, message) => log[level](message),
    tell: (event) => {
      notices.tell(event)
      if (event.kind === 'slots') fields.update(event.slots)
    },
    saved: options.resume ? new SavedJobFolder(join(options.data, 'job'), (message) => log.warn(message)) : undefined,
  })
  const close = async () => {
    await job.close()
    await sensors.close()
    notices.close()
    await notifier.close()
  }
  try {
    await job.resume()
    return await serveJob({ id, job, registry, sensors, metrics, close }, options)
  } catch (error) {
    await close()
    throw error
  }
}
