// The registry against a real Connect and a real Model Manage, and against services that do not do their part.
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startConnect } from '@pitot/connect'
import { startModelManage } from '@pitot/model-manage'
import type { RunningService } from '@pitot/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { call } from '../../../../test/http.ts'
import { temporaryFolder, testOptions } from '../../../../test/service-options.ts'
import { readModelPackage } from '../../src/model/read-package.ts'
import { HttpRegistry } from '../../src/registry/http-registry.ts'
import { makeZip } from '../model/archives.ts'

const python = { 'content-type': 'application/vnd.pitot.model-python3' }
const token = 'secret-token'
const headers = { authorization: `Bearer ${token}` }

let connect: RunningService
let modelManage: RunningService
let registry: HttpRegistry

async function put(path: string, body: string | Uint8Array, more: Record<string, string> = {}): Promise<void> {
  const answer = await call(modelManage.url, path, { method: 'PUT', headers: { ...headers, ...more }, body })
  expect(answer.status, answer.text).toBeLessThan(300)
}

async function configure(to: RunningService, entries: readonly object[]): Promise<void> {
  const body = JSON.stringify({ pitot: { fleet: entries } })
  const answer = await call(to.url, '/1/config', { method: 'PUT', headers, body })
  expect(answer.status, answer.text).toBeLessThan(300)
}

const at = ({ host, port }: { host: string; port: number }) => ({ api: 'model-manage', host, port })

beforeAll(async () => {
  connect = await startConnect(await testOptions({ token }))
  modelManage = await startModelManage(await testOptions({ token }))
  await configure(connect, [{ api: 'model-manage', host: '127.0.0.1', port: 1 }, at(modelManage)])
  registry = new HttpRegistry({ connect: new URL(connect.url), token, scheme: 'http' })
})
afterAll(async () => {
  await connect?.stop()
  await modelManage?.stop()
})

describe('what Model Manage has', () => {
  test('schemas and streams, whatever they are called', async () => {
    for (const name of ['plain', 'a b/c?d#e%20', 'é€', '…']) {
      await put(`/1/schema/${encodeURIComponent(name)}`, '{"type":"int"}')
      await put(`/1/stream/${encodeURIComponent(name)}`, '{"Transport":"discard"}')
      expect(await registry.schema(name)).toEqual({ type: 'int' })
      expect(await registry.stream(name)).toEqual({ Transport: 'discard' })
    }
  })

  test('sensors, which can be stored', async () => {
    for (const name of ['one.field', 'a b/c?d#e%20']) {
      await registry.storeSensor(name, { count: 1 })
      await registry.storeSensor(name, { count: 2 })
      expect(await registry.sensor(name)).toEqual({ count: 2 })
    }
    await expect(registry.storeSensor('', {})).rejects.toThrow(/^a place for '' among the sensors is needed/)
  })

  test.each(['none', '.', '..', '', '\u0000', 'x'.repeat(300), '\ud800'])('%j is not there', async (name) => {
    expect(await registry.schema(name)).toBeUndefined()
    expect(await registry.stream(name)).toBeUndefined()
  })

  test('attachments of any size, as they come', async () => {
    const bytes = randomBytes(3_000_000)
    await put('/1/model/m', 'def action(x): yield x', python)
    await put('/1/model/m/attachment/a.zip', bytes, { 'content-type': 'application/zip' })
    const { type, chunks } = await registry.attachment('m', 'a.zip')
    expect(type).toBe('application/zip')
    expect(Buffer.concat(await Array.fromAsync(chunks)).equals(bytes)).toBe(true)
  })

  test('attachments that are not there, with the reason', async () => {
    await expect(registry.attachment('m', 'none')).rejects.toThrow("model 'm' has no attachment 'none'")
    await expect(registry.attachment('nobody', 'a')).rejects.toThrow("model 'nobody' has no attachment 'a'")
  })

  test('a model that is sent with a reference to its attachment', async () => {
    const zip = makeZip([{ name: 'a.txt', content: 'A' }])
    await put('/1/model/ref', 'def action(x): yield x', python)
    await put('/1/model/ref/attachment/big.zip', zip, { 'content-type': 'application/zip' })
    const send = (attachment: string) =>
      readModelPackage(
        { headers: { 'content-type': 'multipart/mixed; boundary=b' }, chunks: referring(attachment) },
        { folder: temporaryFolder(), registry },
      )
    const { attachments } = await send('big.zip')
    expect(attachments).toMatchObject([{ name: 'big.zip', type: 'zip', size: zip.length }])
    await expect(send('none')).rejects.toMatchObject({
      code: 'attachment-not-fetched',
      message: expect.stringMatching(/^attachment 'none' of model 'ref' .*: model 'ref' has no attachment 'none'$/),
    })
  })

  test('snapshots are stored and can be read there', async () => {
    await put('/1/model/s', 'def action(x): yield x', python)
    const state = randomBytes(1000)
    const id = await registry.storeSnapshot('s', state)
    const answer = await call(modelManage.url, `/1/model/s/snapshot/${id}/contents`, { headers })
    expect(answer.body.equals(state)).toBe(true)
    await expect(registry.storeSnapshot('nobody', state)).rejects.toThrow(
      "a snapshot of model 'nobody' was not stored: there is no model 'nobody' that could have snapshots",
    )
  })
})

