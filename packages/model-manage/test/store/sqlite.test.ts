// Other processes at the same file: they are waited for, but never by standing still.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/service-options.ts'
import type { Backend } from '../../src/store/backend.ts'
import { openSqlite } from '../../src/store/sqlite.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

function opening(patience?: number): { backend: Backend; other: DatabaseSync } {
  const file = join(temporaryFolder(), 'assets.sqlite')
  const backend = openSqlite(file, patience)
  const other = new DatabaseSync(file)
  opened.push(backend, other)
  return { backend, other }
}

test('a write waits for another writer, while everything else in the process goes on', async () => {
  const { backend, other } = opening()
  other.exec('begin immediate; create table t (n integer)')
  const written = backend.transaction((database) => sql`insert into t values (2)`.execute(database))
  // Whoever stands still until the file is free never comes to free it.
  setTimeout(() => other.exec('insert into t values (1); commit'), 20)
  await written
  expect(other.prepare('select n from t order by n').all()).toEqual([{ n: 1 }, { n: 2 }])
})

test('a file that stays locked is a database that is away, for now', async () => {
  const { backend, other } = opening(50)
  other.exec('begin immediate')
  const error = await backend.transaction(async () => undefined).catch((reason: unknown) => reason)
  expect(backend.trouble(error)).toBe('unavailable')
  other.exec('commit')
  await backend.transaction(async () => undefined)
})

test('reading does not wait for a writer', async () => {
  const { backend, other } = opening()
  other.exec('create table t (n integer); begin immediate; insert into t values (1)')
  const { rows } = await backend.read((database) => sql`select n from t`.execute(database))
  expect(rows).toEqual([])
})
