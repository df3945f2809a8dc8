// One suite for all databases: what a store promises, it promises on each of them.
import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '../../../../test/servers/databases.ts'
import { temporaryFolder } from '../../../../test/service-options.ts'
import { type AssetKey, type AssetStore, etagOf } from '../../src/store/asset-store.ts'
import { openStore } from '../../src/store/open.ts'

const anything = {}
const text = (content: string) => ({ type: 'application/json', content: Buffer.from(content) })
const stream = (name: string): AssetKey => ({ kind: 'stream', owner: '', name })
const model = (name: string): AssetKey => ({ kind: 'model', owner: '', name })
const attachment = (owner: string, name: string): AssetKey => ({ kind: 'attachment', owner, name })

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function contentOf(store: AssetStore, key: AssetKey, version?: number): Promise<Buffer | undefined> {
  const found = version === undefined ? await store.current(key) : await store.version(key, version)
  if (found === undefined) return undefined
  return Buffer.from(found.body ?? Buffer.concat(await Array.fromAsync(store.open(found.sha256))))
}

describeDatabases('asset store', 'all', (database) => {
  let store: AssetStore
  beforeAll(async () => {
    await database.start()
    store = openStore(await database.create('assets'), temporaryFolder())
  })
  afterAll(async () => {
    await store?.close()
    await database.stop()
  })

  test('an asset that was never written is not there', async () => {
    expect(await store.current(stream('none'))).toBeUndefined()
    expect(await store.versions(stream('none'))).toEqual([])
    expect(await store.remove(stream('none'), false, anything)).toBe(false)
    expect(await store.remove(stream('none'), true, anything)).toBe(false)
  })

  test('every write makes a version, and all of them stay readable', async () => {
    const key = stream('versions')
    expect(await store.write(key, text('1'), anything)).toMatchObject({ added: true })
    expect(await store.write(key, text('2'), anything)).toMatchObject({ added: false })
    expect(await store.write(key, text('2'), anything)).toMatchObject({ added: false })
    expect((await contentOf(store, key))?.toString()).toBe('2')
    expect((await contentOf(store, key, 1))?.toString()).toBe('1')
    expect(await store.version(key, 4)).toBeUndefined()
    const versions = await store.versions(key)
    expect(versions.map(({ version, current }) => [version, current])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ])
    expect(versions[2]).toMatchObject({ size: 1, sha256: createHash('sha256').update('1').digest('hex') })
    expect(Math.abs(versions[0]!.createdAt.getTime() - Date.now())).toBeLessThan(60_000)
  })

  test('a removed asset is hidden, its versions stay, and writing it again adds it', async () => {
    const key = stream('hidden')
    await store.write(key, text('a'), anything)
    expect(await store.remove(key, false, anything)).toBe(true)
    expect(await store.remove(key, false, anything)).toBe(false)
    expect(await store.current(key)).toBeUndefined()
    expect(await store.names('stream')).not.toContain('hidden')
    expect((await contentOf(store, key, 1))?.toString()).toBe('a')
    expect((await store.versions(key)).map(({ current }) => current)).toEqual([false])
    expect(await store.write(key, text('b'), anything)).toMatchObject({ added: true })
    expect((await store.current(key))?.version).toBe(2)
  })

  test('a purged asset is gone with all its versions', async () => {
    const key = stream('purged')
    await store.write(key, text('a'), anything)
    await store.remove(key, false, anything)
    expect(await store.remove(key, true, anything)).toBe(true)
    expect(await store.versions(key)).toEqual([])
    expect(await store.write(key, text('b'), anything)).toMatchObject({ added: true })
    expect((await store.current(key))?.version).toBe(1)
  })

  const alike = [
    ['letter case', 'name', 'Name'],
    ['a trailing space', 'name', 'name '],
    ['an accent', 'resume', 'résumé'],
    ['a composed and a decomposed letter', 'é', 'e\u0301'],
    ['a percent sign and what it might stand for', 'a%20b', 'a b'],
    ['characters outside the basic plane', '😀', '😁'],
    ['quotes', "it's", 'it"s'],
    ['SQL wildcards', 'a_c', 'abc'],
    ['a backslash', 'a\\b', 'a\\\\b'],
  ] as const
  test.each(alike)('names that differ by %s are two names', async (_difference, one, other) => {
    await store.write({ kind: 'schema', owner: '', name: one }, text('1'), anything)
    await store.write({ kind: 'schema', owner: '', name: other }, text('2'), anything)
    expect((await contentOf(store, { kind: 'schema', owner: '', name: one }))?.toString()).toBe('1')
    expect((await contentOf(store, { kind: 'schema', owner: '', name: other }))?.toString()).toBe('2')
    expect(await store.names('schema')).toEqual(expect.arrayContaining([one, other]))
  })

  test('names are listed in the order of their bytes, and a kind does not see another', async () => {
    for (const name of ['b', 'a', 'Z', 'é', 'aa'])
      await store.write({ kind: 'sensor', owner: '', name }, text('0'), anything)
    expect(await store.names('sensor')).toEqual(['Z', 'a', 'aa', 'b', 'é'])
    expect(await store.names('stream')).not.toContain('aa')
  })

  test('any bytes come back as they were', async () => {
    const key = stream('bytes')
    const contents = fc.uint8Array({ maxLength: 3000 })
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        await store.write(key, { type: 'application/json', content }, anything)
        expect(Buffer.compare((await contentOf(store, key))!, content)).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  test('content of any length comes back whole, however it arrives', async () => {
    await store.write(model('long'), text('x'), anything)
    const sizes = [0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1_300_000]
    for (const size of sizes) {
      const bytes = randomBytes(size)
      const key = attachment('long', `of ${size}`)
      const content = inPieces(bytes, 100_003)
      expect(await store.write(key, { type: 'application/zip', content }, anything)).toMatchObject({ added: true })
      const found = (await store.current(key))!
      expect(found).toMatchObject({
        size,
        type: 'application/zip',
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      expect((await contentOf(store, key))!.equals(bytes)).toBe(true)
    }
  })

  test('a long document is kept like an attachment', async () => {
    const bytes = randomBytes(3_000_000)
    await store.write(model('large'), { type: 'application/x-python', content: bytes }, anything)
    expect((await contentOf(store, model('large')))!.equals(bytes)).toBe(true)
  })

  test('content that breaks off leaves nothing behind', async () => {
    await store.write(model('broken'), text('x'), anything)
    async function* breaking() {
      yield randomBytes(700_000)
      throw new Error('the line is dead')
    }
    const key = attachment('broken', 'a')
    const write = store.write(key, { type: 'application/zip', content: breaking() }, anything)
    await expect(write).rejects.toThrow('the line is dead')
    expect(await store.current(key)).toBeUndefined()
    expect(await store.names('attachment', 'broken')).toEqual([])
  })

  test('the same content of two attachments is purged only with the second one', async () => {
    const bytes = randomBytes(600_000)
    for (const name of ['one', 'two']) {
      await store.write(model(name), text('x'), anything)
      await store.write(attachment(name, 'a'), { type: 'application/zip', content: inPieces(bytes, 65536) }, anything)
    }
    await store.remove(model('one'), true, anything)
    expect((await contentOf(store, attachment('two', 'a')))!.equals(bytes)).toBe(true)
    const { sha256 } = (await store.current(attachment('two', 'a')))!
    await store.remove(attachment('two', 'a'), true, anything)
    await expect(Array.fromAsync(store.open(sha256))).rejects.toThrow('gone')
  })

  test('attachments need their model and go with it', async () => {
    const key = attachment('owner', 'a')
    const zip = { type: 'application/zip', content: Buffer.from('zip') }
    await expect(store.write(key, zip, anything)).rejects.toMatchObject({ code: 'no-such-model' })
    await store.write(model('owner'), text('x'), anything)
    await store.write(key, zip, anything)
    await store.remove(model('owner'), false, anything)
    expect(await store.current(key)).toBeUndefined()
    await expect(store.write(key, zip, anything)).rejects.toMatchObject({ code: 'no-such-model' })
    await store.write(model('owner'), text('x'), anything)
    expect(await store.names('attachment', 'owner')).toEqual([])
    expect((await contentOf(store, key, 1))?.toString()).toBe('zip')
  })

  test('models are listed with what is known of them', async () => {
    await store.write(model('listed'), { ...text('x'), type: 'application/x-r', metadata: { owner: 'Ünï' } }, anything)
    await store.write(attachment('listed', 'b'), text('x'), anything)
    await store.write(attachment('listed', 'a'), text('x'), anything)
    expect(await store.models()).toContainEqual({ name: 'listed', type: 'application/x-r', metadata: { owner: 'Ünï' } })
    expect((await store.attachments()).get('listed')).toEqual(['a', 'b'])
  })

  test('a condition that does not hold stops the write', async () => {
    const key = stream('conditions')
    await expect(store.write(key, text('0'), { ifMatch: ['*'] })).rejects.toMatchObject({ code: 'precondition-failed' })
    const { etag } = await store.write(key, text('1'), { ifNoneMatch: ['*'] })
    await expect(store.write(key, text('2'), { ifNoneMatch: ['*'] })).rejects.toMatchObject({ status: 412 })
    await expect(store.write(key, text('2'), { ifMatch: ['"other"'] })).rejects.toThrow(etag)
    const next = await store.write(key, text('2'), { ifMatch: ['"other"', etag] })
    expect(next.etag).toBe(etagOf((await store.current(key))!))
    await expect(store.remove(key, false, { ifMatch: [etag] })).rejects.toMatchObject({ code: 'precondition-failed' })
    expect(await store.remove(key, false, { ifMatch: [next.etag] })).toBe(true)
  })

  test('no update is lost when many write at once', async () => {
    const key = stream('counter')
    await store.write(key, text('0'), anything)
    const increment = async (): Promise<void> => {
      for (;;) {
        const found = (await store.current(key))!
        const next = Number(Buffer.from(found.body!).toString()) + 1
        try {
          await store.write(key, text(String(next)), { ifMatch: [etagOf(found)] })
          return
        } catch (error) {
          if ((error as { code?: string }).code !== 'precondition-failed') throw error
        }
      }
    }
    await Promise.all(Array.from({ length: 30 }, increment))
    expect((await contentOf(store, key))?.toString()).toBe('30')
    expect(await store.versions(key)).toHaveLength(31)
  })

  test('many may add the same asset at once: one adds it, the others update it', async () => {
    const key = stream('race')
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.write(key, text(String(index)), anything)),
    )
    expect(results.filter(({ added }) => added)).toHaveLength(1)
    expect((await store.versions(key)).map(({ version }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    )
  })

  test('models and attachments may be written and removed at once', async () => {
    const zip = { type: 'application/zip', content: Buffer.from('zip') }
    const moves = Array.from({ length: 60 }, (_, index) => async () => {
      if (index % 3 === 0) await store.write(model('busy'), text('x'), anything)
      if (index % 3 === 1) await store.remove(model('busy'), index % 2 === 0, anything)
      if (index % 3 === 2) await store.write(attachment('busy', `a${index}`), zip, anything).catch(expectNoModel)
    })
    await Promise.all(moves.map((move) => move()))
    if ((await store.current(model('busy'))) === undefined) expect(await store.names('attachment', 'busy')).toEqual([])
  })

  test('two stores may be opened at the same time on an empty database', async () => {
    const section = await database.create('together')
    const folder = temporaryFolder()
    const stores = [openStore(section, folder), openStore(section, folder), openStore(section, folder)]
    await Promise.all(stores.map((each, index) => each.write(stream(`s${index}`), text('1'), anything)))
    expect(await stores[0]!.names('stream')).toEqual(['s0', 's1', 's2'])
    await Promise.all(stores.map((each) => each.close()))
  })
})

function expectNoModel(error: unknown): void {
  expect(error).toMatchObject({ code: 'no-such-model' })
}
