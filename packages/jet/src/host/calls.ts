// What a jet was asked and has not answered: answers come in the order of the questions.
import { ModelFailure } from '../jet.ts'
import type { JetMessage } from '../messages.ts'
import { ProtocolError } from '../shape.ts'

type Kind = JetMessage['kind']
type MessageOf<Name extends Kind> = Extract<JetMessage, { kind: Name }>

/** A question: `Name` is the kind of its answer. */
export interface Question<Name extends Kind, Result> {
  /** What the jet does meanwhile, in words: `was loading the model`. */
  readonly words: string
  readonly answer: Name
  /** Whether the jet may answer `failed`. */
  readonly mayFail: boolean
  /** Seconds without a sign of life that are too many. */
  readonly patience: number
  /** Of batches, begin and end. */
  readonly batch?: number
  /** Throws a ProtocolError when it is no answer to the question, a ModelFailure when it is a refusal. */
  readonly take: (message: MessageOf<Name>) => Result
}

interface Pending extends Question<Kind, unknown> {
  /** Frames of the batch, as far as the jet has told. */
  done: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export class Calls {
  readonly #pending: Pending[] = []

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  /** The question that the jet is at. */
  get current(): Pick<Pending, 'words' | 'patience'> | undefined {
    return this.#pending[0]
  }

  add<Name extends Kind, Result>(question: Question<Name, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...question, done: 0, resolve, reject } as unknown as Pending)
    })
  }

  /** Throws a ProtocolError when nobody has asked for this. */
  answer(message: JetMessage): void {
    const pending = this.#pending[0]
    if (!pending) throw new ProtocolError(`sent ${message.kind} without being asked`)
    if (message.kind === 'failed' && pending.mayFail) {
      this.#pending.shift()
      pending.reject(new ModelFailure(message.sentence, message.trace))
      return
    }
    if (message.kind !== pending.answer) {
      throw new ProtocolError(`sent ${message.kind} while it ${pending.words}, not ${pending.answer}`)
    }
    try {
      const result = pending.take(message)
      this.#pending.shift()
      pending.resolve(result)
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      this.#pending.shift()
      pending.reject(error)
    }
  }

  /** Whether more frames are done than the last time. Throws a ProtocolError when no such batch is being worked on. */
  progress(batch: number, done: number): boolean {
    const pending = this.#pending[0]
    if (pending?.batch !== batch) throw new ProtocolError(`told of batch ${batch}, which it is not at`)
    const isMore = done > pending.done
    pending.done = Math.max(done, pending.done)
    return isMore
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }
}
