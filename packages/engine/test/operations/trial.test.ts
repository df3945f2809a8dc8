// Trials over HTTP: beside a job that runs, one at a time, and gone when nobody waits for them any more.
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/http.ts'
import { engineSettings, testOptions } from '../../../../test/service-options.ts'
import { startEngine } from '../../src/index.ts'
import { leftOf } from '../trial/trying.ts'

let engine: Awaited<ReturnType<typeof startEngine>>
let data: string
beforeAll(async () => {
  const options = await testOptions()
  data = options.data
  engine = await startEngine({ ...options, ...engineSettings })
})
afterEach(() => call(engine.url, '/1/job', { method: 'DELETE' }))
afterAll(() => engine?.stop())

const input = { Transport: { Type: 'debug', Data: ['1', '2', '3'] }, Encoding: 'json' }
const hanging = JSON.stringify({ input, type: 'python3', model: 'import time\ndef action(x):\n    time.sleep(1000)\n' })
const working = JSON.stringify({ input, type: 'javascript', model: 'export const action = (x) => [x, x]\n' })
const put = (path: string, body: object, headers = {}) =>
  call(engine.url, path, { method: 'PUT', body: JSON.stringify(body), headers })
const tried = (body: string) => call(engine.url, '/1/job/debug', { method: 'POST', body })

/** Sends a trial; what comes back is what hangs up. */
function sent(url: string, body: string): () => void {
  const { hostname, port } = new URL(url)
  const outgoing = request({ host: hostname, port, path: '/1/job/debug', method: 'POST' })
  outgoing.on('error', () => undefined)
  outgoing.end(body)
  return () => outgoing.destroy()
}

const processes = () => leftOf(data).processes.length

test('a job that runs scores on, with the jets and the figures it had', async () => {
  const lines = { Transport: 'REST', Envelope: 'delimited', Encoding: 'json' }
  await put('/1/job/stream/in', lines)
  await put('/1/job/stream/out', lines)
  const pfa = { 'content-type': 'application/vnd.pitot.model-pfa+json' }
  await put('/1/job/model', { input: 'int', output: 'int', action: { '*': ['input', 10] } }, pfa)
  const before = JSON.parse((await call(engine.url, '/1/job/status')).text)
  let isOver = false
  const trial = tried(working).finally(() => {
    isOver = true
  })
  let scores = 0
  while (!isOver) {
    const { text } = await call(engine.url, '/1/job/score', { method: 'POST', body: String(++scores) })
    expect(text.trim()).toBe(String(scores * 10))
  }
  expect((await trial).text).toMatch(/^The model works: 3 of 3 records/m)
  expect(scores).toBeGreaterThan(1)
  const after = JSON.parse((await call(engine.url, '/1/job/status')).text)
  expect(after.jets.map(({ pid }: { pid: number }) => pid)).toEqual(before.jets.map(({ pid }: { pid: number }) => pid))
  expect(after).toMatchObject({ state: 'running', model: before.model, slots: before.slots.map(() => ({})) })
  expect(JSON.parse((await call(engine.url, '/1/debug/output')).text)).toEqual([])
  expect(JSON.parse((await call(engine.url, '/1/job/rejected')).text)).toEqual([])
})

test('there is one at a time, and it ends when its caller hangs up', async () => {
  const hangUp = sent(engine.url, hanging)
  await expect.poll(processes, { timeout: 20_000 }).toBeGreaterThan(0)
  const refused = await tried(working)
  expect([refused.status, refused.text, refused.headers['retry-after']]).toEqual([
    503,
    'another model is being tried on this engine; try again in a moment',
    '5',
  ])
  hangUp()
  await expect.poll(() => leftOf(data), { timeout: 10_000 }).toEqual({ files: [], processes: [] })
  await expect.poll(async () => (await tried(working)).status, { timeout: 10_000 }).toBe(200)
  expect(leftOf(data)).toEqual({ files: [], processes: [] })
})

test("a body that breaks off leaves nothing, and is in nobody's way", async () => {
  const { hostname, port } = new URL(engine.url)
  const headers = { 'content-length': '5000' }
  const outgoing = request({ host: hostname, port, path: '/1/job/debug', method: 'POST', headers })
  outgoing.on('error', () => undefined)
  outgoing.write('{"input":')
  await new Promise((resolve) => setTimeout(resolve, 200))
  outgoing.destroy()
  await expect.poll(async () => (await tried(working)).status, { timeout: 10_000 }).toBe(200)
})

test('an engine that stops does not wait for it', async () => {
  const options = await testOptions()
  const stopping = await startEngine({ ...options, ...engineSettings })
  sent(stopping.url, hanging)
  await expect.poll(() => leftOf(options.data).processes.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await stopping.stop()
  expect(leftOf(options.data)).toEqual({ files: [], processes: [] })
})
