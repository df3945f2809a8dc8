// Two thousand requests at once, mixed over all operations: nothing breaks, no update is lost.
import { startModelManage } from '@pitot/model-manage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, call } from './http.ts'
import { describeDatabases } from './servers/databases.ts'
import { testOptions } from './service-options.ts'

const concurrent = 2000
const names = 25

type Request = readonly [method: string, path: string, options?: Omit<Call, 'method'>]

const python = { 'content-type': 'application/x-python' }
const json = { 'content-type': 'application/json' }
const zip = { 'content-type': 'application/zip' }

/** Every operation, over few names, so that they get into each other's way. */
const mix: readonly ((name: string) => Request)[] = [
  (name) => ['PUT', `/1/model/${name}`, { headers: python, body: name }],
  (name) => ['GET', `/1/model/${name}`],
  (name) => ['GET', `/1/model/${name}/versions`],
  () => ['GET', '/1/model?return=type,attachments,metadata'],
  (name) => ['PUT', `/1/model/${name}/attachment/a`, { headers: zip, body: name.repeat(1000) }],
  (name) => ['GET', `/1/model/${name}/attachment/a`],
  (name) => ['HEAD', `/1/model/${name}/attachment/a`],
  (name) => ['GET', `/1/model/${name}/attachment`],
  (name) => ['DELETE', `/1/model/${name}/attachment/a`],
  (name) => ['PUT', `/1/stream/${name}`, { headers: json, body: `"${name}"` }],
  (name) => ['GET', `/1/stream/${name}`],
  () => ['GET', '/1/stream'],
  (name) => ['DELETE', `/1/stream/${name}?purge=true`],
  (name) => ['PUT', `/1/schema/${name}`, { headers: json, body: '"int"' }],
  (name) => ['GET', `/1/schema/${name}?version=1`],
  (name) => ['DELETE', `/1/schema/${name}`],
  (name) => ['PUT', `/1/sensor/${name}`, { headers: json, body: '{"Tap":"sys.memory"}' }],
  (name) => ['GET', `/1/sensor/${name}`],
  () => ['GET', '/1/health'],
  () => ['GET', '/1/swagger'],
]

describeDatabases(`${concurrent} requests at once`, 'all', (database) => {
  let service: Awaited<ReturnType<typeof startModelManage>>
  beforeAll(async () => {
    await database.start()
    service = await startModelManage({ ...(await testOptions()), database: await database.create('load') })
  })
  afterAll(async () => {
    await service?.stop()
    await database.stop()
  })

  test('are all answered, none with a server error', async () => {
    const requests = Array.from({ length: concurrent }, (_, index) => mix[index % mix.length]!(`n${index % names}`))
    const answers = await Promise.all(
      requests.map(async ([method, path, options]) => {
        const answer = await call(service.url, path, { ...options, method })
        return { request: `${method} ${path}`, status: answer.status, text: answer.text }
      }),
    )
    expect(answers.filter(({ status }) => ![200, 201, 204, 403, 404].includes(status))).toEqual([])
  }, 120_000)

  test('that update the same document with If-Match lose nothing', async () => {
    const path = '/1/stream/counter'
    await call(service.url, path, { method: 'PUT', headers: json, body: '0' })
    const writers = 40
    const increment = async () => {
      for (;;) {
        const { text, headers } = await call(service.url, path)
        const body = String(Number(text) + 1)
        const answer = await call(service.url, path, {
          method: 'PUT',
          headers: { ...json, 'if-match': headers.etag! },
          body,
        })
        if (answer.status === 204) return
        expect(answer.status, answer.text).toBe(412)
      }
    }
    await Promise.all(Array.from({ length: writers }, increment))
    expect((await call(service.url, path)).text).toBe(String(writers))
    expect(JSON.parse((await call(service.url, `${path}/versions`)).text)).toHaveLength(writers + 1)
  }, 120_000)
})
