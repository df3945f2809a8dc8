// Killed at random moments in the middle of many writes, then started again: what was acknowledged is there, and whole.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startConnect } from '@pitot/connect'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { call } from './http.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { describeDatabases } from './servers/databases.ts'
import { temporaryFolder, testOptions } from './service-options.ts'

const writers = 500
const rounds = 3

interface Written {
  readonly path: string
  readonly content: string
}

/** One kind of write after the other; the content tells what it belongs to, so that a mix-up would show. */
function writeNumber(round: number, index: number): Written & { type: string } {
  const name = `r${round}-${index}`
  if (index % 5 === 4) {
    return { path: `/1/model/base/attachment/${name}`, type: 'application/zip', content: `${name} `.repeat(10_000) }
  }
  const kind = ['model', 'stream', 'schema', 'sensor'][index % 4]!
  const type = kind === 'model' ? 'application/vnd.pitot.model-python' : 'application/json'
  return { path: `/1/${kind}/${name}`, type, content: `"${`${name} `.repeat(50)}"` }
}

describeDatabases('killed while 500 write', 'all', (database) => {
  let start: () => Promise<PitotProcess>
  let stopConnect: () => Promise<void>
  beforeAll(async () => {
    await database.start()
    const section = await database.create('killed')
    const connect = await startConnect(await testOptions())
    stopConnect = () => connect.stop()
    if (section !== undefined) await connect.connect.configure(stringify({ pitot: { db: section } }))
    const data = temporaryFolder()
    const args = [
      'model-manage',
      '--model-manage-port',
      '0',
      '--data',
      data,
      '--connect',
      connect.url,
      '--log-level',
      'warn',
    ]
    start = () => startPitot(args)
  })
  afterAll(async () => {
    await stopConnect?.()
    await database.stop()
  })

  test('every acknowledged write is there, and none is half there', async () => {
    const acknowledged: Written[] = []
    const unanswered: Written[] = []
    let service = await start()
    const base = { method: 'PUT', headers: { 'content-type': 'application/x-python' }, body: 'x' }
    expect((await call(service.urls['model-manage']!, '/1/model/base', base)).status).toBe(201)
    for (let round = 0; round < rounds; round++) {
      const url = service.urls['model-manage']!
      const writes = Array.from({ length: writers }, async (_, index) => {
        const { path, type, content } = writeNumber(round, index)
        try {
          const answer = await call(url, path, { method: 'PUT', headers: { 'content-type': type }, body: content })
          expect(answer.status, answer.text).toBe(201)
          acknowledged.push({ path, content })
        } catch (error) {
          // Only a connection that broke with the process is an excuse.
          expect((error as NodeJS.ErrnoException).code).toMatch(/^(ECONNRESET|ECONNREFUSED|EPIPE)$/)
          unanswered.push({ path, content })
        }
      })
      // In the middle of it: some have their answer, most do not.
      const target = acknowledged.length + 1 + Math.floor(Math.random() * (writers * 0.6))
      while (acknowledged.length < target) await sleep(1)
      await service.end('SIGKILL')
      await Promise.all(writes)
      service = await start()
    }
    const url = service.urls['model-manage']!
    for (const { path, content } of acknowledged) {
      const answer = await call(url, path)
      expect(answer.status, `${path} was acknowledged`).toBe(200)
      expect(digest(answer.body), path).toBe(digest(content))
    }
    for (const { path, content } of unanswered) {
      const answer = await call(url, path)
      expect([200, 404]).toContain(answer.status)
      if (answer.status === 200) expect(digest(answer.body), path).toBe(digest(content))
    }
    expect(acknowledged.length + unanswered.length).toBe(writers * rounds)
    expect(unanswered.length).toBeGreaterThan(0)
    expect(await service.end()).toBe(0)
  }, 180_000)
})

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
