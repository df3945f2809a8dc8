// Starts the Engine: options come in, the running service goes out.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Metrics, Notifier, type RunningService, Sensors, Taps, Tracing } from '@pitot/service'
import { collectThoroughly } from '@pitot/stream'
import { Job } from './job/job.ts'
import { SavedJobFolder } from './job/saved-job.ts'
import { serveJob } from './operations/serve.ts'
import type { EngineOptions } from './options.ts'
import { HttpRegistry } from './registry/http-registry.ts'
import { JobNotices } from './status/notifications.ts'
import { defaultSensors } from './taps/default-sensors.ts'
import { EngineTaps } from './taps/engine-taps.ts'
import { FieldTaps } from './taps/fields.ts'
import { findProfile } from './taps/profiles.ts'
import { sensorSinks } from './taps/sensor-sinks.ts'
import { Trials } from './trial/trials.ts'

export type { EngineOptions, JetSettings } from './options.ts'

/** Milliseconds after which nothing of the start is under way any more. */
const settleTime = 1000

export async function startEngine(options: EngineOptions): Promise<RunningService> {
  // What an engine that was killed has left behind.
  for (const folder of ['jets', 'models']) await rm(join(options.data, folder), { recursive: true, force: true })
  const { connect, token, resume, data } = options
  const log = options.log.child({ service: 'engine' })
  const write = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => log[level](message)
  const [id, metrics, taps] = [randomUUID(), new Metrics(), new Taps()]
  const registry = new HttpRegistry({ ...options, scheme: options.tlsRequired ? 'https' : 'http' })
  const notifier = new Notifier({ connect, token, service: 'engine', id, metrics })
  const notices = new JobNotices({ send: (notice) => notifier.send(notice), jets: () => job.report().jets })
  const fields = new FieldTaps(taps, (...field) => job.watchField(...field))
  const job: Job = new Job({
    options,
    registry,
    log: write,
    tell(event) {
      notices.tell(event)
      if (event.kind === 'slots') fields.update(event.slots)
    },
    taps: new EngineTaps(taps, { queue: () => job.report().queue, deadlocks: () => job.deadlocks() }),
    tracing: await Tracing.registered(),
    saved: resume ? new SavedJobFolder(join(data, 'job'), (message) => log.warn(message)) : undefined,
  })
  const sensors = await Sensors.open({
    taps,
    notify: (notice) => notifier.send(notice),
    file: join(data, 'sensors.json'),
    defaults: defaultSensors,
    openSink: sensorSinks(options, registry, write),
    findProfile: (name, tap) => findProfile(registry, name, tap),
    log,
    metrics,
    labelsOf: (tap) => fields.labelsOf(tap),
  })
  const trials = new Trials({ options, registry, log: write, tell: (event) => notices.tell(event) })
  const close = async () => {
    await trials.close()
    await job.close()
    await sensors.close()
    notices.close()
    await notifier.close()
  }
  await job.resume()
  setTimeout(collectThoroughly, settleTime).unref()
  return serveJob({ job, registry, sensors, trials, metrics, id, close }, options).catch(async (error: unknown) => {
    await close()
    throw error
  })
}