async function* referring(attachment: string): AsyncGenerator<Uint8Array> {
  const reference = `message/external-body; access-type=x-model-manage; ref="urn:pitot:attachment:ref:${attachment}"`
  yield Buffer.from(`--b\r\nContent-Type: ${reference}\r\n\r\nContent-Length: 1\r\n\r\n\r\n`)
  yield Buffer.from(`--b\r\nContent-Type: ${python['content-type']}\r\n\r\ndef action(x): yield x\r\n--b--`)
}

/** A server that answers as it is told. */
async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const fleet = (target: URL) =>
  serve((_, response) => response.end(JSON.stringify([{ ...address(target), name: 'mm', health: 'ok' }])))
const address = (url: URL) => ({ host: url.hostname, port: Number(url.port) })

describe('when it cannot be asked', () => {
  const nowhere = new URL('http://127.0.0.1:1')
  const cases: [string, () => Promise<URL | undefined>, RegExp][] = [
    ['no Connect', async () => undefined, /the Engine was started without --connect/],
    ['Connect is down', async () => nowhere, /Connect at 127.0.0.1:1 does not answer: nothing listens there/],
    ['Connect is something else', () => serve((_, response) => response.end('hello')), /is not Connect/],
    ['no configuration', async () => new URL((await started()).url), /Connect has no configuration yet/],
    [
      'no Model Manage in the fleet',
      () => startedWith([{ api: 'engine', host: '127.0.0.1', port: 1 }]),
      /has no model-manage/,
    ],
    [
      'none is healthy',
      () => startedWith([at({ host: '127.0.0.1', port: 1 })]),
      /model-manage-1 at 127.0.0.1:1 is not healthy: nothing listens there/,
    ],
    ['it is gone since', () => fleet(nowhere), /127.0.0.1:1 does not answer: nothing listens there/],
    [
      'it hangs up',
      async () => fleet(await serve((_, response) => response.destroy())),
      /does not answer: it closed the connection/,
    ],
  ]
  test.each(cases)('%s', async (_title, prepare, sentence) => {
    const lonely = new HttpRegistry({ connect: await prepare(), token, scheme: 'http' })
    for (const [ask, what] of [
      [() => lonely.schema('s'), "schema 's'"],
      [() => lonely.stream('s'), "stream 's'"],
      [() => lonely.sensor('s'), "sensor 's'"],
      [() => lonely.storeSensor('s', {}), "a place for 's' among the sensors"],
      [() => lonely.attachment('m', 'a'), "attachment 'a' of model 'm'"],
      [() => lonely.storeSnapshot('m', Buffer.from('state')), "a snapshot of model 'm'"],
    ] as const) {
      await expect(ask()).rejects.toMatchObject({
        code: 'registry-unavailable',
        status: 400,
        message: expect.stringMatching(sentence),
      })
      await expect(ask()).rejects.toThrow(`${what} is needed from Model Manage, which cannot be asked: `)
    }
  })

  async function started(): Promise<RunningService> {
    const service = await startConnect(await testOptions({ token }))
    onTestFinished(() => service.stop())
    return service
  }
  async function startedWith(entries: readonly object[]): Promise<URL> {
    const service = await started()
    await configure(service, entries)
    return new URL(service.url)
  }

  test('the wrong token', async () => {
    const wrong = new HttpRegistry({ connect: new URL(connect.url), token: 'guess', scheme: 'http' })
    await expect(wrong.schema('plain')).rejects.toThrow(/Connect at .* says: the token is not the one/)
  })

  test('a server that fails is not the same as a schema that is not there', async () => {
    const failing = await serve((_, response) => void response.writeHead(503).end('the database cannot be reached'))
    const trying = new HttpRegistry({ connect: await fleet(failing), scheme: 'http' })
    await expect(trying.schema('s')).rejects.toThrow(/it answers with status 503: the database cannot be reached/)
  })

  test('an attachment that breaks off', async () => {
    const breaking = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('some bytes', () => response.destroy())
    })
    const trying = new HttpRegistry({ connect: await fleet(breaking), scheme: 'http' })
    const { chunks } = await trying.attachment('m', 'a')
    await expect(Array.fromAsync(chunks)).rejects.toThrow(/the answer broke off/)
  })

  test('it is found again when it has moved', async () => {
    let target = await serve((_, response) => void response.writeHead(200).end('"first"'))
    const asked = await serve((_, response) =>
      response.end(JSON.stringify([{ ...address(target), name: 'mm', health: 'ok' }])),
    )
    const moving = new HttpRegistry({ connect: asked, scheme: 'http' })
    expect(await moving.schema('s')).toBe('first')
    target = nowhere
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await expect(moving.schema('s')).rejects.toThrow(/does not answer/)
    target = await serve((_, response) => void response.writeHead(200).end('"second"'))
    expect(await moving.schema('s')).toBe('second')
  })
})

test('a reader that is slow slows the sender down', async () => {
  let sent = 0
  const endless = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
      }
    }
    more()
  })
  const reading = new HttpRegistry({ connect: await fleet(endless), scheme: 'http' })
  const { chunks } = await reading.attachment('m', 'a')
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next()
  await new Promise((resolve) => setTimeout(resolve, 200))
  const before = sent
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(sent).toBe(before)
  await iterator.return?.()
})
