// What PostgreSQL and MySQL have in common: a pool of connections, and transactions that lock rows.
import { type CompiledQuery, type Dialect, Kysely } from 'kysely'
import { type Backend, Gate } from './backend.ts'
import type { Database, Tables } from './tables.ts'

/** The address of a database server, from the `db` section of the configuration. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly database: string
}

/** Connections of one service. Requests beyond that wait in order, not in the pool, which would time them out. */
export const poolSize = 10
/** How long a server may take to accept a connection. */
export const connectTimeout = 5000

type Common = 'read' | 'compile' | 'first' | 'transaction' | 'quickTransaction' | 'locked' | 'close'

export function serverBackend(dialect: Dialect, specifics: Omit<Backend, Common>): Backend {
  const kysely = new Kysely<Tables>({ dialect })
  const gate = new Gate(poolSize)
  const transaction = <Result>(work: (database: Database) => Promise<Result>) =>
    gate.pass(() => kysely.transaction().setIsolationLevel('read committed').execute(work))
  return {
    ...specifics,
    read: (work) => gate.pass(() => work(kysely)),
    compile: (build) => build(kysely),
    first: async <Row>(query: CompiledQuery<Row>) => (await gate.pass(() => kysely.executeQuery(query))).rows[0],
    transaction,
    quickTransaction: transaction,
    locked: (query) => query.forUpdate(),
    close: () => kysely.destroy(),
  }
}
