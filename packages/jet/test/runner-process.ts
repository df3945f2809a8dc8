// A runner as a bare process, without the host that looks after jets: messages go in, messages come out, one by one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { Assembler, decodeJetMessage, encodeHostMessage, type HostMessage, type JetMessage } from '../src/index.ts'

export interface RunnerCommand {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export class RunnerProcess {
  readonly pid: number
  readonly ended: Promise<{ readonly status: number | null; readonly signal: string | null }>
  /** What the model printed, so far. */
  console = ''
  readonly #child: ChildProcess
  readonly #toRunner: Writable
  readonly #arrived: JetMessage[] = []
  #wake: (() => void) | undefined
  #isOver = false

  constructor(runner: RunnerCommand, folder: string) {
    this.#child = spawn(
      runner.command,
      runner.arguments.map((argument) => argument.replaceAll('{folder}', folder).replaceAll('{megabytes}', '512')),
      {
        cwd: folder,
        env: { PATH: process.env.PATH, ...runner.environment },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      },
    )
    this.pid = this.#child.pid ?? -1
    this.#toRunner = this.#child.stdio[3] as Writable
    // The process may be gone before it has read everything.
    this.#toRunner.on('error', () => {})
    const assembler = new Assembler((kind, body) => {
      this.#arrived.push(decodeJetMessage(kind, body))
      this.#wake?.()
    })
    const fromRunner = this.#child.stdio[4] as Readable
    fromRunner.on('data', (piece: Buffer) => assembler.push(new Uint8Array(piece)))
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf-8').on('data', (text: string) => {
        this.console += text
      })
    }
    // What the runner has started may hold on to its descriptors until nothing can come any more.
    this.#child.once('exit', () => this.#toRunner.destroy())
    this.ended = once(this.#child, 'close').then(([status, signal]) => {
      this.#isOver = true
      this.#wake?.()
      return { status, signal }
    })
  }

  send(message: HostMessage): void {
    for (const piece of encodeHostMessage(message)) this.#toRunner.write(piece)
  }

  sendBytes(bytes: Uint8Array): void {
    this.#toRunner.write(bytes)
  }

  /** The end of what the host says. */
  hangUp(): void {
    this.#toRunner.end()
  }

  /** The next message; undefined when the process has ended and there is none. */
  async receive(): Promise<JetMessage | undefined> {
    while (this.#arrived.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#arrived.shift()
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }
}
