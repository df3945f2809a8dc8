// How far inputs are told that they were read: batches come in as they begin, positions go out when all of them up to there is safe.
import type { InputSlot, ReadMark } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'
import { ExactlyOnce, transactionsOf } from './exactly-once.ts'
import { Ledger } from './ledger.ts'

export interface AcknowledgementsOptions {
  /** As they are at the time; they may be replaced. */
  readonly outputs: ReadonlyMap<number, OutputSlot>
  /** How far an input was read and everything of it is durable downstream, to be kept for a restart. */
  readonly secured?: ((slot: number, mark: ReadMark) => void) | undefined
  /** Has something done between two deliveries. */
  readonly inTurn: (work: () => Promise<void>) => void
  readonly fail: (error: unknown) => void
}

/** Milliseconds between two acknowledgements of an input. */
const INTERVAL = 100

/** Each input is acknowledged for itself, or, where exactly once is asked for, together with what came of it. */
export class Acknowledgements {
  readonly #options: AcknowledgementsOptions
  readonly #ledgers = new Map<InputSlot, Ledger>()
  #exactlyOnce: ExactlyOnce | undefined

  constructor(options: AcknowledgementsOptions) {
    this.#options = options
  }

  /** Inputs and outputs are these now. Throws a `StreamFailure` when they ask for exactly once and cannot have it. */
  settle(inputs: Iterable<InputSlot>): void {
    const transactions = transactionsOf(inputs, [...this.#options.outputs.values()])
    this.#exactlyOnce = transactions && new ExactlyOnce(transactions, this.#options.inTurn)
  }

  /** Before anything is read of the input. */
  open(input: InputSlot): void {
    const isCommitted = input.keepsPositions && this.#exactlyOnce === undefined
    if (isCommitted || this.#options.secured !== undefined) this.#ledgers.set(input, this.#ledger(input))
  }

  /** A batch that ends at this mark begins. Gives a function to call when what came of it is written. */
  enter(input: InputSlot, mark: ReadMark): () => void {
    const isDelivered = this.#ledgers.get(input)?.enter(mark)
    if (input.descriptor.delivery === 'at-most-once') isDelivered?.()
    return () => {
      isDelivered?.()
      this.#exactlyOnce?.read(input, mark.position)
    }
  }

  /** Before what came of a batch is written. */
  async beforeWrite(): Promise<void> {
    await this.#exactlyOnce?.enter()
  }

  /** Before outputs are replaced or closed: what was written so far becomes visible. */
  async commit(): Promise<void> {
    await this.#exactlyOnce?.commit()
  }

  /** Acknowledges everything that is delivered by now. */
  async secure(): Promise<void> {
    await Promise.all(Array.from(this.#ledgers.values(), (ledger) => ledger.settle()))
  }

  /** Everything that was read of the input has been given out. Resolves when all of it is acknowledged. */
  async close(input: InputSlot): Promise<void> {
    const ledger = this.#ledgers.get(input)
    await ledger?.delivered()
    await ledger?.settle()
    this.#ledgers.delete(input)
  }

  /** What is not acknowledged by now never will be. */
  stop(): void {
    for (const ledger of this.#ledgers.values()) ledger.close()
    void this.#exactlyOnce?.abort().catch(() => undefined)
  }

  #ledger(input: InputSlot): Ledger {
    const isPromised = input.descriptor.delivery !== 'at-most-once'
    const { outputs, secured, fail } = this.#options
    return new Ledger({
      secure: async () => {
        if (isPromised) await Promise.all(Array.from(outputs.values(), (output) => output.flush()))
      },
      acknowledge: async (mark) => {
        if (this.#exactlyOnce === undefined) await input.stream.acknowledge(mark.position)
        secured?.(input.slot, mark)
      },
      fail,
      interval: INTERVAL,
    })
  }
}
