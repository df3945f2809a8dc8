// One recorded conversation of conformance/jet, played with a real runner: lines of the host are sent, lines of the jet are
// waited for and compared.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { FormTranslator, SentBatch } from '../src/forms/form.ts'
import { isAnswered } from '../src/forms/form.ts'
import { JsonTranslator } from '../src/forms/json.ts'
import { RTranslator } from '../src/forms/r.ts'
import { WireTranslator } from '../src/forms/wire.ts'
import type { Attach, Emissions, Form, HostMessage, JetMessage, ModelSlot } from '../src/index.ts'
import { type RunnerCommand, RunnerProcess } from './runner-process.ts'

type Line = Readonly<Record<string, unknown>>

const TRANSLATORS: Readonly<Record<Form, () => FormTranslator>> = {
  wire: () => new WireTranslator(),
  json: () => new JsonTranslator(),
  r: () => new RTranslator(),
}

export interface Conversation {
  readonly name: string
  readonly folder: string
  readonly lines: readonly Line[]
  /** Files that are written down in the conversation itself. */
  readonly files: Readonly<Record<string, string>>
}

export function readConversations(folder: string): Conversation[] {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'conversation.jsonl')))
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name, 'conversation.jsonl'), 'utf-8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const files = (lines[0]?.files ?? {}) as Record<string, string>
    return { name, folder: join(folder, name), lines: lines.filter((line) => !('files' in line)), files }
  })
}

export function hasModel({ folder, files }: Conversation, file: string): boolean {
  return file in files || existsSync(join(folder, file))
}

export async function play(
  conversation: Conversation,
  language: string,
  file: string,
  runner: RunnerCommand,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-conversation-'))
  cpSync(conversation.folder, folder, { recursive: true })
  for (const [name, contents] of Object.entries(conversation.files)) writeFileSync(join(folder, name), contents)
  const player = new Player(new RunnerProcess(runner, folder), language, file)
  try {
    for (const line of conversation.lines) await player.play(line)
  } finally {
    await player.process.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

class Player {
  readonly process: RunnerProcess
  readonly #language: string
  readonly #file: string
  #translator: FormTranslator = new WireTranslator()
  /** Batches that have no answer yet, in order; what the host has answered alone is there as it is. */
  readonly #inFlight = new Map<number, SentBatch | Emissions | undefined>()

  constructor(process: RunnerProcess, language: string, file: string) {
    this.process = process
    this.#language = language
    this.#file = file
  }

  async play(line: Line): Promise<void> {
    if ('host' in line) this.#say(line)
    else if (line.jet === 'ends') await this.#expectEnd(line)
    else expectMatch(await this.#hear(line), line)
  }

  #say(line: Line): void {
    if (line.host === 'hangs up') this.process.hangUp()
    else if (line.host === 'sends bytes')
      this.process.sendBytes(Buffer.from(String(line.hex).replaceAll(' ', ''), 'hex'))
    else {
      const message = this.#message(line)
      if (message !== undefined) this.process.send(message)
    }
  }

  #message({ host, ...fields }: Line): HostMessage | undefined {
    switch (host) {
      case 'load': {
        const slots = fields.slots as ModelSlot[]
        const rest = { name: 'conversation', sandbox: '1', timeout: 30, attached: [] }
        return { kind: 'load', load: { language: this.#language, file: this.#file, slots, ...rest } }
      }
      case 'attach':
        this.#translator.attach(fields as unknown as Attach)
        return { kind: 'attach', attach: fields as unknown as Attach }
      case 'begin':
      case 'end':
        this.#inFlight.set(fields.batch as number, undefined)
        return { kind: host, batch: fields.batch as number }
      case 'score':
        return this.#score(fields)
      case 'answer':
        return { kind: 'answer', answer: fields }
      case 'snapshot':
      case 'stop':
        return { kind: host }
      default:
        throw new Error(`the host of a conversation cannot ${String(host)}`)
    }
  }

  #score({ batch, slot, first, frames, isRecordset = false }: Line): HostMessage | undefined {
    const translated = this.#translator.toJet({
      slot: slot as number,
      first: first as number,
      isRecordset: isRecordset as boolean,
      frames: framesOf(frames as string[]),
    })
    this.#inFlight.set(batch as number, translated)
    return isAnswered(translated)
      ? undefined
      : { kind: 'score', batch: { batch: batch as number, ...translated.batch } }
  }

  /** The next message in the terms of the conversation. */
  async #hear(expected: Line): Promise<Line> {
    if (expected.jet === 'scored') {
      const answered = this.#inFlight.get(expected.batch as number)
      if (answered !== undefined && isAnswered(answered)) return emissionsLine(expected.batch as number, answered)
    }
    let message: JetMessage | undefined
    do message = await this.process.receive()
    while (message?.kind === 'progress')
    if (message === undefined) {
      const { status, signal } = await this.process.ended
      throw new Error(`the jet has ended, status ${status}, signal ${signal}: ${this.process.console}`)
    }
    switch (message.kind) {
      case 'hello':
        this.#translator = TRANSLATORS[message.hello.form]()
        return { jet: message.kind, ...message.hello }
      case 'loaded':
        this.#translator.loaded(message.loaded)
        return { jet: message.kind, ...message.loaded }
      case 'scored': {
        const { batch } = message.scored
        return emissionsLine(
          batch,
          this.#translator.fromJet(message.scored, this.#inFlight.get(batch) as SentBatch | undefined),
        )
      }
      case 'ask':
        return { jet: message.kind, ...message.ask }
      case 'state':
        return { jet: message.kind, ...message.state }
      case 'failed':
        return { jet: message.kind, sentence: message.sentence, trace: message.trace }
      default:
        return { jet: message.kind }
    }
  }

  async #expectEnd(line: Line): Promise<void> {
    const { status } = await this.process.ended
    expectMatch({ jet: 'ends', status, console: this.process.console }, line)
  }
}

function framesOf(texts: readonly string[]) {
  const bytes = Buffer.from(texts.join('\n'))
  const bounds: number[] = []
  let at = 0
  for (const text of texts) {
    const end = at + Buffer.byteLength(text)
    bounds.push(at, end)
    at = end + 1
  }
  return { bytes, bounds, position: 0 }
}

function emissionsLine(batch: number, { consumed, outputs, rejects }: Emissions): Line {
  return {
    jet: 'scored',
    batch,
    consumed,
    outputs: outputs
      .filter(({ indexes, endsOfSets }) => indexes.length > 0 || endsOfSets !== undefined)
      .map(({ slot, frames: { bytes, bounds }, indexes, endsOfSets }) => {
        const texts = Array.from(indexes, (_, at) =>
          Buffer.from(bytes.subarray(bounds[2 * at], bounds[2 * at + 1])).toString(),
        )
        return { slot, indexes: Array.from(indexes), texts, records: texts.map((text) => JSON.parse(text)), endsOfSets }
      })
      .sort((a, b) => a.slot - b.slot),
    rejects: [...rejects].sort((a, b) => a.index - b.index),
  }
}

/** `actual` may have more fields than `expected`, but lists are as long, and `*` in a text is any text. */
function expectMatch(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(patternOf(expected))
}

function patternOf(expected: unknown): unknown {
  if (typeof expected === 'string' && expected.includes('*')) {
    const words = expected.split('*').map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    return expect.stringMatching(new RegExp(`^${words.join('[\\s\\S]*')}$`))
  }
  if (Array.isArray(expected)) return expected.map(patternOf)
  if (typeof expected !== 'object' || expected === null) return expected
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, patternOf(value)])),
  )
}
