// One model, its streams and its jets: puts them together as they come, in any order, and keeps them running.
import { failure } from '@pitot/api'
import type { Emissions, Jet, ModelSlot, SharedState } from '@pitot/jet'
import { cutWhole, DebugBuffer, printDescriptor, type RestInput, type RestOutput, wrapWhole } from '@pitot/stream'
import { beginJet } from '../jets/begin.ts'
import { JetPool } from '../jets/pool.ts'
import { Manifold, type ScoringModel } from '../manifold/manifold.ts'
import { RejectLog } from '../manifold/rejects.ts'
import type { ModelPackage } from '../model/package.ts'
import type { SlotContext } from '../slots/context.ts'
import { DeadLetters } from '../slots/dead-letters.ts'
import { InputSlot, type ReadSlot } from '../slots/input.ts'
import { OutputSlot } from '../slots/output.ts'
import { readSlot } from '../slots/read.ts'
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
import { type JobParts, jetReports, report } from './report.ts'
import { RunningModel } from './running-model.ts'
import { checkFit } from './schema-fit.ts'
import { readState, writeState } from './state-text.ts'

type ScoreRequest = Parameters<JobControl['score']>[0]

export class Job implements JobControl {
  readonly #environment: JobEnvironment
  readonly #slotContext: SlotContext
  readonly #inputs = new Map<number, InputSlot>()
  readonly #outputs = new Map<number, OutputSlot>()
  readonly #deadLetters = new Map<number, DeadLetters>()
  readonly #debug = new DebugBuffer()
  #rejects = new RejectLog()
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
  #last: Promise<unknown> = Promise.resolve()

