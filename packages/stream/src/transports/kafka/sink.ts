// An open Kafka output: frames come in, messages of one topic go out, without loss and without doubles.
import { countFrames, type Frames } from '@pitot/codec'
import { ConnectionPool, murmur2, Producer } from '@platformatic/kafka'
import {
  type MessageDetails,
  type Sink,
  type StreamContext,
  StreamFailure,
  type Transactions,
} from '../../transport.ts'
import { type Lot, recordBytes } from './batch.ts'
import { clientOptions, connectionOptions } from './client.ts'
import { isTooLarge, kafkaFailure } from './failures.ts'
import type { KafkaOptions } from './options.ts'
import { persistently } from './persistence.ts'
import { KafkaTransactions } from './transactions.ts'
import { BatchWriter } from './writer.ts'

/** Milliseconds after which the brokers abort a transaction, since readers wait for its end. */
const transactionTime = 60_000

export class KafkaSink implements Sink {
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #abort: AbortController
  readonly #producer: Producer
  readonly #pool: ConnectionPool
  readonly #writer: BatchWriter
  readonly #transactions: KafkaTransactions | undefined
  declare readonly transactions?: Transactions
  #partitions: readonly number[] = [0]
  #batchBytes: number
  #batches = 0
  #turn = 0

  private constructor(options: KafkaOptions, context: StreamContext, producer: Producer, pool: ConnectionPool) {
    this.#options = options
    this.#context = context
    this.#batchBytes = options.BatchBytes
    this.#abort = new AbortController()
    this.#producer = producer
    this.#pool = pool
    this.#writer = new BatchWriter(producer, pool, options, context, this.#abort.signal)
    if (options.TransactionalId !== null) {
      this.#transactions = new KafkaTransactions(producer, options, context, this.#abort.signal)
      this.transactions = this.#transactions
    }
  }

  static async create(options: KafkaOptions, context: StreamContext): Promise<KafkaSink> {
    const { TransactionalId: transactionalId } = options
    const producer = new Producer({
      ...(await clientOptions(options)),
      idempotent: true,
      timeout: transactionTime,
      // The transport itself tries again; 1 and less would mean for ever.
      retries: false,
      // -1 asks for an id; the client's own default of 0 claims one, and is refused by then.
      producerId: -1n,
      producerEpoch: -1,
      ...(transactionalId !== null && { transactionalId }),
    })
    const sink = new KafkaSink(
      options,
      context,
      producer,
      new ConnectionPool(options.ClientId, await connectionOptions(options)),
    )
    context.signal.addEventListener('abort', () => void sink.close(), { once: true, signal: sink.#abort.signal })
    try {
      await sink.#start()
      return sink
    } catch (error) {
      await sink.close()
      throw kafkaFailure(error, options)
    }
  }

  async write(frames: Frames, details?: readonly MessageDetails[]): Promise<void> {
    if (this.#abort.signal.aborted) throw new StreamFailure('The output to Kafka was closed.')
    const transactions = this.#transactions
    if (transactions !== undefined && !transactions.isOpen) return transactions.alone(() => this.write(frames, details))
    const lots = this.#lots(frames, details)
    await transactions?.addPartitions([...lots.keys()])
    try {
      await Promise.all([...lots].map(([partition, indexes]) => this.#sendAll(partition, { frames, details, indexes })))
    } catch (error) {
      transactions?.fail()
      throw kafkaFailure(error, this.#options)
    }
  }

  /** Nothing to do: what has been written is acknowledged by every replica in step. */
  flush(): Promise<void> {
    return Promise.resolve()
  }

  async close(): Promise<void> {
    if (this.#abort.signal.aborted) return
    this.#abort.abort()
    await Promise.allSettled([this.#pool.close(), this.#producer.close(true)])
  }

  counters(): Readonly<Record<string, number>> {
    return { batches: this.#batches, retries: this.#writer.retries }
  }

  async #start(): Promise<void> {
    const { Topic: topic, Partition: wanted } = this.#options
    const metadata = await persistently(this.#options, this.#context, this.#abort.signal, () =>
      this.#producer.metadata({ topics: [topic] }),
    )
    const count = metadata.topics.get(topic)?.partitionsCount ?? 0
    this.#partitions = wanted === 'all' ? [...Array(count).keys()] : typeof wanted === 'number' ? [wanted] : wanted
    const missing = this.#partitions.find((partition) => partition >= count)
    if (missing !== undefined) {
      throw new StreamFailure(`Topic "${topic}" has no partition ${missing}: it has ${count}, numbered from 0.`)
    }
  }

  /** Which frames go to which partition: by their keys where they have some, else all of them to the next one in turn. */
  #lots(frames: Frames, details: readonly MessageDetails[] | undefined): Map<number, number[]> {
    const turn = this.#partitions[this.#turn++ % this.#partitions.length] ?? 0
    const lots = new Map<number, number[]>()
    const count = countFrames(frames)
    for (let index = 0; index < count; index++) {
      const key = details?.[index]?.key
      const partition = key === undefined ? turn : this.#partitionOf(key)
      const lot = lots.get(partition)
      if (lot === undefined) lots.set(partition, [index])
      else lot.push(index)
    }
    return lots
  }

  /** As Kafka's own clients choose it, so that a key stays in its partition whoever writes it. */
  #partitionOf(key: Uint8Array): number {
    const hash = murmur2(Buffer.from(key.buffer, key.byteOffset, key.byteLength)) & 0x7fffffff
    return this.#partitions[hash % this.#partitions.length] ?? 0
  }

  async #sendAll(partition: number, lot: Lot): Promise<void> {
    const { indexes } = lot
    for (let from = 0; from < indexes.length; ) {
      let [to, bytes] = [from, 0]
      for (; to < indexes.length; to++) {
        const more = recordBytes(lot, indexes[to] ?? 0)
        if (bytes + more > this.#batchBytes && to > from) break
        bytes += more
      }
      const all = from === 0 && to === indexes.length
      if (await this.#sendBatch(partition, all ? lot : { ...lot, indexes: indexes.slice(from, to) }, bytes)) from = to
    }
  }

  /** False when the batch was too large and is to be sent in smaller ones. */
  async #sendBatch(partition: number, lot: Lot, bytes: number): Promise<boolean> {
    try {
      await this.#writer.send(partition, lot, this.#transactions !== undefined)
      this.#batches++
      return true
    } catch (error) {
      const { Topic: topic } = this.#options
      if (!isTooLarge(error)) throw error
      if (lot.indexes.length === 1) {
        throw new StreamFailure(
          `Topic "${topic}" does not take a message of ${bytes} bytes (partition ${partition}): ` +
            'write smaller records, or raise max.message.bytes of the topic.',
          { cause: error },
        )
      }
      this.#batchBytes = Math.max(1, Math.floor(bytes / 2))
      this.#context.log('warn', `topic ${topic} takes no batch of ${bytes} bytes: halving it`)
      return false
    }
  }
}
