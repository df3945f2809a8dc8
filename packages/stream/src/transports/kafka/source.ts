// An open Kafka input: partitions of one topic come in, chunks of messages with their positions go out.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionPool, Consumer } from '@platformatic/kafka'
import { type Chunk, type Position, type Source, type StreamContext, StreamFailure } from '../../transport.ts'
import { findBatches } from './batches.ts'
import { Bell } from './bell.ts'
import { KafkaChunk } from './chunk.ts'
import { clientOptions, connectionOptions } from './client.ts'
import { answeredError, kafkaFailure } from './failures.ts'
import { type FetchedPartition, fetchRecords } from './fetch.ts'
import { type Assignment, Group } from './group.ts'
import type { KafkaOptions } from './options.ts'
import { backOff, persistently } from './persistence.ts'
import { Progress } from './progress.ts'
import { type PartitionRecords, readRecords } from './records.ts'
import { Starts } from './starts.ts'

/**
 * Bytes of one answer of a broker: what may wait in memory for each broker that leads partitions of ours. Larger ones save
 * little time, and live long enough to be taken for old by the collector, which lets go of the old late.
 */
const fetchBytes = 2 ** 20

/** Milliseconds that a broker may hold an answer while there is nothing to answer. */
const longestWait = 1000

/** Milliseconds between two looks for partitions that were added to the topic. */
const lookForPartitions = 10_000

/** Milliseconds that closing waits for a commit. */
const longestCommit = 5000

const offsetOutOfRange = 1

/** The answer of a broker for one partition, read piece by piece. */
interface Ready {
  readonly partition: number
  readonly node: number
  readonly pieces: Iterator<PartitionRecords, void>
  begun: boolean
}

/** A broker that we fetch from: one fetch at a time, and no other before its records have been handed on. */
interface Leader {
  fetching: boolean
  /** Answers that nobody has begun to read; a new fetch waits for them. */
  waiting: number
  failures: number
  failingSince: number
  /** Answers with nothing in them since somebody began to wait. */
  empty: number
}

const newLeader: Leader = { fetching: false, waiting: 0, failures: 0, failingSince: 0, empty: 0 }

export class KafkaSource implements Source {
  readonly #options: KafkaOptions
  readonly #context: StreamContext
  readonly #consumer: Consumer
  readonly #pool: ConnectionPool
  readonly #group: Group | undefined
  readonly #abort = new AbortController()
  readonly #starts: Starts
  readonly #progress: Progress
  /** Where to fetch next in each partition that is ours: what was handed on and what waits here lie before it. */
  #fetchAt = new Map<number, number>()
  /** Records that the partition has beyond those we fetched. */
  readonly #lag = new Map<number, number>()
  #ready: Ready[] = []
  readonly #leaders = new Map<number, Leader>()
  /** Grows whenever the places to fetch from change: answers from before are dropped. */
  #era = 0
  #failure: Error | undefined
  #closed = false
  readonly #bell = new Bell()
  #committing: Promise<void> = Promise.resolve()
  #assigning: Promise<void> = Promise.resolve()
  #bytes = 0
  /** Partitions that the topic has. */
  #partitions = 0
  #looking: NodeJS.Timeout | undefined
  readonly #counts = { fetches: 0, retries: 0, lost: 0 }

  private constructor(options: KafkaOptions, context: StreamContext, consumer: Consumer, pool: ConnectionPool) {
    this.#options = options
    this.#context = context
    this.#consumer = consumer
    this.#pool = pool
    this.#starts = new Starts(consumer, options, context, this.#abort.signal)
    this.#progress = new Progress(options.Topic)
    if (options.Group !== null) {
      const assigned = (assignment: Assignment) => {
        this.#assigning = this.#assigning.then(() => this.#assign(assignment)).catch((error) => this.#fail(error))
      }
      this.#group = new Group(consumer, options, context, assigned, (error) => this.#fail(error))
    }
  }

