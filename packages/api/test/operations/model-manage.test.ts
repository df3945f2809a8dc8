import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/operation.ts'
import { modelManageOperations } from '../../src/operations/model-manage.ts'

/** What published clients expect. */
const statuses: [id: keyof typeof modelManageOperations, statuses: number[]][] = [
  ['listModels', [200]],
  ['getModel', [200, 304]],
  ['putModel', [201, 204]],
  ['deleteModel', [204]],
  ['listAttachments', [200]],
  ['headAttachment', [200, 304]],
  ['getAttachment', [200, 304]],
  ['putAttachment', [201, 204]],
  ['deleteAttachment', [204]],
  ['listSnapshots', [200]],
  ['postSnapshot', [201]],
  ['getSnapshot', [200]],
  ['getSnapshotMetadata', [200]],
  ['getSnapshotContents', [200]],
  ['deleteSnapshot', [204]],
]
test.each(statuses)('%s answers with %j', (id, expected) => {
  expect(Object.keys(modelManageOperations[id].replies).map(Number)).toEqual(expected)
})

describe.each([
  ['Stream', 'stream'],
  ['Schema', 'schema'],
  ['Sensor', 'sensor'],
])('%s descriptors and the like', (word, kind) => {
  const rows: [id: string, call: string, statuses: number[]][] = [
    [`list${word}s`, `GET /1/${kind}`, [200]],
    [`get${word}`, `GET /1/${kind}/{${kind}}`, [200, 304]],
    [`put${word}`, `PUT /1/${kind}/{${kind}}`, [201, 204]],
    [`delete${word}`, `DELETE /1/${kind}/{${kind}}`, [204]],
    [`list${word}Versions`, `GET /1/${kind}/{${kind}}/versions`, [200]],
  ]
  test.each(rows)('%s is %s and answers with %j', (id, call, expected) => {
    const row = modelManageOperations[id as keyof typeof modelManageOperations] as Operation
    expect(`${row.method} ${row.path}`).toBe(call)
    expect(Object.keys(row.replies).map(Number)).toEqual(expected)
  })
})

test('models are listed by the fields of the interface, and `i` is the older name of `return`', () => {
  const { query } = modelManageOperations.listModels
  expect(query.return.read('metadata,type,attachments')).toEqual(['metadata', 'type', 'attachments'])
  expect(query.return.read('size')).toBeUndefined()
  expect(query.i).toBe(query.return)
})

test('a missing model is 403 where its attachments are asked for, 404 elsewhere', () => {
  expect(modelManageOperations.listAttachments.errors).toContain('no-such-model')
  expect(modelManageOperations.putAttachment.errors).toContain('no-such-model')
  expect(modelManageOperations.getModel.errors).toContain('model-not-found')
})

test('attachments have any size, models and documents are held in memory', () => {
  expect(modelManageOperations.putAttachment.body.as).toBe('stream')
  expect(modelManageOperations.putModel.body.as).toBe('bytes')
  expect(modelManageOperations.putStream.body.as).toBe('bytes')
})
