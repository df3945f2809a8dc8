// Sends batches to the leaders of their partitions, each until it is stored, and once: a repeated batch keeps its number.
import {
  type Connection,
  type ConnectionPool,
  createAPI,
  kGetApi,
  type Producer,
  produceV9,
  produceV10,
  produceV11,
  Writer,
} from '@platformatic/kafka'
import { type StreamContext, StreamFailure } from '../../transport.ts'
import { type Lot, type PackedRecords, packRecords, sealBatch } from './batch.ts'
import { answerIds, isTooLarge } from './failures.ts'
import type { KafkaOptions } from './options.ts'
import { persistently } from './persistence.ts'

interface ProduceRequest {
  readonly topic: string
  readonly partition: number
  readonly transactionalId: string | null
  readonly batch: Buffer
}

type ProduceApi = ReturnType<typeof createAPI<[ProduceRequest], unknown>>

const allReplicas = -1
/** Milliseconds that a leader may wait for the other replicas. */
const brokerTime = 10_000
const largestSequence = 2 ** 31 - 1

/*
  Produce Request (9 to 11) => transactional_id:compact string acks:int16 timeout_ms:int32 [topics] tags
    topics => name:compact string [partitions] tags
    partitions => index:int32 records:compact bytes tags
*/
function createRequest({ topic, partition, transactionalId, batch }: ProduceRequest): Writer {
  return Writer.create()
    .appendString(transactionalId)
    .appendInt16(allReplicas)
    .appendInt32(brokerTime)
    .appendArray([topic], (topics, name) => {
      topics.appendString(name).appendArray([partition], (partitions, index) => {
        partitions
          .appendInt32(index)
          .appendUnsignedVarInt(batch.length + 1)
          .append(batch)
      })
    })
    .appendTaggedFields()
}

const versions: Readonly<Record<number, ProduceApi>> = Object.fromEntries(
  [produceV9, produceV10, produceV11].map(({ api: { key, version }, parseResponse }) => [
    version,
    createAPI<[ProduceRequest], unknown>(key, version, createRequest, parseResponse),
  ]),
)

export class BatchWriter {
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #signal: AbortSignal
  readonly #producer: Producer
  readonly #pool: ConnectionPool
  /** The number of the next record in each partition, for the id that the brokers gave us. */
  readonly #sequences = new Map<number, number>()
  #identity: { readonly producerId: bigint; readonly producerEpoch: number } | undefined
  retries = 0

  constructor(
    producer: Producer,
    pool: ConnectionPool,
    options: KafkaOptions,
    context: StreamContext,
    signal: AbortSignal,
  ) {
    this.#producer = producer
    this.#pool = pool
    this.#options = options
    this.#context = context
    this.#signal = signal
  }

  /** Sends one batch at a time for each partition: the brokers take them in the order of their numbers only. */
  async send(partition: number, lot: Lot, transactional: boolean): Promise<void> {
    const packed = await packRecords(lot, this.#options.Compression)
    const time = Date.now()
    let attempts = 0
    try {
      await persistently(this.#options, this.#context, this.#signal, async () => {
        if (attempts++ > 0) this.retries++
        await this.#attempt(partition, packed, time, transactional, attempts > 1)
      })
    } catch (error) {
      // It is not known whether the batch was stored, so its number must not be given to another one.
      if (!isTooLarge(error)) this.forget()
      throw error
    }
    const next = (this.#sequences.get(partition) ?? 0) + packed.count
    this.#sequences.set(partition, next > largestSequence ? next - largestSequence - 1 : next)
  }

  /** The next batch asks for a new id. */
  forget(): void {
    this.#identity = undefined
    this.#sequences.clear()
  }

  async #attempt(
    partition: number,
    packed: PackedRecords,
    time: number,
    transactional: boolean,
    again: boolean,
  ): Promise<void> {
    const { Topic: topic, TransactionalId: transactionalId } = this.#options
    const [connection, api] = await Promise.all([this.#leader(partition, again), this.#api()])
    const identity = await this.#identify(transactional)
    const sequence = this.#sequences.get(partition) ?? 0
    const batch = sealBatch(packed, { ...identity, sequence, transactional }, time)
    try {
      await api.async(connection, { topic, partition, batch, transactionalId: transactional ? transactionalId : null })
    } catch (error) {
      const ids = answerIds(error)
      // The answer to an earlier attempt was lost on the way; the batch was not.
      if (ids.includes('DUPLICATE_SEQUENCE_NUMBER')) return
      if (!transactional && ids.some((id) => id === 'UNKNOWN_PRODUCER_ID' || id === 'OUT_OF_ORDER_SEQUENCE_NUMBER')) {
        this.forget()
        throw new StreamFailure(`Topic "${topic}" has forgotten this writer.`, { passing: true, cause: error })
      }
      if (ids.includes('UNKNOWN_TOPIC_OR_PARTITION')) {
        // A broker that has just started does not know its topics yet; if this one is gone, the next look says so.
        throw new StreamFailure(`Topic "${topic}" is not known to the leader of partition ${partition}.`, {
          passing: true,
          cause: error,
        })
      }
      throw error
    }
  }

  async #leader(partition: number, forceUpdate: boolean): Promise<Connection> {
    const { Topic: topic } = this.#options
    const known = forceUpdate ? undefined : this.#producer.currentMetadata
    const { topics, brokers } = known?.topics.has(topic)
      ? known
      : await this.#producer.metadata({ topics: [topic], forceUpdate })
    const broker = brokers.get(topics.get(topic)?.partitions[partition]?.leader ?? -1)
    if (broker === undefined) {
      throw new StreamFailure(`Partition ${partition} of topic "${topic}" has no leader.`, { passing: true })
    }
    return this.#pool.get(broker)
  }

  async #identify(transactional: boolean) {
    const { producerId, producerEpoch } = this.#producer
    if (transactional) {
      if (producerId === undefined || producerEpoch === undefined)
        throw new StreamFailure('There is no open transaction.')
      const same = this.#identity?.producerId === producerId && this.#identity.producerEpoch === producerEpoch
      if (!same) this.#sequences.clear()
      this.#identity = { producerId, producerEpoch }
    }
    this.#identity ??= await this.#producer.initIdempotentProducer({})
    return this.#identity
  }

  #api(): Promise<ProduceApi> {
    return new Promise((resolve, reject) => {
      this.#producer[kGetApi]<unknown[], unknown>('Produce', (error, api) => {
        const known = api === undefined ? undefined : versions[api.version]
        if (known !== undefined) resolve(known)
        else reject(error ?? new StreamFailure('The brokers are older than Kafka 2.8: upgrade them.'))
      })
    })
  }
}
