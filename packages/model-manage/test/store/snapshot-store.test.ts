// Snapshots on all databases: what is stored is found, in order, by its id or a beginning of it.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeDatabases } from '../../../../test/servers/databases.ts'
import { temporaryFolder } from '../../../../test/service-options.ts'
import type { AssetStore } from '../../src/store/asset-store.ts'
import { openStore } from '../../src/store/open.ts'
import { SnapshotStore } from '../../src/store/snapshot-store.ts'

async function* bytes(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}

describeDatabases('snapshot store', 'all', (database) => {
  let assets: AssetStore
  let store: SnapshotStore
  let model = ''
  beforeAll(async () => {
    await database.start()
    assets = openStore(await database.create('snapshots'), temporaryFolder())
    store = new SnapshotStore(assets)
  })
  afterAll(async () => {
    await assets?.close()
    await database.stop()
  })
  let count = 0
  beforeEach(async () => {
    model = `model-${++count}`
    await putModel(model)
  })

  const putModel = (name: string) =>
    assets.write({ kind: 'model', owner: '', name }, { type: 'text/plain', content: Buffer.from('x') }, {})
  const contentOf = async (id: string) =>
    Buffer.concat(await Array.fromAsync(store.open(await store.find(model, id)))).toString('latin1')

  test('stored at the same time, they still have an order, and times of their own', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => store.add(model, bytes(String(index)))))
    const found = await store.list(model, {})
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort())
    const times = found.map(({ createdAt }) => createdAt.getTime())
    expect(new Set(times).size).toBe(12)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  test('the newest is first, and a count or a range of time makes the list shorter', async () => {
    const ids = [
      await store.add(model, bytes('1')),
      await store.add(model, bytes('2')),
      await store.add(model, bytes('3')),
    ]
    const all = await store.list(model, {})
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed())
    expect((await store.list(model, { count: 2 })).map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(await store.list(model, { count: 0 })).toEqual([])
    const middle = all[1]!.createdAt.getTime()
    expect((await store.list(model, { from: middle })).map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect((await store.list(model, { to: middle })).map(({ id }) => id)).toEqual([ids[1], ids[0]])
    expect((await store.list(model, { from: middle, to: middle })).map(({ id }) => id)).toEqual([ids[1]])
  })

  test('a beginning of the id is enough, in any case of letters', async () => {
    const id = await store.add(model, bytes('state'))
    for (const start of [id, id.slice(0, 8), id.slice(0, 1), id.toUpperCase()])
      expect((await store.find(model, start)).id).toBe(id)
    for (const wrong of [`${id}0`, 'zz', '_', '%', '']) {
      await expect(store.find(model, wrong)).rejects.toMatchObject({ code: 'snapshot-not-found' })
    }
  })

  test('each model has its own', async () => {
    const id = await store.add(model, bytes('state'))
    await putModel('another')
    expect(await store.list('another', {})).toEqual([])
    await expect(store.find('another', id)).rejects.toMatchObject({ code: 'snapshot-not-found' })
  })

  test('contents of any size come back, and the same contents are kept once', async () => {
    const large = randomBytes(300_000)
    const first = await store.add(model, bytes(large))
    const second = await store.add(model, bytes(large))
    const empty = await store.add(model, bytes(''))
    expect(await contentOf(first)).toBe(large.toString('latin1'))
    await store.remove(model, await store.find(model, first))
    expect(await contentOf(second)).toBe(large.toString('latin1'))
    expect(await contentOf(empty)).toBe('')
    expect((await store.find(model, second)).size).toBe(300_000)
  })

  test('a removed one is gone, and nothing of it is left', async () => {
    const kept = async () =>
      (await assets.session.read((open) => open.selectFrom('content').selectAll().execute())).length
    const before = await kept()
    const snapshot = await store.find(model, await store.add(model, bytes(randomBytes(100))))
    expect(await kept()).toBe(before + 1)
    expect(await store.remove(model, snapshot)).toBe(true)
    expect(await store.remove(model, snapshot)).toBe(false)
    expect(await store.list(model, {})).toEqual([])
    expect(await kept()).toBe(before)
  })

  test.each([true, false])('they go with their model, purged %s', async (purge) => {
    const id = await store.add(model, bytes('state'))
    await assets.remove({ kind: 'model', owner: '', name: model }, purge, {})
    await expect(store.list(model, {})).rejects.toMatchObject({ code: 'no-such-model' })
    await expect(store.add(model, bytes('state'))).rejects.toMatchObject({ code: 'no-such-model' })
    await putModel(model)
    expect(await store.list(model, {})).toEqual([])
    await expect(store.find(model, id)).rejects.toMatchObject({ code: 'snapshot-not-found' })
  })
})
