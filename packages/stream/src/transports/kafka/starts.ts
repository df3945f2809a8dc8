// Where reading begins: partitions come in, offsets go out, from an earlier position, a record number or a keyword.
import { type Consumer, ListOffsetTimestamps } from '@platformatic/kafka'
import { type StreamContext, StreamFailure } from '../../transport.ts'
import type { KafkaOptions } from './options.ts'
import { persistently } from './persistence.ts'
import type { KafkaPosition } from './progress.ts'

/** The first record that a partition still has, and the one after the last that can be read. */
interface Range {
  readonly first: number
  readonly end: number
}

export class Starts {
  readonly #consumer: Consumer
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #signal: AbortSignal
  /** Partitions that the topic had when reading began. */
  known = 0

  constructor(consumer: Consumer, options: KafkaOptions, context: StreamContext, signal: AbortSignal) {
    this.#consumer = consumer
    this.#options = options
    this.#context = context
    this.#signal = signal
  }

  /** The offsets to begin at in partitions of which nothing has been read yet. */
  async find(partitions: readonly number[]): Promise<Map<number, number>> {
    if (partitions.length === 0) return new Map()
    const ranges = await this.ranges(partitions)
    return new Map([...ranges].map(([partition, range]) => [partition, this.#start(partition, range)]))
  }

  async ranges(partitions: readonly number[]): Promise<Map<number, Range>> {
    const [earliest, latest] = await Promise.all([
      this.#list(partitions, ListOffsetTimestamps.EARLIEST),
      this.#list(partitions, ListOffsetTimestamps.LATEST),
    ])
    return new Map(
      partitions.map((partition) => [
        partition,
        { first: Number(earliest[partition] ?? 0n), end: Number(latest[partition] ?? 0n) },
      ]),
    )
  }

  /** All that is in a partition that was added since is yet to be read, wherever reading began in the others. */
  #wanted(partition: number): number | 'earliest' | 'latest' {
    const from = (this.#context.from as KafkaPosition | undefined)?.offsets
    if (from?.[partition] !== undefined) return from[partition]
    const isAdded = partition >= this.known || (from !== undefined && this.#options.Partition === 'all')
    return isAdded ? 'earliest' : (this.#context.skipToRecord ?? 'latest')
  }

  #start(partition: number, { first, end }: Range): number {
    const wanted = this.#wanted(partition)
    if (wanted === 'earliest') return first
    if (wanted === 'latest') return end
    const name = `Partition ${partition} of topic "${this.#options.Topic}"`
    if (wanted > end) {
      throw new StreamFailure(
        `${name} ends before record ${end}, so it has no record ${wanted} to start at: ` +
          'give a smaller SkipToRecord, "earliest" or "latest".',
      )
    }
    if (wanted < first) this.#context.log('warn', `${name} has no records before ${first} any more: starting there`)
    return Math.max(first, wanted)
  }

  async #list(partitions: readonly number[], timestamp: bigint): Promise<readonly bigint[]> {
    const topic = this.#options.Topic
    const request = { topics: [topic], partitions: { [topic]: [...partitions] }, timestamp }
    const lists = await persistently(this.#options, this.#context, this.#signal, () =>
      this.#consumer.listOffsets(request),
    )
    return lists.get(topic) ?? []
  }
}
