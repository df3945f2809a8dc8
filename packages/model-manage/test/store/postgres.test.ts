// What an error of the server means: work that is done again, a database that is away, or a defect.
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '../../src/store/postgres.ts'

// Nothing connects before there is something to do.
const backend = openPostgres({ host: '127.0.0.1', port: 1, username: 'nobody', password: '', database: 'none' })
afterAll(() => backend.close())

test.each([
  ['serialization failure', '40001', 'conflict'],
  ['deadlock', '40P01', 'conflict'],
  ['a row that somebody was quicker to add', '23505', 'conflict'],
  ['a table that somebody was quicker to make', '42P07', 'conflict'],
  ['its type, which comes first', '42710', 'conflict'],
  ['a connection that broke', '08006', 'unavailable'],
  ['a server that shuts down', '57P01', 'unavailable'],
  ['nobody there', 'ECONNREFUSED', 'unavailable'],
  ['bad SQL', '42601', 'defect'],
])('%s', (_, code, trouble) => {
  expect(backend.trouble(Object.assign(new Error('refused'), { code }))).toBe(trouble)
})
