// One model, its streams and its jets: puts them together as they come, in any order, and keeps them running.
import { failure } from '@pitot/api'
import type { SharedState } from '@pitot/jet'
import type { SensorProgram } from '@pitot/sensor'
import type { DistantWatch } from '@pitot/service'
import { type Backlog, DebugBuffer, printDescriptor, type RestInput, type RestOutput } from '@pitot/stream'
import type { JetPool } from '../jets/pool.ts'
import type { Manifold } from '../manifold/manifold.ts'
import { RunStatistics } from '../manifold/statistics.ts'
import type { ModelPackage } from '../model/package.ts'
import type { InputSlot } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'
import { readSlot } from '../slots/read.ts'
import { isInput, type Slot, SlotTable } from '../slots/table.ts'
import { Turns } from '../turns.ts'
import { Assembly } from './assembly.ts'
import { backlogOf } from './backlog.ts'
import type {
  Attached,
  CpuReport,
  JetReport,
  JobControl,
  JobReport,
  JobState,
  RejectedRecord,
  Verification,
} from './control.ts'
import { sampleCpu } from './cpu-sample.ts'
import type { JobEnvironment } from './environment.ts'
import { jetReports, report } from './report.ts'
import { roundTrip } from './round-trip.ts'
import { RunningModel } from './running-model.ts'
import { checkFit } from './schema-fit.ts'
import { storeSnapshot } from './snapshot.ts'
import { readState } from './state-text.ts'

export class Job implements JobControl {
  readonly #environment: JobEnvironment
  readonly #slots: SlotTable
  readonly #debug = new DebugBuffer()
  readonly #assembly: Assembly
  #statistics = new RunStatistics()
  #model: RunningModel | undefined
  #manifold: Manifold | undefined
  #scale = 1
  #state: JobState = 'INIT'
  #reason: string | undefined
  /** State for the next model, from a snapshot. */
  #restored: SharedState | undefined
  /** As they were when the job was over. */
  #lastJets: readonly JetReport[] = []
  /** What is done to the job is done one thing after the other. */
  readonly #turns = new Turns()

  constructor(environment: JobEnvironment) {
    this.#environment = environment
    const { options, registry, log, tell, trial } = environment
    const outputs = {
      debug: (record: Uint8Array) => this.#debug.add(record),
      console: (records: readonly Uint8Array[]) =>
        tell({ kind: 'output', model: this.#model?.package.name ?? '(none)', records }),
    }
    const { fileRoot, allowExec } = options
    this.#slots = new SlotTable({ transport: { log, fileRoot, allowExec, outputs }, trial }, registry)
    this.#assembly = new Assembly(this.#slots, environment, {
      manifold: () => this.#manifold,
      finishing: () => this.#enter('FINISHING', undefined),
      finished: () => void this.#finish(),
      fail: (error) => void this.#fail(error),
    })
  }

  attachStream(
    slot: number,
    descriptor: unknown,
    { name, dryRun = false }: { readonly name?: string | undefined; readonly dryRun?: boolean | undefined },
  ): Promise<Attached> {
    return this.#turns.take(async () => {
      const { read, warnings } = await readSlot(slot, descriptor, name, this.#environment.registry)
      if (this.#model !== undefined && !this.#model.isSpent) checkFit(slot, read.type, this.#model.slot(slot))
      const attached = { resolved: printDescriptor(read.descriptor), warnings }
      if (dryRun) return attached
      const op = this.#slots.get(slot) === undefined ? 'attach' : 'reattach'
      await this.#setStream(await this.#slots.open(read))
      this.#environment.tell({ kind: 'config', item: 'stream', op, ref: name ?? slot })
      this.#tellSlots()
      await this.#environment.saved?.setStream(slot, { name, descriptor: read.given })
      return attached
    })
  }

  loadModel(given: ModelPackage, { dryRun = false }: { readonly dryRun?: boolean | undefined }): Promise<Verification> {
    return this.#turns.take(async () => {
      const model = await RunningModel.prepare(given, this.#environment, this.#restored)
      try {
        for (const { slot, type } of this.#slots.fresh()) checkFit(slot, type, model.slot(slot))
        if (!dryRun) await this.#useModel(model)
      } catch (error) {
        await model.dispose()
        throw error
      }
      const { loaded } = model
      if (dryRun) await model.dispose()
      return loaded
    })
  }

