// The conversation with the host: messages come in and are answered one after the other, until `stop` or the end.
import {
  type Answer,
  type Ask,
  decodeHostMessage,
  type HostMessage,
  hostKinds,
  NO_FRAME,
  ProtocolError,
  type ScoreBatch,
} from '@pitot/jet/runner'
import { Channel, type Received } from './channel.ts'
import { printAtOnce } from './console.ts'
import { EmissionList } from './emissions.ts'
import { describeError } from './failure.ts'
import { LoadFailure, type Model } from './model.ts'
import { loadModel } from './models.ts'
import { Progress } from './progress.ts'
import { Slots } from './slots.ts'

/** Resolves when the host wants no more. Rejects when it says what the protocol does not have. */
export async function converse(): Promise<void> {
  printAtOnce()
  await new Conversation().run()
}

const ANSWER = hostKinds.indexOf('answer') + 1

class Conversation {
  readonly #channel = new Channel()
  /** Messages that came while the jet waited for the answer to `ask`. */
  readonly #waiting: Received[] = []
  #model: Model | undefined
  #slots: Slots | undefined

  async run(): Promise<void> {
    for (;;) {
      const received = this.#waiting.shift() ?? (await this.#next())
      if (received === undefined) return
      const message = decodeHostMessage(received.kind, received.body)
      if (message.kind === 'stop') return
      await this.#handle(message)
    }
  }

  /** Where nothing can happen meanwhile, waiting for the host costs least when it blocks. */
  async #next(): Promise<Received | undefined> {
    return this.#model?.isBusy() ? this.#channel.nextLater() : this.#channel.next()
  }

  #handle(message: Exclude<HostMessage, { kind: 'stop' }>): void | Promise<void> {
    switch (message.kind) {
      case 'load':
        return this.#answerOrFail(async () => {
          this.#model = await loadModel(message.load, (ask) => this.#ask(ask))
          this.#slots = new Slots(this.#model)
          this.#channel.send({ kind: 'loaded', loaded: this.#model.loaded })
        })
      case 'attach':
        return this.#answerOrFail(() => {
          this.#loaded().slots.attach(message.attach)
          this.#channel.send({ kind: 'attached' })
        })
      case 'begin':
      case 'end':
        return this.#runAlone(message.kind, message.batch)
      case 'score':
        return this.#score(message.batch)
      case 'snapshot':
        this.#channel.send({ kind: 'state', state: this.#loaded().model.snapshot() })
        return
      case 'watch':
        this.#loaded().slots.watches.set(message.watch)
        return
      case 'collect':
        this.#channel.send({ kind: 'collected', partials: this.#loaded().slots.watches.take(message.watches) })
        return
      case 'answer':
        throw new ProtocolError('an answer that nothing was asked for')
    }
  }

  #loaded(): { readonly model: Model; readonly slots: Slots } {
    if (this.#model === undefined || this.#slots === undefined) throw new ProtocolError('no model has been loaded')
    return { model: this.#model, slots: this.#slots }
  }

  async #answerOrFail(act: () => void | Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const trace = error instanceof LoadFailure ? error.trace : undefined
      const sentence = error instanceof Error ? error.message : String(error)
      this.#channel.send({ kind: 'failed', sentence, ...(trace === undefined ? {} : { trace }) })
    }
  }

  async #runAlone(name: 'begin' | 'end', batch: number): Promise<void> {
    const { model, slots } = this.#loaded()
    const emissions = new EmissionList()
    emissions.mark()
    const start = performance.now()
    try {
      await model[name](emissions)
    } catch (error) {
      emissions.drop()
      const { reason, trace } = describeError(error)
      emissions.reject(NO_FRAME, reason, trace)
    }
    const seconds = (performance.now() - start) / 1000
    const { seconds: output, ...encoded } = slots.encode(emissions)
    this.#channel.send({
      kind: 'scored',
      scored: { batch, consumed: 0, seconds: { decode: 0, checkInput: 0, model: seconds, ...output }, ...encoded },
    })
  }

  async #score(batch: ScoreBatch): Promise<void> {
    const { model, slots } = this.#loaded()
    const input = slots.decode(batch)
    const { records, indexes } = input
    const emissions = new EmissionList()
    for (const reject of input.rejects) emissions.rejects.push(reject)
    const progress = new Progress(this.#channel, batch.batch, indexes)
    const start = performance.now()
    const under = model.score(
      {
        slot: batch.slot,
        isRecordset: batch.isRecordset,
        records,
        indexes,
        lastFrame: batch.bounds.length / 2 - 1,
        sequence: sequenceOf(batch, indexes),
        done: (at) => progress.done(at),
      },
      emissions,
    )
    if (under !== undefined) await under
    const seconds = (performance.now() - start) / 1000
    const { seconds: output, ...encoded } = slots.encode(emissions)
    this.#channel.send({
      kind: 'scored',
      scored: {
        batch: batch.batch,
        consumed: records.length,
        seconds: { ...input.seconds, model: seconds, ...output },
        ...encoded,
      },
    })
  }

  /** Sends the question and waits; what else comes meanwhile is kept for later. */
  #ask(ask: Ask): unknown {
    this.#channel.send({ kind: 'ask', ask })
    for (;;) {
      const received = this.#channel.next()
      if (received === undefined) throw new ProtocolError('the host left without an answer')
      if (received.kind !== ANSWER) {
        this.#waiting.push({ kind: received.kind, body: new Uint8Array(received.body) })
        continue
      }
      const { answer } = decodeHostMessage(received.kind, received.body) as { readonly answer: Answer }
      if (answer.failed !== undefined) throw new Error(answer.failed)
      return answer.value
    }
  }
}

/** Numbers of records in their stream. Where a frame may hold several, those of a frame follow each other. */
function sequenceOf({ first, counts }: ScoreBatch, indexes: Uint32Array): (at: number) => number {
  if (counts === undefined) return (at) => first + indexes[at]!
  const starts: number[] = []
  let next = first
  for (const count of counts) {
    starts.push(next)
    next += count
  }
  return (at) => starts[indexes[at]!]! + at - indexes.indexOf(indexes[at]!)
}
