// PFA documents as models: the text of a document comes in, a compiled model goes out.
import { readFileSync } from 'node:fs'
import { writeExact } from '@pitot/avro'
import type { Load, Loaded, ModelSlot, SharedState } from '@pitot/jet/runner'
import { compile, type Format, type Instance, PfaError, type Program, type SharedStore } from '@pitot/pfa'
import type { EmissionList, SlotList } from '../emissions.ts'
import { describeError } from '../failure.ts'
import { LoadFailure, type Model, type ModelBatch } from '../model.ts'
import type { AskHost } from '../models.ts'

const FORMATS: Readonly<Record<string, Format>> = { 'pfa-json': 'json', 'pfa-yaml': 'yaml', 'pfa-pretty': 'pretty' }
const OUTPUT = 1
/** Where the tally of a fold stands among the cells of a state: no cell can have such a name. */
const TALLY = 'tally of fold'

export function loadPfa(load: Load, ask: AskHost): Model {
  try {
    const program = compile(readFileSync(load.file, 'utf8'), { format: FORMATS[load.language]! })
    return new PfaModel(program, load.state, ask)
  } catch (error) {
    if (!(error instanceof PfaError)) throw error
    throw new LoadFailure(`${load.file} is no PFA document that can be run: ${describePfa(error)}`)
  }
}

class PfaModel implements Model {
  readonly loaded: Loaded
  readonly isTrusted = true
  readonly #program: Program
  readonly #instance: Instance
  readonly #takesSets: boolean
  readonly #givesSets: boolean
  /** What `emit` adds to while a record is scored. */
  #emitted: SlotList | undefined
  #index = 0

