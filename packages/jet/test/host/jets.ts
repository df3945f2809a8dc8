// Jets of the test runner, started as the engine starts them, with everything they print and log.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { frameAt } from '@pitot/codec'
import { afterAll, afterEach } from 'vitest'
import {
  type Emissions,
  type Jet,
  type JetBatch,
  type JetOptions,
  SharedStateTable,
  startJet,
} from '../../src/index.ts'

export const runners = join(import.meta.dirname, 'runners')
export const base = mkdtempSync(join(tmpdir(), 'pitot-jets-'))
let sandboxes = 0
const started: Jet[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((jet) => jet.kill()))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

export interface Started {
  readonly jet: Jet
  readonly printed: string[]
  readonly logged: string[]
  readonly folder: string
}

export function optionsFor(how = '', more: Partial<JetOptions> = {}): JetOptions {
  return {
    runner: {
      name: 'test',
      command: process.execPath,
      arguments: [join(runners, 'runner.mjs'), how],
      environment: { RUNNER: 'yes' },
      readable: [runners],
      isolation: ['nothing at all'],
    },
    sandbox: String(++sandboxes),
    folder: mkdtempSync(join(base, 'jet-')),
    memory: 512 * 2 ** 20,
    timeout: 20,
    network: false,
    isolation: 'none',
    state: new SharedStateTable(),
    console: () => undefined,
    log: () => undefined,
    ...more,
  }
}

/** Starts a jet that is killed after the test. */
export async function start(how = '', more: Partial<JetOptions> = {}): Promise<Started> {
  const printed: string[] = []
  const logged: string[] = []
  const options = optionsFor(how, {
    console: (text) => printed.push(text),
    log: (level, message) => logged.push(`${level} ${message}`),
    ...more,
  })
  const jet = await startJet(options)
  started.push(jet)
  return { jet, printed, logged, folder: options.folder }
}

/** An engine in a process of its own, with a jet that has started processes (see engine.ts). */
export async function startEngine(isolation: 'none' | 'auto', seconds: string, path = process.env.PATH) {
  const folder = mkdtempSync(join(base, 'jet-'))
  const script = join(import.meta.dirname, 'engine.ts')
  const engine = spawn(process.execPath, ['--conditions=pitot-source', script, isolation, folder, runners, seconds], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, PATH: path },
  })
  const [line] = (await once(engine.stdout, 'data')) as [Buffer]
  return { engine, ...(JSON.parse(line.toString()) as { pid: number; isolation: string[]; logged: string[] }) }
}

export function batchOf(...texts: string[]): JetBatch {
  const pieces = texts.map((text) => Buffer.from(text))
  const bounds: number[] = []
  let at = 0
  for (const piece of pieces) {
    bounds.push(at, at + piece.length)
    at += piece.length + 1
  }
  const bytes = new Uint8Array(Buffer.from(texts.join('\n')))
  return { slot: 0, frames: { bytes, bounds, position: 0 }, first: 1, isRecordset: false }
}

export function textsOf({ outputs }: Emissions): string[] {
  return outputs.flatMap(({ frames }) =>
    Array.from({ length: frames.bounds.length / 2 }, (_, index) => Buffer.from(frameAt(frames, index)).toString()),
  )
}

/** What the jet says to one frame. */
export async function say(jet: Jet, text: string): Promise<string> {
  return textsOf(await jet.score(batchOf(text))).join()
}

/** Processes that are alive and whose command line has this text in it. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}

export async function until(isSo: () => boolean, seconds = 10): Promise<boolean> {
  for (let tries = 0; tries < seconds * 50; tries++) {
    if (isSo()) return true
    await sleep(20)
  }
  return isSo()
}
