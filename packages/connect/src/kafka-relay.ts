// Writes notifications to a Kafka topic: they come in one by one, and go out in their order, in batches, until they are
// stored. While Kafka cannot be reached the latest ones are kept; what had to be dropped is counted.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger, Metrics } from '@pitot/service'

export interface KafkaTarget {
  readonly bootstrap: readonly string[]
  readonly topic: string
}

interface Message {
  readonly key: string
  readonly value: string
}

const mostWaiting = 10_000
const mostBytesWaiting = 16 * 1024 * 1024
const largestBatch = 500
/** Milliseconds. */
const firstDelay = 250
const longestDelay = 10_000

export class KafkaRelay {
  readonly target: KafkaTarget
  readonly #log: Logger
  readonly #stopped = new AbortController()
  #waiting: Message[] = []
  #bytes = 0
  #writing: Promise<void> | undefined
  #producer: Promise<Producer> | undefined
  dropped = 0
  written = 0

  constructor(target: KafkaTarget, log: Logger) {
    this.target = target
    this.#log = log
  }

  /** The source is the key: the notifications of one source are in one partition, in their order. */
  add(source: string, json: string): void {
    this.#waiting.push({ key: source, value: json })
    this.#bytes += json.length
    while (this.#waiting.length > mostWaiting || this.#bytes > mostBytesWaiting) {
      this.#bytes -= this.#waiting.shift()!.value.length
      this.dropped++
    }
    this.#writing ??= this.#writeAll()
  }

  /** Gives up what is not written. */
  async close(): Promise<void> {
    this.#stopped.abort()
    await this.#writing
    const producer = await this.#producer?.catch(() => undefined)
    await producer?.close(true).catch(() => undefined)
  }

  async #writeAll(): Promise<void> {
    let delay = firstDelay
    while (this.#waiting.length > 0 && !this.#stopped.signal.aborted) {
      const batch = this.#waiting.splice(0, largestBatch)
      try {
        await this.#write(batch)
        this.written += batch.length
        for (const { value } of batch) this.#bytes -= value.length
        delay = firstDelay
      } catch (error) {
        if (this.#stopped.signal.aborted) break
        this.#waiting.unshift(...batch)
        if (delay === firstDelay)
          this.#log.warn(`notifications cannot be written to topic ${this.target.topic}: ${(error as Error).message}`)
        await sleep(delay, undefined, { signal: this.#stopped.signal, ref: false }).catch(() => undefined)
        delay = Math.min(delay * 2, longestDelay)
      }
    }
    this.#writing = undefined
  }

  async #write(batch: readonly Message[]): Promise<void> {
    this.#producer ??= openProducer(this.target)
    try {
      const { topic } = this.target
      await (await this.#producer).send({ messages: batch.map(({ key, value }) => ({ topic, key, value })), acks: -1 })
    } catch (error) {
      // A client that failed may be in any state; the next attempt has a new one.
      const producer = await this.#producer.catch(() => undefined)
      this.#producer = undefined
      await producer?.close(true).catch(() => undefined)
      throw error
    }
  }
}

type Producer = Awaited<ReturnType<typeof openProducer>>

/** The client is loaded only where there is a topic to write to. */
async function openProducer({ bootstrap }: KafkaTarget) {
  const { Producer, stringSerializers } = await import('@platformatic/kafka')
  return new Producer({
    clientId: 'pitot-connect',
    bootstrapBrokers: [...bootstrap],
    serializers: stringSerializers,
    autocreateTopics: true,
    retries: 0,
    connectTimeout: 5000,
    requestTimeout: 15_000,
  })
}

/** What the `pneumo` section asks for; undefined when it asks for no topic. */
export function kafkaTarget(section: unknown): KafkaTarget | undefined {
  const { type, bootstrap, topic } = (section ?? {}) as { type?: string; bootstrap?: string[]; topic?: string }
  if (type !== 'kafka' || bootstrap === undefined || bootstrap.length === 0) return undefined
  return { bootstrap, topic: topic ?? 'notify' }
}

/** The relay that the configuration in force asks for; replaced when that changes. */
export class KafkaRelays {
  readonly #log: Logger
  #relay: KafkaRelay | undefined
  #past = { written: 0, dropped: 0 }

  constructor(log: Logger, metrics: Metrics) {
    this.#log = log
    const total = (what: 'written' | 'dropped') => () => this.#past[what] + (this.#relay?.[what] ?? 0)
    metrics.observedCounter('pitot_kafka_notifications_total', 'Notifications written to Kafka.', total('written'))
    metrics.observedCounter('pitot_kafka_dropped_total', 'Notifications not written to Kafka.', total('dropped'))
  }

  configure(section: unknown): void {
    const target = kafkaTarget(section)
    if (JSON.stringify(target) === JSON.stringify(this.#relay?.target)) return
    void this.close()
    this.#relay = target && new KafkaRelay(target, this.#log)
  }

  add(source: string, json: string): void {
    this.#relay?.add(source, json)
  }

  async close(): Promise<void> {
    const relay = this.#relay
    this.#relay = undefined
    await relay?.close()
    this.#past.written += relay?.written ?? 0
    this.#past.dropped += relay?.dropped ?? 0
  }
}
