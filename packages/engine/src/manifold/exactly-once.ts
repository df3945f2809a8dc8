// Exactly once: what is written and how far it was read become durable together. Batches come in, transactions go out.
import { type Position, StreamFailure, type Transactions } from '@pitot/stream'
import type { InputSlot } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'

/** The transactions that these slots ask for; undefined when none does. Throws when they cannot be had. */
export function transactionsOf(inputs: Iterable<InputSlot>, outputs: readonly OutputSlot[]): Transactions | undefined {
  const asking = [...inputs, ...outputs].filter(({ descriptor }) => descriptor.delivery === 'exactly-once')
  if (asking.length === 0) return undefined
  const [output, ...others] = outputs
  const transactions = output?.stream.transactions
  if (transactions !== undefined && others.length === 0) return transactions
  throw new StreamFailure(
    'exactly-once needs one output, on kafka, with a TransactionalId, and inputs on kafka with a Group',
  )
}

/** Milliseconds that a transaction takes in more, once it has something. */
const INTERVAL = 100

/** Calls come from the deliveries of one sequence, so one at a time. */
export class ExactlyOnce {
  readonly #transactions: Transactions
  readonly #inTurn: (work: () => Promise<void>) => void
  readonly #reads = new Map<InputSlot, Position>()
  #isOpen = false
  #timer: NodeJS.Timeout | undefined

  /** `inTurn` has something done between two deliveries. */
  constructor(transactions: Transactions, inTurn: (work: () => Promise<void>) => void) {
    this.#transactions = transactions
    this.#inTurn = inTurn
  }

  /** Before the first write of a transaction. */
  async enter(): Promise<void> {
    if (this.#isOpen) return
    await this.#transactions.begin()
    this.#isOpen = true
  }

  /** What came of everything up to here is written; it is committed soon. */
  read(input: InputSlot, position: Position): void {
    this.#reads.set(input, position)
    this.#timer ??= setTimeout(() => this.#inTurn(() => this.commit()), INTERVAL)
  }

  async commit(): Promise<void> {
    this.#stopTimer()
    if (!this.#isOpen) return
    const read = Array.from(this.#reads, ([{ stream }, position]) => ({ source: stream.source, position }))
    await this.#transactions.commit(read)
    this.#reads.clear()
    this.#isOpen = false
  }

  async abort(): Promise<void> {
    this.#stopTimer()
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.#transactions.abort()
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
