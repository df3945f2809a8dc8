import { describe, expect, test } from 'vitest'
import type { Operation, OperationTable } from '../src/operation.ts'
import { connectOperations } from '../src/operations/connect.ts'
import { engineOperations } from '../src/operations/engine.ts'
import { modelManageOperations } from '../src/operations/model-manage.ts'

const tables: [name: string, table: OperationTable][] = [
  ['Connect', connectOperations],
  ['Model Manage', modelManageOperations],
  ['Engine', engineOperations],
]

describe.each(tables)('the table of %s', (_, table) => {
  const rows: [id: string, row: Operation][] = Object.entries(table)

  test('has no two rows for the same call', () => {
    const calls = rows.map(([, row]) => `${row.method} ${row.path.replace(/\{\w+\}/g, '{}')}`)
    expect(calls.filter((call, place) => calls.indexOf(call) !== place)).toEqual([])
  })

  test.each(rows)('%s is written as all rows are', (_, row) => {
    expect(row.path).toMatch(/^\/metrics$|^\/[12](\/([a-z]+|\{[a-z]+\}))+$/)
    expect(row.summary).toMatch(/^[A-Z].*\.$/)
    const statuses = Object.keys(row.replies).map(Number)
    expect(statuses.some((status) => status === 101 || (status >= 200 && status < 300))).toBe(true)
    for (const reply of Object.values(row.replies)) {
      expect(reply.summary).toMatch(/^[A-Z].*\.$/)
      expect(reply.schema !== undefined).toBe(reply.kind === 'json')
    }
    // Every path parameter is described, and nothing is described that is none.
    const words = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    expect(Object.keys({ ...row.names, ...row.integers }).sort()).toEqual(words.sort())
    expect(new Set(row.errors).size).toBe(row.errors?.length ?? 0)
    if (row.method === 'GET' || row.method === 'HEAD' || row.method === 'DELETE') expect(row.body).toBeUndefined()
    if (row.body !== undefined) expect(row.body.summary).toMatch(/^[A-Z].*\.$/)
  })
})
