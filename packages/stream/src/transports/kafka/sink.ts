// An open Kafka output: frames come in, messages of one topic go out. Written without loss and without doubles (idempotent).
import { countFrames, type Frames } from '@pitot/codec'
import { type MessageToProduce, murmur2, Producer } from '@platformatic/kafka'
import {
  type MessageDetails,
  type Sink,
  type StreamContext,
  StreamFailure,
  type Transactions,
} from '../../transport.ts'
import { clientOptions } from './client.ts'
import { isTooLarge, kafkaFailure } from './failures.ts'
import type { KafkaOptions } from './options.ts'
import { backOff, persistently } from './persistence.ts'
import { KafkaTransactions } from './transactions.ts'

type Message = MessageToProduce<Buffer, Buffer, Buffer, Buffer>

/** Bytes that a message takes beside its key, value and headers, at most. */
const messageOverhead = 32

/** Sends messages: the producer, or its transaction. */
export type Send = (messages: Message[]) => Promise<unknown>

export class KafkaSink implements Sink {
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #abort = new AbortController()
  readonly #counts = { batches: 0, retries: 0 }
  #partitions: readonly number[] = [0]
  #batchBytes: number
  #producer: Producer | undefined
  /** What makes waiting useless: a failure that will not pass, or one that has lasted too long. */
  #fatal: StreamFailure | undefined
  #failingSince: number | undefined
  #turn = 0
  declare readonly transactions?: Transactions
  readonly #transactions: KafkaTransactions | undefined

