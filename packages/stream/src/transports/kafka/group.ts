// Membership of a consumer group: joins, keeps its place, tells which partitions are ours, and commits positions.
import type { Consumer } from '@platformatic/kafka'
import type { StreamContext } from '../../transport.ts'
import { kafkaFailure } from './failures.ts'
import type { KafkaOptions } from './options.ts'
import { persistently } from './persistence.ts'

export interface Assignment {
  readonly generation: number
  readonly partitions: readonly number[]
}

/**
 * How often a member says that it lives, when it is taken for dead, and how long a new sharing-out waits for the others:
 * less than the time after which a request to a broker is given up.
 */
const timing = { heartbeatInterval: 1000, sessionTimeout: 30_000, rebalanceTimeout: 30_000 }

export class Group {
  readonly consumer: Consumer
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #assigned: (assignment: Assignment) => void
  readonly #lost: (error: Error) => void
  #closed = false
  #isLeader = false
  rebalances = 0

  constructor(
    consumer: Consumer,
    options: KafkaOptions,
    context: StreamContext,
    assigned: (assignment: Assignment) => void,
    lost: (error: Error) => void,
  ) {
    this.consumer = consumer
    this.#options = options
    this.#context = context
    this.#assigned = assigned
    this.#lost = lost
  }

  async join(signal: AbortSignal): Promise<void> {
    const { consumer } = this
    consumer.topics.track(this.#options.Topic)
    consumer.on('consumer:group:join', ({ assignments, generationId, isLeader }) => {
      this.rebalances++
      this.#isLeader = isLeader === true
      const mine = assignments?.find((assignment) => assignment.topic === this.#options.Topic)?.partitions ?? []
      const partitions = [...mine].sort((one, other) => one - other)
      const names = partitions.length === 0 ? 'no partition' : `partitions ${partitions.join(', ')}`
      this.#context.log('info', `group ${consumer.groupId} gave this reader ${names} of topic ${this.#options.Topic}`)
      this.#assigned({ generation: generationId ?? 0, partitions })
    })
    // The client joins again by itself after a new sharing-out; when that fails it gives up and says so here.
    const failed = (error: Error) => {
      if (!this.#closed) this.#rejoin(error, signal)
    }
    ;(consumer as unknown as { on(event: 'error', listener: (error: Error) => void): void }).on('error', failed)
    await this.#attempt(signal)
  }

  /** The offsets that the group has committed; a partition without one is left out. */
  async committed(partitions: readonly number[], signal: AbortSignal): Promise<Map<number, number>> {
    const topics = [{ topic: this.#options.Topic, partitions: [...partitions] }]
    const lists = await persistently(this.#options, this.#context, signal, () =>
      this.consumer.listCommittedOffsets({ topics }),
    )
    const offsets = lists.get(this.#options.Topic) ?? []
    const found = partitions.map((partition) => [partition, Number(offsets[partition] ?? -1n)] as const)
    return new Map(found.filter(([, offset]) => offset >= 0))
  }

  async commit(offsets: ReadonlyMap<number, number>, signal: AbortSignal): Promise<void> {
    const list = [...offsets].map(([partition, offset]) => ({
      topic: this.#options.Topic,
      partition,
      offset: BigInt(offset),
      leaderEpoch: -1,
    }))
    await persistently(this.#options, this.#context, signal, () => this.consumer.commit({ offsets: list }))
  }

  /** There is more to share out. Whoever leads the group makes it do so by joining again; to the others it comes. */
  shareAnew(signal: AbortSignal): void {
    if (this.#isLeader && !this.#closed) this.#attempt(signal).catch((failure: Error) => this.#lost(failure))
  }

  close(): void {
    this.#closed = true
  }

  #attempt(signal: AbortSignal): Promise<unknown> {
    return persistently(this.#options, this.#context, signal, () => this.consumer.joinGroup({ ...timing }))
  }

  #rejoin(error: Error, signal: AbortSignal): void {
    this.#context.log('warn', `${kafkaFailure(error, this.#options).message} Joining the group again.`)
    this.#attempt(signal).catch((failure: Error) => this.#lost(failure))
  }
}
