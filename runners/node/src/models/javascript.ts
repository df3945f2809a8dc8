// Models in JavaScript and TypeScript: a module that exports `action`, and `begin` and `end` if it likes, comes in.
//
// An action gives what it returns, unless that is undefined, or what it yields, or what it hands to `emit`; promises are waited for.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Load, type Loaded, type ModelSlot, NO_FRAME, type SharedState } from '@pitot/jet/runner'
import type { EmissionList } from '../emissions.ts'
import { describeError } from '../failure.ts'
import { LoadFailure, type Model, type ModelBatch } from '../model.ts'
import type { AskHost } from '../models.ts'
import { sharedState } from '../shared.ts'
import { describeImportError } from './import-error.ts'
import { snapshotOf } from './snapshot.ts'

type ModelFunction = (...parameters: unknown[]) => unknown
type Action = (record: unknown, slot: number, sequence: number) => unknown

const OUTPUT = 1

export async function loadJavaScript(load: Load, ask: AskHost): Promise<Model> {
  const model = new JavaScriptModel(load, ask)
  await model.import()
  return model
}

class JavaScriptModel implements Model {
  readonly isTrusted = false
  readonly #load: Load
  readonly #actions = new Map<number, Action>()
  readonly #setInputs: ReadonlySet<number>
  readonly #setOutputs: ReadonlySet<number>
  #begin: ModelFunction | undefined
  #end: ModelFunction | undefined
  /** What is being worked on: `emit` adds to it. */
  #emissions: EmissionList | undefined
  #index = 0

  constructor(load: Load, ask: AskHost) {
    this.#load = load
    const sets = load.slots.filter((slot) => slot.recordsets).map(({ slot }) => slot)
    this.#setInputs = new Set(sets.filter((slot) => slot % 2 === 0))
    this.#setOutputs = new Set(sets.filter((slot) => slot % 2 === 1))
    // A timer of the model must not talk to the host while the host is being waited for.
    const whileScoring: AskHost = (question) => {
      if (this.#emissions === undefined) throw new Error('cells and pools can be used in begin, action and end only')
      return ask(question)
    }
    Object.assign(globalThis, {
      emit: (value: unknown, slot = OUTPUT) => this.#emit(value, slot),
      ...sharedState(whileScoring),
    })
  }

  get loaded(): Loaded {
    return { slots: this.#load.slots, snapshots: 'none', warnings: [] }
  }

  async import(): Promise<void> {
    const { file } = this.#load
    let module: Readonly<Record<string, unknown>>
    try {
      module = await import(pathToFileURL(resolve(file)).href)
    } catch (error) {
      const { reason, trace } = describeImportError(error, file)
      throw new LoadFailure(reason, trace)
    }
    for (const slot of this.#load.slots) {
      if (slot.slot % 2 === 0 && slot.action !== null) this.#actions.set(slot.slot, actionOf(module, slot, file))
    }
    this.#begin = optional(module, 'begin', file)
    this.#end = optional(module, 'end', file)
  }

  begin(emissions: EmissionList): void | Promise<void> {
    return this.#alone(this.#begin, emissions)
  }

  end(emissions: EmissionList): void | Promise<void> {
    return this.#alone(this.#end, emissions)
  }

  async score(batch: ModelBatch, emissions: EmissionList): Promise<void> {
    const action = this.#actions.get(batch.slot)
    this.#emissions = emissions
    try {
      if (action === undefined) return
      if (this.#setInputs.has(batch.slot)) await this.#scoreSets(batch, action, emissions)
      else await this.#scoreRecords(batch, action, emissions)
    } finally {
      this.#emissions = undefined
    }
  }

  async #scoreRecords(batch: ModelBatch, action: Action, emissions: EmissionList): Promise<void> {
    const { records, indexes, slot } = batch
    for (let at = 0; at < records.length; at++) {
      emissions.mark()
      this.#index = indexes[at]!
      try {
        const result = action(records[at], slot, batch.sequence(at))
        if (isLater(result)) await this.#addLater(result)
        else this.#add(result)
      } catch (error) {
        emissions.drop()
        const { reason, trace } = describeError(error)
        emissions.reject(indexes[at]!, reason, trace)
      }
      batch.done(at)
    }
  }

  /** Records of such a slot that are not marked as a set are sets of one. */
  async #scoreSets(batch: ModelBatch, action: Action, emissions: EmissionList): Promise<void> {
    const size = batch.isRecordset ? batch.records.length : 1
    for (let from = 0; from < batch.records.length; from += size) {
      const indexes = batch.indexes.subarray(from, from + size)
      emissions.mark()
      this.#index = batch.isRecordset ? batch.lastFrame : indexes[0]!
      try {
        const result = action(batch.records.slice(from, from + size), batch.slot, batch.sequence(from))
        if (isLater(result)) await this.#addLater(result)
        else this.#add(result)
      } catch (error) {
        emissions.drop()
        const { reason, trace } = describeError(error)
        for (const index of new Set(indexes)) emissions.reject(index, reason, trace)
      }
      batch.done(from)
    }
  }

  snapshot(): SharedState {
    return { cells: {}, pools: {} }
  }

  isBusy(): boolean {
    return process.getActiveResourcesInfo().some((resource) => !WAITS_FOR_NOTHING.has(resource))
  }

  async #alone(call: ModelFunction | undefined, emissions: EmissionList): Promise<void> {
    if (call === undefined) return
    this.#emissions = emissions
    this.#index = NO_FRAME
    try {
      const result = call()
      if (isLater(result)) await this.#addLater(result)
      else this.#add(result)
    } finally {
      this.#emissions = undefined
    }
  }

