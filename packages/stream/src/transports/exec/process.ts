// One process of our own: started without a shell, in a group of its own, its complaints in the log.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StreamContext, StreamFailure } from '../../transport.ts'
import { allowedExecutable } from './allowed.ts'
import type { ExecOptions } from './options.ts'

/** Passwords and tokens of the engine stay with it. */
const ENVIRONMENT = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
/** Between the request to end and the end. */
const GRACE = 2000
const LONGEST_LINE = 2000
const LAST_LINES = 3

export class ExecProcess {
  readonly child: ChildProcess
  readonly #name: string
  readonly #lastLines: string[] = []
  readonly #exited: Promise<void>
  /** Both the process and its pipes have ended, or a process it left behind keeps the pipes. */
  readonly #logged: Promise<unknown>

  private constructor(child: ChildProcess, name: string, context: StreamContext, logStdout: boolean) {
    this.child = child
    this.#name = name
    this.#exited = once(child, 'exit').then(
      () => undefined,
      () => undefined,
    )
    const log = (output: Readable, level: 'info' | 'warn') => {
      const lines = new Lines((line) => this.#note(line, level, context))
      output
        .setEncoding('utf8')
        .on('data', (text) => lines.add(text))
        .on('end', () => lines.end())
    }
    log(child.stderr!, 'warn')
    this.#logged = once(child.stderr!, 'close').catch(() => undefined)
    if (logStdout) log(child.stdout!, 'info')
  }

  /** `direction`: an input is read from its standard output; an output is written to its standard input. */
  static async start(
    { Run, Args }: ExecOptions,
    direction: 'input' | 'output',
    context: StreamContext,
  ): Promise<ExecProcess> {
    const path = allowedExecutable(Run, context.allowExec)
    const env = Object.fromEntries(
      ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    )
    const child = spawn(path, Args, {
      shell: false,
      detached: true,
      env,
      stdio: [direction === 'input' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    try {
      await once(child, 'spawn')
    } catch (error) {
      throw new StreamFailure(`cannot start ${Run}: ${(error as Error).message}`, { cause: error })
    }
    child.on('error', () => undefined)
    return new ExecProcess(child, Run, context, direction === 'output')
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Resolves when the process has ended; rejects when it did not end well. */
  async ended(): Promise<void> {
    await this.#exited
    // Its last words may be on their way still.
    await Promise.race([this.#logged, sleep(200, undefined, { ref: false })])
    const { exitCode, signalCode } = this.child
    if (exitCode === 0) return
    const how = signalCode === null ? `with exit code ${exitCode}` : `by signal ${signalCode}`
    const words = this.#lastLines.length === 0 ? '' : `; its last words: ${this.#lastLines.join(' | ')}`
    throw new StreamFailure(`${this.#name} ended ${how}${words}`)
  }

  /** Ends the process and all it has started: first it is asked to. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM')
    const graceIsOver = new AbortController()
    await Promise.race([this.#exited, sleep(GRACE, undefined, { signal: graceIsOver.signal }).catch(() => undefined)])
    graceIsOver.abort()
    this.#signal('SIGKILL')
    await this.#exited
    for (const pipe of [this.child.stdin, this.child.stdout, this.child.stderr]) pipe?.destroy()
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      process.kill(-this.child.pid!, signal)
    } catch {
      // Nobody is left in the group.
    }
  }

  #note(line: string, level: 'info' | 'warn', context: StreamContext): void {
    context.log(level, `${this.#name}: ${line}`)
    if (level !== 'warn' || line === '') return
    this.#lastLines.push(line)
    if (this.#lastLines.length > LAST_LINES) this.#lastLines.shift()
  }
}

/** Text in pieces comes in, lines go out; a line without an end is cut, so that it cannot fill the memory. */
class Lines {
  readonly #tell: (line: string) => void
  #rest = ''

  constructor(tell: (line: string) => void) {
    this.#tell = tell
  }

  add(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#tell(shortened(line))
    if (this.#rest.length <= LONGEST_LINE) return
    this.#tell(shortened(this.#rest))
    this.#rest = ''
  }

  end(): void {
    if (this.#rest !== '') this.#tell(shortened(this.#rest))
    this.#rest = ''
  }
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
}
