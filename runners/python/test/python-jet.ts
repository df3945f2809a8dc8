// A Python model in a real interpreter, for tests: source and records go in, what came of them goes out.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer, Ask, HostMessage, JetMessage, JetReject, ModelSlot, Scored, SlotStream } from '@pitot/jet'
import { END_OF_SET, NO_FRAME } from '@pitot/jet'
import { onTestFinished } from 'vitest'
import { RunnerProcess } from '../../../packages/jet/test/runner-process.ts'

const MAIN = fileURLToPath(new URL('../main.py', import.meta.url))

export const JSON_STREAM: SlotStream = { encoding: 'json', options: {}, schema: null, room: 1 }

/** The usual slots, with what a test wants otherwise. */
export function slots(...changed: readonly Partial<ModelSlot>[]): ModelSlot[] {
  const usual: ModelSlot[] = [
    { slot: 0, recordsets: false, action: 'action' },
    { slot: 1, recordsets: false, action: null },
  ]
  const all = new Map(usual.map((slot) => [slot.slot, slot]))
  for (const change of changed) {
    const slot = change.slot ?? 0
    all.set(slot, { slot, recordsets: false, action: slot % 2 === 0 ? 'action' : null, ...all.get(slot), ...change })
  }
  return [...all.values()]
}

export interface PythonJetOptions {
  readonly python?: string
  readonly language?: string
  readonly slots?: readonly ModelSlot[]
  /** More files in the jet's folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Bytes. */
  readonly memory?: number
  readonly answer?: (ask: Ask) => Answer
}

export interface Outcome {
  /** Texts of the emissions; those of other slots than 1 begin with their number, the end of a set is `set`. */
  readonly texts: readonly string[]
  /** The frame that each emission came from, -1 for none. */
  readonly indexes: readonly number[]
  readonly rejects: readonly JetReject[]
  readonly scored: Scored
}

export class PythonJet {
  readonly process: RunnerProcess
  readonly folder: string
  readonly #options: PythonJetOptions
  #batches = 0
  readonly progress: number[] = []
  readonly asked: Ask[] = []

  constructor(source: string, options: PythonJetOptions = {}) {
    this.#options = options
    this.folder = mkdtempSync(join(tmpdir(), 'pitot-python-'))
    writeFileSync(join(this.folder, 'model.py'), source)
    for (const [name, contents] of Object.entries(options.files ?? {})) writeFileSync(join(this.folder, name), contents)
    this.process = new RunnerProcess(
      {
        command: options.python ?? 'python3',
        arguments: ['-B', '-X', 'utf8', MAIN],
        environment: options.memory === undefined ? {} : { PITOT_JET_MEMORY: String(options.memory) },
      },
      this.folder,
    )
    onTestFinished(async () => {
      await this.process.kill()
      rmSync(this.folder, { recursive: true, force: true })
    })
  }

  /** A model that must load, with JSON streams attached. */
  static async start(source: string, options: PythonJetOptions = {}): Promise<PythonJet> {
    const jet = new PythonJet(source, options)
    const loaded = await jet.load()
    if (loaded?.kind !== 'loaded') throw new Error(`not loaded: ${JSON.stringify(loaded)} ${jet.process.console}`)
    return jet
  }

  async load(): Promise<JetMessage | undefined> {
    await this.process.receive()
    const load = {
      language: this.#options.language ?? 'python3',
      name: 'test',
      file: 'model.py',
      sandbox: '1',
      timeout: 10,
      slots: this.#options.slots ?? slots(),
      attached: [],
    }
    return this.ask({ kind: 'load', load })
  }

  async attach(slot: number, stream: SlotStream | null): Promise<void> {
    await this.ask({ kind: 'attach', attach: { slot, stream } })
  }

  begin(): Promise<Outcome> {
    return this.#scored({ kind: 'begin', batch: ++this.#batches })
  }

  end(): Promise<Outcome> {
    return this.#scored({ kind: 'end', batch: ++this.#batches })
  }

  score(
    frames: readonly (string | Uint8Array)[],
    { slot = 0, first = 1, isRecordset = false, gap = '\n' } = {},
  ): Promise<Outcome> {
    const pieces: Uint8Array[] = []
    const bounds: number[] = []
    let at = 0
    for (const frame of frames) {
      const bytes = Buffer.from(frame)
      pieces.push(bytes, Buffer.from(gap))
      bounds.push(at, at + bytes.length)
      at += bytes.length + gap.length
    }
    const batch = { batch: ++this.#batches, slot, isRecordset, first, bytes: Buffer.concat(pieces), bounds }
    return this.#scored({ kind: 'score', batch })
  }

  /** Sends, and gives the answer; questions of the model are answered meanwhile. */
  async ask(message: HostMessage): Promise<JetMessage | undefined> {
    this.process.send(message)
    for (;;) {
      const answer = await this.process.receive()
      if (answer?.kind === 'progress') this.progress.push(answer.done)
      else if (answer?.kind === 'ask') {
        this.asked.push(answer.ask)
        this.process.send({ kind: 'answer', answer: this.#options.answer?.(answer.ask) ?? {} })
      } else return answer
    }
  }

  async #scored(message: HostMessage): Promise<Outcome> {
    const answer = await this.ask(message)
    if (answer?.kind !== 'scored') {
      throw new Error(`no answer: ${JSON.stringify(answer)} ${JSON.stringify(await this.process.ended)}`)
    }
    return outcomeOf(answer.scored)
  }
}

function outcomeOf(scored: Scored): Outcome {
  const texts = Array.from(scored.slots, (slot, at) => {
    if (slot & END_OF_SET) return 'set'
    const text = Buffer.from(scored.bytes.subarray(scored.bounds[2 * at], scored.bounds[2 * at + 1])).toString()
    return slot === 1 ? text : `${slot} ${text}`
  })
  const indexes = Array.from(scored.indexes, (index) => (index === NO_FRAME ? -1 : index))
  return { texts, indexes, rejects: scored.rejects, scored }
}
