// Small GETs of Model Manage against a bare fastify handler doing the same read, and the time until `pitot up` is ready.
// Prints ratios; both servers are measured in turns in the same run. Run it after `npm run build`.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answersPerSecond } from './load.ts'

// Many short rounds in turns: what else the machine does hits both alike.
const rounds = 21
const roundTime = 500
const descriptor = JSON.stringify({
  Transport: { Type: 'file', Path: 'records.jsons' },
  Envelope: 'delimited',
  Encoding: 'json',
})
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'pitot-bench-'))
const children: ChildProcess[] = []

/** Starts a program and gives the first URL it prints, and the milliseconds that took. */
function start(...args: string[]): Promise<{ url: URL; ready: number; stop: () => void }> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      const url = /READY.*?(http:\/\/\S+)/s.exec(output)?.[1]
      if (url !== undefined) resolve({ url: new URL(url), ready: performance.now() - began, stop: () => child.kill() })
    })
  })
}

try {
  const pitot = here('../../packages/cli/dist/main.js')
  const readyTimes: number[] = []
  for (let round = 0; round < 5; round++) {
    const all = ['--gateway-port', '0', '--connect-port', '0', '--model-manage-port', '0', '--engine-port', '0']
    const { ready, stop } = await start(pitot, 'up', '--data', join(data, 'up'), '--log-level', 'error', ...all)
    readyTimes.push(ready)
    stop()
  }
  console.log(`pitot up is ready after ${Math.round(median(readyTimes))} ms (median of ${readyTimes.length} starts)`)

  const service = await start(pitot, 'model-manage', '--data', data, '--model-manage-port', '0', '--log-level', 'error')
  const path = '/1/stream/descriptor'
  await fetch(new URL(path, service.url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: descriptor,
  })
  const bare = await start(here('bare.ts'), join(data, 'model-manage', 'assets.sqlite'))
  const targets = { pitot: new URL(path, service.url), bare: new URL(path, bare.url) }
  for (const url of Object.values(targets)) await answersPerSecond(url, 3000)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const one = await answersPerSecond(targets.pitot, roundTime)
    const other = await answersPerSecond(targets.bare, roundTime)
    ratios.push(one / other)
    console.log(
      `round ${round + 1}: Model Manage ${Math.round(one)}/s, bare fastify ${Math.round(other)}/s, ratio ${(one / other).toFixed(2)}`,
    )
  }
  console.log(
    `GET of a stream descriptor, Model Manage to bare fastify: ${median(ratios).toFixed(2)} (median of ${rounds} rounds)`,
  )
} finally {
  for (const child of children) child.kill()
  rmSync(data, { recursive: true, force: true })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
