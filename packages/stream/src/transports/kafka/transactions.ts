// Transactions of a Kafka output: messages and the input positions they came from become durable together, or not at all.
import type { Consumer, MessageRecord, Producer } from '@platformatic/kafka'
import { type Position, type Source, type StreamContext, StreamFailure, type Transactions } from '../../transport.ts'
import type { KafkaOptions } from './options.ts'
import { persistently } from './persistence.ts'
import { KafkaSource } from './source.ts'

type Transaction = NonNullable<Producer['transaction']>

export class KafkaTransactions implements Transactions {
  readonly #producer: Producer
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #signal: AbortSignal
  #transaction: Transaction | undefined
  /** Whether the brokers know of the transaction yet. */
  #known = false
  /** Something failed, so the numbers that the brokers expect are not known: with a new epoch they start anew. */
  #renew = false

  constructor(producer: Producer, options: KafkaOptions, context: StreamContext, signal: AbortSignal) {
    this.#producer = producer
    this.#options = options
    this.#context = context
    this.#signal = signal
  }

  get isOpen(): boolean {
    return this.#transaction !== undefined
  }

  async begin(): Promise<void> {
    if (this.#transaction !== undefined)
      throw new StreamFailure('A transaction is open already: commit or abort it first.')
    this.#transaction = await this.#attempt(async () => {
      try {
        const transaction = await this.#producer.beginTransaction()
        if (this.#renew) await this.#producer.initIdempotentProducer({})
        return transaction
      } catch (error) {
        await this.#producer.transaction?.cancel()
        throw error
      }
    })
    this.#renew = false
  }

  /** A batch of the transaction could not be written. */
  fail(): void {
    this.#renew = true
  }

  /** Tells the brokers which partitions are written to, all at once: the client takes calls at the same time for one. */
  async addPartitions(partitions: readonly number[]): Promise<void> {
    const transaction = this.#open()
    const { Topic: topic } = this.#options
    const messages = partitions.map((partition) => ({ topic, partition })) as MessageRecord[]
    this.#known ||= partitions.length > 0
    await this.#attempt(async () => {
      const metadata = await this.#producer.metadata({ topics: [topic] })
      await transaction.addPartitions(metadata, messages)
    })
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
    try {
      await this.#attempt(() => (this.#known ? transaction.abort() : transaction.cancel()))
    } finally {
      await this.#producer.transaction?.cancel()
      this.#end()
    }
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
  }

  #open(): Transaction {
    if (this.#transaction === undefined) throw new StreamFailure('There is no open transaction: begin one first.')
    return this.#transaction
  }

  #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    return persistently(this.#options, this.#context, this.#signal, work).catch((error) => {
      this.#renew = true
      throw error
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
