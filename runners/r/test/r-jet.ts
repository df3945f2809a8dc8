// Jets with R models, started as the engine starts them: sources and records go in, what came of them goes out.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Emissions,
  type Jet,
  type JetOptions,
  type JetReject,
  type Loaded,
  type ModelSlot,
  NO_FRAME,
  SharedStateTable,
  startJet,
} from '@pitot/jet'
import { describe, onTestFinished } from 'vitest'
import { rRunner } from '../../../packages/engine/src/jets/runners/r.ts'
import { findR } from '../../../test/servers/r.ts'

const found = findR()
const MEMORY = 512 * 2 ** 20

/** A suite that needs R. Where it is missing this is told, and in CI it is a failure. */
export function describeR(title: string, suite: () => void): void {
  if ('rscript' in found) describe(title, suite)
  else if (process.env.CI === 'true') throw new Error(found.missing)
  else describe.skip(`${title} (skipped: ${found.missing})`, suite)
}

export function rscript(): string {
  if ('missing' in found) throw new Error(found.missing)
  return found.rscript
}

export interface RJetOptions extends Partial<JetOptions> {
  /** Schemas of the model's input and output. */
  readonly input?: unknown
  readonly output?: unknown
  readonly recordsets?: 'input' | 'output' | 'both'
  /** Instead of the usual slots 0 and 1. */
  readonly slots?: readonly ModelSlot[]
  /** Of the streams: `json` when nothing else is said. */
  readonly encoding?: string
  /** More files in the jet's folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

export interface Outcome {
  /** JSON values of the emissions; `set` where a record set ends, and `[slot, value]` for slots other than 1. */
  readonly values: readonly unknown[]
  /** The frame that each emission came from, -1 for none. */
  readonly indexes: readonly number[]
  readonly rejects: readonly JetReject[]
  readonly emissions: Emissions
}

let sandboxes = 0

export class RJet {
  readonly jet: Jet
  readonly folder: string
  readonly #printed: string[]
  readonly #options: RJetOptions

  private constructor(jet: Jet, folder: string, printed: string[], options: RJetOptions) {
    this.jet = jet
    this.folder = folder
    this.#printed = printed
    this.#options = options
  }

  /** A jet that has said hello; nothing is loaded yet. */
  static async open(source: string, options: RJetOptions = {}): Promise<RJet> {
    const folder = mkdtempSync(join(tmpdir(), 'pitot-r-'))
    writeFileSync(join(folder, 'model.R'), source)
    for (const [name, contents] of Object.entries(options.files ?? {})) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), contents)
    }
    const printed: string[] = []
    const memory = options.memory ?? MEMORY
    const jet = await startJet({
      runner: await rRunner({ rscript: rscript(), memory }),
      sandbox: String(++sandboxes),
      folder,
      memory,
      timeout: options.timeout ?? 20,
      network: false,
      isolation: options.isolation ?? 'none',
      state: options.state ?? new SharedStateTable(),
      console: (text) => printed.push(text),
      log: () => undefined,
    })
    onTestFinished(async () => {
      await jet.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    return new RJet(jet, folder, printed, options)
  }

  /** A jet with a model that must load, and streams attached. */
  static async start(source: string, options: RJetOptions = {}): Promise<RJet> {
    const jet = await RJet.open(source, options)
    await jet.load()
    return jet
  }

  get console(): string {
    return this.#printed.join('')
  }

  async load(): Promise<Loaded> {
    const { sandbox } = this.jet
    const slots = this.#options.slots ?? usualSlots(this.#options)
    const loaded = await this.jet.load({
      ...{ language: 'r', name: 'test', file: 'model.R', sandbox, timeout: 20, attached: [] },
      slots,
    })
    const { encoding = 'json' } = this.#options
    for (const { slot, schema } of slots) {
      // Encodings that need a schema have the model's.
      const stream = { encoding, options: {}, schema: encoding === 'json' ? null : (schema ?? null), room: 0 }
      await this.jet.attach({ slot, stream })
    }
    return loaded
  }

  async begin(): Promise<Outcome> {
    return outcomeOf(await this.jet.begin())
  }

  async end(): Promise<Outcome> {
    return outcomeOf(await this.jet.end())
  }

  /** Values are written as JSON; texts in an array of their own are frames as they are. */
  async score(
    values: readonly unknown[],
    { slot = 0, first = 1, isRecordset = false, isText = false } = {},
  ): Promise<Outcome> {
    const pieces = values.map((value) => Buffer.from(isText ? String(value) : JSON.stringify(value)))
    const bounds: number[] = []
    let at = 0
    for (const piece of pieces) {
      bounds.push(at, at + piece.length)
      at += piece.length
    }
    const frames = { bytes: new Uint8Array(Buffer.concat(pieces)), bounds, position: 0 }
    return outcomeOf(await this.jet.score({ slot, frames, first, isRecordset }))
  }
}

function usualSlots({ input, output, recordsets }: RJetOptions): ModelSlot[] {
  return [
    {
      slot: 0,
      ...(input !== undefined && { schema: input }),
      recordsets: recordsets === 'input' || recordsets === 'both',
      action: 'action',
    },
    {
      slot: 1,
      ...(output !== undefined && { schema: output }),
      recordsets: recordsets === 'output' || recordsets === 'both',
      action: null,
    },
  ]
}

function outcomeOf(emissions: Emissions): Outcome {
  const values: unknown[] = []
  const indexes: number[] = []
  for (const { slot, frames, indexes: from, endsOfSets = [] } of emissions.outputs) {
    const count = frames.bounds.length / 2
    for (let at = 0; at <= count; at++) {
      for (const end of endsOfSets) if (end === at) values.push('set')
      if (at === count) break
      const text = Buffer.from(frames.bytes.subarray(frames.bounds[2 * at], frames.bounds[2 * at + 1])).toString()
      values.push(slot === 1 ? parsed(text) : [slot, parsed(text)])
      indexes.push(from[at] === NO_FRAME ? -1 : from[at]!)
    }
  }
  return { values, indexes, rejects: emissions.rejects, emissions }
}

/** Encodings other than JSON give texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