  constructor(program: Program, state: SharedState | undefined, ask: AskHost) {
    const { recordsets = 'none', snapshots = 'none' } = program.metadata
    this.#takesSets = recordsets === 'input' || recordsets === 'both'
    this.#givesSets = recordsets === 'output' || recordsets === 'both'
    this.#program = program
    this.#instance = program.start({
      emit: (value) => this.#emit(value),
      log: logLine,
      shared: storeOf(ask),
      ...(state && { cells: state.cells, pools: state.pools }),
    })
    if (state !== undefined && program.method === 'fold' && Object.hasOwn(state.cells, TALLY)) {
      this.#instance.tally = state.cells[TALLY]
    }
    const slot = (slot: number, schema: unknown, isSets: boolean): ModelSlot => ({
      slot,
      schema: isSets ? itemsOf(schema, slot) : schema,
      recordsets: isSets,
      action: 'action',
    })
    this.loaded = {
      slots: [slot(0, program.input, this.#takesSets), slot(OUTPUT, program.output, this.#givesSets)],
      snapshots: snapshots === 'eof' ? 'eof' : 'none',
      warnings: [
        ...oddWord('recordsets', recordsets, ['none', 'input', 'output', 'both']),
        ...oddWord('snapshots', snapshots, ['none', 'eof']),
      ],
    }
  }

  begin(emissions: EmissionList): void {
    this.#alone(emissions, this.#instance.begin)
  }

  end(emissions: EmissionList): void {
    this.#alone(emissions, this.#instance.end)
  }

  score(batch: ModelBatch, emissions: EmissionList): void {
    const list = emissions.list(OUTPUT)
    this.#emitted = list
    if (this.#takesSets) this.#scoreSets(batch, list, emissions)
    else if (this.#program.method === 'emit') this.#scoreEmit(batch, emissions)
    else if (this.#givesSets) this.#scoreToSets(batch, list, emissions)
    else this.#scoreMap(batch, list, emissions)
  }

  /** One record in, one record out: the loop that most documents live in. */
  #scoreMap(batch: ModelBatch, { records, indexes }: SlotList, emissions: EmissionList): void {
    const { run } = this.#instance
    const { records: inputs, indexes: frames } = batch
    for (let at = 0; at < inputs.length; at++) {
      try {
        records.push(run(inputs[at]))
        indexes.push(frames[at]!)
      } catch (error) {
        reject(emissions, frames[at]!, error)
      }
      batch.done(at)
    }
  }

  #scoreEmit(batch: ModelBatch, emissions: EmissionList): void {
    const { run } = this.#instance
    const { records: inputs, indexes: frames } = batch
    for (let at = 0; at < inputs.length; at++) {
      emissions.mark()
      this.#index = frames[at]!
      try {
        run(inputs[at])
      } catch (error) {
        emissions.drop()
        reject(emissions, frames[at]!, error)
      }
      batch.done(at)
    }
  }

  #scoreToSets(batch: ModelBatch, list: SlotList, emissions: EmissionList): void {
    const { run } = this.#instance
    for (let at = 0; at < batch.records.length; at++) {
      const index = batch.indexes[at]!
      try {
        addSet(list, run(batch.records[at]) as unknown[], index)
      } catch (error) {
        reject(emissions, index, error)
      }
      batch.done(at)
    }
  }

  /** Records of such a slot that are not marked as a set are sets of one. */
  #scoreSets(batch: ModelBatch, list: SlotList, emissions: EmissionList): void {
    const { records, indexes } = batch
    if (batch.isRecordset) {
      if (records.length > 0) this.#scoreSet(records, indexes, batch.lastFrame, list, emissions)
      return
    }
    for (let at = 0; at < records.length; at++) {
      this.#scoreSet([records[at]], indexes.subarray(at, at + 1), indexes[at]!, list, emissions)
      batch.done(at)
    }
  }

  #scoreSet(
    set: readonly unknown[],
    indexes: Uint32Array,
    index: number,
    list: SlotList,
    emissions: EmissionList,
  ): void {
    emissions.mark()
    this.#index = index
    try {
      const result = this.#instance.run(set)
      if (this.#program.method === 'emit') return
      if (this.#givesSets) addSet(list, result as unknown[], index)
      else {
        list.records.push(result)
        list.indexes.push(index)
      }
    } catch (error) {
      emissions.drop()
      for (const frame of new Set(indexes)) reject(emissions, frame, error)
    }
  }

  snapshot(): SharedState {
    const { cells, pools, tally } = this.#instance.snapshot()
    return { cells: tally === undefined ? cells : { ...cells, [TALLY]: tally }, pools }
  }

  isBusy(): boolean {
    return false
  }

  #alone(emissions: EmissionList, routine: () => void): void {
    this.#emitted = emissions.list(OUTPUT)
    this.#index = 0xffffffff
    try {
      routine()
    } catch (error) {
      throw error instanceof PfaError ? new Error(describePfa(error)) : error
    }
  }

  #emit(value: unknown): void {
    const list = this.#emitted!
    if (this.#givesSets) addSet(list, value as unknown[], this.#index)
    else {
      list.records.push(value)
      list.indexes.push(this.#index)
    }
  }
}

function addSet({ records, indexes, ends }: SlotList, set: readonly unknown[], index: number): void {
  for (const record of set) {
    records.push(record)
    indexes.push(index)
  }
  ends.push({ after: records.length, index })
}

function reject(emissions: EmissionList, index: number, error: unknown): void {
  if (error instanceof PfaError) emissions.reject(index, error.message, placeOf(error))
  else {
    const { reason, trace } = describeError(error)
    emissions.reject(index, reason, trace)
  }
}

function describePfa(error: PfaError): string {
  const place = placeOf(error)
  const isSaid = place === undefined || error.message.toLowerCase().includes(place)
  return isSaid ? error.message : `${error.message} (${place})`
}

/** Where in the document: by line where the text tells it, else by pointer. */
function placeOf({ at }: PfaError): string | undefined {
  if (at?.line !== undefined)
    return at.column === undefined ? `line ${at.line}` : `line ${at.line}, column ${at.column}`
  return at?.pointer
}

/** A model that takes or gives record sets does so as arrays; the stream carries their items. */
function itemsOf(schema: unknown, slot: number): unknown {
  if (typeof schema === 'object' && schema !== null && Reflect.get(schema, 'type') === 'array') {
    return Reflect.get(schema, 'items')
  }
  const side = slot === OUTPUT ? 'output' : 'input'
  throw new LoadFailure(`metadata.recordsets says that the ${side} is record sets: its type has to be an array`)
}

function oddWord(key: string, found: string, known: readonly string[]): string[] {
  return known.includes(found) ? [] : [`metadata.${key} is "${found}", which means none: ${known.join(', ')} are known`]
}

function logLine(values: readonly unknown[], namespace: string | undefined): void {
  const texts = values.map((value) => writeExact(value))
  console.log((namespace === undefined ? texts : [`${namespace}:`, ...texts]).join(' '))
}

function storeOf(ask: AskHost): SharedStore {
  const asked: AskHost = (question) => {
    try {
      return ask(question)
    } catch (error) {
      throw new PfaError('runtime', (error as Error).message)
    }
  }
  return {
    get: (item) => asked({ do: 'get', ...item }),
    set: (item, value) => void asked({ do: 'set', ...item, ...(value !== undefined && { value }) }),
    lock: (item) => asked({ do: 'lock', ...item }),
    release: (item, value) => void asked({ do: 'release', ...item, ...(value !== undefined && { value }) }),
  }
}
