import { type AggregateSettings, createAggregate, Profile, type Reading } from '@pitot/sensor'
import { describe, expect, test } from 'vitest'
import { Metrics } from '../src/metrics.ts'
import { mostSeries, ReportMetrics } from '../src/report-metrics.ts'

function reportMetrics() {
  const metrics = new Metrics()
  const reports = new ReportMetrics(metrics)
  /** Without comments, and without what every sensor has. */
  const lines = () =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line !== '' && !/^#|^pitot_sensor_report_timestamp|^pitot_sensors_left_out/.test(line))
  return { metrics, reports, lines }
}

const labels = { slot: 0, field: 'age' }

function dataOf(settings: AggregateSettings, readings: readonly Reading[]): unknown {
  const aggregate = createAggregate(settings)
  for (const reading of readings) aggregate.add(reading)
  return aggregate.takeResult()
}

const profileOf = (values: readonly unknown[]) => {
  const profile = new Profile()
  for (const value of values) profile.add(value)
  return profile.toJSON()
}
const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
const thresholds = { psi: 0.2, ks: 0.1, newCategories: 0.05 }
const drift = (values: readonly unknown[]): AggregateSettings => ({
  type: 'drift',
  reference: profileOf(values),
  thresholds,
  minCount: 1,
  maxRate: 1e6,
})
const profile: AggregateSettings = { type: 'profile', sketch: true, maxRate: 1e6 }
const at = '{sensor="7",slot="0",field="age"}'

/** Of 1, 2, 2 and 3. */
const quantiles = [
  [0.01, 1],
  [0.05, 1],
  [0.25, 1],
  [0.5, 2],
  [0.75, 2],
  [0.95, 3],
  [0.99, 3],
]

describe('what a report says is what the metrics say', () => {
  const cases: [what: string, settings: AggregateSettings, readings: readonly Reading[], lines: readonly unknown[]][] =
    [
      [
        'a profile of numbers',
        profile,
        [1, 2, 2, 3, null],
        [
          `pitot_sensor_values${at} 5`,
          `pitot_sensor_missing${at} 1`,
          `pitot_sensor_distinct${at} 3`,
          `pitot_sensor_numbers${at} 4`,
          `pitot_sensor_min${at} 1`,
          `pitot_sensor_max${at} 3`,
          `pitot_sensor_mean${at} 2`,
          `pitot_sensor_deviation${at} ${Math.SQRT1_2}`,
          ...quantiles.map(
            ([share, value]) => `pitot_sensor_quantile{sensor="7",slot="0",field="age",quantile="${share}"} ${value}`,
          ),
        ],
      ],
      [
        'a profile of texts, of which none is shown',
        profile,
        ['secret', 'other'],
        [
          `pitot_sensor_values${at} 2`,
          `pitot_sensor_missing${at} 0`,
          `pitot_sensor_distinct${at} 2`,
          `pitot_sensor_numbers${at} 0`,
        ],
      ],
      [
        'drift of numbers',
        drift(numbers),
        numbers,
        [
          `pitot_sensor_values${at} 100`,
          `pitot_sensor_missing${at} 0`,
          expect.stringMatching(/^pitot_sensor_drift_psi\{.*\} (0|\S+e-\d+)$/),
          `pitot_sensor_drift_ks${at} 0`,
          `pitot_sensor_alarm${at} 0`,
        ],
      ],
      [
        'drift of categories',
        drift(['a', 'b']),
        ['a', 'a', 'a', 'c'],
        [
          `pitot_sensor_values${at} 4`,
          `pitot_sensor_missing${at} 0`,
          expect.stringMatching(/^pitot_sensor_drift_psi\{.*\} [01]\.\d+$/),
          `pitot_sensor_drift_new_categories${at} 0.25`,
          `pitot_sensor_alarm${at} 1`,
        ],
      ],
      ['no aggregate', { type: 'last' }, [3, 4.5], [`pitot_sensor_last${at} 4.5`]],
      ['no aggregate, of a truth value', { type: 'last' }, [true], [`pitot_sensor_last${at} 1`]],
      ['no aggregate, of a long', { type: 'last' }, [2n ** 53n], [`pitot_sensor_last${at} 9007199254740992`]],
      ['no aggregate, of a text', { type: 'last' }, ['secret'], []],
      ['no aggregate, of no finite number', { type: 'last' }, [Number.NaN], []],
      ['a sample', { type: 'accumulate', sampleSize: 10 }, [5, 9, 7], [`pitot_sensor_last${at} 7`]],
      ['sum', { type: 'sum' }, [1, 2], [`pitot_sensor_sum${at} 3`]],
      ['count', { type: 'count' }, [1, 2], [`pitot_sensor_values${at} 2`]],
      ['mean', { type: 'mean' }, [1, 2], [`pitot_sensor_mean${at} 1.5`]],
      ['min', { type: 'min' }, [1, 2], [`pitot_sensor_min${at} 1`]],
      ['max', { type: 'max' }, [1, 2], [`pitot_sensor_max${at} 2`]],
      ['a mean of tags', { type: 'mean' }, [{ a: 1, b: 2 }], []],
      [
        'quantiles',
        { type: 'quantiles', quantiles: [0.5, 0.9] },
        [1, 2, 3],
        [
          'pitot_sensor_quantile{sensor="7",slot="0",field="age",quantile="0.5"} 2',
          'pitot_sensor_quantile{sensor="7",slot="0",field="age",quantile="0.9"} 3',
        ],
      ],
      ['quantiles of tags', { type: 'quantiles', quantiles: [0.5] }, [{ a: 1 }], []],
      [
        'a histogram, cumulative as histograms are in Prometheus',
        { type: 'histogram', bounds: [1, 2.5] },
        [1, 2, 2, 3],
        [
          'pitot_sensor_bucket{sensor="7",slot="0",field="age",le="1"} 1',
          'pitot_sensor_bucket{sensor="7",slot="0",field="age",le="2.5"} 3',
          'pitot_sensor_bucket{sensor="7",slot="0",field="age",le="+Inf"} 4',
        ],
      ],
      ['a histogram of tags', { type: 'histogram', bounds: [1] }, [{ a: 1 }], []],
    ]
  test.each(cases)('%s', (_, settings, readings, expected) => {
    const { reports, lines } = reportMetrics()
    reports.put(7, labels, settings.type, dataOf(settings, readings), 0)
    expect(lines()).toEqual(expected)
  })

  test('and when it was', () => {
    const { metrics, reports } = reportMetrics()
    reports.put(7, labels, 'count', 1, 1_700_000_000.5)
    expect(metrics.text()).toContain(`\npitot_sensor_report_timestamp_seconds${at} 1700000000.5\n`)
  })
})

