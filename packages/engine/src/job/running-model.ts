// A model of a job: its package comes in, jets that have it loaded go out, as many as are asked for.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Jet,
  type Load,
  type Loaded,
  ModelFailure,
  type ModelSlot,
  type Runner,
  type SharedState,
  SharedStateTable,
  startJet,
} from '@pitot/jet'
import { runnerFor } from '../jets/runners.ts'
import { readAnnotations } from '../model/annotations.ts'
import { sourceFile } from '../model/languages.ts'
import type { ModelPackage } from '../model/package.ts'
import { resolveModelSlots, schemaLookup } from '../model/slots.ts'
import { prepareFolder } from '../model/unpack.ts'
import type { JobEnvironment } from './environment.ts'

/** Digits that no other jet of this process has. */
let lastSandbox = 10_000_000 + (Date.now() % 80_000_000)

export class RunningModel {
  readonly package: ModelPackage
  /** What its jets share. */
  readonly state: SharedStateTable
  /** Was part of a job that is over. */
  isSpent = false
  readonly #environment: JobEnvironment
  readonly #folder: string
  #runner: Runner | undefined
  #load: Omit<Load, 'sandbox'> | undefined
  #loaded: Loaded | undefined
  /** The jet that the model was checked in: the first one to work. */
  #first: Jet | undefined
  /** Jets that run, and starts that are under way. */
  readonly #jets = new Set<Jet>()
  readonly #starts = new Set<Promise<Jet>>()
  readonly #ended = new AbortController()

  private constructor(given: ModelPackage, environment: JobEnvironment) {
    this.package = given
    this.state = new SharedStateTable(environment.options.stateMemory)
    this.#environment = environment
    this.#folder = join(environment.options.data, 'jets', String(++lastSandbox))
  }

  /** Unpacks the attachments and loads the model into a first jet. Rejects with the reason when it is no model. */
  static async prepare(given: ModelPackage, environment: JobEnvironment, state?: SharedState): Promise<RunningModel> {
    const model = new RunningModel(given, environment)
    try {
      await model.#prepare(state)
      return model
    } catch (error) {
      await model.dispose()
      throw error
    }
  }

  async #prepare(state: SharedState | undefined): Promise<void> {
    const { options, registry } = this.#environment
    const { language, source, name, schemas } = this.package
    const annotations = readAnnotations(language, Buffer.from(source).toString())
    const slots = await resolveModelSlots(annotations, schemaLookup(schemas, registry))
    this.#runner = await runnerFor(language, options.jets)
    await mkdir(this.#folder, { recursive: true })
    if (state !== undefined) this.state.restore(state)
    this.#load = {
      language,
      name,
      file: sourceFile(language),
      timeout: options.jets.timeout,
      slots,
      attached: annotations.attached,
      ...(state && { state }),
    }
    this.#first = await this.#start((loaded) => {
      const snapshots = annotations.snapshots === 'eof' ? 'eof' : loaded.snapshots
      this.#loaded = { ...loaded, snapshots, warnings: [...annotations.warnings, ...loaded.warnings] }
    })
  }

  get loaded(): Loaded {
    return this.#loaded!
  }

  /** What it says of a slot; undefined where it says nothing. */
  slot(slot: number): ModelSlot | undefined {
    return this.loaded.slots.find((each) => each.slot === slot)
  }

  /** Whether it takes the records of this input: it does unless it says that it does not. */
  reads(slot: number): boolean {
    return this.slot(slot)?.action !== null
  }

  /** A jet with the model loaded; no stream is attached to it yet. */
  async start(): Promise<Jet> {
    const first = this.#first
    this.#first = undefined
    return first ?? this.#start(() => undefined)
  }

  /** The same model with this state instead of what it began with. Only before any jet of it works. */
  async restore(state: SharedState): Promise<void> {
    this.state.restore(state)
    this.#load = { ...this.#load!, state }
    await this.#first?.kill()
    this.#first = await this.#start(() => undefined)
  }

  /** Jets that waited for each other without end, since the last time it was asked. */
  takeDeadlocks(): readonly object[] {
    const steps = this.state.takeDeadlocks().flat()
    return steps.map(({ holder, item, heldBy }) => ({ 'waits-for': holder, item, 'held-by': heldBy }))
  }

  /** Ends what there is of its jets, those that are only being started too: nothing of them is left. */
  async dispose(): Promise<void> {
    this.#ended.abort(new ModelFailure('the model is not used any more'))
    await Promise.all(Array.from(this.#jets, (jet) => jet.kill()))
    await Promise.allSettled(this.#starts)
    await rm(this.#folder, { recursive: true, force: true })
    await this.package.dispose()
  }

  get #template(): string {
    return join(this.#folder, 'template')
  }

  async #start(take: (loaded: Loaded) => void): Promise<Jet> {
    const start = this.#startJet(take)
    this.#starts.add(start)
    try {
      return await start
    } finally {
      this.#starts.delete(start)
    }
  }

  async #startJet(take: (loaded: Loaded) => void): Promise<Jet> {
    const { options, log, tell, trial } = this.#environment
    const sandbox = String(++lastSandbox)
    const folder = join(this.#folder, sandbox)
    this.#ended.signal.throwIfAborted()
    await prepareFolder(this.package, this.#template, folder)
    const jet = await startJet({
      runner: this.#runner!,
      sandbox,
      folder,
      memory: options.jets.memory,
      timeout: options.jets.timeout,
      network: options.jets.network,
      isolation: options.jets.isolation,
      state: this.state,
      console: (text) => tell({ kind: 'console', text }),
      log,
    })
    this.#jets.add(jet)
    tell({ kind: 'config', item: 'jet', op: 'start', ref: sandbox })
    void jet.gone.then(async () => {
      this.#jets.delete(jet)
      tell({ kind: 'config', item: 'jet', op: 'stop', ref: sandbox })
      await rm(folder, { recursive: true, force: true })
    })
    trial?.stop.addEventListener('abort', () => void jet.kill(), { once: true })
    try {
      this.#ended.signal.throwIfAborted()
      trial?.stop.throwIfAborted()
      take(await jet.load({ ...this.#load!, sandbox }))
      return jet
    } catch (error) {
      await jet.kill()
      throw error
    }
  }
}
