// MySQL and MariaDB behind the store.
import { MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import type { Backend, Trouble } from './backend.ts'
import { connectTimeout, poolSize, type ServerAddress, serverBackend } from './server-backend.ts'

export function openMysql(address: ServerAddress): Backend {
  const pool = createPool({
    host: address.host,
    port: address.port,
    user: address.username,
    password: address.password,
    database: address.database,
    connectionLimit: poolSize,
    connectTimeout,
    enableKeepAlive: true,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    // Names are kept as bytes, because the server's own comparisons pass over case and trailing spaces; they are texts.
    typeCast: (field, next) => (field.type === 'VAR_STRING' || field.type === 'STRING' ? field.string('utf8') : next()),
  })
  return serverBackend(new MysqlDialect({ pool }), {
    description: `MySQL at ${address.host}:${address.port}`,
    columns: { name: 'varbinary(255)', bytes: 'longblob', text: 'longtext character set utf8mb4' },
    async insertMissing(database, table, row) {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
      const values = sql.join(Object.values(row))
      await sql`insert ignore into ${sql.table(table)} (${columns}) values (${values})`.execute(database)
    },
    trouble,
  })
}

/** Deadlock, lock wait timeout, duplicate key by a transaction that was quicker. */
const conflictNumbers = new Set([1213, 1205, 1062, 1020])
/** Too many connections, shutting down, unknown database, access denied, query interrupted, read-only, killed. */
const unavailableNumbers = new Set([1040, 1053, 1049, 1045, 1044, 1317, 1290, 1927, 1203, 1129, 1130, 3024])

function trouble(error: unknown): Trouble {
  const { errno, code, fatal, message } = error as { errno?: number; code?: string; fatal?: boolean; message?: string }
  if (conflictNumbers.has(errno ?? 0)) return 'conflict'
  if (unavailableNumbers.has(errno ?? 0) || fatal === true) return 'unavailable'
  if (code?.startsWith('PROTOCOL_') || /^E[A-Z]{4,}$/.test(code ?? '')) return 'unavailable'
  return /closed state|Connection lost/.test(message ?? '') ? 'unavailable' : 'defect'
}
