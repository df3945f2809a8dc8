// What sensors have last reported, as gauges: reports come in, and their figures stay until the next report of the sensor or
// until it goes. Whoever asks for the metrics is told what was reported; no sensor is read for it.
import type { AggregateSettings } from '@pitot/sensor'
import type { Labels, Metrics } from './metrics.ts'

/** Of all sensors together. One whose series find no room is left out whole, until another one goes. */
export const mostSeries = 5000

type Sample = readonly [labels: Labels, value: number]

/** Figures by the names they have in reports. */
const plain = {
  count: ['pitot_sensor_values', 'Values that the last report of a sensor tells of.'],
  missing: ['pitot_sensor_missing', 'Missing values in the last report of a sensor.'],
  distinct: ['pitot_sensor_distinct', 'Distinct values in the last report of a sensor, estimated.'],
  numbers: ['pitot_sensor_numbers', 'Values in the last report of a sensor that are numbers.'],
  last: ['pitot_sensor_last', 'The last value in the last report of a sensor.'],
  sum: ['pitot_sensor_sum', 'Sum in the last report of a sensor.'],
  min: ['pitot_sensor_min', 'Smallest number in the last report of a sensor.'],
  max: ['pitot_sensor_max', 'Largest number in the last report of a sensor.'],
  mean: ['pitot_sensor_mean', 'Mean in the last report of a sensor.'],
  deviation: ['pitot_sensor_deviation', 'Standard deviation in the last report of a sensor.'],
  psi: ['pitot_sensor_drift_psi', 'Population stability index against the reference of a sensor.'],
  ks: ['pitot_sensor_drift_ks', 'Kolmogorov-Smirnov distance from the reference of a sensor.'],
  new_categories: [
    'pitot_sensor_drift_new_categories',
    'Share of values that the reference of a sensor does not have.',
  ],
  alarm: ['pitot_sensor_alarm', 'Whether the last report of a sensor was above a threshold.'],
  time: ['pitot_sensor_report_timestamp_seconds', 'When a sensor last reported.'],
} as const

/** Those that are several numbers each, told apart by a label. */
const several = {
  quantiles: ['pitot_sensor_quantile', 'Quantiles in the last report of a sensor.', quantileSamples],
  histogram: [
    'pitot_sensor_bucket',
    'Values in the last report of a sensor that are not above a bound.',
    bucketSamples,
  ],
} as const

export class ReportMetrics {
  /** By sensor, then by name. */
  readonly #shown = new Map<number, ReadonlyMap<string, readonly Sample[]>>()
  readonly #leftOut = new Set<number>()
  #series = 0

  constructor(metrics: Metrics) {
    for (const [name, help] of [...Object.values(plain), ...Object.values(several)])
      metrics.observed(name, help, 'gauge', () => this.#samplesOf(name))
    const help = `Sensors whose last reports are not shown: there would be more than ${mostSeries} series.`
    metrics.gauge('pitot_sensors_left_out', help, () => this.#leftOut.size)
  }

  /** `data` as the aggregate of this type has made it; `time` in seconds. */
  put(id: number, labels: Labels, type: AggregateSettings['type'], data: unknown, time: number): void {
    this.remove(id)
    const samples = samplesOf({ sensor: id, ...labels }, { ...figuresOf(type, data), time })
    const series = countOf(samples)
    if (this.#series + series > mostSeries) this.#leftOut.add(id)
    else {
      this.#shown.set(id, samples)
      this.#series += series
    }
  }

  remove(id: number): void {
    this.#leftOut.delete(id)
    this.#series -= countOf(this.#shown.get(id))
    this.#shown.delete(id)
  }

  *#samplesOf(name: string): Generator<Sample> {
    for (const samples of this.#shown.values()) yield* samples.get(name) ?? []
  }
}

/** A report that is one figure, or a kind of them, has it under the name of its aggregate; others name theirs. */
function figuresOf(type: AggregateSettings['type'], data: unknown): Readonly<Record<string, unknown>> {
  switch (type) {
    case 'profile':
    case 'drift':
      return data as Readonly<Record<string, unknown>>
    case 'accumulate':
      return { last: (data as readonly unknown[]).at(-1) }
    default:
      return { [type]: data }
  }
}

function samplesOf(labels: Labels, figures: Readonly<Record<string, unknown>>): Map<string, readonly Sample[]> {
  const samples = new Map<string, readonly Sample[]>()
  for (const [figure, [name]] of Object.entries(plain)) {
    const value = numberOf(figures[figure])
    if (value !== undefined) samples.set(name, [[labels, value]])
  }
  for (const [figure, [name, , read]] of Object.entries(several)) {
    const value = figures[figure]
    if (typeof value === 'object' && value !== null) samples.set(name, [...read(labels, value)])
  }
  return samples
}

/** Of tagged readings there is an object for each tag, which is no number. */
function* quantileSamples(labels: Labels, quantiles: object): Generator<Sample> {
  for (const [quantile, given] of Object.entries(quantiles)) {
    const value = numberOf(given)
    if (value !== undefined) yield [{ ...labels, quantile }, value]
  }
}

/** Cumulative, and so as `histogram_quantile` wants them. */
function* bucketSamples(labels: Labels, histogram: object): Generator<Sample> {
  const { bounds, counts } = histogram as { bounds?: readonly number[]; counts?: readonly number[] }
  if (!Array.isArray(bounds) || !Array.isArray(counts)) return
  let total = 0
  for (const [index, count] of counts.entries()) {
    total += count
    yield [{ ...labels, le: bounds[index] ?? '+Inf' }, total]
  }
}

function countOf(samples: ReadonlyMap<string, readonly Sample[]> | undefined): number {
  let count = 0
  for (const each of samples?.values() ?? []) count += each.length
  return count
}

/** Undefined for what is no finite number and no truth value. */
function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
