// Chooses the database: the `db` section of the configuration comes in, a store on that database goes out.
import { join } from 'node:path'
import { AssetStore } from './asset-store.ts'
import type { Backend } from './backend.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import type { ServerAddress } from './server-backend.ts'
import { openSqlite } from './sqlite.ts'

/** The `db` section; all but the type may be left out. */
export interface DatabaseSection {
  readonly type: string
  readonly host?: string
  readonly port?: number
  readonly username?: string
  readonly password?: string
  readonly database?: string
}

interface ServerKind {
  readonly open: (address: ServerAddress) => Backend
  readonly port: number
  readonly username: string
}

const postgres: ServerKind = { open: openPostgres, port: 5432, username: 'postgres' }
const mysql: ServerKind = { open: openMysql, port: 3306, username: 'root' }
const servers: Readonly<Record<string, ServerKind>> = { postgres, postgresql: postgres, mysql, mariadb: mysql }

/** The embedded database in the data folder unless the section names a server. */
export function openStore(section: DatabaseSection | undefined, data: string): AssetStore {
  if (section === undefined || section.type === 'sqlite') {
    return new AssetStore(openSqlite(join(data, 'model-manage', 'assets.sqlite')))
  }
  const kind = servers[section.type]
  if (kind === undefined)
    throw new Error(`db.type '${section.type}' is not one of sqlite, ${Object.keys(servers).join(', ')}`)
  const { host = '127.0.0.1', port = kind.port, username = kind.username, password = '', database = 'pitot' } = section
  return new AssetStore(kind.open({ host, port, username, password, database }))
}
