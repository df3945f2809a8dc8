// Moves records between slots and jets: streams and a pool come in, scores go out in order, and nothing is lost on the way.
import { countFrames, countRecords, type Frames } from '@pitot/codec'
import type { Emissions, ModelSlot } from '@pitot/jet'
import type { Tracing } from '@pitot/service'
import type { ControlPiece, RejectsPiece } from '@pitot/stream'
import type { JetPool } from '../jets/pool.ts'
import type { RejectedRecord } from '../job/control.ts'
import type { InputSlot, ReadMark } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'
import type { EngineTaps } from '../taps/engine-taps.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { type Batch, spanOf } from './batch.ts'
import { BatchTraces } from './batch-traces.ts'
import { Changes } from './changes.ts'
import { Delivery, type RejectPolicy } from './delivery.ts'
import { Intake } from './intake.ts'
import { Pigs } from './pigs.ts'
import { Reader } from './reader.ts'
import { type RoundTrip, RoundTrips } from './round-trips.ts'
import { Sequence } from './sequence.ts'
import type { RunStatistics } from './statistics.ts'

export interface ManifoldOptions {
  readonly inputs: readonly InputSlot[]
  readonly outputs: readonly OutputSlot[]
  readonly model: ScoringModel
  readonly statistics: RunStatistics
  readonly policy: (slot: number) => RejectPolicy
  readonly rejected: (record: RejectedRecord) => void
  /** What sensors can watch. */
  readonly taps?: EngineTaps | undefined
  /** Where somebody wants to see every batch. */
  readonly tracing?: Tracing | undefined
  /** How far an input was read and everything of it is durable downstream, to be kept for a restart. */
  readonly secured?: ((slot: number, mark: ReadMark) => void) | undefined
  /** All inputs are at their end; the jets still work. */
  readonly finishing: () => void
  /** Everything is written. */
  readonly finished: () => void
  /** It cannot go on. Called once. */
  readonly fail: (error: unknown) => void
}

/** A model that is running: its jets, and what it wants of the slots. */
export interface ScoringModel {
  readonly pool: JetPool
  readonly slots: readonly ModelSlot[]
  /** What its jets emitted when they began, to be written before anything they score. */
  readonly begun: readonly Emissions[]
}

/** Items that may wait for their delivery: with order kept, a slow batch holds up those behind it. */
const MOST_ITEMS = 256
/** Bytes of input that are on their way between intake and delivery. */
const MOST_BYTES = 32 * 2 ** 20

export class Manifold {
  readonly #options: ManifoldOptions
  readonly #outputs: Map<number, OutputSlot>
  readonly #readers = new Map<number, Reader>()
  readonly #acknowledgements: Acknowledgements
  readonly #sequence: Sequence
  readonly #delivery: Delivery
  readonly #pigs: Pigs
  readonly #roundTrips: RoundTrips
  readonly #traces: BatchTraces | undefined
  #model: ScoringModel
  /** Of batches that are not delivered. */
  #bytes = 0
  #isUnloaded = false
  #isOver = false
  readonly #changes: Changes
  readonly #ended = new Set<number>()

