// What the tests of the command stand on: the built command as a process, and folders for its data.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const command = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
}

/** Starts `program` with an environment that has nothing of Pitot but what is given. */
function started(program: string, args: readonly string[], env: Record<string, string> = {}, cwd?: string): Running {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  ended.catch(() => undefined)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { process: child, stdout: () => stdout, stderr: () => stderr, ended }
}

export function pitot(args: readonly string[], env: Record<string, string> = {}, cwd?: string): Running {
  return started(process.execPath, [command, ...args], env, cwd)
}

/** Runs a line as a person would who copies it. */
export function shell(line: string): Promise<Ended> {
  return started('sh', ['-c', line]).ended
}

export interface Row {
  readonly service: string
  readonly url: string
  readonly uses: string
}

export interface Ready extends Running {
  readonly rows: readonly Row[]
  /** The first command, as printed. */
  readonly line: string
  /** The address of a service, by the order in the table among those of its name. */
  url(service: string, index?: number): string
}

/** Starts a command and waits until it says READY. */
export async function ready(args: readonly string[], env: Record<string, string> = {}, cwd?: string): Promise<Ready> {
  const running = pitot(args, env, cwd)
  await until(() => running.stdout().includes('Try:  ') || running.process.exitCode !== null, 'READY', running.stderr)
  const text = running.stdout()
  if (!text.includes('READY')) throw new Error(`it ended before it was ready: ${running.stderr()}`)
  const table = text.slice(text.indexOf('SERVICE'), text.indexOf('Try:'))
  const rows = table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [service = '', url = '', uses = ''] = line.trim().split(/ {2,}/)
      return { service, url, uses }
    })
  const line = /Try: {2}(.*)/.exec(text)![1]!
  const url = (service: string, index = 0) => rows.filter((row) => row.service === service)[index]!.url
  return { ...running, rows, line, url }
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pitot-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A port that is taken until the test has finished. */
export async function takenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())))
  return (server.address() as { port: number }).port
}

export async function until(
  good: () => boolean | Promise<boolean>,
  what: string,
  details: () => string = () => '',
): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await good())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what} ${details()}`)
    await sleep(10)
  }
}

export const anyPorts = ['--gateway-port', '0', '--connect-port', '0', '--model-manage-port', '0', '--engine-port', '0']
