// An Avro container file behind HTTP.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import avro from 'avsc'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { debugOut, type Fleet, startFleet } from './fleet.ts'

const marker = Buffer.from('PU8Rvg6gYfSggTqU8LiOQA==', 'base64')

async function containerFile(values: readonly number[]): Promise<Buffer> {
  const encoder = new avro.streams.BlockEncoder(avro.Type.forSchema('long'), { syncMarker: marker, blockSize: 16 })
  const chunks: Buffer[] = []
  const done = new Promise<void>((resolve) => {
    encoder.on('data', (chunk: Buffer) => chunks.push(chunk))
    encoder.on('end', () => resolve())
  })
  for (const value of values) encoder.write(value)
  encoder.end()
  await done
  return Buffer.concat(chunks)
}

let fleet: Fleet
let server: Server
const values = Array.from({ length: 500 }, (_, n) => n * 1000)
beforeAll(async () => {
  fleet = await startFleet()
  const content = await containerFile(values)
  server = createServer((_request, response) => response.end(content)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
afterAll(async () => {
  await fleet?.stop()
  server?.close()
})

const plusOne = JSON.stringify({ input: 'long', output: 'long', action: { '+': ['input', 1] } })
const input = (SyncMarker: string) => ({
  Transport: { Type: 'HTTP', Url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.avro` },
  Envelope: { Type: 'ocf-block', SyncMarker },
  Encoding: 'avro-binary',
  Schema: 'long',
})

test('every record of every block is scored', async () => {
  const { engine } = fleet
  await engine.model('pfa-json', plusOne)
  await engine.output(debugOut)
  await engine.input(input(marker.toString('base64')))
  const status = await engine.finished()
  expect(status.input?.total_records).toBe(500)
  expect((await engine.debugOutput()).map(Number)).toEqual(values.map((value) => value + 1))
})

test('a wrong marker fails cleanly', async () => {
  const { engine } = fleet
  await engine.model('pfa-json', plusOne)
  await engine.output(debugOut)
  const other = Buffer.alloc(16, 7).toString('base64')
  const answer = await engine.send('PUT /1/job/stream/in', input(other))
  if (answer.status !== 204) expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/marker/i)])
  else {
    const { state, reason } = await engine.until(({ state }) => state !== 'running' && state !== 'finishing', 'the end')
    const rejected = await engine.json('GET /1/job/rejected')
    expect(`${state} ${reason} ${JSON.stringify(rejected)}`).toMatch(/marker/i)
  }
  expect(await engine.debugOutput()).toEqual([])
})
