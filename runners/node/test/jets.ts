// Jets of the node runner for tests: a model's text comes in, a real process with that model goes out.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frames } from '@pitot/codec'
import {
  type Emissions,
  type Jet,
  type Loaded,
  type ModelSlot,
  type SharedState,
  SharedStateTable,
  type SlotStream,
  startJet,
} from '@pitot/jet'
import { onTestFinished } from 'vitest'
import { nodeRunner } from '../../../packages/engine/src/jets/runners/node.ts'

const FILES: Readonly<Record<string, string>> = {
  'pfa-json': 'model.pfa.json',
  'pfa-yaml': 'model.pfa.yaml',
  'pfa-pretty': 'model.ppfa',
  javascript: 'model.mjs',
  typescript: 'model.ts',
}

export interface TestModel {
  readonly language: string
  readonly source: string | object
  readonly slots?: readonly ModelSlot[]
  readonly files?: Readonly<Record<string, string>>
  readonly input?: Partial<SlotStream>
  readonly output?: Partial<SlotStream>
  readonly memory?: number
  readonly timeout?: number
  readonly network?: boolean
  readonly state?: SharedState
  readonly store?: SharedStateTable
}

export interface TestJet {
  readonly jet: Jet
  readonly loaded: Loaded
  /** What the model has printed. */
  console(): string
}

export const plainSlots: readonly ModelSlot[] = [
  { slot: 0, recordsets: false, action: 'action' },
  { slot: 1, recordsets: false, action: null },
]

let sandbox = 1000

/** Started, loaded, both slots attached to streams of JSON; `begin` has not run. Stopped when the test is over. */
export async function jetWith(model: TestModel): Promise<TestJet> {
  const folder = await mkdtemp(join(tmpdir(), 'pitot-node-'))
  const file = FILES[model.language]!
  await writeFile(join(folder, file), typeof model.source === 'string' ? model.source : JSON.stringify(model.source))
  for (const [name, text] of Object.entries(model.files ?? {})) await writeFile(join(folder, name), text)
  let printed = ''
  const { timeout = 10, network = false } = model
  const jet = await startJet({
    runner: nodeRunner({ network }),
    sandbox: String(sandbox++),
    folder,
    memory: model.memory ?? 512 * 2 ** 20,
    timeout,
    network,
    // What the runner keeps the model from is seen without what the host does.
    isolation: 'none',
    state: model.store ?? new SharedStateTable(),
    console: (text) => {
      printed += text
    },
    log: () => {},
  })
  onTestFinished(async () => {
    await jet.kill()
    await rm(folder, { recursive: true, force: true })
  })
  const loaded = await jet.load({
    language: model.language,
    name: 'model',
    file,
    sandbox: jet.sandbox,
    timeout,
    slots: model.slots ?? plainSlots,
    attached: [],
    ...(model.state && { state: model.state }),
  })
  for (const { slot } of loaded.slots) {
    const own = slot === 0 ? model.input : slot === 1 ? model.output : {}
    await jet.attach({ slot, stream: { encoding: 'json', options: {}, schema: null, room: 1, ...own } })
  }
  return { jet, loaded, console: () => printed }
}

export function framesOf(...texts: readonly string[]): Frames {
  const bounds: number[] = []
  let at = 0
  for (const text of texts) {
    bounds.push(at, at + Buffer.byteLength(text))
    at += Buffer.byteLength(text) + 1
  }
  return { bytes: Buffer.from(texts.map((text) => `${text}\n`).join('')), bounds, position: 0 }
}

export function score(jet: Jet, ...texts: readonly string[]): Promise<Emissions> {
  return jet.score({ slot: 0, frames: framesOf(...texts), first: 1, isRecordset: false })
}

export function scoreSet(jet: Jet, ...texts: readonly string[]): Promise<Emissions> {
  return jet.score({ slot: 0, frames: framesOf(...texts), first: 1, isRecordset: true })
}

/** Texts that were emitted to a slot. */
export function outputs({ outputs }: Emissions, slot = 1): string[] {
  const found = outputs.find((each) => each.slot === slot)
  if (found === undefined) return []
  const { bytes, bounds } = found.frames
  return Array.from({ length: bounds.length / 2 }, (_, at) =>
    Buffer.from(bytes.subarray(bounds[2 * at], bounds[2 * at + 1])).toString(),
  )
}

export function indexes({ outputs }: Emissions, slot = 1): number[] {
  return Array.from(outputs.find((each) => each.slot === slot)?.indexes ?? [])
}
