// Transactions of a Kafka output: messages and the input positions they came from become durable together, or not at all.
import type { MessageRecord, Producer } from '@platformatic/kafka'
import { type Position, type Source, type StreamContext, StreamFailure, type Transactions } from '../../transport.ts'
import { answerIds } from './failures.ts'
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
    const reads = read.map(({ source, position }) => readOf(source, position))
    for (const each of reads) {
      if (each.offsets.size === 0) continue
      this.#known = true
      await this.#addOffsets(transaction, each)
    }
    await this.#attempt(() => (this.#known ? transaction.commit() : transaction.cancel()))
    this.#end()
    for (const { committed, offsets } of reads) committed(offsets)
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

  /**
   * One after the other: the client takes calls at the same time for one and the same. They are made in the name of the
   * generation in which the records were read, so that the brokers refuse them when the group has moved on.
   */
  async #addOffsets(transaction: Transaction, { consumer, generation, topic, offsets }: Read): Promise<void> {
    await this.#attempt(async () => {
      await transaction.addConsumer(consumer)
    })
    for (const [partition, offset] of offsets) {
      const refused = await this.#attempt(async () => {
        const { groupId, memberId } = consumer
        const coordinatorId = await consumer.findGroupCoordinator()
        const member = { groupId, generationId: generation, memberId, coordinatorId }
        // The client commits the offset after that of a message.
        const message = { topic, partition, offset: BigInt(offset) - 1n, metadata: { consumer: member } }
        return transaction.addOffset(message as never).then(() => undefined, refusedByGroup)
      })
      if (refused === undefined) continue
      this.#renew = true
      throw new StreamFailure(
        `Group "${consumer.groupId}" has shared out its partitions anew: abort the transaction and read on from the last commit.`,
        { passing: true, cause: refused },
      )
    }
  }
}

type Read = ReturnType<KafkaSource['transactional']>

function readOf(source: Source, position: Position): Read {
  if (source instanceof KafkaSource) return source.transactional(position)
  throw new StreamFailure('A Kafka transaction commits positions of Kafka inputs only.')
}

/** To try again would be to commit in the name of another generation: these are given back, others are thrown. */
function refusedByGroup(error: unknown): unknown {
  const ids = ['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'REBALANCE_IN_PROGRESS', 'FENCED_INSTANCE_ID']
  if (answerIds(error).some((id) => ids.includes(id))) return error
  throw error
}
