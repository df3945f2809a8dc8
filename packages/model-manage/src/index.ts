// Starts Model Manage: options come in, the running service goes out.
import { modelManageOperations } from '@pitot/api'
import { type RunningService, type ServiceOptions, sensorControlHandlers, startService } from '@pitot/service'
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
  const close = async () => {
    clearInterval(timer)
    await store.close()
  }
  const service = await startService(
    {
      name: 'model-manage',
      title: 'Model Manage API',
      operations: modelManageOperations,
      handlers: {
        ...sensorControlHandlers(),
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
