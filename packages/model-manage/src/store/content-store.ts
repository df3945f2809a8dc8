// Long content: a stream of bytes comes in and is kept in chunks, once per hash; it goes out as a stream again.
import { createHash, randomUUID } from 'node:crypto'
import { countMoved } from '@pitot/stream'
import type { Backend } from './backend.ts'
import type { Database } from './tables.ts'

/** What was written and is not yet part of an asset. */
export interface Upload {
  readonly id: string
  readonly sha256: string
  readonly size: number
}

/** Some drivers turn bytes into texts several times their size: chunks this small are collected as soon as they are sent. */
const chunkSize = 64 * 1024
/** How often a long upload says that it still goes on, and how long it may be silent. */
const touchInterval = 60_000
const staleAfter = 60 * 60_000

export class ContentStore {
  readonly #backend: Backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Reads the source to its end. Nobody can see the content until `claim` has made it part of an asset. */
  async write(source: AsyncIterable<Uint8Array>): Promise<Upload> {
    const id = randomUUID()
    const hash = createHash('sha256')
    let size = 0
    let position = 0
    let touched = Date.now()
    await this.#quick((database) => database.insertInto('upload').values({ id, touched_at: touched }).execute())
    try {
      for await (const bytes of pieces(source)) {
        hash.update(bytes)
        size += bytes.length
        await this.#quick((database) =>
          database.insertInto('content_chunk').values({ content_id: id, position, bytes }).execute(),
        )
        position++
        countMoved(bytes.length)
        if (Date.now() - touched > touchInterval) {
          touched = Date.now()
          await this.#quick((database) =>
            database.updateTable('upload').set({ touched_at: touched }).where('id', '=', id).execute(),
          )
        }
      }
      return { id, sha256: hash.digest('hex'), size }
    } catch (error) {
      await this.discard(id).catch(() => undefined)
      throw error
    }
  }

  /**
   * Makes the upload the content of its hash, inside the transaction of the asset that refers to it. Gives the id of the
   * upload when the same content was there before: it is then to be discarded.
   */
  async claim(database: Database, upload: Upload): Promise<string | undefined> {
    const { id, sha256, size } = upload
    for (;;) {
      // Locked until the asset refers to it, so that nobody can remove it as unused in between.
      const query = database.selectFrom('content').select('id').where('sha256', '=', sha256)
      const kept = await this.#backend.locked(query).executeTakeFirst()
      if (kept === undefined) {
        await this.#backend.insertMissing(database, 'content', { sha256, id, size })
        continue
      }
      if (kept.id !== id) return id
      await database.deleteFrom('upload').where('id', '=', id).execute()
      return undefined
    }
  }

  /** Removes what was written of an upload. */
  async discard(id: string): Promise<void> {
    await this.#quick(async (database) => {
      await database.deleteFrom('content_chunk').where('content_id', '=', id).execute()
      await database.deleteFrom('upload').where('id', '=', id).execute()
    })
  }

  async *read(sha256: string): AsyncGenerator<Uint8Array> {
    const content = await this.#backend.read((database) =>
      database.selectFrom('content').select(['id', 'size']).where('sha256', '=', sha256).executeTakeFirst(),
    )
    if (content === undefined) throw new Error(`content ${sha256} is gone`)
    let left = content.size
    for (let position = 0; left > 0; position++) {
      const chunk = await this.#backend.read((database) =>
        database
          .selectFrom('content_chunk')
          .select('bytes')
          .where('content_id', '=', content.id)
          .where('position', '=', position)
          .executeTakeFirst(),
      )
      if (chunk === undefined) throw new Error(`content ${sha256} was removed while it was read`)
      left -= chunk.bytes.length
      yield chunk.bytes
      countMoved(chunk.bytes.length)
    }
  }

  /** Removes the content of these hashes that no asset refers to, inside the transaction that took the references away. */
  async removeUnused(database: Database, hashes: Iterable<string>): Promise<void> {
    for (const sha256 of [...new Set(hashes)].sort()) {
      const query = database.selectFrom('content').select('id').where('sha256', '=', sha256)
      const content = await this.#backend.locked(query).executeTakeFirst()
      if (content === undefined) continue
      const used = await database
        .selectFrom('asset_version')
        .select('version')
        .where('sha256', '=', sha256)
        .limit(1)
        .executeTakeFirst()
      if (used !== undefined) continue
      await database.deleteFrom('content').where('sha256', '=', sha256).execute()
      await database.deleteFrom('content_chunk').where('content_id', '=', content.id).execute()
    }
  }

  /** Removes what crashes left behind. Uploads of other services on the same database are left alone while they move. */
  async removeStale(): Promise<void> {
    const stale = await this.#backend.read((database) =>
      database
        .selectFrom('upload')
        .select('id')
        .where('touched_at', '<', Date.now() - staleAfter)
        .execute(),
    )
    for (const { id } of stale) {
      const claimed = await this.#backend.read((database) =>
        database.selectFrom('content').select('id').where('id', '=', id).executeTakeFirst(),
      )
      if (claimed === undefined) await this.discard(id)
    }
  }

  #quick(work: (database: Database) => Promise<unknown>): Promise<unknown> {
    return this.#backend.quickTransaction(work)
  }
}

/** The same bytes in pieces of the chunk size; only the last one may be shorter. */
async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // A new buffer per piece: drivers may hold on to the one they were given.
  let piece = Buffer.allocUnsafe(chunkSize)
  let filled = 0
  for await (const bytes of source) {
    let taken = 0
    while (taken < bytes.length) {
      const part = Math.min(bytes.length - taken, chunkSize - filled)
      piece.set(bytes.subarray(taken, taken + part), filled)
      filled += part
      taken += part
      if (filled === chunkSize) {
        yield piece
        piece = Buffer.allocUnsafe(chunkSize)
        filled = 0
      }
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}
