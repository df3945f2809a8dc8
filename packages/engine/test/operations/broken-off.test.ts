// Requests that break off in the middle: nothing of them is used, nothing of them is left.
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/http.ts'
import { testOptions } from '../../../../test/service-options.ts'
import { startEngine } from '../../src/index.ts'

let engine: Awaited<ReturnType<typeof startEngine>>
let data: string
beforeAll(async () => {
  const options = await testOptions()
  data = options.data
  engine = await startEngine({
    ...options,
    resume: false,
    allowExec: [],
    stateMemory: 256 * 2 ** 20,
    jets: { memory: 2 ** 30, timeout: 30, network: false, isolation: 'auto' },
  })
})
afterAll(() => engine?.stop())

/** Announces more than it sends, then hangs up. */
async function breakOff(request: string, headers: string, part: string): Promise<void> {
  const socket = connect(engine.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n${headers}\r\n\r\n${part}`)
  await new Promise((resolve) => setTimeout(resolve, 200))
  socket.destroy()
}

/** What was kept of models, in the engine's folder. */
const kept = () => readdirSync(`${data}/models`)

const python = 'Content-Type: application/vnd.pitot.model-python3'
const parts: [title: string, headers: string, part: string][] = [
  ['the source', python, 'def action(x):\n    yield x\n'],
  [
    'an attachment',
    'Content-Type: multipart/mixed; boundary=b',
    '--b\r\nContent-Disposition: attachment; filename="a.zip"\r\nContent-Type: application/zip\r\n\r\nPK',
  ],
]
test.each(parts)('a model that breaks off in %s', async (_title, headers, part) => {
  await breakOff('PUT /1/job/model', headers, part)
  await expect.poll(kept).toEqual([])
  const status = await call(engine.url, '/1/job/status?return=model')
  expect(JSON.parse(status.text)).toEqual({ model: null })
})

test('a descriptor that breaks off', async () => {
  await breakOff('PUT /1/job/stream/in', 'Content-Type: application/json', '{"Transport": "REST"}')
  const status = await call(engine.url, '/1/job/status?return=input')
  expect(JSON.parse(status.text)).toEqual({ input: null })
})

test('records that break off are not scored, and those of others are', async () => {
  const rest = JSON.stringify({ Transport: 'REST', Envelope: 'delimited', Encoding: 'json' })
  const put = (path: string, body: string, headers = {}) => call(engine.url, path, { method: 'PUT', body, headers })
  await put('/1/job/stream/in', rest)
  await put('/1/job/stream/out', rest)
  const model = await put('/1/job/model', '{"input":"int","output":"int","action":"input"}', {
    'content-type': 'application/vnd.pitot.model-pfa+json',
  })
  expect(model.status).toBe(204)
  const breaking = breakOff('POST /1/job/input', 'Content-Type: application/octet-stream', '1\n2\n')
  // Sent while the other one is still under way.
  await call(engine.url, '/1/job/input', { method: 'POST', body: '7\n' })
  await breaking
  await call(engine.url, '/1/job/input', { method: 'POST', body: '8\n{"$pitot":"pig"}\n' })
  let text = ''
  while (!text.includes('pig')) text += (await call(engine.url, '/1/job/output')).text
  expect(text).toBe('7\n8\n{"$pitot":"pig"}\n')
})
