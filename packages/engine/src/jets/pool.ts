// The jets of one model: batches come in, what came of them goes out, whatever happens to the processes in between.
import { countFrames } from '@pitot/codec'
import { type Attach, type Emissions, type Jet, type JetBatch, JetDeath, NO_FRAME, type SharedState } from '@pitot/jet'
import type { EngineTaps } from '../taps/engine-taps.ts'
import { beginJet } from './begin.ts'
import { joinSingles, NOTHING, rejectAll, singleFrame } from './emissions.ts'
import { Member } from './member.ts'
import { Restarts } from './restarts.ts'
import type { JetWatches } from './watches.ts'

export interface PoolOptions {
  /** Starts a process and loads the model into it. */
  readonly start: () => Promise<Jet>
  /** Called when there may be room for a batch where there was none. */
  readonly wake: () => void
  /** What `begin` of a jet that joins later emits. */
  readonly begun: (emissions: Emissions) => void
  /** The model cannot be kept running. */
  readonly fail: (error: Error, pool: JetPool) => void
  /** What sensors can watch. */
  readonly taps?: EngineTaps | undefined
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void
  /** What sensors watch in the records: every jet is told, also one that is nobody's yet. */
  readonly watches: JetWatches
}

/**
 * Keeps as many jets as it is scaled to, and one more that is loaded and waits, so that a jet that dies is replaced at once.
 * A batch whose jet died is scored again: the one it was working on record by record, so that the record to blame is found
 * and rejected alone.
 */
export class JetPool {
  readonly #options: PoolOptions
  readonly #restarts: Restarts
  readonly #streams = new Map<number, Attach>()
  /** What jets that are on their way have been told of the streams. */
  readonly #known = new WeakMap<Jet, Map<number, Attach>>()
  readonly #members: Member[] = []
  /** Suspects wait for a jet of their own, before anything else is given out. */
  readonly #suspects: ((member: Member) => void)[] = []
  #spare: Promise<Jet | undefined> | undefined
  #target = 0
  #starting = 0
  #isStopped = false
  #isEnding = false
  #whenIdle: (() => void)[] = []

  constructor(options: PoolOptions) {
    this.#options = options
    this.#restarts = new Restarts()
  }

  get members(): readonly Member[] {
    return this.#members
  }

  get restarts() {
    return this.#restarts.report()
  }

  /** Takes over jets that are loaded, attached and begun already. */
  adopt(jets: readonly Jet[]): void {
    for (const jet of jets) this.#join(jet)
    this.#target = jets.length
  }