  constructor(options: ManifoldOptions) {
    this.#options = options
    this.#model = options.model
    this.#outputs = new Map(options.outputs.map((output) => [output.slot, output]))
    this.#sequence = new Sequence({ fail: (error) => this.#fail(error), moved: () => this.pump() })
    this.#changes = new Changes({ resume: () => this.pump(), fail: (error) => this.#fail(error) })
    this.#acknowledgements = new Acknowledgements({
      outputs: this.#outputs,
      secured: options.secured,
      inTurn: (work) => this.#then(work),
      fail: (error) => this.#fail(error),
    })
    this.#delivery = new Delivery({ ...options, rejects: options.statistics.rejects, outputs: this.#outputs })
    this.#pigs = new Pigs(this.#outputs)
    this.#roundTrips = new RoundTrips(() => this.pump(), options.tracing)
    this.#traces = options.tracing && new BatchTraces(options.tracing)
    this.#settleOutputs()
    this.#begin(options.model)
    for (const input of options.inputs) this.#read(input)
  }

  get pool(): JetPool {
    return this.#model.pool
  }

  /** What waits for whom, for status and metrics. */
  get gauges() {
    return { items: this.#sequence.length, batches: this.#changes.batches, bytes: this.#bytes }
  }

  /** Those that are read; the old one while one is being replaced. */
  get inputs(): readonly InputSlot[] {
    return Array.from(this.#readers.values(), ({ input }) => input)
  }

  output(slot: number): OutputSlot | undefined {
    return this.#outputs.get(slot)
  }

  /** Resolves when every change that was asked for has been made, or will never be. */
  settled(): Promise<void> {
    return this.#changes.settled()
  }

  /** From the next batch on the other model scores; the old one finishes what it has. Resolves when its jets are gone. */
  async replaceModel(model: ScoringModel): Promise<void> {
    const old = this.#model
    await this.#changes.make(async () => {
      this.#model = model
      this.#isUnloaded = false
      for (const { intake } of this.#readers.values()) intake.recordsets = this.#takesSets(intake.slot)
      this.#begin(model)
    })
    await old.pool.idle()
    await old.pool.stop()
  }

  /** Nothing is scored until there is another model. Resolves when the jets are gone. */
  unloadModel(): Promise<void> {
    return this.#changes.make(async () => {
      await this.#changes.answered()
      this.#isUnloaded = true
      await this.#model.pool.stop()
    })
  }

  /** The old stream is closed when what was read of it is written; the new one is read from then on. */
  replaceInput(input: InputSlot): void {
    const old = this.#readers.get(input.slot)
    void this.#changes.make(async () => {
      await old?.stop()
      await this.#changes.answered()
      await this.#model.pool.attach({ slot: input.slot, stream: input.codec })
      if (old !== undefined) void this.#retire(old)
      this.#ended.delete(input.slot)
      this.#read(input)
    })
  }

  /** What is scored from now on goes to the new stream; the old one is closed when what was scored before is written. */
  replaceOutput(output: OutputSlot): void {
    void this.#changes.make(async () => {
      await this.#changes.answered()
      await this.#model.pool.attach({ slot: output.slot, stream: output.codec })
      this.#then(async () => {
        await this.#acknowledgements.commit()
        const old = this.#outputs.get(output.slot)
        this.#pigs.expectAt(output)
        this.#outputs.set(output.slot, output)
        this.#settleOutputs()
        await old?.close()
      })
    })
  }

  /** Scores these frames for one caller alone. */
  score(frames: Frames, slots: { input: number; output: number }): Promise<RoundTrip> {
    return this.#roundTrips.request(frames, slots)
  }

  /** Emissions that belong to no batch, in the order of now. */
  emit(emissions: Emissions): void {
    if (emissions.outputs.length === 0 && emissions.rejects.length === 0) return
    this.#then(() => this.#delivery.deliverOutside(emissions))
  }

  /** Gives out as much work as jets and queues can take. */
  pump(): void {
    if (this.#changes.isPaused || this.#isUnloaded || this.#isOver) return
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = this.#dispatchRoundTrips()
      for (const { intake } of this.#readers.values()) {
        if (this.#changes.isPaused) return
        hasMoved = this.#advance(intake) || hasMoved
      }
    }
  }

  /** Acknowledges everything that is delivered by now. */
  secure(): Promise<void> {
    return this.#acknowledgements.secure()
  }

  /** Stops where it is: nothing more is read or written. Streams and jets are left to whoever gave them. */
  stop(error: Error): void {
    this.#isOver = true
    this.#changes.stop()
    this.#sequence.stop()
    this.#roundTrips.stop(error)
    this.#traces?.abandon(error.message)
    for (const { intake } of this.#readers.values()) intake.close()
    this.#acknowledgements.stop()
  }

  #advance(intake: Intake): boolean {
    const mark = intake.takeMark()
    if (mark !== undefined) {
      mark.reach()
      return true
    }
    if (!this.#mayBegin || !intake.hasBatch() || !this.#model.pool.hasRoom) return false
    this.#dispatch(intake.takeBatch())
    return true
  }

  get #mayBegin(): boolean {
    return this.#sequence.length < MOST_ITEMS && this.#bytes < MOST_BYTES && !this.#sequence.isBlocked
  }

  #dispatch(batch: Batch): void {
    const size = spanOf(batch.frames)
    const { input } = this.#readers.get(batch.slot)!
    const position = batch.position(countFrames(batch.frames) - 1)
    const records = input.recordsBefore + batch.first - 1 + countRecords(batch.frames)
    const isDelivered = this.#acknowledgements.enter(input, { position, records })
    const taps = this.#options.taps?.slot(batch.slot)
    const trace = this.#traces?.begin(batch)
    const begun = performance.now()
    let emissions: Emissions | undefined
    const isReady = this.#sequence.push({
      isBarrier: false,
      deliver: async () => {
        await this.#acknowledgements.beforeWrite()
        await this.#delivery.deliver(batch, emissions!)
        this.#bytes -= size
        const seconds = (performance.now() - begun) / 1000
        this.#options.statistics.latency.add(batch.slot, seconds)
        taps?.delivered(seconds)
        trace?.delivered()
        isDelivered()
      },
    })
    this.#bytes += size
    this.#changes.batchBegun()
    this.#model.pool.score(batch).then(
      (answer) => {
        emissions = answer
        this.#options.statistics.steps.add(answer)
        taps?.scored(answer.seconds)
        trace?.scored()
        isReady()
        this.#isAnswered()
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #dispatchRoundTrips(): boolean {
    if (!this.#roundTrips.hasBatch || !this.#model.pool.hasRoom) return false
    const { batch, callers, deliver, fail } = this.#roundTrips.take()
    const trace = this.#traces?.begin(batch, callers)
    this.#changes.batchBegun()
    this.#model.pool.score(batch).then(
      (answer) => {
        this.#options.statistics.steps.add(answer)
        trace?.scored()
        deliver(answer)
        trace?.delivered()
        this.#isAnswered()
      },
      (error: unknown) => {
        fail(error as Error)
        this.#fail(error)
      },
    )
    return true
  }

  #isAnswered(): void {
    this.#changes.batchAnswered()
    this.pump()
  }

  /** Something that happens when everything so far is written, and before anything else is. */
  #then(deliver: () => Promise<void>): void {
    this.#sequence.push({ isBarrier: true, deliver })()
  }

  #begin(model: ScoringModel): void {
    for (const emissions of model.begun) this.emit(emissions)
  }

  #read(input: InputSlot): void {
    const intake = new Intake({
      slot: input.slot,
      batching: input.descriptor.batching,
      recordsets: this.#takesSets(input.slot),
      wake: () => this.pump(),
    })
    this.#acknowledgements.open(input)
    const reader = new Reader(input, intake, {
      control: (_, piece) => this.#control(input, piece),
      rejects: (_, piece) => this.#refuse(input, piece),
      taps: this.#options.taps?.slot(input.slot),
      ended: () => this.#inputEnded(input),
      fail: (error) => this.#fail(error),
      wake: () => this.pump(),
    })
    this.#readers.set(input.slot, reader)
  }

  /** Everything that was read of an input has been given out: it is closed when that is safe. */
  async #retire({ input, intake }: Reader): Promise<void> {
    await this.#acknowledgements.close(input)
    intake.close()
    await input.close()
  }

  /** A pig comes out behind everything before it. */
  #control(input: InputSlot, piece: ControlPiece): () => void {
    if (piece.control.kind !== 'pig') return () => undefined
    const write = this.#pigs.enter(input, piece)
    return () => this.#then(write)
  }

  #refuse(input: InputSlot, { rejects }: RejectsPiece): void {
    this.#then(() => this.#delivery.refuseRead(input.slot, rejects))
  }

  #inputEnded(input: InputSlot): void {
    this.#ended.add(input.slot)
    if (this.#ended.size < this.#readers.size) return
    this.#options.finishing()
    void this.#changes.make(() => this.#finish())
  }

  async #finish(): Promise<void> {
    await this.#changes.answered()
    // Another input may have been attached while the last batches were scored.
    if (this.#ended.size < this.#readers.size || this.#isOver) return
    for (const emissions of await this.#model.pool.end()) this.emit(emissions)
    this.#then(async () => {
      await this.#acknowledgements.commit()
      await this.secure()
      for (const output of this.#outputs.values()) await output.close()
      this.#isOver = true
      this.#changes.stop()
      this.#options.finished()
    })
  }

  #takesSets(slot: number): boolean {
    return this.#model.slots.find((each) => each.slot === slot)?.recordsets ?? false
  }

  /** What the outputs ask of everything that is written. */
  #settleOutputs(): void {
    this.#acknowledgements.settle([...this.#options.inputs, ...this.inputs])
    this.#sequence.ordered = [...this.#outputs.values()].some(({ descriptor }) => descriptor.order)
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.stop(error instanceof Error ? error : new Error(String(error)))
    this.#options.fail(error)
  }
}
