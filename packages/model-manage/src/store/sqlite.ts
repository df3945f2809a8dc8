// The embedded database: one SQLite file in the data folder, write-ahead log, every acknowledged write on the disk.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { type Backend, Gate, type Trouble } from './backend.ts'
import type { Database, Tables } from './tables.ts'

/** Milliseconds for which a write waits for other processes at the same file. */
const usualPatience = 5000
/** Milliseconds between two looks at a file that another process has locked. */
const pause = 5

export function openSqlite(file: string, patience = usualPatience): Backend {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // One handle writes, one reads: readers see what is committed while a transaction is under way.
  const writing = open(file)
  const reading = open(file)
  // SQLite waits by standing still, and the whole process with it: `begin` waits for other writers in its own way.
  writing.exec('pragma busy_timeout = 0')
  const writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(writing) }) })
  const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(reading) }) })
  const oneAtATime = new Gate(1)
  const statements = new Map<string, StatementSync>()

  function transactionWith(synchronous: 'full' | 'normal') {
    return <Result>(work: (database: Database) => Promise<Result>): Promise<Result> =>
      oneAtATime.pass(async () => {
        writing.exec(`pragma synchronous = ${synchronous}`)
        await begin(writing, patience)
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
  const database = new DatabaseSync(file, { timeout: usualPatience })
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  return database
}

/** Nobody else writes from here to the commit, so that nothing else in a transaction can find the file locked. */
async function begin(database: DatabaseSync, patience: number): Promise<void> {
  const deadline = performance.now() + patience
  for (;;) {
    try {
      return database.exec('begin immediate')
    } catch (error) {
      if (codeOf(error) !== BUSY || performance.now() >= deadline) throw error
      await sleep(pause)
    }
  }
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

const BUSY = 5
const LOCKED = 6
/** Others let go of the file one day; a full disk or one that fails may be put right. */
const unavailableCodes = new Set([BUSY, 10, 13, 14, 26])

function trouble(error: unknown): Trouble {
  const code = codeOf(error)
  if (code === LOCKED) return 'conflict'
  return unavailableCodes.has(code) ? 'unavailable' : 'defect'
}

/** SQLite's primary result code, 0 for an error that is not SQLite's. */
function codeOf(error: unknown): number {
  return Number((error as { errcode?: number }).errcode ?? 0) & 0xff
}