  /** What an action gave at once: nothing, one output, or what it yields. */
  #add(result: unknown): void {
    if (result === undefined) return
    if (isGenerator(result)) for (const output of result) this.#emit(output, OUTPUT)
    else this.#emit(result, OUTPUT)
  }

  async #addLater(result: PromiseLike<unknown> | AsyncIterable<unknown>): Promise<void> {
    if (Symbol.asyncIterator in result) for await (const output of result) this.#emit(output, OUTPUT)
    else this.#add(await result)
  }

  #emit(output: unknown, slot: number): void {
    if (this.#emissions === undefined) throw new Error('emit can be called in begin, action and end only')
    if (!Number.isInteger(slot) || slot < 1 || slot > 0x7fff || slot % 2 === 0) {
      throw new RangeError(`${slot} is no output slot: those are odd numbers`)
    }
    if (output === undefined) return
    const { records, indexes, ends } = this.#emissions.list(slot)
    if (!this.#setOutputs.has(slot)) {
      records.push(snapshotOf(output))
      indexes.push(this.#index)
      return
    }
    if (!Array.isArray(output)) throw new TypeError(`slot ${slot} takes record sets: expected an array of records`)
    for (const record of output) {
      records.push(snapshotOf(record))
      indexes.push(this.#index)
    }
    ends.push({ after: records.length, index: this.#index })
  }
}

/** What a process has open by itself, and what does not come back by itself. */
const WAITS_FOR_NOTHING: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap', 'TCPSocketWrap'])

function actionOf(module: Readonly<Record<string, unknown>>, { slot, action }: ModelSlot, file: string): Action {
  const found = module[action!]
  if (typeof found === 'function') return found as Action
  const names = Object.keys(module)
  const exported = names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`
  throw new LoadFailure(`${file} has no function ${action} for the records of slot ${slot}: ${exported}`)
}

function optional(module: Readonly<Record<string, unknown>>, name: string, file: string): ModelFunction | undefined {
  const found = module[name]
  if (found === undefined || typeof found === 'function') return found as ModelFunction | undefined
  throw new LoadFailure(`${file} exports ${name}, which is no function`)
}

/** Generators, and what else is an iterator: an array is a value. */
function isGenerator(result: unknown): result is Iterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.iterator in result && 'next' in result
}

function isLater(result: unknown): result is PromiseLike<unknown> | AsyncIterable<unknown> {
  if (typeof result !== 'object' || result === null) return false
  return Symbol.asyncIterator in result || typeof (result as { then?: unknown }).then === 'function'
}
