// Work on a database: it is done once the tables are there, again when it came into another's way, or clearly refused.
import { failure, type PitotError } from '@pitot/api'
import { reasonOf } from '@pitot/service'
import type { Backend } from './backend.ts'
import { migrate } from './migrate.ts'
import type { Database } from './tables.ts'

const mostTries = 20

export class Session {
  readonly #backend: Backend
  #migrated: Promise<void> | undefined
  #isReady = false

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Throws `store-unavailable` when there is no database. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#isReady) await this.#ready()
        return await work()
      } catch (error) {
        const trouble = this.#backend.trouble(error)
        if (trouble === 'unavailable') throw unavailable(error)
        if (trouble !== 'conflict' || attempt === mostTries) throw error
        await new Promise((resume) => setTimeout(resume, Math.random() * 5 * attempt))
      }
    }
  }

  /** As `run`, for work that reads a stream and so cannot be done twice. */
  async runOnce<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      await this.#ready()
      return await work()
    } catch (error) {
      throw this.#backend.trouble(error) === 'unavailable' ? unavailable(error) : error
    }
  }

  read<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return this.run(() => this.#backend.read(work))
  }

  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    return this.run(() => this.#backend.transaction(work))
  }

  /** Makes the tables when the database is first reached, be that at start or later. */
  #ready(): Promise<void> {
    this.#migrated ??= migrate(this.#backend).then(
      () => {
        this.#isReady = true
      },
      (error: unknown) => {
        this.#migrated = undefined
        throw error
      },
    )
    return this.#migrated
  }
}

function unavailable(error: unknown): PitotError {
  return failure('store-unavailable', { reason: reasonOf(error) }, { 'retry-after': '1' })
}
