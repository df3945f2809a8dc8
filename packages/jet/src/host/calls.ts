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
  /** Of batches. */
  readonly frames?: number
  /** Throws a ProtocolError when it is no answer to the question, a ModelFailure when it is a refusal. */
  readonly take: (message: MessageOf<Name>) => Result
}

interface Pending {
  readonly question: Question<Kind, unknown>
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

  /** Seconds without a sign of life that are too many now; undefined when the jet has nothing to do. */
  get patience(): number | undefined {
    return this.#pending[0]?.question.patience
  }

  /** What the jet is doing: `was scoring 3 frames`. Undefined when it has nothing to do. */
  get words(): string | undefined {
    const question = this.#pending[0]?.question
    if (question?.frames === undefined) return question?.words
    return `${question.words} ${question.frames} ${question.frames === 1 ? 'frame' : 'frames'}`
  }

  add<Name extends Kind, Result>(question: Question<Name, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ question, done: 0, resolve, reject } as unknown as Pending)
    })
  }

  /** Throws a ProtocolError when nobody has asked for this. */
  answer(message: JetMessage): void {
    const pending = this.#pending[0]
    if (!pending) throw new ProtocolError(`sent ${message.kind} without being asked`)
    const { question } = pending
    if (message.kind === 'failed' && question.mayFail) {
      this.#pending.shift()
      pending.reject(new ModelFailure(message.sentence, message.trace))
      return
    }
    if (message.kind !== question.answer) {
      throw new ProtocolError(`sent ${message.kind} while it ${this.words}, not ${question.answer}`)
    }
    try {
      const result = question.take(message)
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
    if (pending?.question.batch !== batch) throw new ProtocolError(`told of batch ${batch}, which it is not at`)
    const isMore = done > pending.done
    pending.done = Math.max(done, pending.done)
    return isMore
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }
}
