// A large attachment goes up and down with constant memory. In CI at a size that is quick, in the soak run at 1 GiB.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { startConnect } from '@pitot/connect'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { call } from './http.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { describeDatabases } from './servers/databases.ts'
import { temporaryFolder, testOptions } from './service-options.ts'

const mebibyte = 2 ** 20
const size = process.env.PITOT_TEST_SOAK === undefined ? 192 * mebibyte : 1024 * mebibyte
const allowedGrowth = 64 * mebibyte

/** The same bytes every time, no two mebibytes alike. */
function* content() {
  const piece = Buffer.alloc(mebibyte)
  let state = 12345
  for (let at = 0; at < mebibyte; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    piece.writeUInt32LE(state, at)
  }
  for (let number = 0; number < size / mebibyte; number++) {
    const numbered = Buffer.from(piece)
    numbered.writeUInt32LE(number, 0)
    yield numbered
  }
}

describeDatabases(`an attachment of ${size / mebibyte} MiB`, 'all', (database) => {
  let service: PitotProcess
  let stopConnect: () => Promise<void>
  beforeAll(async () => {
    await database.start()
    const section = await database.create('attachment')
    const connect = await startConnect(await testOptions())
    stopConnect = () => connect.stop()
    if (section !== undefined) await connect.connect.configure(stringify({ pitot: { db: section } }))
    service = await startPitot([
      'model-manage',
      '--model-manage-port',
      '0',
      '--data',
      temporaryFolder(),
      '--connect',
      connect.url,
    ])
  })
  afterAll(async () => {
    await service?.end()
    await stopConnect?.()
    await database.stop()
  })

  test('goes up and down whole, in less than 64 MiB', async () => {
    const url = service.urls['model-manage']!
    const put = (path: string, type: string, body: string) =>
      call(url, path, { method: 'PUT', headers: { 'content-type': type }, body })
    expect((await put('/1/model/m', 'application/x-python', 'x')).status).toBe(201)
    // Small ones first, so that what is measured is not the code being loaded and warmed.
    for (let round = 0; round < 20; round++)
      await put(`/1/model/m/attachment/small${round}`, 'application/zip', 'x'.repeat(mebibyte))
    const before = service.residentMemory()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, service.residentMemory())
    }, 20)
    try {
      const sent = await upload(`${url}/1/model/m/attachment/large`)
      const received = await download(`${url}/1/model/m/attachment/large`)
      expect(received).toEqual({ length: size, sha256: sent })
    } finally {
      clearInterval(watch)
    }
    expect((most - before) / mebibyte).toBeLessThan(allowedGrowth / mebibyte)
  }, 600_000)
})

function upload(url: string): Promise<string> {
  const hash = createHash('sha256')
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'PUT', headers: { 'content-type': 'application/zip' } }, (answer) => {
      answer.resume()
      if (answer.statusCode === 201) resolve(hash.digest('hex'))
      else reject(new Error(`status ${answer.statusCode}`))
    })
    outgoing.on('error', reject)
    Readable.from(content())
      .on('data', (bytes: Buffer) => hash.update(bytes))
      .pipe(outgoing)
  })
}

function download(url: string): Promise<{ length: number; sha256: string }> {
  return new Promise((resolve, reject) => {
    request(url, (answer) => {
      const hash = createHash('sha256')
      let length = 0
      answer.on('data', (bytes: Buffer) => {
        hash.update(bytes)
        length += bytes.length
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ length, sha256: hash.digest('hex') }))
    })
      .on('error', reject)
      .end()
  })
}
