// Brings a database to the newest tables: what it has comes in, what it lacks is made.
import { sql } from 'kysely'
import type { Backend } from './backend.ts'
import { migrations } from './tables.ts'

export async function migrate(backend: Backend): Promise<void> {
  await backend.transaction(async (database) => {
    await sql`create table if not exists pitot_migration (version integer not null primary key)`.execute(database)
  })
  for (const { version, statements } of migrations) {
    await backend.transaction(async (database) => {
      const done = await sql`select version from pitot_migration where version = ${version}`.execute(database)
      if (done.rows.length > 0) return
      for (const statement of statements(backend.columns)) await sql.raw(statement).execute(database)
      await sql`insert into pitot_migration (version) values (${version})`.execute(database)
    })
  }
}
