// Starts Connect: options come in, the running service goes out.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectOperations, type Notice, type Notification } from '@pitot/api'
import { Metrics, type RunningService, Sensors, type ServiceOptions, startService } from '@pitot/service'
import { ConfigurationFile } from './configuration-file.ts'
import { Connect } from './connect.ts'
import { Fleet } from './fleet.ts'
import { Hub } from './hub.ts'
import { KafkaRelays } from './kafka-relay.ts'
import { connectHandlers } from './operations.ts'
import { Sources } from './sources.ts'
import { websocketUpgrade } from './websockets.ts'

export interface ConnectOptions extends ServiceOptions {
  /** The data folder; the configuration is kept in it. */
  readonly data: string
  /** A file whose configuration is given at start, as if it were PUT. */
  readonly configFile?: string | undefined
  /** Milliseconds between two questions for the health of a member. */
  readonly pollInterval?: number
  readonly pollTimeout?: number
}

export interface RunningConnect extends RunningService {
  readonly connect: Connect
}

export async function startConnect(options: ConnectOptions): Promise<RunningConnect> {
  const log = options.log.child({ service: 'connect' })
  const metrics = new Metrics()
  const hub = new Hub(metrics)
  const kafka = new KafkaRelays(log, metrics)
  hub.relay = ({ src }, json) => kafka.add(src, json)
  const notify = (notice: Notice) =>
    hub.publish({ src: 'connect', timestamp: new Date().toISOString(), ...notice } as Notification)
  const fleet = new Fleet({
    interval: options.pollInterval ?? 1000,
    timeout: options.pollTimeout ?? 2000,
    defaultScheme: options.tlsRequired ? 'https' : 'http',
    log,
    onChange: ({ name, health }) => notify({ type: 'health', instance: name, health }),
  })
  const sources = new Sources(
    (notification) => hub.publish(notification),
    (id) => fleet.nameOf(id),
  )
  const folder = join(options.data, 'connect')
  const file = new ConfigurationFile(folder)
  const connect = new Connect(file, fleet, await file.read(), ({ sections }) => kafka.configure(sections.pneumo))
  if (options.configFile !== undefined) await connect.configure(await readFile(options.configFile, 'utf8'))
  const sensors = await Sensors.open({ file: join(folder, 'sensors.json'), notify, log, metrics })
  const close = async () => {
    fleet.stop()
    await sensors.close()
    await kafka.close()
  }
  const service = await startService(
    {
      name: 'connect',
      title: 'Connect API',
      operations: connectOperations,
      handlers: connectHandlers(connect, sensors, hub),
      metrics,
      upgrade: websocketUpgrade(hub, sources),
      stopping: () => hub.close(),
      close,
    },
    options,
  ).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { ...service, connect }
}

export { readConfiguration } from './configuration.ts'
export type { Connect } from './connect.ts'
