// What the store needs of a database. Three kinds implement it; everything else is written once, above it.
import type { CompiledQuery } from 'kysely'
import type { ColumnTypes, Database, Tables } from './tables.ts'

/**
 * One database. Methods reject with the driver's own errors; `trouble` tells what kind of error it is.
 * Nothing here retries: the store does.
 */
export interface Backend {
  /** For the READY table and messages: `SQLite in …`, `PostgreSQL at host:port`. Never contains a password. */
  readonly description: string
  readonly columns: ColumnTypes
  /** Reads outside transactions: always sees only what is committed. */
  read<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Compiles a query without running it. */
  compile<Query>(build: (database: Database) => Query): Query
  /** The first row of a query compiled before; the quickest way to read. */
  first<Row>(query: CompiledQuery<Row>): Promise<Row | undefined>
  /** Runs `work` in a transaction that is on the disk when the promise resolves, and gone when it rejects. */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** As `transaction`, but may be lost in a power failure until the next `transaction` has resolved. */
  quickTransaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** `for update` where rows can be locked; as it is where a transaction locks everything. */
  locked<Query extends { forUpdate(): Query }>(query: Query): Query
  /** `insert … ` that leaves a row alone that is already there. */
  insertMissing<Table extends keyof Tables>(database: Database, table: Table, row: Tables[Table]): Promise<void>
  trouble(error: unknown): Trouble
  close(): Promise<void>
}

/**
 * `unavailable`: the database is not there; it may come back. `conflict`: two transactions got into each other's way;
 * the same again will work. `defect`: neither.
 */
export type Trouble = 'unavailable' | 'conflict' | 'defect'

/** Lets at most `width` pieces of work run at once; the others wait in order, outside of any pool's time limit. */
export class Gate {
  readonly #width: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(width: number) {
    this.#width = width
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#inside >= this.#width) await new Promise<void>((enter) => this.#waiting.push(enter))
    else this.#inside++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#inside--
      else next()
    }
  }
}
