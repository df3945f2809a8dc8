// An engine that is started with --resume goes on where it was, whether it was stopped or killed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PitotProcess, startPitot } from './pitot-process.ts'

const count = 30_000
let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'pitot-resume-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

function start(): Promise<PitotProcess> {
  return startPitot(['engine', '--data', data, '--engine-port', '0', '--log-level', 'error', '--resume'])
}

async function call(engine: PitotProcess, request: string, body?: string, type = 'application/json'): Promise<string> {
  const [method, path] = request.split(' ') as [string, string]
  const reply = await fetch(new URL(path, engine.urls.engine), {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': type } }),
  })
  const text = await reply.text()
  expect(reply.status, text).toBeLessThan(300)
  return text
}

interface Status {
  readonly state: string
  readonly jets: readonly unknown[]
  readonly output: { readonly total_records: number } | null
}

async function status(engine: PitotProcess): Promise<Status> {
  return JSON.parse(await call(engine, 'GET /1/job/status')) as Status
}

/** Slow enough to be caught in the middle. */
const model = `
import time
def action(x):
    if x["number"] % 10 == 0: time.sleep(0.001)
    yield x["number"]
`

const inputs = {
  delimited: {
    stream: { Envelope: 'delimited', Encoding: 'json' },
    text: Array.from({ length: count }, (_, number) => `{"number":${number}}\n`).join(''),
  },
  csv: {
    stream: {
      Encoding: 'csv',
      Schema: { type: 'record', name: 'Row', fields: [{ name: 'number', type: 'int' }] },
    },
    text: `number\r\n${Array.from({ length: count }, (_, number) => `${number}\r\n`).join('')}`,
  },
}

test.each([
  ['SIGTERM', 'delimited'],
  ['SIGKILL', 'delimited'],
  ['SIGKILL', 'csv'],
] as const)('after %s, from a file in the form %s', { timeout: 120_000 }, async (signal, form) => {
  const [input, output] = [join(data, 'in'), join(data, 'out')]
  writeFileSync(input, inputs[form].text)
  let engine = await start()
  await call(engine, 'POST /1/job/scale?n=2')
  const out = { Transport: { Type: 'file', Path: output }, Envelope: 'delimited', Encoding: 'json' }
  await call(engine, 'PUT /1/job/stream/out', JSON.stringify(out))
  const given = { Transport: { Type: 'file', Path: input }, Loop: false, ...inputs[form].stream }
  await call(engine, 'PUT /1/job/stream/in', JSON.stringify(given))
  await call(engine, 'PUT /1/job/model', model, 'application/vnd.pitot.model-python3')
  for (let stop = 0; stop < 2; stop++) {
    await vi.waitFor(async () => expect((await status(engine)).output?.total_records).toBeGreaterThan(2000), {
      timeout: 30_000,
      interval: 20,
    })
    await engine.end(signal)
    engine = await start()
  }
  expect((await status(engine)).state).toMatch(/running|finish/i)
  await vi.waitFor(async () => expect((await status(engine)).state).toMatch(/finished/i), { timeout: 60_000 })
  await engine.end()

  const numbers = readFileSync(output, 'utf8').trimEnd().split('\n').map(Number)
  const expected = Array.from({ length: count }, (_, number) => number)
  // Killed between a write and the note of it, an engine writes some again: none is ever missing.
  expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(expected)
  if (signal === 'SIGTERM') expect(numbers.length).toBeLessThan(count + 10_000)
})