  private constructor(options: KafkaOptions, context: StreamContext) {
    this.#options = options
    this.#context = context
    this.#batchBytes = options.BatchBytes
    if (options.TransactionalId !== null) {
      this.#transactions = new KafkaTransactions(options, {
        producer: () => this.producer(),
        attempt: (work) => this.attempt(work),
        discard: () => this.#discard(),
      })
      this.transactions = this.#transactions
    }
  }

  static async create(options: KafkaOptions, context: StreamContext): Promise<KafkaSink> {
    const sink = new KafkaSink(options, context)
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
    const inTransaction = this.#transactions === undefined || this.#transactions.isOpen
    if (!inTransaction) return this.#transactions?.alone(() => this.write(frames, details))
    const lots = [...this.#messages(frames, details)]
    await Promise.all(lots.map(([partition, messages]) => this.#sendAll(partition, messages)))
  }

  /** Nothing to do: what has been written is acknowledged by every replica in step. */
  flush(): Promise<void> {
    return Promise.resolve()
  }

  async close(): Promise<void> {
    if (this.#abort.signal.aborted) return
    this.#abort.abort()
    await this.#discard()
  }

  counters(): Readonly<Record<string, number>> {
    return { ...this.#counts }
  }

  async producer(): Promise<Producer> {
    if (this.#abort.signal.aborted) throw new StreamFailure('The output to Kafka was closed.')
    this.#producer ??= await this.#makeProducer()
    return this.#producer
  }

  /** A call to the brokers that the client repeats until it works, until its failure turns out final, or for `RetryTime`. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    // A partition may have got another leader: what is known about the cluster is asked for again while a call hangs.
    const timer = setInterval(() => this.#producer?.clearMetadata(), 1000)
    try {
      const result = await work()
      this.#failingSince = undefined
      return result
    } catch (error) {
      throw this.#fatal ?? (isTooLarge(error) ? error : kafkaFailure(error, this.#options))
    } finally {
      clearInterval(timer)
    }
  }

  async #start(): Promise<void> {
    const { Topic: topic, Partition: wanted } = this.#options
    const producer = await this.producer()
    const signal = this.#abort.signal
    const metadata = await persistently(this.#options, this.#context, signal, () =>
      producer.metadata({ topics: [topic], retries: 0 }),
    )
    const count = metadata.topics.get(topic)?.partitionsCount ?? 0
    this.#partitions = wanted === 'all' ? [...Array(count).keys()] : typeof wanted === 'number' ? [wanted] : wanted
    const missing = this.#partitions.find((partition) => partition >= count)
    if (missing !== undefined) {
      throw new StreamFailure(`Topic "${topic}" has no partition ${missing}: it has ${count}, numbered from 0.`)
    }
  }

  async #makeProducer(): Promise<Producer> {
    const { Compression: compression, TransactionalId: transactionalId } = this.#options
    return new Producer({
      ...(await clientOptions(this.#options)),
      idempotent: true,
      // -1 asks for an id; the client's own default of 0 claims one, and is refused by then.
      producerId: -1n,
      producerEpoch: -1,
      compression,
      // The client itself must repeat a batch, since only then the brokers can tell it from a new one.
      retries: Number.MAX_SAFE_INTEGER,
      retryDelay: (_client, _operation, attempt, _retries, error) => this.#delay(attempt, error),
      ...(transactionalId !== null && { transactionalId }),
    })
  }

  /** Called by the client before it repeats a call. There is no other way to stop it than to close it. */
  #delay(attempt: number, error: Error): number {
    const failure = kafkaFailure(error, this.#options)
    this.#counts.retries++
    if (this.#failingSince === undefined) {
      this.#failingSince = Date.now()
      this.#context.log('warn', `${failure.message} Trying again.`)
    }
    const mayPass = failure.passing || (error as { canRetry?: boolean }).canRetry === true
    if (!mayPass || Date.now() - this.#failingSince > this.#options.RetryTime) {
      this.#fatal ??= failure
      setImmediate(() => void this.#discard())
    }
    return backOff(attempt)
  }

  async #discard(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    await producer?.close(true).catch(() => undefined)
  }

  /** The messages of each partition: by their keys where they have some, else all of them to the next partition in turn. */
  #messages(frames: Frames, details: readonly MessageDetails[] | undefined): Map<number, Message[]> {
    const { Topic: topic } = this.#options
    const partitions = this.#partitions
    const turn = partitions[this.#turn++ % partitions.length] ?? 0
    const { buffer, byteOffset } = frames.bytes
    const lots = new Map<number, Message[]>()
    const count = countFrames(frames)
    for (let index = 0; index < count; index++) {
      const start = frames.bounds[2 * index] ?? 0
      const value = Buffer.from(buffer, byteOffset + start, (frames.bounds[2 * index + 1] ?? 0) - start)
      const { key, headers } = details?.[index] ?? {}
      const partition = key === undefined ? turn : this.#partitionOf(key)
      const message: Message = { topic, partition, value }
      if (key !== undefined) message.key = asBuffer(key)
      // Names may repeat: buffers as keys of a map are told apart by identity.
      if (headers) message.headers = new Map(headers.map(([name, text]) => [Buffer.from(name), asBuffer(text)]))
      const lot = lots.get(partition)
      if (lot === undefined) lots.set(partition, [message])
      else lot.push(message)
    }
    return lots
  }

  /** As Kafka's own clients choose it, so that a key stays in its partition whoever writes it. */
  #partitionOf(key: Uint8Array): number {
    return this.#partitions[(murmur2(asBuffer(key)) & 0x7fffffff) % this.#partitions.length] ?? 0
  }

  /** One batch after the other, since the brokers take batches of a partition in their order only. */
  async #sendAll(partition: number, messages: readonly Message[]): Promise<void> {
    for (let from = 0; from < messages.length; ) {
      let to = from
      for (let bytes = 0; to < messages.length; to++) {
        bytes += size(messages[to])
        if (bytes > this.#batchBytes && to > from) break
      }
      const batch = from === 0 && to === messages.length ? (messages as Message[]) : messages.slice(from, to)
      if (await this.#sendBatch(partition, batch)) from = to
    }
  }

  /** False when the batch was too large and is to be sent in smaller ones. */
  async #sendBatch(partition: number, messages: Message[]): Promise<boolean> {
    const producer = await this.producer()
    const send: Send = this.#transactions?.send ?? ((batch) => producer.send({ messages: batch }))
    try {
      await this.attempt(() => send(messages))
      this.#counts.batches++
      return true
    } catch (error) {
      this.#transactions?.fail()
      if (!isTooLarge(error)) throw error
      const bytes = messages.reduce((sum, message) => sum + size(message), 0)
      if (messages.length === 1 || this.#transactions !== undefined) throw this.#tooLarge(partition, messages, bytes)
      this.#batchBytes = Math.max(1, Math.floor(bytes / 2))
      this.#context.log('warn', `topic ${this.#options.Topic} takes no batch of ${bytes} bytes: halving it`)
      return false
    }
  }

  #tooLarge(partition: number, messages: readonly Message[], bytes: number): StreamFailure {
    const what = messages.length === 1 ? `a message of ${bytes} bytes` : `a batch of ${bytes} bytes in a transaction`
    const then = messages.length === 1 ? 'write smaller records' : 'lower BatchBytes'
    return new StreamFailure(
      `Topic "${this.#options.Topic}" does not take ${what} (partition ${partition}): ${then}, or raise max.message.bytes of the topic.`,
    )
  }
}

function size(message: Message | undefined): number {
  let bytes = messageOverhead + (message?.value?.length ?? 0) + (message?.key?.length ?? 0)
  if (message?.headers instanceof Map)
    for (const [name, value] of message.headers) bytes += name.length + value.length + 4
  return bytes
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
