// What the tests of the kafka transport share: brokers for a suite, topics, and streams in and out of them.
import { type Frames, frameAt } from '@pitot/codec'
import { Admin } from '@platformatic/kafka'
import { afterAll, beforeAll, describe } from 'vitest'
import { findKafka, type KafkaSettings, type TestKafka } from '../../../../../test/servers/kafka.ts'
import type { Chunk, MessageDetails, Position, StreamContext } from '../../../src/transport.ts'
import type { KafkaOptions } from '../../../src/transports/kafka/options.ts'
import { KafkaSink } from '../../../src/transports/kafka/sink.ts'
import { KafkaSource } from '../../../src/transports/kafka/source.ts'
import { kafka } from '../../../src/transports/kafka.ts'

/** The fields of a transport as a descriptor gives them, read the way a descriptor is read. */
export function readOptions(given: Readonly<Record<string, unknown>>): KafkaOptions {
  const options: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(kafka.fields)) {
    options[name] = name in given ? field.read(given[name]) : (field.default ?? null)
    if (options[name] === undefined) throw new Error(`${name} must be ${field.allowed}`)
  }
  return options as unknown as KafkaOptions
}

export class Brokers {
  server!: TestKafka
  readonly log: string[] = []
  readonly #topics: string[] = []
  readonly #open: { close(): Promise<void> }[] = []

  async topic(partitions = 1, settings: { replicas?: number; configs?: Record<string, string> } = {}): Promise<string> {
    const name = `topic-${process.pid}-${Date.now()}-${this.#topics.length}`
    this.#topics.push(name)
    const { replicas = 1, configs = {} } = settings
    const list = Object.entries(configs).map(([key, value]) => ({ name: key, value }))
    await this.admin((admin) => admin.createTopics({ topics: [name], partitions, replicas, configs: list }))
    return name
  }

  async admin<Result>(work: (admin: Admin) => Promise<Result>): Promise<Result> {
    const admin = new Admin({
      clientId: 'test',
      bootstrapBrokers: this.server.addresses(),
      retries: 20,
      retryDelay: 250,
    })
    try {
      return await work(admin)
    } finally {
      await admin.close()
    }
  }

  context(given: Partial<StreamContext> = {}): StreamContext {
    const log: StreamContext['log'] = (level, message) => this.log.push(`${level} ${message}`)
    return { log, signal: new AbortController().signal, allowExec: [], ...given }
  }

  options(given: Readonly<Record<string, unknown>>): KafkaOptions {
    return readOptions({ BootstrapServers: this.server.addresses(), ...given })
  }

  async source(given: Readonly<Record<string, unknown>>, context: Partial<StreamContext> = {}): Promise<KafkaSource> {
    const open = await KafkaSource.open(
      this.options({ MaxWaitTime: 400, ...given }),
      this.context({ skipToRecord: 'earliest', ...context }),
    )
    this.#open.push(open)
    return open
  }

  async sink(given: Readonly<Record<string, unknown>>, context: Partial<StreamContext> = {}): Promise<KafkaSink> {
    const open = await KafkaSink.create(this.options(given), this.context(context))
    this.#open.push(open)
    return open
  }

  async write(
    given: Readonly<Record<string, unknown>>,
    records: readonly string[],
    details?: MessageDetails[],
  ): Promise<void> {
    const sink = await this.sink(given)
    await sink.write(frames(records), details)
    await sink.close()
  }

  /** For brokers that were there before. */
  async removeTopics(): Promise<void> {
    if (this.#topics.length > 0)
      await this.admin((admin) => admin.deleteTopics({ topics: this.#topics }).catch(() => undefined))
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((stream) => stream.close()))
  }
}

/** Runs a suite on brokers of its own. Missing ones are told, and in CI they are a failure. */
export function describeKafka(
  title: string,
  settings: KafkaSettings | (() => Promise<KafkaSettings>),
  suite: (brokers: Brokers) => void,
): void {
  const found = findKafka(typeof settings === 'function' || Object.keys(settings).length > 0)
  if ('missing' in found) {
    if (process.env.CI === 'true') throw new Error(found.missing)
    describe.skip(`${title} (skipped: ${found.missing})`, () => undefined)
    return
  }
  const brokers = new Brokers()
  describe(title, () => {
    beforeAll(async () => {
      brokers.server = await found.start(typeof settings === 'function' ? await settings() : settings)
    }, 180_000)
    afterAll(async () => {
      await brokers.closeAll()
      if (found.given) await brokers.removeTopics()
      await brokers.server?.stop()
    })
    suite(brokers)
  })
}

export function frames(records: readonly (string | Uint8Array)[]): Frames {
  const buffers = records.map((record) => Buffer.from(record as string))
  const bounds: number[] = []
  let at = 0
  for (const buffer of buffers) {
    bounds.push(at, at + buffer.length)
    at += buffer.length
  }
  return { bytes: Buffer.concat(buffers), bounds, position: 0 }
}

export function texts(chunk: Chunk): string[] {
  return Array.from({ length: chunk.frames.bounds.length / 2 }, (_, index) =>
    Buffer.from(frameAt(chunk.frames, index)).toString(),
  )
}

/** Everything up to the end of the stream, which is closed then. */
export async function readAll(source: KafkaSource): Promise<{ records: string[]; chunks: Chunk[] }> {
  const chunks: Chunk[] = []
  try {
    for await (const chunk of source) chunks.push(chunk)
  } finally {
    await source.close()
  }
  return { records: chunks.flatMap(texts), chunks }
}

/** Records until there are so many; the source stays open. */
export async function readSome(
  iterator: AsyncIterator<Chunk>,
  count: number,
): Promise<{ records: string[]; position: Position }> {
  const records: string[] = []
  let position: Position = {}
  while (records.length < count) {
    const { value, done } = await iterator.next()
    if (done === true) throw new Error(`the stream ended after ${records.length} of ${count} records`)
    records.push(...texts(value))
    position = value.position()
  }
  return { records, position }
}

export function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `record ${from + index}`)
}
