// PostgreSQL behind the store.
import { PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Backend, Trouble } from './backend.ts'
import { connectTimeout, poolSize, type ServerAddress, serverBackend } from './server-backend.ts'

const bigintType = 20

export function openPostgres(address: ServerAddress): Backend {
  const pool = new Pool({
    host: address.host,
    port: address.port,
    user: address.username,
    password: address.password,
    database: address.database,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: 'pitot',
    // Sizes and times are below 2^53: they come as numbers, not as texts.
    types: {
      getTypeParser: ((id: number, format?: 'text' | 'binary') =>
        id === bigintType && format !== 'binary' ? Number : types.getTypeParser(id, format as 'text')) as never,
    },
  })
  // A connection that breaks while it is idle is replaced when the next one is needed; unheard, it would end the process.
  pool.on('error', () => undefined)
  return serverBackend(new PostgresDialect({ pool }), {
    description: `PostgreSQL at ${address.host}:${address.port}`,
    columns: { name: 'varchar(255) collate "C"', bytes: 'bytea', text: 'text' },
    async insertMissing(database, table, row) {
      await database
        .insertInto(table)
        .values(row as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    trouble,
  })
}

/**
 * Serialization failure, deadlock, lock not available; and a row, a table or its type that somebody else was quicker to make,
 * which `if not exists` does not keep from happening.
 */
const conflictStates = new Set(['40001', '40P01', '55P03', '23505', '42P07', '42710'])
/** Classes: connection exception, insufficient resources, operator intervention, system error, invalid authorization or database. */
const unavailableClasses = new Set(['08', '53', '57', '58', '28', '3D'])

function trouble(error: unknown): Trouble {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined && conflictStates.has(code)) return 'conflict'
  if (code !== undefined && unavailableClasses.has(code.slice(0, 2))) return 'unavailable'
  // System errors have codes such as ECONNREFUSED; the driver's own have none.
  if (code?.startsWith('E') || /terminated|timeout|not queryable|Connection ended/i.test(message ?? ''))
    return 'unavailable'
  return 'defect'
}