  /** Streams for every jet, those to come included. Only while nothing is in flight. Rejects when a jet cannot take it. */
  async attach(attach: Attach): Promise<void> {
    this.#streams.set(attach.slot, attach)
    await this.#dismissSpare()
    await Promise.all(this.#members.map(({ jet }) => jet.attach(attach).catch(ignoreDeath)))
  }

  /** More jets are started as they are needed; jets too many finish their batches before they go. */
  scale(target: number): void {
    this.#target = target
    const staying = this.#members.filter(({ isLeaving }) => !isLeaving)
    for (const member of staying.slice(target)) this.#leave(member)
    if (target === 0) void this.#dismissSpare()
    this.#fill()
  }

  get hasRoom(): boolean {
    return this.#suspects.length === 0 && this.#members.some(({ hasRoom }) => hasRoom)
  }

  /** Ask `hasRoom` first. Never rejects for what a model does. */
  async score(batch: JetBatch): Promise<Emissions> {
    const member = this.#leastLoaded()
    const outcome = await this.#try(member, batch)
    if (!('death' in outcome)) return outcome
    return this.#scoreAgain(batch, outcome.isSuspect)
  }

  /** Resolves when no batch is in flight. */
  async idle(): Promise<void> {
    while (this.#isBusy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  /** Runs `end` in each jet; call it when idle. */
  async end(): Promise<readonly Emissions[]> {
    this.#isEnding = true
    await this.#dismissSpare()
    return Promise.all(
      this.#members.map(async (member) => {
        try {
          const emissions = await member.jet.end()
          member.count(emissions)
          return emissions
        } catch (error) {
          return {
            ...NOTHING,
            rejects: [{ index: NO_FRAME, step: 'model' as const, reason: (error as Error).message }],
          }
        }
      }),
    )
  }

  /** State of the jets themselves, not what they share: of the first one that has any. */
  async snapshot(): Promise<SharedState> {
    for (const { jet } of this.#members) {
      const state = await jet.snapshot().catch(ignoreDeath)
      if (state !== undefined && Object.keys({ ...state.cells, ...state.pools }).length > 0) return state
    }
    return { cells: {}, pools: {} }
  }

  /** Lets every jet finish what it has, then ends it. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#restarts.cancel()
    await Promise.all([this.#dismissSpare(), ...this.#members.splice(0).map(({ jet }) => this.#part(jet))])
  }

  /** Ends every jet at once. */
  async kill(): Promise<void> {
    this.#isStopped = true
    this.#restarts.cancel()
    await Promise.all([this.#dismissSpare(), ...this.#members.splice(0).map(({ jet }) => jet.kill())])
  }

  get #isBusy(): boolean {
    return this.#suspects.length > 0 || this.#members.some(({ load, isReserved }) => load > 0 || isReserved)
  }

  get #staying(): number {
    return this.#members.filter(({ isLeaving }) => !isLeaving).length
  }

  #leastLoaded(): Member {
    let best: Member | undefined
    for (const member of this.#members) {
      if (member.hasRoom && (best === undefined || member.load < best.load)) best = member
    }
    return best!
  }

