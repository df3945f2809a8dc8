// An engine that is killed leaves nobody behind: neither its jets, nor what their models have started.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPitot } from './pitot-process.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'pitot-killed-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Starts a process in a session of its own, one in the same group, and hangs on the first record. */
const model = `
import os, subprocess, time
def begin():
    subprocess.Popen(["sleep", "977"], start_new_session=True)
    subprocess.Popen(["sleep", "977"])
def action(x):
    while True: time.sleep(1)
`

/** Processes that were started below an engine: every one carries the mark of jets, or the name of its model's child. */
function left(): string[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const environment = readFileSync(`/proc/${entry}/environ`, 'utf8')
      const isOurs = command.includes(data) || command === 'sleep 977 ' || environment.includes(data)
      return isOurs ? [`${entry}: ${command}`] : []
    } catch {
      return []
    }
  })
}

test.each(['auto', 'none'])('with isolation %s', { timeout: 60_000 }, async (isolation) => {
  const engine = await startPitot([
    ...['engine', '--data', data, '--engine-port', '0', '--log-level', 'error', '--jet-isolation', isolation],
  ])
  const put = async (path: string, type: string, body: string) => {
    const reply = await fetch(new URL(path, engine.urls.engine), {
      method: 'PUT',
      headers: { 'content-type': type },
      body,
    })
    expect([reply.status, await reply.text()]).toEqual([204, ''])
  }
  const stream = (transport: unknown) => JSON.stringify({ Transport: transport, Encoding: 'json' })
  await fetch(new URL('/1/job/scale?n=3', engine.urls.engine), { method: 'POST' })
  await put('/1/job/stream/out', 'application/json', stream('discard'))
  await put('/1/job/stream/in', 'application/json', stream({ Type: 'debug', Data: ['1', '2', '3'] }))
  await put('/1/job/model', 'application/vnd.pitot.model-python3', model)
  await vi.waitFor(() => expect(left().length).toBeGreaterThanOrEqual(9), { timeout: 20_000 })
  await engine.end('SIGKILL')
  await sleep(2000)
  expect(left()).toEqual([])
})
