// Everything that can be stored is added, updated, listed, read back byte by byte, and removed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fleet, type Member, modelType, startFleet } from './fleet.ts'

let fleet: Fleet
let store: Member
beforeAll(async () => {
  fleet = await startFleet()
  store = fleet.modelManage
})
afterAll(() => fleet?.stop())

const json = { 'content-type': 'application/json' }
const kinds = [
  { kind: 'stream', body: '{ "Transport":"REST" }', other: '{"Transport": "discard"}' },
  { kind: 'schema', body: '"foobar"', other: '{"type":  "int"}' },
  { kind: 'sensor', body: '{"Tap": "sys.memory"}\n', other: '{}' },
]
test.each(kinds)('a $kind', async ({ kind, body, other }) => {
  expect((await store.send(`PUT /1/${kind}/it`, body, json)).status).toBe(201)
  expect((await store.send(`PUT /1/${kind}/it`, other, json)).status).toBe(204)
  expect(await store.json(`GET /1/${kind}`)).toContain('it')
  expect(await store.says(`GET /1/${kind}/it`)).toEqual([200, other])
  expect((await store.send(`DELETE /1/${kind}/it`)).status).toBe(204)
  expect((await store.send(`DELETE /1/${kind}/it`)).status).toBe(404)
  expect((await store.send(`GET /1/${kind}/it`)).status).toBe(404)
})

test('a model and its attachments', async () => {
  const python = { 'content-type': 'application/vnd.fastscore.model-python' }
  expect((await store.send('PUT /1/model/m1', 'def action(x):\n  yield x\n', python)).status).toBe(201)
  expect((await store.send('PUT /1/model/m1', '# pitot.input: int\n', python)).status).toBe(204)
  expect(
    (await store.send('PUT /1/model/m2', '{"input":"int","output":"int","action":"input"}', modelType('pfa-json')))
      .status,
  ).toBe(201)

  const zip = { 'content-type': 'application/zip' }
  const content = Buffer.from([0x50, 0x4b, 0, 1, 2, 255])
  expect((await store.send('PUT /1/model/m1/attachment/a.zip', content, zip)).status).toBe(201)
  expect((await store.send('PUT /1/model/m1/attachment/a.zip', content, zip)).status).toBe(204)
  const head = await store.send('HEAD /1/model/m1/attachment/a.zip')
  expect([head.status, head.headers['content-length'], head.headers['content-type']]).toEqual([
    200,
    '6',
    'application/zip',
  ])
  expect((await store.send('GET /1/model/m1/attachment/a.zip')).body).toEqual(content)

  const read = await store.send('GET /1/model/m1')
  expect([read.text, read.headers['content-type']]).toEqual(['# pitot.input: int\n', python['content-type']])
  expect(await store.json('GET /1/model')).toEqual(['m1', 'm2'])
  expect(await store.json('GET /1/model?return=type,attachments')).toEqual([
    { name: 'm1', type: 'python', attachments: ['a.zip'] },
    { name: 'm2', type: 'pfa-json', attachments: [] },
  ])
  expect(await store.json('GET /1/model?i=type')).toEqual([
    { name: 'm1', type: 'python' },
    { name: 'm2', type: 'pfa-json' },
  ])
  expect((await store.send('GET /1/model?return=size')).status).toBe(403)

  expect((await store.send('DELETE /1/model/m1/attachment/a.zip')).status).toBe(204)
  expect((await store.send('DELETE /1/model/m1/attachment/a.zip')).status).toBe(404)
  expect((await store.send('DELETE /1/model/m1')).status).toBe(204)
  expect((await store.send('DELETE /1/model/m1')).status).toBe(404)
  expect((await store.send('GET /1/model/m1/attachment')).status).toBe(403)
})