  constructor(environment: JobEnvironment) {
    this.#environment = environment
    this.#slotContext = {
      transport: {
        log: environment.log,
        fileRoot: environment.options.fileRoot,
        allowExec: environment.options.allowExec,
        outputs: {
          debug: (record) => this.#debug.add(record),
          console: (records) =>
            environment.tell({ kind: 'output', model: this.#model?.package.name ?? '(none)', records }),
        },
      },
    }
  }

  attachStream(
    slot: number,
    descriptor: unknown,
    { name, dryRun = false }: { readonly name?: string | undefined; readonly dryRun?: boolean | undefined },
  ): Promise<Attached> {
    return this.#inTurn(async () => {
      const { read, warnings } = await readSlot(slot, descriptor, name, this.#environment.registry)
      if (this.#model !== undefined && !this.#model.isSpent) checkFit(slot, read.type, this.#modelSlot(slot))
      const attached = { resolved: printDescriptor(read.descriptor), warnings }
      if (dryRun) return attached
      await this.#openDeadLetters(read)
      if (slot % 2 === 0) await this.#setInput(await InputSlot.open(read, this.#slotContext))
      else await this.#setOutput(await OutputSlot.open(read, this.#slotContext))
      return attached
    })
  }

  loadModel(given: ModelPackage, { dryRun = false }: { readonly dryRun?: boolean | undefined }): Promise<Verification> {
    return this.#inTurn(async () => {
      const model = await RunningModel.prepare(given, this.#environment, this.#restored)
      try {
        for (const { slot, type } of this.#freshSlots()) checkFit(slot, type, slotOf(model, slot))
        if (!dryRun) await this.#setModel(model)
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
    return this.#inTurn(async () => {
      const model = this.#model
      this.#model = undefined
      if (model === undefined) return
      if (this.#manifold === undefined) return model.dispose()
      this.#manifold.pool.scale(0)
      void this.#manifold.pool.idle().then(() => model.dispose())
      this.#enter('INIT', 'a model is missing')
    })
  }

  async reset(): Promise<void> {
    // Not in turn: whatever is under way comes to its end sooner.
    this.#manifold?.stop(failure('job-not-running', { reason: 'it was deleted' }))
    await this.#inTurn(async () => {
      await this.#discard()
      this.#rejects = new RejectLog()
      this.#debug.clear()
      this.#restored = undefined
      this.#lastJets = []
      this.#enter('INIT', undefined)
    })
  }

  /** Not in turn: a job without jets may be what others wait for. */
  async scale(jets: number): Promise<void> {
    this.#scale = jets
    if (this.#model !== undefined) this.#manifold?.pool.scale(jets)
  }

  report(): JobReport {
    return report(this.#parts)
  }

  resetStatistics(): void {
    for (const slot of [...this.#inputs.values(), ...this.#outputs.values()]) slot.resetStatistics()
    for (const member of this.#manifold?.pool.members ?? []) member.resetStatistics()
    this.#manifold?.steps.reset()
    this.#rejects.resetCounts()
  }

  sampleCpu(seconds: number, signal: AbortSignal): Promise<CpuReport> {
    return sampleCpu(() => this.report(), seconds, signal)
  }

  restInput(slot: number): RestInput | undefined {
    return this.#inputs.get(slot)?.rest
  }

  /** Where a stream is being replaced, the old one until everything that belongs to it is written. */
  restOutput(slot: number): RestOutput | undefined {
    return (this.#manifold?.output(slot) ?? this.#outputs.get(slot))?.rest
  }

  async score({ input, output, body, timeout, signal }: ScoreRequest) {
    const [from, to, manifold] = [this.#inputs.get(input), this.#outputs.get(output), this.#manifold]
    if (manifold === undefined || from === undefined || to === undefined || this.#state !== 'RUNNING') {
      throw failure('job-not-running', { reason: this.#reason ?? `its state is ${this.#state}` })
    }
    const { frames, rejects } = cutWhole(from.descriptor, from.type, body)
    const trips = Promise.all(frames.map((each) => manifold.score(each, { input, output })))
    const scored = await within(trips, timeout, signal)
    return {
      bytes: wrapWhole(
        to.descriptor,
        to.type,
        scored.map((each) => each.frames),
      ),
      rejected: rejects.length + scored.reduce((sum, each) => sum + each.rejects.length, 0),
    }
  }

  rejected(filter: Parameters<JobControl['rejected']>[0]): readonly RejectedRecord[] {
    return this.#rejects.last(filter)
  }

  debugOutput(): readonly Uint8Array[] {
    return this.#debug.records()
  }

  restoreState(contents: Uint8Array): Promise<void> {
    return this.#inTurn(async () => {
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

  /** Ends everything, for a service that stops. */
  async close(): Promise<void> {
    await this.reset()
  }

  async #setInput(input: InputSlot): Promise<void> {
    const { slot } = input
    if (this.#isLive) {
      await this.#manifold!.settled()
      this.#inputs.set(slot, input)
      this.#manifold!.replaceInput(input)
      return
    }
    await this.#inputs.get(slot)?.close()
    this.#inputs.set(slot, input)
    await this.#startWhenComplete()
  }

  async #setOutput(output: OutputSlot): Promise<void> {
    const { slot } = output
    if (this.#isLive) {
      await this.#manifold!.settled()
      this.#outputs.set(slot, output)
      this.#manifold!.replaceOutput(output)
      return
    }
    await this.#outputs.get(slot)?.abandon()
    this.#outputs.set(slot, output)
    await this.#startWhenComplete()
  }

  /** A model for a job that runs takes over between two batches; it has begun by then. */
  async #setModel(model: RunningModel): Promise<void> {
    if (!this.#isLive) {
      await this.#model?.dispose()
      this.#model = model
      return this.#startWhenComplete()
    }
    const missing = this.#missing(model)
    if (missing !== undefined) throw failure('model-failed', { reason: `it cannot take over: ${missing}` })
    await this.#manifold!.settled()
    const scoring = await this.#warm(model, Math.max(1, this.#scale))
    const old = this.#model
    this.#model = model
    const pool = this.#manifold!.pool
    this.#manifold!.replaceModel(scoring)
    scoring.pool.scale(this.#scale)
    if (this.#state === 'INIT') this.#enter('RUNNING', undefined)
    if (old !== undefined) void pool.idle().then(() => old.dispose())
  }

  /** Data flows, or would if there were jets. */
  get #isLive(): boolean {
    return this.#manifold !== undefined
  }

  async #startWhenComplete(): Promise<void> {
    const missing = this.#missing(this.#model)
    if (missing !== undefined || this.#model === undefined) return this.#enter('INIT', missing)
    this.#rejects = new RejectLog()
    this.#debug.clear()
    this.#lastJets = []
    try {
      const scoring = await this.#warm(this.#model, 1)
      this.#enter('RUNNING', undefined)
      this.#manifold = this.#connect(this.#model, scoring)
      scoring.pool.scale(this.#scale)
    } catch (error) {
      await this.#fail(error)
      throw error
    }
  }

  #connect(model: RunningModel, scoring: ScoringModel): Manifold {
    const inUse = (slot: number) => slotOf(model, slot)?.action !== null
    return new Manifold({
      inputs: [...this.#inputs.values()].filter(({ slot }) => inUse(slot)),
      outputs: [...this.#outputs.values()],
      model: scoring,
      rejects: this.#rejects,
      policy: (slot) => ({
        onError: (this.#inputs.get(slot) ?? this.#outputs.get(slot))?.descriptor.onError ?? 'skip',
        deadLetter: (records) => this.#deadLetters.get(slot)?.write(records) ?? Promise.resolve(),
      }),
      rejected: (record) => this.#environment.tell({ kind: 'rejected', record }),
      finishing: () => this.#enter('FINISHING', undefined),
      finished: () => void this.#finish(),
      fail: (error) => void this.#fail(error),
    })
  }

  /** Jets that know the streams and have begun. Rejects when one of them cannot. */
  async #warm(model: RunningModel, count: number): Promise<ScoringModel> {
    const pool = new JetPool({
      start: () => model.start(),
      wake: () => this.#manifold?.pump(),
      begun: (emissions) => this.#manifold?.emit(emissions),
      fail: (error) => void this.#fail(error),
      log: this.#environment.log,
    })
    const jets: Jet[] = []
    const begun: Emissions[] = []
    try {
      for (const { slot, codec } of this.#freshSlots()) await pool.attach({ slot, stream: codec })
      for (const jet of await Promise.all(Array.from({ length: count }, () => pool.ready()))) {
        jets.push(jet)
        begun.push(await beginJet(jet))
      }
      pool.adopt(jets)
      return { pool, slots: model.loaded.slots, begun }
    } catch (error) {
      await Promise.all(jets.map((jet) => jet.kill()))
      await pool.kill()
      throw error
    }
  }

  /** What a job with this model would wait for; undefined when everything is there. */
  #missing(model: RunningModel | undefined): string | undefined {
    if (model === undefined || model.isSpent) return 'a model is missing'
    const needed = model.loaded.slots.filter(({ action }) => action !== null).map(({ slot }) => slot)
    const fresh = new Set([...this.#freshSlots()].map(({ slot }) => slot))
    const missing = needed.filter((slot) => !fresh.has(slot))
    if (missing.length === 0) return undefined
    return `a stream is missing for slot ${missing.map((slot) => slotName(slot)).join(' and ')}`
  }

  *#freshSlots(): Iterable<InputSlot | OutputSlot> {
    for (const slot of this.#inputs.values()) if (!slot.isSpent) yield slot
    for (const slot of this.#outputs.values()) if (!slot.isSpent) yield slot
  }

  #modelSlot(slot: number): ModelSlot | undefined {
    return this.#model && slotOf(this.#model, slot)
  }

  async #openDeadLetters({ slot, descriptor }: ReadSlot): Promise<void> {
    const old = this.#deadLetters.get(slot)
    this.#deadLetters.delete(slot)
    if (descriptor.onError === 'dead-letter') {
      const { registry } = this.#environment
      this.#deadLetters.set(slot, await DeadLetters.open(descriptor.deadLetter, registry, this.#slotContext))
    }
    await old?.close()
  }

  async #finish(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#manifold === undefined) return
      await this.#storeSnapshot()
      await this.#retire()
      this.#enter('FINISHED', undefined)
      this.#environment.tell({ kind: 'output-eof' })
    })
  }

  async #storeSnapshot(): Promise<void> {
    const model = this.#model
    if (model === undefined || model.loaded.snapshots !== 'eof') return
    try {
      const [own, shared] = [await this.#manifold!.pool.snapshot(), model.state.snapshot()]
      const state = { cells: { ...own.cells, ...shared.cells }, pools: { ...own.pools, ...shared.pools } }
      await this.#environment.registry.storeSnapshot(model.package.name, writeState(state))
    } catch (error) {
      this.#environment.log(
        'error',
        `no snapshot of model ${model.package.name} was stored: ${(error as Error).message}`,
      )
    }
  }

  /** The job is over, well or not: its parts stay to be looked at, and must be set anew before another one starts. */
  async #retire(): Promise<void> {
    const pool = this.#manifold?.pool
    this.#lastJets = pool === undefined ? [] : jetReports(pool)
    this.#manifold = undefined
    await pool?.stop()
    for (const slot of this.#freshSlots()) {
      slot.isSpent = true
      await slot
        .close()
        .catch((error: Error) => this.#environment.log('warn', `a stream was not closed: ${error.message}`))
    }
    for (const letters of this.#deadLetters.values()) await letters.close()
    this.#deadLetters.clear()
    if (this.#model !== undefined) this.#model.isSpent = true
  }

  async #fail(error: unknown): Promise<void> {
    const sentence = error instanceof Error ? error.message : String(error)
    this.#environment.log('error', `the job stops: ${sentence}`)
    this.#manifold?.stop(failure('job-not-running', { reason: sentence }))
    this.#enter('ERROR', sentence)
    await this.#retire()
  }

  async #discard(): Promise<void> {
    const pool = this.#manifold?.pool
    this.#manifold = undefined
    await pool?.kill()
    for (const input of this.#inputs.values()) await input.close()
    for (const output of this.#outputs.values()) await output.abandon()
    for (const letters of this.#deadLetters.values()) await letters.close()
    this.#inputs.clear()
    this.#outputs.clear()
    this.#deadLetters.clear()
    await this.#model?.dispose()
    this.#model = undefined
  }

  #enter(state: JobState, reason: string | undefined): void {
    if (state === this.#state && reason === this.#reason) return
    this.#state = state
    this.#reason = reason
    this.#environment.tell({ kind: 'state', state, reason })
  }

  get #parts(): JobParts {
    return {
      state: this.#state,
      reason: this.#reason,
      inputs: this.#inputs,
      outputs: this.#outputs,
      model: this.#model,
      manifold: this.#manifold,
      rejects: this.#rejects,
      lastJets: this.#lastJets,
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work)
    this.#last = next.catch(() => undefined)
    return next
  }
}

function slotOf(model: RunningModel, slot: number): ModelSlot | undefined {
  return model.loaded.slots.find((each) => each.slot === slot)
}

function slotName(slot: number): string {
  return slot === 0 ? '0 (in)' : slot === 1 ? '1 (out)' : String(slot)
}

async function within<Result>(work: Promise<Result>, timeout: number, signal: AbortSignal): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure('score-timeout', { timeout })), timeout)
    signal.addEventListener('abort', () => reject(new Error('the caller has gone')), { once: true })
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
