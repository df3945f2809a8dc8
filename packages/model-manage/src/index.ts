// Starts Model Manage: options come in, the running service goes out.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { modelManageOperations } from '@pitot/api'
import {
  Metrics,
  Notifier,
  type RunningService,
  Sensors,
  type ServiceOptions,
  sensorControlHandlers,
  startService,
} from '@pitot/service'
import { attachmentHandlers } from './operations/attachments.ts'
import { documentHandlers } from './operations/documents.ts'
import { modelHandlers } from './operations/models.ts'
import { snapshotHandlers } from './operations/snapshots.ts'
import { type DatabaseSection, openStore } from './store/open.ts'
import { SnapshotStore } from './store/snapshot-store.ts'

export type { DatabaseSection } from './store/open.ts'

export interface ModelManageOptions extends ServiceOptions {
  /** The data folder; the embedded database is in it. */
  readonly data: string
  /** The `db` section of the configuration; the embedded database when there is none. */
  readonly database?: DatabaseSection | undefined
  /** Where Connect is, for notifications; without it there are none. */
  readonly connect?: URL | undefined
}

export interface RunningModelManage extends RunningService {
  /** The database in use, for the READY table. */
  readonly uses: string
}

const tidyInterval = 60 * 60_000

export async function startModelManage(options: ModelManageOptions): Promise<RunningModelManage> {
  const log = options.log.child({ service: 'model-manage' })
  const store = openStore(options.database, options.data)
  const tidy = () => store.tidy().catch((error: Error) => log.warn(error.message))
  const timer = setInterval(tidy, tidyInterval)
  timer.unref()
  await tidy()
  const metrics = new Metrics()
  const id = randomUUID()
  const notifier = new Notifier({
    connect: options.connect,
    token: options.token,
    service: 'model-manage',
    id,
    metrics,
  })
  const file = join(options.data, 'model-manage', 'sensors.json')
  const sensors = await Sensors.open({ file, notify: (notice) => notifier.send(notice), log, metrics })
  const close = async () => {
    clearInterval(timer)
    await sensors.close()
    await notifier.close()
    await store.close()
  }
  const service = await startService(
    {
      name: 'model-manage',
      title: 'Model Manage API',
      id,
      metrics,
      operations: modelManageOperations,
      handlers: {
        ...sensorControlHandlers(sensors),
        ...modelHandlers(store),
        ...attachmentHandlers(store),
        ...snapshotHandlers(new SnapshotStore(store)),
        ...documentHandlers('stream', store),
        ...documentHandlers('schema', store),
        ...documentHandlers('sensor', store),
      },
      checkHealth: () => store.check(),
      close,
    },
    options,
  ).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { ...service, uses: store.description }
}
