// Snapshots of a model's state: contents come in and are kept under an id, found again by it or by a beginning of it.
import { randomUUID } from 'node:crypto'
import { failure } from '@pitot/api'
import type { AssetStore } from './asset-store.ts'

export interface Snapshot {
  readonly id: string
  readonly createdAt: Date
  readonly type: string
  readonly size: number
  readonly sha256: string
}

export interface SnapshotFilter {
  readonly count?: number | undefined
  /** Milliseconds since 1970, both included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** What snapshots are made of today; another kind of contents will have another word. */
const snapshotType = 'PITOT1'
const mostNamed = 5

/** They are kept as assets that belong to their model, so they go when it goes. */
export class SnapshotStore {
  readonly #assets: AssetStore

  constructor(assets: AssetStore) {
    this.#assets = assets
  }

  /** Resolves with the id when the contents are on the disk; throws `no-such-model`. */
  async add(model: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    const id = randomUUID()
    await this.#assets.write({ kind: 'snapshot', owner: model, name: id }, { type: snapshotType, content }, {})
    return id
  }

  /** Newest first; throws `no-such-model`. */
  async list(model: string, { count, from, to }: SnapshotFilter): Promise<readonly Snapshot[]> {
    await this.#requireModel(model)
    return this.#select(model, '', { count, from, to })
  }

  /** Throws `no-such-model`, `snapshot-not-found`, or `snapshot-ambiguous` when more than one id begins so. */
  async find(model: string, id: string): Promise<Snapshot> {
    await this.#requireModel(model)
    const wanted = id.toLowerCase()
    const fitting = /^[0-9a-f-]+$/.test(wanted) ? await this.#select(model, wanted, {}) : []
    if (fitting.length === 0) throw failure('snapshot-not-found', { model, id })
    if (fitting.length === 1) return fitting[0]!
    const named = fitting.slice(0, mostNamed).map((snapshot) => snapshot.id)
    const list = fitting.length > mostNamed ? [...named, '…'] : named
    throw failure('snapshot-ambiguous', { model, id, count: fitting.length, fitting: list.join(', ') })
  }

  open({ sha256 }: Snapshot): AsyncIterable<Uint8Array> {
    return this.#assets.open(sha256)
  }

  /** False when somebody was quicker. */
  remove(model: string, { id }: Snapshot): Promise<boolean> {
    return this.#assets.remove({ kind: 'snapshot', owner: model, name: id }, true, {})
  }

  async #requireModel(name: string): Promise<void> {
    const model = await this.#assets.current({ kind: 'model', owner: '', name })
    if (model === undefined) throw failure('no-such-model', { name, what: 'snapshots' })
  }

  async #select(model: string, start: string, { count, from, to }: SnapshotFilter): Promise<readonly Snapshot[]> {
    const rows = await this.#assets.session.read((database) => {
      let query = database
        .selectFrom('asset')
        .innerJoin('asset_version', 'asset_version.asset_id', 'asset.id')
        .select(['name', 'type', 'size', 'sha256', 'created_at'])
        .where('kind', '=', 'snapshot')
        .where('owner', '=', model)
        .where('deleted', '=', 0)
        .orderBy('created_at', 'desc')
      if (start !== '') query = query.where('name', 'like', `${start}%`)
      if (from !== undefined) query = query.where('created_at', '>=', from)
      if (to !== undefined) query = query.where('created_at', '<=', to)
      return (count === undefined ? query : query.limit(count)).execute()
    })
    return rows.map(({ name, type, size, sha256, created_at }) => ({
      id: name,
      createdAt: new Date(created_at),
      type,
      size,
      sha256,
    }))
  }
}
