// A jet with its process: calls of the engine become messages, messages of the jet become answers, and whatever goes wrong
// with the process becomes one JetDeath.
import { Channel } from '../channel.ts'
import { decodeJetMessage } from '../decode.ts'
import { encodeHostMessage } from '../encode.ts'
import { type FormTranslator, isAnswered, type SentBatch } from '../forms/form.ts'
import { translators } from '../forms.ts'
import { type Emissions, type Jet, type JetBatch, JetDeath, type JetDeathCause, type JetUsage } from '../jet.ts'
import {
  type Answer,
  type Ask,
  type Attach,
  type Hello,
  type HostMessage,
  type JetMessage,
  type Load,
  type Loaded,
  NO_FRAME,
  type Partials,
  PROTOCOL,
  type Scored,
  type SharedState,
  type Watch,
} from '../messages.ts'
import { ProtocolError } from '../shape.ts'
import { Calls, type Question } from './calls.ts'
import type { JetOptions } from './options.ts'
import type { Ending, JetProcess } from './process.ts'
import { watch } from './watch.ts'

/** Seconds without a sign of life that are allowed at least where no record is being scored. */
const PATIENCE = 30
/** Milliseconds that a jet has for its end, once it has nothing else to do. */
const GRACE = 3000
/** Milliseconds after which an end that should have come is not waited for any more. */
const OVERDUE_END = 1000

export class RunningJet implements Jet {
  readonly sandbox: string
  readonly isolation: readonly string[]
  readonly gone: Promise<JetDeath | undefined>
  readonly #options: JetOptions
  readonly #process: JetProcess
  readonly #channel: Channel<JetMessage, HostMessage>
  readonly #calls = new Calls()
  readonly #unwatch: () => void
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #patience: number
  #pid: number
  #translator: FormTranslator | undefined
  #nextBatch = 0
  /** When the jet gave its last sign of life, or was given something to do after it had nothing. */
  #heard = performance.now()
  /** It waits for an answer of ours. */
  #isAsking = false
  #isAsked: 'to stop' | 'to end' | undefined
  /** Why it is being killed. */
  #doom: { readonly cause: JetDeathCause; readonly words: string } | undefined
  #death: JetDeath | undefined