test('a report takes the place of the one before, with everything that it had', () => {
  const { reports, lines } = reportMetrics()
  reports.put(7, labels, profile.type, dataOf(profile, [1, 2]), 0)
  reports.put(7, labels, profile.type, dataOf(profile, ['a']), 1)
  expect(lines()).toEqual(expect.arrayContaining([`pitot_sensor_values${at} 1`]))
  expect(lines().filter((line) => /_mean|_quantile/.test(line))).toEqual([])
})

test('a sensor that goes leaves nothing behind', () => {
  const { metrics, reports } = reportMetrics()
  reports.put(7, labels, 'count', 1, 0)
  reports.put(8, labels, 'count', 2, 0)
  reports.remove(7)
  reports.remove(9)
  expect(metrics.text()).not.toContain('sensor="7"')
  expect(metrics.text()).toContain('pitot_sensor_values{sensor="8",slot="0",field="age"} 2')
})

describe('the number of series', () => {
  const bounds = numbers.map((number) => number / 10)
  const settings: AggregateSettings = { type: 'histogram', bounds }
  const data = dataOf(settings, [1, 2, 3])
  /** One for each bound, one above them all, and the time. */
  const each = bounds.length + 2
  const seriesOf = (metrics: Metrics) => metrics.text().match(/^pitot_sensor_\w+\{/gm)?.length ?? 0

  test('is limited: sensors that come too late are left out whole, and counted', () => {
    const { metrics, reports } = reportMetrics()
    const fitting = Math.floor(mostSeries / each)
    for (let id = 1; id <= fitting + 3; id++) reports.put(id, { field: id }, settings.type, data, 0)
    expect(seriesOf(metrics)).toBe(fitting * each)
    expect(metrics.text()).toContain('\npitot_sensors_left_out 3\n')
    // Whoever is there stays, however often all of them report.
    for (let id = fitting + 3; id >= 1; id--) reports.put(id, { field: id }, settings.type, data, 1)
    expect(seriesOf(metrics)).toBe(fitting * each)
    expect(metrics.text()).toContain(`{sensor="${fitting}",`)
  })

  test('has room again when a sensor goes', () => {
    const { metrics, reports } = reportMetrics()
    const fitting = Math.floor(mostSeries / each)
    for (let id = 1; id <= fitting + 1; id++) reports.put(id, {}, settings.type, data, 0)
    reports.remove(3)
    reports.put(fitting + 1, {}, settings.type, data, 1)
    expect(metrics.text()).toContain(`{sensor="${fitting + 1}",le="+Inf"} 3\n`)
    expect(metrics.text()).toContain('\npitot_sensors_left_out 0\n')
    reports.put(fitting + 2, {}, settings.type, data, 1)
    reports.remove(fitting + 2)
    expect(metrics.text()).toContain('\npitot_sensors_left_out 0\n')
  })
})
