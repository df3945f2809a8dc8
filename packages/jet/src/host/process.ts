// The process of a jet, from its start to the end of everything it started: options come in, two pipes for messages go out.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { JetConsole } from './console.ts'
import { environmentOf } from './environment.ts'
import { Family } from './family.ts'
import { guard } from './guardian.ts'
import type { Launch } from './isolation.ts'
import { markOf } from './mark.ts'
import type { JetOptions } from './options.ts'

/** Milliseconds that the last output of a process that has ended may take to arrive. */
const LAST_OUTPUT = 250

export interface Ending {
  readonly kind: 'exit' | 'signal'
  /** `ended with status 3`, `was ended by SIGSEGV`. */
  readonly words: string
}

export class JetProcess {
  /** Number of the first process, and of its group. */
  readonly group: number
  readonly family: Family
  readonly console: JetConsole
  /** Messages to the jet. */
  readonly input: Writable
  /** Messages from the jet. */
  readonly output: Readable
  /** Resolves when the first process has ended and what it wrote last has been read. */
  readonly ended: Promise<Ending>
  /** Whether the first process has ended: `ended` resolves a little later. */
  hasExited = false
  #guarded: ReadonlySet<number> = new Set()

  /** Rejects when there is no process to begin with, as when its folder is not there. */
  static async start(options: JetOptions, launch: Launch): Promise<JetProcess> {
    const child = spawn(launch.command, launch.arguments, {
      cwd: options.folder,
      env: environmentOf(options),
      // A group of its own, to be killed as one.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    return new JetProcess(child, options, launch)
  }

  private constructor(child: ChildProcess, options: JetOptions, launch: Launch) {
    this.group = child.pid!
    // In a namespace nobody can hide.
    this.family = new Family(this.group, launch.isNamespace ? undefined : markOf(options.sandbox))
    this.#guard(this.family.groups)
    this.console = new JetConsole(child.stdout!, child.stderr!, options.console)
    this.input = child.stdio[3] as Writable
    this.output = child.stdio[4] as Readable
    this.ended = new Promise<Ending>((resolve) => {
      child.once('exit', (code, signal) => {
        this.hasExited = true
        // Others that are left would keep the pipes open.
        this.family.rootEnded()
        resolve(endingOf(code, signal, launch.isNamespace))
      })
    }).then(async (ending) => {
      await Promise.all([this.console.finish(LAST_OUTPUT), endOf(this.output, LAST_OUTPUT)])
      return ending
    })
  }

  /** Looks for processes that the jet has started since the last time. */
  look(): void {
    this.family.refresh()
    this.#guard(this.family.groups)
  }

  /** Ends all its processes at once. Idempotent; nothing happens once the first of them has ended, for then it has been done. */
  kill(): void {
    if (!this.hasExited) this.family.kill()
  }

  /** Once the first process has ended: resolves when there is no process of the jet left. */
  async extinguish(): Promise<void> {
    await this.family.extinguish()
    this.#guard(new Set())
  }

  #guard(groups: ReadonlySet<number>): void {
    guard(this.#guarded, groups)
    this.#guarded = groups
  }
}

function endingOf(code: number | null, signal: string | null, isNamespace: boolean): Ending {
  // Bubblewrap tells the signal that ended the program as a shell does.
  const name = signal ?? (isNamespace && code !== null && code > 128 ? signalName(code - 128) : undefined)
  if (name !== undefined) return { kind: 'signal', words: `was ended by ${name}` }
  return { kind: 'exit', words: `ended with status ${code}` }
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}

function endOf(stream: Readable, patience: number): Promise<void> {
  if (stream.closed || stream.readableEnded) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, patience)
    function done() {
      clearTimeout(timer)
      stream.off('end', done).off('close', done)
      resolve()
    }
    stream.once('end', done).once('close', done)
  })
}
