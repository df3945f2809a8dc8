// Servers that tests need: an address from the environment, else an installed one, else an installation, else a reason.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
}

/** A server that runs for one suite, or one that was there before. */
export interface TestServer extends ServerAddress {
  /** Makes an empty database of its own for a suite. */
  createDatabase(name: string): Promise<void>
  /** Ends the server and leaves its data; only for servers that were started here. */
  pause(): Promise<void>
  /** Starts it again on the same port. */
  resume(): Promise<void>
  /** Ends the server and removes everything it wrote. */
  stop(): Promise<void>
}

/** Either the means to start a server, or the reason why there are none. */
export type Found = { readonly start: () => Promise<TestServer> } | { readonly missing: string }

/** The path of an executable: on the PATH, or in one of the folders where packages put it. */
export function findExecutable(name: string, folders: readonly string[] = []): string | undefined {
  const candidates = [...(process.env.PATH ?? '').split(delimiter), ...folders]
  return candidates.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Installs Debian packages where that is possible; the reason where it is not. */
export function install(packages: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'not installed, and only root can install it'
  if (!existsSync('/etc/debian_version')) return 'not installed, and this is no Debian'
  // RUNLEVEL=1 keeps packages from starting servers of their own; the lock lets several suites ask at once.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const aptGet = (...args: string[]) =>
    execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-q', ...args], { env, stdio: 'pipe', timeout: 900_000 })
  const attempt = () => aptGet('install', '-y', '--no-install-recommends', ...packages)
  try {
    try {
      attempt()
    } catch {
      aptGet('update')
      attempt()
    }
    return undefined
  } catch (error) {
    return `not installed, and installing it failed: ${(error as Error).message.split('\n')[0]}`
  }
}

export function glob(folder: string, tail: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((entry) => join(folder, entry, tail)) : []
}

/** Servers refuse to run as root: the ids of the first of these users that exists, when this is root. */
export function unprivileged(...users: string[]): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const user of [...users, 'nobody']) {
    const entry = lines.find(([name]) => name === user)
    if (entry !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  return undefined
}

export function temporaryFolder(owner: { uid: number; gid: number } | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-server-'))
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  return folder
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A server process: started, waited for, ended. */
export class ServerProcess {
  readonly #command: string
  readonly #args: readonly string[]
  readonly #options: { uid?: number; gid?: number; cwd: string }
  readonly #isReady: () => Promise<unknown>
  #child: ChildProcess | undefined
  #output = ''

  constructor(
    command: string,
    args: readonly string[],
    options: { uid?: number; gid?: number; cwd: string },
    isReady: () => Promise<unknown>,
  ) {
    this.#command = command
    this.#args = args
    this.#options = options
    this.#isReady = isReady
  }

  async start(): Promise<void> {
    const child = spawn(this.#command, this.#args, { ...this.#options, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    running.add(child)
    child.once('exit', () => running.delete(child))
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.#output = (this.#output + text.toString()).slice(-4000)
      })
    }
    const deadline = Date.now() + 60_000
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${this.#command} ended at start:\n${this.#output}`)
      try {
        await this.#isReady()
        return
      } catch (error) {
        if (Date.now() > deadline) throw new Error(`${this.#command} is not ready: ${String(error)}\n${this.#output}`)
        await sleep(50)
      }
    }
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  remove(): void {
    rmSync(this.#options.cwd, { recursive: true, force: true })
  }
}

/** A server that somebody else runs: databases are made and removed in it, and it is never stopped. */
export function givenServer(
  url: URL,
  usualPort: number,
  run: (address: ServerAddress, sql: string) => Promise<void>,
  sql: { readonly create: (name: string) => string; readonly drop: (name: string) => string },
): TestServer {
  const address: ServerAddress = {
    host: url.hostname,
    port: Number(url.port || usualPort),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
  const made: string[] = []
  return {
    ...address,
    async createDatabase(name) {
      made.push(name)
      await run(address, sql.drop(name))
      await run(address, sql.create(name))
    },
    pause: () => Promise.reject(new Error('a server given by its address is not ours to stop')),
    resume: () => Promise.resolve(),
    async stop() {
      for (const name of made) await run(address, sql.drop(name))
    },
  }
}
