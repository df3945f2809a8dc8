// The database goes away and comes back: clear answers while it is gone, work as usual afterwards, no restart.
import { startModelManage } from '@pitot/model-manage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './http.ts'
import { describeDatabases } from './servers/databases.ts'
import { testOptions } from './service-options.ts'

describeDatabases('an outage of the database', 'servers', (database) => {
  let service: Awaited<ReturnType<typeof startModelManage>>
  beforeAll(async () => {
    await database.start()
    service = await startModelManage({ ...(await testOptions()), database: await database.create('outage') })
  })
  afterAll(async () => {
    await service?.stop()
    await database.stop()
  })

  const put = (name: string) =>
    call(service.url, `/1/stream/${name}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '1',
    })

  test('gives 503 with Retry-After, and ends by itself', async () => {
    expect((await put('before')).status).toBe(201)
    await database.server!.pause()
    const requests = [
      put('during'),
      call(service.url, '/1/stream'),
      call(service.url, '/1/stream/before'),
      call(service.url, '/1/health'),
    ]
    for (const answer of await Promise.all(requests)) {
      expect(answer.status, answer.text).toBe(503)
      expect(answer.headers['retry-after']).toBe('1')
      expect(answer.text).toMatch(/^the database cannot be reached: .*try again/)
    }
    await database.server!.resume()
    await expect.poll(async () => (await put('after')).status, { timeout: 30_000 }).toBe(201)
    expect((await call(service.url, '/1/stream/before')).text).toBe('1')
    expect((await call(service.url, '/1/health')).status).toBe(200)
  }, 60_000)

  test('may be there at the start too', async () => {
    const section = await database.create('late')
    await database.server!.pause()
    const late = await startModelManage({ ...(await testOptions()), database: section })
    try {
      expect((await call(late.url, '/1/stream')).status).toBe(503)
      await database.server!.resume()
      await expect.poll(async () => (await call(late.url, '/1/stream')).status, { timeout: 30_000 }).toBe(200)
    } finally {
      await late.stop()
    }
  }, 60_000)
})
