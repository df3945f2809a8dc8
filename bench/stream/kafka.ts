// Kafka through the transport against the bare client library: the same records, the same broker, in turns. Prints ratios.
//   node --conditions=pitot-source bench/stream/kafka.ts
import { fileURLToPath } from 'node:url'
import type { Frames } from '@pitot/codec'
import { Admin, Consumer, Producer } from '@platformatic/kafka'
import { type KafkaOptions, kafkaFields } from '../../packages/stream/src/transports/kafka/options.ts'
import { KafkaSink } from '../../packages/stream/src/transports/kafka/sink.ts'
import { KafkaSource } from '../../packages/stream/src/transports/kafka/source.ts'
import { findKafka } from '../../test/servers/kafka.ts'

const records = 400_000
const recordBytes = 200
const batch = 4000
const rounds = 5

export interface KafkaFigures {
  /** Records per second, the median of the rounds. */
  readonly consume: { readonly pitot: number; readonly bare: number }
  readonly produce: { readonly pitot: number; readonly bare: number }
}

/** Starts a broker of its own; the reason where that is not possible. */
export async function measureKafka(): Promise<KafkaFigures | string> {
  const found = findKafka(true)
  if ('missing' in found) return found.missing
  const server = await found.start({ javaOptions: ['-Xms384m'] })
  try {
    const bootstrapBrokers = server.addresses()
    const times: Record<string, number[]> = {}
    for (let round = 0; round <= rounds; round++) {
      for (const who of round % 2 === 0 ? (['pitot', 'bare'] as const) : (['bare', 'pitot'] as const)) {
        const topic = `bench-${round}-${who}`
        await createTopic(bootstrapBrokers, topic)
        const produce = await timed(() => (who === 'pitot' ? produceByPitot : produceBare)(bootstrapBrokers, topic))
        const consume = await timed(() => (who === 'pitot' ? consumeByPitot : consumeBare)(bootstrapBrokers, topic))
        // The first round warms up the broker and the compiler.
        if (round > 0) {
          for (const [what, time] of Object.entries({ produce, consume })) {
            const name = `${who} ${what}`
            times[name] = [...(times[name] ?? []), records / time]
          }
        }
      }
    }
    const figure = (what: string) => ({ pitot: median(times[`pitot ${what}`]), bare: median(times[`bare ${what}`]) })
    return { consume: figure('consume'), produce: figure('produce') }
  } finally {
    await server.stop()
  }
}

const frames: Frames = {
  bytes: Buffer.alloc(batch * recordBytes, '{"name":"value","number":1234567890} '),
  bounds: Array.from({ length: batch }, (_, index) => [index * recordBytes, (index + 1) * recordBytes]).flat(),
  position: 0,
}
const values = Array.from({ length: batch }, (_, index) =>
  Buffer.from(frames.bytes.buffer, frames.bytes.byteOffset + index * recordBytes, recordBytes),
)

function options(given: Record<string, unknown>): KafkaOptions {
  const entries = Object.entries(kafkaFields).map(([name, field]) => [name, given[name] ?? field.default ?? null])
  return Object.fromEntries(entries) as unknown as KafkaOptions
}

function context() {
  const signal = new AbortController().signal
  return { log: () => undefined, signal, allowExec: [], skipToRecord: 'earliest' as const }
}

async function produceByPitot(servers: string[], topic: string): Promise<void> {
  const sink = await KafkaSink.create(options({ BootstrapServers: servers, Topic: topic }), context())
  for (let sent = 0; sent < records; sent += batch) await sink.write(frames)
  await sink.close()
}

async function produceBare(bootstrapBrokers: string[], topic: string): Promise<void> {
  const producer = new Producer({ clientId: 'bare', bootstrapBrokers, idempotent: true })
  for (let sent = 0; sent < records; sent += batch) {
    await producer.send({ messages: values.map((value) => ({ topic, partition: 0, value })) })
  }
  await producer.close()
}

async function consumeByPitot(servers: string[], topic: string): Promise<void> {
  const source = await KafkaSource.open(options({ BootstrapServers: servers, Topic: topic }), context())
  let [count, bytes] = [0, 0]
  for await (const { frames: read } of source) {
    for (let index = 0; index < read.bounds.length; index += 2) {
      bytes += (read.bounds[index + 1] ?? 0) - (read.bounds[index] ?? 0)
    }
    count += read.bounds.length / 2
    if (count >= records) break
  }
  await source.close()
  check(count, bytes)
}

async function consumeBare(bootstrapBrokers: string[], topic: string): Promise<void> {
  const consumer = new Consumer({ clientId: 'bare', groupId: `bare-${topic}`, bootstrapBrokers, autocommit: false })
  const stream = await consumer.consume({
    topics: [topic],
    mode: 'earliest',
    maxBytes: 4 * 1024 * 1024,
    autocommit: false,
  })
  let [count, bytes] = [0, 0]
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject)
    stream.on('data', ({ value }) => {
      bytes += value.length
      if (++count >= records) resolve()
    })
  })
  await consumer.close(true)
  check(count, bytes)
}

function check(count: number, bytes: number): void {
  if (count !== records || bytes !== records * recordBytes) throw new Error(`${count} records, ${bytes} bytes`)
}

async function createTopic(bootstrapBrokers: string[], topic: string): Promise<void> {
  const admin = new Admin({ clientId: 'bench', bootstrapBrokers, retries: 20, retryDelay: 250 })
  await admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 })
  await admin.close()
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

function median(list: readonly number[] = []): number {
  return [...list].sort((one, other) => one - other)[list.length >> 1] ?? 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await measureKafka()
  if (typeof figures === 'string') console.log(`kafka: not measured: ${figures}`)
  else {
    for (const [what, { pitot, bare }] of Object.entries(figures)) {
      const thousands = (figure: number) => `${Math.round(figure / 1000)}k records/s`
      console.log(
        `kafka ${what}: ${thousands(pitot)}, bare client ${thousands(bare)}, ratio ${(pitot / bare).toFixed(2)}`,
      )
    }
  }
}
