// The tables of the store, as the query builder sees them, and the one set of migrations that makes them.
import type { Kysely } from 'kysely'

export interface Tables {
  /** One row per asset that ever was; it also serves as the lock of everything that belongs to the asset. */
  asset: {
    id: string
    kind: AssetKind
    /** The model an attachment or a snapshot belongs to; empty for the other kinds. */
    owner: string
    name: string
    /** The current version; 0 only inside the transaction that makes the asset. */
    version: number
    /** 1 when the asset is hidden. */
    deleted: number
  }
  asset_version: {
    asset_id: string
    version: number
    type: string
    size: number
    sha256: string
    /** The content itself when it is short; longer content stands in `content`. */
    body: Uint8Array | null
    /** JSON object. */
    metadata: string | null
    created_at: number
  }
  /** Long content, once per hash. */
  content: { sha256: string; id: string; size: number }
  content_chunk: { content_id: string; position: number; bytes: Uint8Array }
  /** Content that is being written; what a crash leaves behind is found by it. */
  upload: { id: string; touched_at: number }
}

export type AssetKind = 'model' | 'attachment' | 'snapshot' | 'stream' | 'schema' | 'sensor'

/** How a backend spells the column types. */
export interface ColumnTypes {
  /** Compared byte by byte, trailing spaces and letter case included: names differ when their bytes differ. */
  readonly name: string
  readonly bytes: string
  readonly text: string
}

export interface Migration {
  readonly version: number
  /** Each may be run again: not every database can undo half a migration. */
  readonly statements: (types: ColumnTypes) => readonly string[]
}

/** Migrations are only ever added; a published one never changes. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: ({ name, bytes, text }) => [
      `create table if not exists asset (
         id varchar(36) not null primary key, kind varchar(16) not null, owner ${name} not null, name ${name} not null,
         version integer not null, deleted integer not null, unique (kind, owner, name))`,
      `create table if not exists asset_version (
         asset_id varchar(36) not null, version integer not null, type varchar(255) not null, size bigint not null,
         sha256 char(64) not null, body ${bytes}, metadata ${text}, created_at bigint not null,
         primary key (asset_id, version), unique (sha256, asset_id, version))`,
      `create table if not exists content (sha256 char(64) not null primary key, id varchar(36) not null, size bigint not null)`,
      `create table if not exists content_chunk (
         content_id varchar(36) not null, position integer not null, bytes ${bytes} not null,
         primary key (content_id, position))`,
      'create table if not exists upload (id varchar(36) not null primary key, touched_at bigint not null)',
    ],
  },
]

export type Database = Kysely<Tables>