  constructor(options: JetOptions, process: JetProcess, isolation: readonly string[]) {
    this.#options = options
    this.#process = process
    this.#pid = process.group
    this.sandbox = options.sandbox
    this.isolation = isolation
    this.#patience = Math.max(PATIENCE, 4 * options.timeout)
    this.#channel = new Channel({
      input: process.output,
      output: process.input,
      encode: encodeHostMessage,
      decode: decodeJetMessage,
      message: (message) => this.#receive(message),
      ended: (error) => this.#fallSilent(error),
    })
    this.#unwatch = watch({
      process,
      memory: options.memory,
      overdue: () => this.#overdue(),
      forgive: (milliseconds) => {
        this.#heard += milliseconds
      },
      doom: (cause, words) => this.#end(cause, words),
    })
    this.gone = process.ended.then((ending) => this.#ended(ending))
  }

  get pid(): number {
    return this.#pid
  }

  /** To be called once, before everything else: resolves when the runner has said hello. */
  greeting(): Promise<void> {
    return this.#calls.add({
      words: 'was starting',
      answer: 'hello',
      mayFail: false,
      patience: this.#patience,
      take: ({ hello }) => this.#greet(hello),
    })
  }

  load(load: Load): Promise<Loaded> {
    return this.#call(
      { kind: 'load', load },
      {
        words: 'was loading the model',
        answer: 'loaded',
        mayFail: true,
        patience: this.#patience,
        take: ({ loaded }) => {
          this.#translator!.loaded(loaded)
          return loaded
        },
      },
    )
  }

  async attach(attach: Attach): Promise<void> {
    const isInput = attach.slot % 2 === 0
    if (isInput) this.#translator!.attach(attach)
    return this.#call(
      { kind: 'attach', attach },
      {
        words: `was attaching slot ${attach.slot}`,
        answer: 'attached',
        mayFail: true,
        patience: this.#patience,
        // What was sent before is answered for the stream before.
        take: () => {
          if (!isInput) this.#translator!.attach(attach)
        },
      },
    )
  }

  begin(): Promise<Emissions> {
    return this.#runAlone('begin')
  }

  async score(batch: JetBatch): Promise<Emissions> {
    if (this.#death) throw this.#death
    const sent = this.#translator!.toJet(batch)
    if (isAnswered(sent)) return sent
    const number = this.#batchNumber()
    return this.#call(
      { kind: 'score', batch: { ...sent.batch, batch: number } },
      {
        words: 'was scoring',
        answer: 'scored',
        mayFail: false,
        patience: this.#options.timeout,
        batch: number,
        frames: sent.batch.bounds.length / 2,
        take: ({ scored }) => this.#emissions(scored, number, sent),
      },
    )
  }

  end(): Promise<Emissions> {
    return this.#runAlone('end')
  }

  snapshot(): Promise<SharedState> {
    return this.#call(
      { kind: 'snapshot' },
      {
        words: 'was telling its state',
        answer: 'state',
        mayFail: true,
        patience: this.#patience,
        take: ({ state }) => state,
      },
    )
  }

  watch(watch: Watch): void {
    if (this.#death || this.#isAsked) return
    const { watches } = this.#translator!
    if (watches) watches.set(watch)
    else this.#channel.send({ kind: 'watch', watch })
  }

  async collect(watches: readonly number[]): Promise<Partials> {
    if (this.#death) throw this.#death
    const here = this.#translator!.watches
    if (here) return here.take(watches)
    return this.#call(
      { kind: 'collect', watches },
      {
        words: 'was telling what it has seen',
        answer: 'collected',
        mayFail: false,
        patience: this.#patience,
        take: ({ partials }) => partials,
      },
    )
  }

  usage(): JetUsage {
    return this.#process.family.usage()
  }

  async stop(): Promise<void> {
    if (this.#isAsked === undefined) {
      this.#isAsked = 'to stop'
      this.#channel.send({ kind: 'stop' })
      this.#graceWhenDone()
    }
    await this.gone
  }

  async kill(): Promise<void> {
    this.#isAsked = 'to end'
    this.#process.kill()
    await this.gone
  }

  #runAlone(kind: 'begin' | 'end'): Promise<Emissions> {
    const batch = this.#batchNumber()
    return this.#call(
      { kind, batch },
      {
        words: `was running the model's ${kind}`,
        answer: 'scored',
        mayFail: false,
        patience: this.#patience,
        batch,
        take: ({ scored }) => this.#emissions(scored, batch, undefined),
      },
    )
  }

  #batchNumber(): number {
    const batch = this.#nextBatch
    this.#nextBatch = (batch + 1) >>> 0
    return batch
  }

  #call<Name extends JetMessage['kind'], Result>(
    message: HostMessage,
    question: Question<Name, Result>,
  ): Promise<Result> {
    if (this.#death) return Promise.reject(this.#death)
    if (this.#isAsked) return Promise.reject(new JetDeath('exit', `jet ${this.sandbox} was asked ${this.#isAsked}`))
    try {
      // How much is under way is up to whoever calls: a batch stays in memory until it is answered anyway.
      this.#channel.send(message)
    } catch (error) {
      return Promise.reject(error)
    }
    if (this.#calls.isEmpty) this.#heard = performance.now()
    return this.#calls.add(question)
  }

  #receive(message: JetMessage): void {
    if (message.kind === 'progress') {
      if (this.#calls.progress(message.batch, message.done)) this.#heard = performance.now()
    } else if (message.kind === 'ask') {
      if (this.#isAsking) throw new ProtocolError('asked again before it had its answer')
      this.#isAsking = true
      void this.#ask(message.ask)
    } else {
      this.#heard = performance.now()
      this.#calls.answer(message)
      this.#graceWhenDone()
    }
  }

  #greet(hello: Hello): void {
    if (hello.protocol !== PROTOCOL) {
      throw new ProtocolError(`the runner speaks version ${hello.protocol}, this engine version ${PROTOCOL}`)
    }
    this.#translator = translators[hello.form]()
    this.#pid = this.#process.family.find(hello.pid) ?? this.#pid
  }

  #emissions(scored: Scored, batch: number, sent: SentBatch | undefined): Emissions {
    if (scored.batch !== batch) throw new ProtocolError(`answered batch ${scored.batch} instead of ${batch}`)
    const frames = sent ? sent.batch.bounds.length / 2 : 0
    const isFrame = (index: number) => (sent ? index < frames : index === NO_FRAME)
    for (const index of scored.indexes) if (!isFrame(index)) throw strangeFrame(index, frames)
    for (const { index } of scored.rejects) if (!isFrame(index)) throw strangeFrame(index, frames)
    return this.#translator!.fromJet(scored, sent)
  }

  async #ask(ask: Ask): Promise<void> {
    const failed = (error: Error): Answer => ({ failed: error.message })
    const asked = performance.now()
    const answer = await this.#options.state.ask(this.sandbox, ask).catch(failed)
    this.#isAsking = false
    // To ask is no sign of life, or a model could ask for ever; to wait is not its fault.
    this.#heard += performance.now() - asked
    try {
      this.#channel.send({ kind: 'answer', answer })
    } catch (error) {
      this.#channel.send({ kind: 'answer', answer: failed(error as Error) })
    }
  }

  /** What is not moving is not the jet's fault while it waits for an item that another jet holds. */
  #overdue(): string | undefined {
    const { patience } = this.#calls
    const seconds = (performance.now() - this.#heard) / 1000
    if (patience === undefined || this.#isAsking || seconds <= patience) return undefined
    return `gave no sign of life for ${patience} seconds`
  }

  /** Nothing comes from the jet any more. */
  #fallSilent(error: Error | undefined): void {
    if (error) this.#end('garbage', `did not follow the protocol (${error.message})`)
    else if (!this.#isAsked) {
      this.#after(OVERDUE_END, () => {
        if (!this.#process.hasExited) this.#end('garbage', 'closed its channel to the engine')
      })
    }
  }

  #graceWhenDone(): void {
    if (this.#isAsked !== 'to stop' || !this.#calls.isEmpty) return
    this.#channel.endOutput()
    this.#after(GRACE, () => this.#process.kill())
  }

  #end(cause: JetDeathCause, words: string): void {
    if (this.#doom || this.#process.hasExited) return
    this.#doom = { cause: this.#translator ? cause : 'start', words }
    this.#process.kill()
    this.#after(OVERDUE_END, () => this.#die(this.#doom!.cause, this.#doom!.words))
  }

  async #ended({ kind, words }: Ending): Promise<JetDeath | undefined> {
    this.#unwatch()
    for (const timer of this.#timers) clearTimeout(timer)
    this.#channel.close()
    const isExpected =
      !this.#doom && (this.#isAsked === 'to end' || (this.#isAsked === 'to stop' && this.#calls.isEmpty))
    if (this.#doom) this.#die(this.#doom.cause, this.#doom.words)
    else if (isExpected) this.#die('exit', `was asked ${this.#isAsked}`)
    else this.#die(this.#translator ? kind : 'start', words)
    await this.#process.extinguish()
    return isExpected ? undefined : this.#death
  }

  #die(cause: JetDeathCause, words: string): void {
    if (this.#death) return
    const { words: doing } = this.#calls
    const { lastWords } = this.#process.console
    const sentence = `jet ${this.sandbox} (${this.#options.runner.name}) ${words}${doing ? ` while it ${doing}` : ''}`
    // Runtimes that run into a limit of their own say so before they abort.
    const kind = cause === 'signal' && /out of memory/i.test(lastWords) ? 'memory' : cause
    this.#death = new JetDeath(kind, lastWords === '' ? sentence : `${sentence}. The last it wrote was: ${lastWords}`)
    this.#calls.rejectAll(this.#death)
    this.#options.state.forget(this.sandbox)
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, milliseconds)
    this.#timers.add(timer)
  }
}

function strangeFrame(index: number, frames: number): ProtocolError {
  return new ProtocolError(`answered for frame ${index} of a batch of ${frames}`)
}