  /** Jets go, streams stay where they are; the next model goes on from there. */
  unloadModel(): Promise<void> {
    return this.#turns.take(async () => {
      const model = this.#model
      this.#model = undefined
      if (model === undefined) return
      this.#environment.tell({ kind: 'config', item: 'model', op: 'unload', ref: model.package.name })
      this.#tellSlots()
      await this.#environment.saved?.setModel(undefined)
      if (this.#manifold === undefined) return model.dispose()
      void this.#manifold.unloadModel().then(() => model.dispose())
      this.#enter('INIT', 'a model is missing')
    })
  }

  async reset(): Promise<void> {
    // Not in turn: whatever is under way comes to its end sooner.
    this.#manifold?.stop(failure('job-not-running', { reason: 'it was deleted' }))
    await this.#turns.take(async () => {
      await this.#discard()
      await this.#environment.saved?.clear()
      this.#statistics = new RunStatistics()
      this.#debug.clear()
      this.#restored = undefined
      this.#lastJets = []
      this.#enter('INIT', undefined)
    })
  }

  /** Not in turn: a job without jets may be what others wait for. */
  async scale(jets: number): Promise<void> {
    this.#scale = jets
    await this.#environment.saved?.setScale(jets)
    if (this.#model !== undefined) this.#manifold?.pool.scale(jets)
  }

  report(): JobReport {
    return report({
      state: this.#state,
      reason: this.#reason,
      inputs: this.#slots.inputs,
      outputs: this.#slots.outputs,
      model: this.#model,
      manifold: this.#manifold,
      statistics: this.#statistics,
      lastJets: this.#lastJets,
      stateLimit: this.#environment.options.stateMemory,
    })
  }

  /** Jets that waited for each other without end, since the last time it was asked. */
  deadlocks(): readonly object[] {
    return this.#model?.takeDeadlocks() ?? []
  }

  resetStatistics(): void {
    for (const slot of this.#slots.all()) slot.resetStatistics()
    for (const member of this.#manifold?.pool.members ?? []) member.resetStatistics()
    this.#statistics.reset()
  }

  sampleCpu(seconds: number, signal: AbortSignal): Promise<CpuReport> {
    return sampleCpu(() => this.report(), seconds, signal)
  }

  restInput(slot: number): RestInput | undefined {
    return this.#slots.inputs.get(slot)?.rest
  }

  /** Where a REST stream is being replaced, the old one until everything that belongs to it is written. */
  restOutput(slot: number): RestOutput | undefined {
    return this.#manifold?.output(slot)?.rest ?? this.#slots.outputs.get(slot)?.rest
  }

  /** Of the inputs that are read, and of those that will be when they take over. */
  backlog(): Backlog | undefined {
    const coming = this.#slots.inputs.values().filter(({ slot }) => this.#model?.reads(slot) ?? true)
    return backlogOf(
      new Set([...(this.#manifold?.inputs ?? []), ...coming]),
      () => this.#manifold !== undefined && this.#model !== undefined && this.#scale > 0,
    )
  }

  async score(request: Parameters<JobControl['score']>[0]) {
    const from = this.#slots.inputs.get(request.input)
    const to = this.#slots.outputs.get(request.output)
    if (this.#manifold === undefined || from === undefined || to === undefined || this.#state !== 'RUNNING') {
      throw failure('job-not-running', { reason: this.#reason ?? `its state is ${this.#state}` })
    }
    const scored = await roundTrip(this.#manifold, from, to, request)
    for (const record of scored.rejected) {
      this.#statistics.rejects.add(record)
      this.#environment.tell({ kind: 'rejected', record })
    }
    return scored
  }

  rejected(filter: Parameters<JobControl['rejected']>[0]): readonly RejectedRecord[] {
    return this.#statistics.rejects.last(filter)
  }

  debugOutput(): readonly Uint8Array[] {
    return this.#debug.records()
  }

  restoreState(contents: Uint8Array): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#manifold !== undefined && this.#state === 'RUNNING') {
        throw failure('bad-state', {
          reason: 'the job is running already; delete it, restore, then set model and streams',
        })
      }
      this.#restored = readState(contents)
      const model = this.#model
      if (model === undefined || model.isSpent) return
      // The first jet was loaded without it.
      await model.restore(this.#restored)
    })
  }

  /** A sensor watches a field of the records of a slot, in all jets there are and will be. */
  watchField(slot: number, path: string, program: SensorProgram): DistantWatch {
    return this.#assembly.watches.watch(slot, path, program)
  }

  /** Takes up the job that was saved. What cannot be had again is told in the state. */
  resume(): Promise<void> {
    return this.#turns.take(async () => {
      try {
        const saved = await this.#environment.saved?.read()
        if (saved === undefined) return
        this.#scale = saved.scale
        for (const { slot, name, descriptor, position } of saved.streams) {
          const { read } = await readSlot(slot, descriptor, name, this.#environment.registry)
          this.#slots.put(await this.#slots.open(read, { left: position }))
        }
        if (saved.model !== undefined) this.#model = await RunningModel.prepare(saved.model, this.#environment)
        this.#tellSlots()
        await this.#startWhenComplete()
      } catch (error) {
        this.#enter('ERROR', `the job cannot be taken up again: ${(error as Error).message}`)
        this.#environment.log('error', this.#reason!)
      }
    })
  }

  /** Ends everything, for a service that stops; a job that is saved stays so, up to what was written. */
  async close(): Promise<void> {
    await this.#manifold?.secure()
    this.#manifold?.stop(failure('job-not-running', { reason: 'the engine stops' }))
    await this.#turns.take(() => this.#discard())
    await this.#environment.saved?.close()
  }

  async #setStream(slot: Slot): Promise<void> {
    if (this.#manifold === undefined) {
      await this.#slots.get(slot.slot)?.abandon()
      this.#slots.put(slot)
      return this.#startWhenComplete()
    }
    await this.#manifold.settled()
    this.#slots.put(slot)
    if (isInput(slot.slot)) this.#manifold.replaceInput(slot as InputSlot)
    else this.#manifold.replaceOutput(slot as OutputSlot)
  }

  async #useModel(model: RunningModel): Promise<void> {
    const { tell, saved } = this.#environment
    const op = this.#model === undefined ? 'load' : 'reload'
    await this.#setModel(model)
    tell({ kind: 'config', item: 'model', op, ref: model.package.name })
    this.#tellSlots()
    await saved?.setModel(model.package)
  }

  /** A model for a job that runs takes over between two batches; it has begun by then. */
  async #setModel(model: RunningModel): Promise<void> {
    const manifold = this.#manifold
    if (manifold === undefined) {
      await this.#model?.dispose()
      this.#model = model
      return this.#startWhenComplete()
    }
    const missing = this.#assembly.missing(model)
    if (missing !== undefined) throw failure('model-failed', { reason: `it cannot take over: ${missing}` })
    await manifold.settled()
    const scoring = await this.#assembly.warm(model, Math.max(1, this.#scale))
    const old = this.#model
    this.#model = model
    void manifold.replaceModel(scoring).then(() => old?.dispose())
    scoring.pool.scale(this.#scale)
    if (this.#state === 'INIT') this.#enter('RUNNING', undefined)
  }

  async #startWhenComplete(): Promise<void> {
    const missing = this.#assembly.missing(this.#model)
    if (missing !== undefined || this.#model === undefined) return this.#enter('INIT', missing)
    this.#statistics = new RunStatistics()
    this.#debug.clear()
    this.#lastJets = []
    try {
      const scoring = await this.#assembly.warm(this.#model, 1)
      this.#enter('RUNNING', undefined)
      this.#manifold = this.#assembly.connect(this.#model, scoring, this.#statistics)
      scoring.pool.scale(this.#scale)
    } catch (error) {
      await this.#fail(error)
      throw error
    }
  }

  async #finish(): Promise<void> {
    await this.#turns.take(async () => {
      if (this.#manifold === undefined) return
      await storeSnapshot(this.#model, this.#manifold.pool, this.#environment)
      await this.#retire((pool) => pool.stop())
      await this.#environment.saved?.clear()
      this.#enter('FINISHED', undefined)
      this.#environment.tell({ kind: 'output-eof' })
    })
  }

  /** The job is over, well or not: its parts stay to be looked at, and must be set anew before another one starts. */
  async #retire(end: (pool: JetPool) => Promise<void>): Promise<void> {
    const pool = this.#manifold?.pool
    this.#lastJets = pool === undefined ? [] : jetReports(pool)
    this.#manifold = undefined
    if (pool !== undefined) await end(pool)
    await this.#slots.retire((message) => this.#environment.log('warn', message))
    if (this.#model !== undefined) this.#model.isSpent = true
  }

  async #fail(error: unknown): Promise<void> {
    const sentence = error instanceof Error ? error.message : String(error)
    this.#environment.log('error', `the job stops: ${sentence}`)
    this.#manifold?.stop(failure('job-not-running', { reason: sentence }))
    this.#enter('ERROR', sentence)
    await this.#retire((pool) => pool.kill())
  }

  async #discard(): Promise<void> {
    const pool = this.#manifold?.pool
    this.#manifold = undefined
    await pool?.kill()
    await this.#slots.discard()
    await this.#model?.dispose()
    this.#model = undefined
    this.#tellSlots()
  }

  #tellSlots(): void {
    const slots = new Map<number, unknown>()
    for (const { slot, codec } of this.#slots.all()) slots.set(slot, codec.schema)
    for (const { slot, schema } of this.#model?.loaded.slots ?? []) slots.set(slot, schema ?? slots.get(slot))
    this.#environment.tell({ kind: 'slots', slots: Array.from(slots, ([slot, schema]) => ({ slot, schema })) })
  }

  #enter(state: JobState, reason: string | undefined): void {
    if (state === this.#state && reason === this.#reason) return
    this.#state = state
    this.#reason = reason
    this.#environment.tell({ kind: 'state', state, reason })
  }
}
