// The three kinds of databases a store can stand on, each as the `db` section of a configuration.

import type { DatabaseSection } from '@pitot/model-manage'
import { describe } from 'vitest'
import { findMariadb } from './mariadb.ts'
import { findPostgres } from './postgres.ts'
import type { Found, TestServer } from './server.ts'

export interface TestDatabase {
  /** Call in `beforeAll`, and `stop` in `afterAll`. */
  start(): Promise<void>
  stop(): Promise<void>
  /** The section for a new and empty database; undefined means the embedded one. */
  create(name: string): Promise<DatabaseSection | undefined>
  /** The server under the database, where there is one. */
  readonly server: TestServer | undefined
}

const kinds: Readonly<Record<string, () => Found>> = {
  sqlite: () => ({ start: () => Promise.reject(new Error('SQLite has no server')) }),
  postgres: findPostgres,
  mysql: findMariadb,
}

/** Runs one suite on every database, or on those with a server. A missing server is told, and in CI it is a failure. */
export function describeDatabases(
  title: string,
  which: 'all' | 'servers',
  suite: (database: TestDatabase) => void,
): void {
  for (const [type, find] of Object.entries(kinds)) {
    if (which === 'servers' && type === 'sqlite') continue
    const found = find()
    if ('missing' in found) {
      if (process.env.CI === 'true') throw new Error(found.missing)
      describe.skip(`${title} (skipped: ${found.missing})`, () => undefined)
      continue
    }
    describe(`${title} on ${type}`, () => suite(new DatabaseKind(type, found.start)))
  }
}

class DatabaseKind implements TestDatabase {
  readonly #type: string
  readonly #start: () => Promise<TestServer>
  server: TestServer | undefined

  constructor(type: string, start: () => Promise<TestServer>) {
    this.#type = type
    this.#start = start
  }

  async start(): Promise<void> {
    if (this.#type !== 'sqlite') this.server = await this.#start()
  }

  async stop(): Promise<void> {
    await this.server?.stop()
  }

  async create(name: string): Promise<DatabaseSection | undefined> {
    if (this.server === undefined) return undefined
    await this.server.createDatabase(name)
    const { host, port, username, password } = this.server
    return { type: this.#type, host, port, username, password, database: name }
  }
}
