// Counters, gauges and histograms: numbers come in as things happen, Prometheus text goes out.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Labels = Readonly<Record<string, string | number>>

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): Iterable<string>
}

export interface Counter {
  add(amount?: number): void
}

export interface Histogram {
  observe(value: number): void
}

/** Request times: from a tenth of a millisecond to ten seconds. */
const secondsBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** All metrics of one service. Asking twice for the same name and labels gives the same counter. */
export class Metrics {
  readonly #families = new Map<string, Family & { series: Map<string, unknown> }>()

  counter(name: string, help: string, labels: Labels = {}): Counter {
    const series = this.#series<{ value: number }>(name, help, 'counter', (entry) => [['', entry.value]])
    const entry = series.getOrInsertComputed(labelText(labels), () => ({ value: 0 }))
    return {
      add(amount = 1) {
        entry.value += amount
      },
    }
  }

  /** `read` is called when the metrics are asked for, never before. */
  gauge(name: string, help: string, read: () => number, labels: Labels = {}): void {
    this.#series<() => number>(name, help, 'gauge', (entry) => [['', entry()]]).set(labelText(labels), read)
  }

  /** A counter that something else keeps. */
  observedCounter(name: string, help: string, read: () => number, labels: Labels = {}): void {
    this.#series<() => number>(name, help, 'counter', (entry) => [['', entry()]]).set(labelText(labels), read)
  }

  /** A family whose series come and go: all of them are read when the metrics are asked for. */
  observed(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    read: () => Iterable<readonly [labels: Labels, value: number]>,
  ): void {
    const samples = function* () {
      for (const [labels, value] of read()) {
        const text = labelText(labels)
        yield `${name}${text === '' ? '' : `{${text}}`} ${value}`
      }
    }
    this.#families.set(name, { name, help, type, series: new Map(), lines: samples })
  }

  histogram(name: string, help: string, labels: Labels = {}, bounds: readonly number[] = secondsBounds): Histogram {
    const series = this.#series<Buckets>(name, help, 'histogram', (entry) => entry.samples())
    return series.getOrInsertComputed(labelText(labels), () => new Buckets(bounds))
  }

  text(): string {
    const lines: string[] = []
    for (const family of this.#families.values()) {
      lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`, ...family.lines())
    }
    return `${lines.join('\n')}\n`
  }

  #series<Entry>(
    name: string,
    help: string,
    type: Family['type'],
    samples: (entry: Entry) => Iterable<readonly [suffix: string, value: number, bound?: string]>,
  ): Map<string, Entry> {
    let family = this.#families.get(name)
    if (family === undefined) {
      const series = new Map<string, Entry>()
      family = { name, help, type, series, lines: () => lines(name, series, samples) }
      this.#families.set(name, family)
    }
    return family.series as Map<string, Entry>
  }
}

function* lines<Entry>(
  name: string,
  series: ReadonlyMap<string, Entry>,
  samples: (entry: Entry) => Iterable<readonly [suffix: string, value: number, bound?: string]>,
) {
  for (const [labels, entry] of series) {
    for (const [suffix, value, bound] of samples(entry)) {
      const all = bound === undefined ? labels : `${labels}${labels === '' ? '' : ','}le="${bound}"`
      yield `${name}${suffix}${all === '' ? '' : `{${all}}`} ${value}`
    }
  }
}

class Buckets implements Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    let bucket = 0
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++
    this.#counts[bucket]!++
    this.#sum += value
  }

  *samples(): Generator<readonly [string, number, string?]> {
    let total = 0
    for (const [index, count] of this.#counts.entries()) {
      total += count
      yield ['_bucket', total, String(this.#bounds[index] ?? '+Inf')]
    }
    yield ['_sum', this.#sum]
    yield ['_count', total]
  }
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`)
    .join(',')
}

/** One for the whole process, however many services it runs. */
let delay: ReturnType<typeof monitorEventLoopDelay> | undefined

const processorTimes: readonly (readonly [
  name: string,
  help: string,
  microseconds: (usage: NodeJS.CpuUsage) => number,
])[] = [
  ['process_cpu_seconds_total', 'Processor time, user and system.', ({ user, system }) => user + system],
  ['process_cpu_user_seconds_total', 'Processor time, user.', ({ user }) => user],
  ['process_cpu_system_seconds_total', 'Processor time, system.', ({ system }) => system],
]

/** What every process has: memory, processor time, how late the event loop runs. */
export function addProcessMetrics(metrics: Metrics): void {
  delay ??= monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const late = delay
  metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  for (const [name, help, microseconds] of processorTimes)
    metrics.observedCounter(name, help, () => microseconds(process.cpuUsage()) / 1e6)
  metrics.gauge('process_start_time_seconds', 'When the process started.', () => Date.now() / 1000 - process.uptime())
  metrics.gauge('pitot_event_loop_delay_seconds', 'How late timers run, 99th percentile.', () => {
    const seconds = late.percentile(99) / 1e9
    return Number.isFinite(seconds) ? seconds : 0
  })
}