  async #try(member: Member, batch: JetBatch) {
    const outcome = await member.score(batch)
    if ('death' in outcome) this.#bury(member, outcome.death)
    else this.#options.taps?.jetScored(member.jet.sandbox, batch, outcome)
    this.#released(member)
    return outcome
  }

  /** A batch that lost its jet. The one behind it was not begun: it needs a jet, and nothing else. */
  async #scoreAgain(batch: JetBatch, isSuspect: boolean): Promise<Emissions> {
    if (isSuspect && !batch.isRecordset) return this.#scoreOneByOne(batch)
    const member = await this.#reserve()
    const outcome = await this.#try(member, batch)
    member.isReserved = false
    this.#released(member)
    if (!('death' in outcome)) return outcome
    return isSuspect ? rejectAll(batch, blame(outcome.death)) : this.#scoreAgain(batch, true)
  }

  /** The record on which a jet dies that has nothing else to do is the one to blame. */
  async #scoreOneByOne(batch: JetBatch): Promise<Emissions> {
    const parts: Emissions[] = []
    let member = await this.#reserve()
    for (let index = 0; index < countFrames(batch.frames); index++) {
      const single = singleFrame(batch, index)
      const outcome = await this.#try(member, single)
      if (!('death' in outcome)) {
        parts.push(outcome)
        continue
      }
      this.#restarts.isExplained()
      parts.push(rejectAll(single, blame(outcome.death)))
      if (index + 1 < countFrames(batch.frames)) member = await this.#reserve()
    }
    member.isReserved = false
    this.#released(member)
    return joinSingles(parts)
  }

  /** A jet with nothing in flight, for one caller alone. */
  #reserve(): Promise<Member> {
    return new Promise((resolve) => {
      this.#suspects.push(resolve)
      this.#serveSuspects()
    })
  }

  #serveSuspects(): void {
    for (const member of this.#members) {
      if (this.#suspects.length === 0) return
      if (member.isReserved || member.isLeaving || member.load > 0) continue
      member.isReserved = true
      this.#suspects.shift()!(member)
    }
  }

  /** A jet has become less busy. */
  #released(member: Member): void {
    if (member.isLeaving && member.load === 0) void this.#dismiss(member)
    this.#serveSuspects()
    if (!this.#isBusy) for (const resolve of this.#whenIdle.splice(0)) resolve()
    this.#options.wake()
  }

  #leave(member: Member): void {
    member.isLeaving = true
    if (member.load === 0 && !member.isReserved) void this.#dismiss(member)
  }

  async #dismiss(member: Member): Promise<void> {
    const at = this.#members.indexOf(member)
    if (at < 0) return
    this.#members.splice(at, 1)
    await this.#part(member.jet)
  }

  /** Asks what it has seen before it ends. */
  async #part(jet: Jet): Promise<void> {
    await this.#options.watches.leave(jet)
    await jet.stop()
  }

  #bury(member: Member, death: JetDeath): void {
    const at = this.#members.indexOf(member)
    if (at < 0) return
    this.#members.splice(at, 1)
    this.#options.log('warn', `jet ${member.jet.sandbox} is replaced: ${death.message}`)
    this.#restarts.count(death.message, member.hasScored)
    this.#fill()
  }

  #join(jet: Jet): void {
    const member = new Member(jet)
    this.#members.push(member)
    this.#options.taps?.jetJoined(jet.sandbox)
    void jet.gone.then((death) => {
      this.#options.taps?.jetLeft(jet.sandbox)
      if (death !== undefined) this.#bury(member, death)
    })
    this.#serveSuspects()
  }

  /** Starts as many jets as are missing. */
  #fill(): void {
    if (this.#isStopped || this.#isEnding) return
    for (let missing = this.#target - this.#staying - this.#starting; missing > 0; missing--) void this.#startOne()
  }

  async #startOne(): Promise<void> {
    this.#starting++
    // A jet that stands in for a dead one does not say again what that one has said in `begin`.
    const isReplacement = this.#restarts.isReplacing()
    try {
      await this.#restarts.pause()
      const jet = (await this.#takeSpare()) ?? (await this.ready())
      const emissions = await beginJet(jet)
      await this.#attachAll(jet)
      // Meanwhile it may have become one too many.
      if (this.#isStopped || this.#staying >= this.#target) return void jet.kill()
      if (!isReplacement) this.#options.begun(emissions)
      this.#join(jet)
    } catch (error) {
      if (this.#isStopped) return
      this.#options.log('warn', `a jet could not be started: ${(error as Error).message}`)
      if (this.#restarts.count((error as Error).message, false)) this.#options.fail(error as Error, this)
    } finally {
      this.#starting--
      this.#fill()
      this.#options.wake()
    }
    this.#keepSpare()
  }

  /** A jet that is loaded and knows the streams, and is nobody's yet. */
  async ready(): Promise<Jet> {
    const jet = await this.#options.start()
    try {
      await this.#attachAll(jet)
      this.#options.watches.join(jet)
      return jet
    } catch (error) {
      await jet.kill()
      throw error
    }
  }

  /** Gives a jet all streams it does not know yet; they may change while it is told. */
  async #attachAll(jet: Jet): Promise<void> {
    const known = this.#known.getOrInsertComputed(jet, () => new Map())
    for (let news = this.#newsFor(known); news !== undefined; news = this.#newsFor(known)) {
      await jet.attach(news)
      known.set(news.slot, news)
    }
  }

  #newsFor(known: ReadonlyMap<number, Attach>): Attach | undefined {
    return this.#streams.values().find((attach) => known.get(attach.slot) !== attach)
  }

  #keepSpare(): void {
    if (this.#isStopped || this.#isEnding || this.#target === 0) return
    this.#spare ??= this.ready().catch((error: Error) => {
      this.#options.log('debug', `no spare jet: ${error.message}`)
      return undefined
    })
  }

  async #takeSpare(): Promise<Jet | undefined> {
    const spare = this.#spare
    this.#spare = undefined
    return spare
  }

  async #dismissSpare(): Promise<void> {
    const jet = await this.#takeSpare()
    await jet?.kill()
  }
}

function blame(death: JetDeath): string {
  return `the model brought its process down: ${death.message}`
}

function ignoreDeath(error: unknown): undefined {
  if (!(error instanceof JetDeath)) throw error
  return undefined
}