  static async open(options: KafkaOptions, context: StreamContext): Promise<KafkaSource> {
    const base = await clientOptions(options)
    const consumer = new Consumer({ ...base, groupId: options.Group ?? `${options.ClientId}-none`, autocommit: false })
    // Fetches wait at the broker, so they have connections of their own: heartbeats and commits never wait behind them.
    const pool = new ConnectionPool(options.ClientId, await connectionOptions(options))
    const source = new KafkaSource(options, context, consumer, pool)
    context.signal.addEventListener('abort', () => void source.close(), { once: true, signal: source.#abort.signal })
    try {
      await source.#start()
      return source
    } catch (error) {
      await source.close()
      throw kafkaFailure(error, options)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk> {
    // The end of the stream does not close it: what was read last is acknowledged after it.
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk
  }

  acknowledge(position: Position): Promise<void> {
    const group = this.#group
    if (group === undefined || !this.#options.CommitOffset) return Promise.resolve()
    const commit = async () => {
      const offsets = this.#progress.own(position)
      if (offsets.size === 0) return
      await group.commit(offsets, this.#abort.signal)
      this.#progress.markCommitted(offsets)
    }
    this.#committing = this.#committing.catch(() => undefined).then(commit)
    return this.#committing
  }

  /** What a transaction needs to commit a position: in whose name, and which offsets. */
  transactional(position: Position) {
    if (this.#group === undefined) {
      throw new StreamFailure(
        'A Kafka transaction commits positions of inputs with a Group only: give the input a Group.',
      )
    }
    return {
      consumer: this.#group.consumer,
      generation: this.#progress.generation,
      topic: this.#options.Topic,
      offsets: this.#progress.whole(position),
      committed: (offsets: ReadonlyMap<number, number>) => this.#progress.markCommitted(offsets),
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#looking)
    this.#ready = []
    this.#bell.ring()
    this.#group?.close()
    // What is being committed may take a moment more, but not as long as an outage.
    await Promise.race([this.#committing.catch(() => undefined), sleep(longestCommit, undefined, { ref: false })])
    this.#abort.abort()
    await Promise.allSettled([this.#pool.close(), this.#consumer.close(true)])
  }

  counters(): Readonly<Record<string, number>> {
    const lag = [...this.#lag.values()].reduce((sum, each) => sum + each, 0)
    const { rebalances } = this.#group ?? {}
    return { ...this.#counts, lag, ...(rebalances !== undefined && { rebalances }) }
  }

  async #start(): Promise<void> {
    const { Topic: topic, Partition: wanted } = this.#options
    this.#consumer.topics.track(topic)
    const count = (await this.#topic()).partitionsCount
    this.#partitions = count
    this.#starts.known = count
    if (this.#group !== undefined || wanted === 'all') {
      this.#looking = setInterval(() => void this.#lookForPartitions().catch(() => undefined), lookForPartitions)
    }
    if (this.#group !== undefined) {
      await this.#group.join(this.#abort.signal)
      await this.#assigning
      if (this.#failure !== undefined) throw this.#failure
      return
    }
    const partitions = wanted === 'all' ? [...Array(count).keys()] : typeof wanted === 'number' ? [wanted] : wanted
    const missing = partitions.find((partition) => partition >= count)
    if (missing !== undefined) {
      throw new StreamFailure(`Topic "${topic}" has no partition ${missing}: it has ${count}, numbered from 0.`)
    }
    for (const [partition, offset] of await this.#starts.find(partitions)) this.#progress.take(partition, offset)
    this.#fetchAnew()
  }

  /** Partitions may be added to a topic at any time. A group has to share them out. */
  async #lookForPartitions(): Promise<void> {
    const before = this.#partitions
    const { partitionsCount } = await this.#topic(true)
    if (this.#closed || partitionsCount <= before) return
    this.#context.log('info', `topic ${this.#options.Topic} has ${partitionsCount} partitions now, ${before} before`)
    if (this.#group !== undefined) this.#group.shareAnew(this.#abort.signal)
    else {
      const added = Array.from({ length: partitionsCount - before }, (_, index) => before + index)
      for (const [partition, offset] of await this.#starts.find(added)) {
        this.#progress.take(partition, offset)
        this.#fetchAt.set(partition, offset)
      }
      this.#bell.ring()
    }
    this.#partitions = partitionsCount
  }

  /** What the group gives: partitions kept go on where they are, new ones where the group has committed. */
  async #assign({ generation, partitions }: Assignment): Promise<void> {
    // Whoever missed a generation may have missed that a partition was another reader's in between.
    const inTurn = generation === this.#progress.generation + 1
    this.#progress.keep(inTurn ? partitions : [])
    this.#progress.generation = generation
    this.#fetchAnew()
    const kept = this.#progress.offsets()
    const added = partitions.filter((partition) => !kept.has(partition))
    if (added.length === 0 || this.#group === undefined) return
    const committed = await this.#group.committed(added, this.#abort.signal)
    const starts = await this.#starts.find(added.filter((partition) => !committed.has(partition)))
    for (const [partition, offset] of committed) this.#progress.take(partition, offset, offset)
    for (const [partition, offset] of starts) this.#progress.take(partition, offset)
    this.#fetchAnew()
  }

  /** Drops what was fetched and not handed on, and fetches it again from those partitions that are ours. */
  #fetchAnew(): void {
    this.#era++
    this.#ready = []
    this.#fetchAt = this.#progress.offsets()
    this.#lag.clear()
    for (const leader of this.#leaders.values()) leader.waiting = 0
    this.#bell.ring()
  }

  async #topic(forceUpdate = false) {
    const topics = [this.#options.Topic]
    const work = () => this.#consumer.metadata({ topics, forceUpdate })
    const metadata = await persistently(this.#options, this.#context, this.#abort.signal, work)
    const topic = metadata.topics.get(this.#options.Topic)
    if (topic === undefined)
      throw new StreamFailure(`Kafka described no topic "${this.#options.Topic}".`, { passing: true })
    return { ...topic, brokers: metadata.brokers }
  }

  /** The next records, or undefined at the end of the stream. */
  async #next(): Promise<Chunk | undefined> {
    let idleSince = Date.now()
    for (const leader of this.#leaders.values()) leader.empty = 0
    for (;;) {
      const seen = this.#bell.rings
      if (this.#closed) return undefined
      if (this.#failure !== undefined) throw kafkaFailure(this.#failure, this.#options)
      const ready = this.#ready[0]
      if (ready !== undefined) {
        // Read one answer ahead, so that the broker works while the caller does.
        if (!ready.begun) await this.#begin(ready)
        // The partition may have been given to another reader meanwhile.
        if (this.#ready[0] !== ready) continue
        const { value: records } = ready.pieces.next()
        if (records !== undefined) return this.#chunk(ready.partition, records)
        this.#ready.shift()
        continue
      }
      await this.#fetchAll()
      const failing = [...this.#leaders.values()].some((leader) => leader.failures > 0)
      // An outage is no silence: the clock runs only while every broker answers.
      if (failing) idleSince = Date.now()
      const left = this.#options.MaxWaitTime - (Date.now() - idleSince)
      const answered = [...this.#leaders.values()].every((leader) => leader.empty > 0)
      if (left <= 0 && answered && this.#ready.length === 0) return undefined
      await this.#bell.heard(seen, left <= 0 ? longestWait : left)
    }
  }

  async #begin(ready: Ready): Promise<void> {
    ready.begun = true
    const leader = this.#leaders.get(ready.node)
    if (leader !== undefined) leader.waiting--
    await this.#fetchAll()
  }

  /** Asks every broker that leads partitions of ours and has nothing of ours waiting. */
  async #fetchAll(): Promise<void> {
    if (this.#fetchAt.size === 0) return void this.#leaders.clear()
    const topic = this.#consumer.currentMetadata?.topics.get(this.#options.Topic) ?? (await this.#topic())
    const byNode = Map.groupBy(this.#fetchAt.keys(), (partition) => topic.partitions[partition]?.leader ?? -1)
    for (const node of this.#leaders.keys()) if (!byNode.has(node)) this.#leaders.delete(node)
    for (const [node, partitions] of byNode) {
      const leader = this.#leaders.get(node) ?? { ...newLeader }
      this.#leaders.set(node, leader)
      if (leader.fetching || leader.waiting > 0) continue
      leader.fetching = true
      this.#fetch(node, leader, partitions, topic.id)
        .catch((error: Error) => this.#trouble(leader, error))
        .catch((error: Error) => this.#fail(error))
        .finally(() => {
          leader.fetching = false
          this.#bell.ring()
        })
    }
  }

  async #fetch(node: number, leader: Leader, partitions: readonly number[], id: string): Promise<void> {
    const era = this.#era
    const broker = this.#consumer.currentMetadata?.brokers.get(node)
    if (broker === undefined) throw answeredError(5)
    const offsets = partitions.map((partition) => ({ partition, offset: this.#fetchAt.get(partition) ?? 0 }))
    // The partition that was served first goes last, so that a busy one does not starve the others.
    offsets.push(...offsets.splice(0, this.#counts.fetches++ % offsets.length))
    const response = await fetchRecords(this.#consumer, this.#pool, broker, {
      topic: { id, name: this.#options.Topic },
      partitions: offsets,
      wait: Math.min(this.#options.MaxWaitTime, longestWait),
      bytes: fetchBytes,
    })
    if (response.errorCode !== 0) throw answeredError(response.errorCode)
    if (era !== this.#era || this.#closed) return
    let trouble: Error | undefined
    const asked = new Map(offsets.map(({ partition, offset }) => [partition, offset]))
    for (const fetched of response.partitions) {
      // A partition that has moved may have been asked for at its new leader meanwhile: the first answer counts.
      const from = asked.get(fetched.partition) ?? -1
      if (from === this.#fetchAt.get(fetched.partition)) trouble = this.#take(node, leader, fetched, from) ?? trouble
    }
    if (trouble !== undefined) throw trouble
    if (leader.waiting === 0) leader.empty++
    leader.failures = 0
  }

  /** Makes the records of one partition ready; the error that the broker gave for it instead, if any. */
  #take(node: number, leader: Leader, fetched: FetchedPartition, from: number): Error | undefined {
    const { partition } = fetched
    if (fetched.errorCode === offsetOutOfRange) return this.#outOfRange(partition, from)
    if (fetched.errorCode !== 0) return answeredError(fetched.errorCode)
    const { batches, next } = findBatches(fetched.records, from, fetched.aborted, this.#name(partition))
    this.#fetchAt.set(partition, next)
    this.#lag.set(partition, Math.max(0, fetched.highWatermark - next))
    if (batches.length > 0) {
      this.#ready.push({ partition, node, pieces: readRecords(batches, from), begun: false })
      leader.waiting++
    }
    return undefined
  }

  /** The records that were to come next have been deleted, or the log was cut back: goes on at what there is. */
  #outOfRange(partition: number, from: number): undefined {
    const era = this.#era
    this.#assigning = this.#assigning
      .then(async () => {
        const { first, end } = (await this.#starts.ranges([partition])).get(partition) ?? { first: 0, end: 0 }
        if (era !== this.#era) return
        const next = from < first ? first : Math.min(from, end)
        const what = from < first ? `deleted ${first - from} records before they were read` : 'was cut back'
        this.#counts.lost += Math.max(0, first - from)
        this.#context.log('warn', `${this.#name(partition)} ${what}: going on at record ${next}`)
        this.#fetchAt.set(partition, next)
        this.#bell.ring()
      })
      .catch((error) => this.#fail(error))
    return undefined
  }

  /** A fetch that failed: waits, asks who leads the partitions now, and lets the next fetch try. */
  async #trouble(leader: Leader, error: Error): Promise<void> {
    if (this.#closed) return
    const failure = kafkaFailure(error, this.#options)
    if (leader.failures++ === 0) {
      leader.failingSince = Date.now()
      this.#context.log('warn', `${failure.message} Trying again.`)
    }
    this.#counts.retries++
    const missing = !failure.passing && (error as { canRetry?: boolean }).canRetry !== true
    if (missing || Date.now() - leader.failingSince > this.#options.RetryTime) throw failure
    await sleep(backOff(leader.failures), undefined, { signal: this.#abort.signal }).catch(() => undefined)
    if (!this.#closed) await this.#topic(true)
  }

  #fail(error: Error): void {
    if (this.#closed) return
    this.#failure ??= error
    this.#bell.ring()
  }

  #chunk(partition: number, records: PartitionRecords): Chunk {
    this.#progress.handOn(partition, records.next)
    const after = this.#progress.position()
    const { offsets, frames } = records
    const start = this.#bytes - (frames.bounds[0] ?? 0)
    this.#bytes += (frames.bounds.at(-1) ?? 0) - (frames.bounds[0] ?? 0)
    return new KafkaChunk({ ...frames, position: start }, records.details, (index) => {
      if (index === undefined || index === offsets.length - 1) return after
      return { ...after, offsets: { ...after.offsets, [partition]: (offsets[index] ?? 0) + 1 } }
    })
  }

  #name(partition: number): string {
    return `Partition ${partition} of topic "${this.#options.Topic}"`
  }
}
