// Files in and out.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../service-options.ts'
import { debugOut, type Fleet, squarePfa, startFleet } from './fleet.ts'

let fleet: Fleet
const folder = temporaryFolder()
beforeAll(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.engine.ok('DELETE /1/job'))
afterAll(() => fleet?.stop())

const path = (name: string) => `${folder}/${name}`
const file = (name: string, more: object = {}) => ({
  Transport: { Type: 'file', Path: path(name) },
  Encoding: 'json',
  ...more,
})

test('read once: every line is scored, and records and bytes are told', async () => {
  const { engine } = fleet
  const numbers = Array.from({ length: 10_000 }, (_, n) => n % 1000)
  writeFileSync(path('numbers.json'), `${numbers.join('\n')}\n`)
  await engine.model('pfa-json', squarePfa)
  await engine.output(file('squares.json'))
  await engine.input(file('numbers.json', { Loop: false, Schema: 'int' }))
  const status = await engine.finished()
  expect(status.input).toMatchObject({ total_records: 10_000, eof: true })
  expect(status.output).toMatchObject({ total_records: 10_000 })
  expect(readFileSync(path('squares.json'), 'utf8')).toBe(`${numbers.map((n) => n * n).join('\n')}\n`)
  // Bytes are those of the records, or of the file with its separators.
  const { size } = statSync(path('numbers.json'))
  expect(status.input!.total_bytes).toBeGreaterThanOrEqual(size - 10_000)
  expect(status.input!.total_bytes).toBeLessThanOrEqual(size)
})

test('read in a loop unless told otherwise, until the job is deleted', async () => {
  const { engine } = fleet
  writeFileSync(path('three.json'), '1\n2\n3\n')
  await engine.model('pfa-json', squarePfa)
  await engine.output({ Transport: 'discard' })
  await engine.input(file('three.json'))
  const status = await engine.until(({ input }) => (input?.total_records ?? 0) > 100, 'a hundred records')
  expect(status).toMatchObject({ state: 'running', input: { eof: false } })
  await engine.ok('DELETE /1/job')
  expect(await engine.status()).toMatchObject({ state: 'init', input: null, output: null, model: null, jets: [] })
})

test('lines that end with carriage return and line feed', async () => {
  const { engine } = fleet
  writeFileSync(path('windows.json'), '1\r\n2\r\n3')
  await engine.model('pfa-json', squarePfa)
  const Envelope = { Type: 'delimited', Separator: '\r\n' }
  await engine.output(file('windows-out.json', { Envelope }))
  await engine.input(file('windows.json', { Loop: false, Envelope }))
  await engine.finished()
  expect(readFileSync(path('windows-out.json'), 'utf8')).toBe('1\r\n4\r\n9\r\n')
})

test('the end marker ends the stream, and does not where there is none', async () => {
  const { engine } = fleet
  writeFileSync(path('marked.txt'), 'a\n$end-of-stream\nb\n')
  const identity = JSON.stringify({ input: 'string', output: 'string', action: 'input' })
  const read = async (more: object) => {
    await engine.model('pfa-json', identity)
    await engine.output({ ...debugOut, Encoding: null })
    await engine.input(file('marked.txt', { Loop: false, Encoding: null, ...more }))
    await engine.finished()
    return engine.debugOutput()
  }
  expect(await read({})).toEqual(['a'])
  expect(await read({ EndMarker: null })).toEqual(['a', '$end-of-stream', 'b'])
})

test('a file that is not there is an error of the request', async () => {
  expect(await fleet.engine.says('PUT /1/job/stream/in', file('nowhere.json'))).toEqual([
    400,
    expect.stringMatching(/^the stream cannot be used: .*nowhere\.json/),
  ])
})
