// Transactions of a Kafka output: messages and the input positions they came from become durable together, or not at all.
import type { Consumer, Producer } from '@platformatic/kafka'
import { type Position, type Source, StreamFailure, type Transactions } from '../../transport.ts'
import { kafkaFailure } from './failures.ts'
import type { KafkaOptions } from './options.ts'
import type { Send } from './sink.ts'
import { KafkaSource } from './source.ts'

type Transaction = NonNullable<Producer['transaction']>

/** What transactions need of the output that they belong to. */
interface Owner {
  producer(): Promise<Producer>
  attempt<Result>(work: () => Promise<Result>): Promise<Result>
  /** Closes the producer; the next one takes over its id, and with that ends what it left open. */
  discard(): Promise<void>
}

export class KafkaTransactions implements Transactions {
  readonly #options: KafkaOptions
  readonly #owner: Owner
  #transaction: Transaction | undefined
  /** Whether the brokers know of the transaction yet, and whether a call for it failed. */
  #known = false
  #failed = false

  constructor(options: KafkaOptions, owner: Owner) {
    this.#options = options
    this.#owner = owner
  }

  get isOpen(): boolean {
    return this.#transaction !== undefined
  }

  readonly send: Send = async (messages) => {
    const transaction = this.#open()
    this.#known = true
    return transaction.send({ messages: messages as never })
  }

  async begin(): Promise<void> {
    if (this.#transaction !== undefined)
      throw new StreamFailure('A transaction is open already: commit or abort it first.')
    this.#transaction = (await this.#attempt(async () =>
      (await this.#owner.producer()).beginTransaction(),
    )) as Transaction
  }

  async commit(read: readonly { readonly source: Source; readonly position: Position }[] = []): Promise<void> {
    const transaction = this.#open()
    const offsets = read.map(({ source, position }) => offsetsOf(source, position))
    for (const { consumer, offsets: own, topic } of offsets) {
      if (own.size === 0) continue
      this.#known = true
      await this.#attempt(() => this.#addOffsets(transaction, consumer, topic, own))
    }
    await this.#attempt(() => (this.#known ? transaction.commit() : transaction.cancel()))
    this.#end()
    for (const { source, offsets: own } of offsets) source.markCommitted(own)
  }

  async abort(): Promise<void> {
    const transaction = this.#open()
    const failed = this.#failed
    try {
      await this.#attempt(() => (this.#known ? transaction.abort() : transaction.cancel()))
    } finally {
      // Batches that failed have left gaps in the numbers that the brokers expect: a new producer starts them anew.
      if (failed || this.#failed) await this.#owner.discard()
      this.#end()
    }
  }

  /** A batch could not be written. */
  fail(): void {
    this.#failed = true
  }

  /** A write outside of a transaction is one of its own. */
  async alone(work: () => Promise<void>): Promise<void> {
    await this.begin()
    try {
      await work()
      await this.commit()
    } catch (error) {
      if (this.isOpen) await this.abort().catch(() => undefined)
      throw error
    }
  }

  #end(): void {
    this.#transaction = undefined
    this.#known = false
    this.#failed = false
  }

  #open(): Transaction {
    if (this.#transaction === undefined) throw new StreamFailure('There is no open transaction: begin one first.')
    return this.#transaction
  }

  #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#owner.attempt(work).catch((error) => {
      this.#failed = true
      throw kafkaFailure(error, this.#options)
    })
  }

  /** One after the other: the client takes calls at the same time for one and the same. */
  async #addOffsets(
    transaction: Transaction,
    consumer: Consumer,
    topic: string,
    offsets: ReadonlyMap<number, number>,
  ): Promise<void> {
    await transaction.addConsumer(consumer)
    const coordinatorId = await consumer.findGroupCoordinator()
    const { groupId, generationId, memberId } = consumer
    for (const [partition, offset] of offsets) {
      // The client commits the offset after that of a message.
      const message = {
        topic,
        partition,
        offset: BigInt(offset) - 1n,
        metadata: { consumer: { groupId, generationId, memberId, coordinatorId } },
      }
      await transaction.addOffset(message as never)
    }
  }
}

function offsetsOf(source: Source, position: Position) {
  if (!(source instanceof KafkaSource) || source.groupConsumer === undefined) {
    throw new StreamFailure(
      'A Kafka transaction commits positions of Kafka inputs with a Group only: give the input a Group.',
    )
  }
  return { source, consumer: source.groupConsumer, topic: source.topic, offsets: source.ownOffsets(position) }
}
