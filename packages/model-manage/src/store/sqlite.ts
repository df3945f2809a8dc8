// The embedded database: one SQLite file in the data folder, write-ahead log, every acknowledged write on the disk.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { type Backend, Gate, type Trouble } from './backend.ts'
import type { Database, Tables } from './tables.ts'

export function openSqlite(file: string): Backend {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // One handle writes, one reads: readers see what is committed while a transaction is under way.
  const writing = open(file)
  const reading = open(file)
  const writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(writing) }) })
  const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(reading) }) })
  const oneAtATime = new Gate(1)
  const statements = new Map<string, StatementSync>()

  function transactionWith(synchronous: 'full' | 'normal') {
    return <Result>(work: (database: Database) => Promise<Result>): Promise<Result> =>
      oneAtATime.pass(async () => {
        writing.exec(`pragma synchronous = ${synchronous}; begin immediate`)
        try {
          const result = await work(writer)
          writing.exec('commit')
          return result
        } catch (error) {
          if (writing.isTransaction) writing.exec('rollback')
          throw error
        }
      })
  }

  return {
    description: `SQLite in ${file}`,
    columns: { name: 'text', bytes: 'blob', text: 'text' },
    read: (work) => work(reader),
    compile: (build) => build(reader),
    async first<Row>(query: CompiledQuery<Row>) {
      const statement = statements.getOrInsertComputed(query.sql, () => reading.prepare(query.sql))
      return statement.get(...(query.parameters as SQLInputValue[])) as Row | undefined
    },
    transaction: transactionWith('full'),
    quickTransaction: transactionWith('normal'),
    locked: (query) => query,
    async insertMissing(database, table, row) {
      await database
        .insertInto(table)
        .values(row as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    trouble,
    async close() {
      await oneAtATime.pass(async () => {
        reading.close()
        writing.close()
      })
    },
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  return database
}

/** Gives `node:sqlite` the shape that the query builder expects. */
function adapt(database: DatabaseSync) {
  return {
    prepare(sql: string) {
      const statement = database.prepare(sql)
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
        run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
        iterate: (parameters: readonly unknown[]) =>
          statement.iterate(...values(parameters)) as IterableIterator<unknown>,
      }
    },
    close: () => undefined,
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED pass; a full disk or one that fails may be put right. */
const conflictCodes = new Set([5, 6])
const unavailableCodes = new Set([10, 13, 14, 26])

function trouble(error: unknown): Trouble {
  const code = Number((error as { errcode?: number }).errcode ?? 0) & 0xff
  if (conflictCodes.has(code)) return 'conflict'
  return unavailableCodes.has(code) ? 'unavailable' : 'defect'
}
