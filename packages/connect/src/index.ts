// Starts Connect: options come in, the running service goes out.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectOperations } from '@pitot/api'
import { type RunningService, type ServiceOptions, startService } from '@pitot/service'
import { ConfigurationFile } from './configuration-file.ts'
import { Connect } from './connect.ts'
import { Fleet } from './fleet.ts'
import { connectHandlers } from './operations.ts'

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
  const fleet = new Fleet({
    interval: options.pollInterval ?? 1000,
    timeout: options.pollTimeout ?? 2000,
    defaultScheme: options.tlsRequired ? 'https' : 'http',
    log,
  })
  const file = new ConfigurationFile(join(options.data, 'connect'))
  const connect = new Connect(file, fleet, await file.read())
  if (options.configFile !== undefined) await connect.configure(await readFile(options.configFile, 'utf8'))
  const service = await startService(
    {
      name: 'connect',
      title: 'Connect API',
      operations: connectOperations,
      handlers: connectHandlers(connect),
      close: async () => fleet.stop(),
    },
    options,
  )
  return { ...service, connect }
}

export { readConfiguration } from './configuration.ts'
export type { Connect } from './connect.ts'
