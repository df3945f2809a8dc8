// The built `pitot` command as a child process: arguments come in, a process that is ready and its URLs go out.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))

export interface PitotProcess {
  readonly pid: number
  /** By service name, from the READY table. */
  readonly urls: Readonly<Record<string, string>>
  /** Resident memory in bytes, as the system counts it. */
  residentMemory(): number
  output(): string
  /** Sends the signal and waits for the end; the exit code, null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface NodeSettings {
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts `pitot <args>` and waits for READY. Environment variables of the caller that configure Pitot are not passed on. */
export async function startPitot(
  args: readonly string[],
  { nodeArgs = [], environment = {} }: NodeSettings = {},
): Promise<PitotProcess> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PITOT_')))
  const child = spawn(process.execPath, [...nodeArgs, command, ...args], {
    env: { ...env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const see = (text: Buffer) => {
      output += text.toString()
      if (/^READY.*Try: /ms.test(output)) resolve()
    }
    child.stdout.on('data', see)
    child.stderr.on('data', see)
    child.once('exit', (code) => reject(new Error(`pitot ${args.join(' ')} ended with ${code}:\n${output}`)))
  })
  await ready
  const rows = [...output.matchAll(/^(\S+) +(https?:\/\/\S+)/gm)]
  const urls: Record<string, string> = {}
  for (const [, name, url] of rows) urls[name! in urls ? `${name}-${Object.keys(urls).length}` : name!] = url!
  return {
    pid: child.pid!,
    urls,
    output: () => output,
    residentMemory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1024
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const ended = once(child, 'exit') as Promise<[number | null]>
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
