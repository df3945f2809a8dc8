// Named, versioned assets on any of the databases: models with what belongs to them, streams, schemas, sensors.
import { createHash, randomUUID } from 'node:crypto'
import { failure } from '@pitot/api'
import type { CompiledQuery } from 'kysely'
import type { Backend } from './backend.ts'
import { type Condition, requireCondition } from './conditions.ts'
import { ContentStore } from './content-store.ts'
import { Session } from './session.ts'
import type { AssetKind, Database } from './tables.ts'

export interface AssetKey {
  readonly kind: AssetKind
  /** The model of an attachment or a snapshot; empty for the other kinds. */
  readonly owner: string
  readonly name: string
}

export interface AssetVersion {
  readonly version: number
  readonly type: string
  readonly size: number
  readonly sha256: string
  /** The content when it is short; otherwise `open` gives it. */
  readonly body: Uint8Array | null
}

export interface VersionEntry extends Omit<AssetVersion, 'body'> {
  readonly createdAt: Date
  readonly current: boolean
}

export interface NewVersion {
  readonly type: string
  readonly content: Uint8Array | AsyncIterable<Uint8Array>
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface ModelSummary {
  readonly name: string
  readonly type: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Content up to this size stands in the row of its version. */
const longestBody = 256 * 1024
/** What goes with its model. */
const ownedKinds: readonly AssetKind[] = ['attachment', 'snapshot']

export class AssetStore {
  readonly session: Session
  readonly #backend: Backend
  readonly #content: ContentStore
  readonly #currentVersion: (key: AssetKey) => CompiledQuery<AssetVersion>

  constructor(backend: Backend) {
    this.session = new Session(backend)
    this.#backend = backend
    this.#content = new ContentStore(backend)
    this.#currentVersion = currentVersionQuery(backend)
  }

  get description(): string {
    return this.#backend.description
  }

  /** Throws `store-unavailable` while the database does not answer. */
  async check(): Promise<void> {
    await this.session.read((database) => database.selectFrom('upload').select('id').limit(1).execute())
  }

  /** The current version of an asset that is not hidden. */
  current(key: AssetKey): Promise<AssetVersion | undefined> {
    return this.session.run(() => this.#backend.first(this.#currentVersion(key)))
  }

  /** Any version, of hidden assets too. */
  version(key: AssetKey, version: number): Promise<AssetVersion | undefined> {
    return this.session.read((database) =>
      named(database, key)
        .innerJoin('asset_version', 'asset_version.asset_id', 'asset.id')
        .select(['asset_version.version', 'type', 'size', 'sha256', 'body'])
        .where('asset_version.version', '=', version)
        .executeTakeFirst(),
    )
  }

  /** All versions, newest first; of hidden assets too. None when there never was such an asset. */
  async versions(key: AssetKey): Promise<readonly VersionEntry[]> {
    const rows = await this.session.read((database) =>
      named(database, key)
        .innerJoin('asset_version', 'asset_version.asset_id', 'asset.id')
        .select(['asset_version.version', 'type', 'size', 'sha256', 'created_at', 'asset.version as latest', 'deleted'])
        .orderBy('asset_version.version', 'desc')
        .execute(),
    )
    return rows.map(({ version, type, size, sha256, created_at, latest, deleted }) => ({
      version,
      type,
      size,
      sha256,
      createdAt: new Date(created_at),
      current: version === latest && deleted === 0,
    }))
  }

  /** The content of a version that has no body at hand. */
  open(sha256: string): AsyncIterable<Uint8Array> {
    return this.#content.read(sha256)
  }

  async names(kind: AssetKind, owner = ''): Promise<readonly string[]> {
    const rows = await this.session.read((database) =>
      database
        .selectFrom('asset')
        .select('name')
        .where('kind', '=', kind)
        .where('owner', '=', owner)
        .where('deleted', '=', 0)
        .orderBy('name')
        .execute(),
    )
    return rows.map((row) => row.name)
  }

  async models(): Promise<readonly ModelSummary[]> {
    const rows = await this.session.read((database) =>
      database
        .selectFrom('asset')
        .innerJoin('asset_version', (join) =>
          join.onRef('asset_id', '=', 'asset.id').onRef('asset_version.version', '=', 'asset.version'),
        )
        .select(['name', 'type', 'metadata'])
        .where('kind', '=', 'model')
        .where('deleted', '=', 0)
        .orderBy('name')
        .execute(),
    )
    return rows.map(({ name, type, metadata }) => ({ name, type, metadata: JSON.parse(metadata ?? '{}') }))
  }

  /** Names of attachments by model. */
  async attachments(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.session.read((database) =>
      database
        .selectFrom('asset')
        .select(['owner', 'name'])
        .where('kind', '=', 'attachment')
        .where('deleted', '=', 0)
        .orderBy('owner')
        .orderBy('name')
        .execute(),
    )
    const byModel = new Map<string, string[]>()
    for (const { owner, name } of rows) byModel.getOrInsertComputed(owner, () => []).push(name)
    return byModel
  }

  /** Adds a version; resolves when it is on the disk. `added` tells whether there was no visible asset before. */
  async write(key: AssetKey, given: NewVersion, condition: Condition): Promise<{ added: boolean; etag: string }> {
    const { content } = given
    if (content instanceof Uint8Array && content.length <= longestBody) {
      const short = { sha256: createHash('sha256').update(content).digest('hex'), size: content.length, body: content }
      return this.session.transaction((database) => this.#add(database, key, given, short, condition))
    }
    await this.session.run(() => this.#requireOwner(key))
    const source = content instanceof Uint8Array ? once(content) : content
    const upload = await this.session.runOnce(() => this.#content.write(source))
    let duplicate: string | undefined = upload.id
    try {
      const long = { sha256: upload.sha256, size: upload.size, body: null }
      return await this.session.transaction(async (database) => {
        const claimed = await this.#content.claim(database, upload)
        const result = await this.#add(database, key, given, long, condition)
        duplicate = claimed
        return result
      })
    } finally {
      if (duplicate !== undefined) await this.#content.discard(duplicate).catch(() => undefined)
    }
  }

  /** Hides the asset, or removes it for good. False when there is none. */
  remove(key: AssetKey, purge: boolean, condition: Condition): Promise<boolean> {
    return this.session.transaction(async (database) => {
      const asset = await this.#lock(database, key)
      if (asset === undefined || (asset.deleted === 1 && !purge)) return false
      requireCondition(condition, describe(key), await this.#etag(database, asset))
      const ids = [asset.id, ...(key.kind === 'model' ? await this.#lockOwned(database, key.name) : [])]
      if (purge) await this.#purge(database, ids)
      else await database.updateTable('asset').set({ deleted: 1 }).where('id', 'in', ids).execute()
      return true
    })
  }

  /** Removes what crashes left behind. */
  async tidy(): Promise<void> {
    await this.session.run(() => this.#content.removeStale())
  }

  close(): Promise<void> {
    return this.#backend.close()
  }

  async #add(
    database: Database,
    key: AssetKey,
    given: NewVersion,
    content: { sha256: string; size: number; body: Uint8Array | null },
    condition: Condition,
  ): Promise<{ added: boolean; etag: string }> {
    if (isOwned(key)) {
      // The model is locked first, here and when it is removed: nothing that belongs to a model can outlive it.
      const model = await this.#lock(database, modelOf(key))
      if (model === undefined || model.deleted === 1)
        throw failure('no-such-model', { name: key.owner, what: `${key.kind}s` })
    }
    const asset = await this.#lockOrMake(database, key)
    requireCondition(condition, describe(key), await this.#etag(database, asset))
    const version = asset.version + 1
    const { type, metadata } = given
    await database
      .insertInto('asset_version')
      .values({
        asset_id: asset.id,
        version,
        type,
        ...content,
        metadata: metadata === undefined ? null : JSON.stringify(metadata),
        created_at: key.kind === 'snapshot' ? await this.#nextMoment(database, key) : Date.now(),
      })
      .execute()
    await database.updateTable('asset').set({ version, deleted: 0 }).where('id', '=', asset.id).execute()
    return { added: asset.deleted === 1, etag: etagOf({ version, sha256: content.sha256 }) }
  }

  async #lockOrMake(database: Database, key: AssetKey) {
    // Looked for first: to insert what is there already would lock it in a way that two writers cannot both get out of.
    // Once made, it may be gone again, purged by somebody quicker: then there is room for a new one.
    for (;;) {
      const asset = await this.#lock(database, key)
      if (asset !== undefined) return asset
      await this.#backend.insertMissing(database, 'asset', { id: randomUUID(), ...key, version: 0, deleted: 1 })
    }
  }

  #lock(database: Database, key: AssetKey) {
    return this.#backend.locked(named(database, key).select(['id', 'version', 'deleted'])).executeTakeFirst()
  }

  async #lockOwned(database: Database, model: string): Promise<string[]> {
    const query = database
      .selectFrom('asset')
      .select('id')
      .where('kind', 'in', ownedKinds)
      .where('owner', '=', model)
      .orderBy('kind')
      .orderBy('name')
    return (await this.#backend.locked(query).execute()).map((row) => row.id)
  }

  async #etag(
    database: Database,
    asset: { id: string; version: number; deleted: number },
  ): Promise<string | undefined> {
    if (asset.deleted === 1) return undefined
    const current = await database
      .selectFrom('asset_version')
      .select(['version', 'sha256'])
      .where('asset_id', '=', asset.id)
      .where('version', '=', asset.version)
      .executeTakeFirstOrThrow()
    return etagOf(current)
  }

  async #purge(database: Database, ids: readonly string[]): Promise<void> {
    const hashes = await database
      .selectFrom('asset_version')
      .select('sha256')
      .where('asset_id', 'in', ids)
      .where('body', 'is', null)
      .execute()
    await database.deleteFrom('asset_version').where('asset_id', 'in', ids).execute()
    await database.deleteFrom('asset').where('id', 'in', ids).execute()
    await this.#content.removeUnused(
      database,
      hashes.map((row) => row.sha256),
    )
  }

  /** Two snapshots of a model are never of the same moment, so that the newest one is always known. */
  async #nextMoment(database: Database, { kind, owner }: AssetKey): Promise<number> {
    const newest = await database
      .selectFrom('asset')
      .innerJoin('asset_version', 'asset_version.asset_id', 'asset.id')
      .select((expression) => expression.fn.max('created_at').as('moment'))
      .where('kind', '=', kind)
      .where('owner', '=', owner)
      .executeTakeFirst()
    return Math.max(Date.now(), Number(newest?.moment ?? 0) + 1)
  }

  /** Tells early, before a long upload, that it would be in vain. */
  async #requireOwner(key: AssetKey): Promise<void> {
    if (!isOwned(key)) return
    const model = await this.#backend.first(this.#currentVersion(modelOf(key)))
    if (model === undefined) throw failure('no-such-model', { name: key.owner, what: `${key.kind}s` })
  }
}

export function etagOf({ version, sha256 }: { readonly version: number; readonly sha256: string }): string {
  return `"${version}-${sha256.slice(0, 16)}"`
}

function named(database: Database, key: AssetKey) {
  return database
    .selectFrom('asset')
    .where('kind', '=', key.kind)
    .where('owner', '=', key.owner)
    .where('name', '=', key.name)
}

/** Compiled once: reading the current version of an asset is what happens most. */
function currentVersionQuery(backend: Backend): (key: AssetKey) => CompiledQuery<AssetVersion> {
  const template = backend.compile((database) =>
    named(database, { kind: 'model', owner: 'owner', name: 'name' })
      .where('deleted', '=', 0)
      .innerJoin('asset_version', (join) =>
        join.onRef('asset_id', '=', 'asset.id').onRef('asset_version.version', '=', 'asset.version'),
      )
      .select(['asset_version.version', 'type', 'size', 'sha256', 'body'])
      .compile(),
  )
  const order = ['model', 'owner', 'name', 0].map((marker) => template.parameters.indexOf(marker))
  if (order.some((position, index) => position !== index)) throw new Error('the parameters came out in another order')
  return ({ kind, owner, name }) => ({ ...template, parameters: [kind, owner, name, 0] })
}

function modelOf(key: AssetKey): AssetKey {
  return { kind: 'model', owner: '', name: key.owner }
}

function isOwned({ kind }: AssetKey): boolean {
  return ownedKinds.includes(kind)
}

function describe({ kind, name }: AssetKey): string {
  return `${kind} '${name}'`
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
