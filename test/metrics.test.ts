// What a running fleet says at /metrics, and those who rely on it: the page about metrics, the Grafana dashboard.
import { readFileSync } from 'node:fs'
import { Profile } from '@pitot/sensor'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { metricsDocument } from './metrics-document.ts'
import { type Family, familiesOf, sampleNames } from './metrics-text.ts'
import { type Fleet, restLines, startFleet } from './scenarios/fleet.ts'
import { expressionOf, tapMetrics } from './tap-metrics.ts'

const order = {
  type: 'record',
  name: 'Order',
  fields: [
    { name: 'amount', type: 'double' },
    { name: 'kind', type: 'string' },
  ],
}
const price = { type: 'record', name: 'Price', fields: [{ name: 'price', type: 'double' }] }
const pricePfa = JSON.stringify({
  input: order,
  output: price,
  action: { new: { price: { '*': ['input.amount', 2] } }, type: 'Price' },
})
const orders = ['{"amount":1,"kind":"card"}', '{"amount":2,"kind":"cash"}', 'foo', '{"amount":"x","kind":"card"}']

const referenceOf = (...values: unknown[]) => {
  const profile = new Profile()
  for (const value of values) profile.add(value)
  return profile.toJSON()
}
/** Such that every figure that a sensor of a field can report is reported. */
const fieldSensors = [
  ['amount', { Type: 'profile' }],
  ['amount', { Type: 'drift', Reference: referenceOf(1, 2, 3), MinCount: 1 }],
  ['kind', { Type: 'drift', Reference: referenceOf('card', 'cash'), MinCount: 1 }],
  ['amount', null],
  ['amount', 'sum'],
  ['amount', { Type: 'histogram', Bounds: [1, 2] }],
].map(([field, Aggregate]) => ({ Tap: `manifold.0.field.${field}`, Report: { Interval: 0.5 }, Aggregate }))

const documented = readFileSync(new URL('../docs/sensors.md', import.meta.url), 'utf8').split('\n')

let fleet: Fleet
const families = new Map<string, readonly Family[]>()
/** By the name of a sample. */
const known = new Map<string, Family>()
/** By service. */
const taps = new Map<string, readonly string[]>()
/** Ids. */
const attached: number[] = []
beforeAll(async () => {
  fleet = await startFleet()
  const { gateway, connect, modelManage, engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  for (const sensor of fieldSensors) attached.push((await engine.json('POST /1/control/sensor', sensor)).id)
  await engine.model('pfa+json', pricePfa)
  await engine.ok('POST /1/job/input', `${orders.join('\n')}\n{"$pitot":"pig"}\n`)
  await engine.linesUntilPig()
  const reports = async () =>
    (await engine.ok('GET /metrics')).text.match(/^pitot_sensor_report_timestamp_seconds\{/gm)?.length
  await vi.waitFor(async () => expect(await reports()).toBe(fieldSensors.length), { timeout: 20_000, interval: 50 })
  for (const [name, member] of Object.entries({ gateway, connect, 'model-manage': modelManage, engine })) {
    // So that there is a request to count.
    await member.ok('GET /1/health')
    families.set(name, familiesOf((await member.ok('GET /metrics')).text))
    if (name !== 'gateway') taps.set(name, await member.json('GET /1/control/sensor/available'))
  }
  for (const family of [...families.values()].flat()) for (const name of sampleNames(family)) known.set(name, family)
})
afterAll(() => fleet?.stop())

test('every family of a fleet with a job has series', () => {
  const empty = [...families].flatMap(([service, own]) =>
    own.filter(({ series }) => series === 0).map(({ name }) => `${service}: ${name}`),
  )
  expect(empty).toEqual([])
})

test('docs/metrics.md lists them all', async () => {
  await expect(metricsDocument(families)).toMatchFileSnapshot('../docs/metrics.md')
})

describe('everything that a sensor can see is in the metrics', () => {
  const rowsOf = (tap: string) => tapMetrics.filter((row) => expressionOf(row).test(tap))

  test.each(['connect', 'model-manage', 'engine'])('%s: every tap has its row, and the row its metrics', (service) => {
    const series = new Map(families.get(service)!.map((family) => [family.name, family.series]))
    const wrong = taps.get(service)!.flatMap((tap) => {
      const rows = rowsOf(tap)
      if (rows.length !== 1) return [`${tap} has ${rows.length} rows in test/tap-metrics.ts`]
      const { metrics } = rows[0]!
      if (typeof metrics === 'string') return []
      return metrics.filter((name) => !series.get(name)).map((name) => `${tap}: there is no ${name}`)
    })
    expect(wrong).toEqual([])
  })

  test.each(tapMetrics)('$tap is there, and in docs/sensors.md', (row) => {
    expect([...taps.values()].flat().filter((tap) => expressionOf(row).test(tap))).not.toEqual([])
    const lines = documented.filter((line) => line.startsWith(`| \`${row.tap}\` |`))
    expect(lines).toHaveLength(1)
    const named = [...lines[0]!.matchAll(/`((?:pitot|process)_\w+)(\*?)`/g)]
    const isNamed = (metric: string) =>
      named.some(([, name, more]) => (more === '*' ? metric.startsWith(name!) : metric === name))
    if (typeof row.metrics === 'string') expect(named).toEqual([])
    else expect(row.metrics.filter((metric) => !isNamed(metric))).toEqual([])
  })

  test('a tap that somebody adds would be missed', () => {
    expect(rowsOf('manifold.0.records.lost')).toEqual([])
    expect(rowsOf('sys.disk')).toEqual([])
  })
})

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly {
    readonly refId: string
    readonly expr: string
    readonly legendFormat: string
    readonly datasource: { readonly uid: string }
  }[]
}

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
  readonly panels: readonly Panel[]
}

const dashboard = JSON.parse(
  readFileSync(new URL('../examples/grafana/pitot.json', import.meta.url), 'utf8'),
) as Dashboard
const shown = dashboard.panels.filter(({ type }) => type !== 'row')
const queries = shown.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })))

// biome-ignore lint/suspicious/noTemplateCurlyInString: so Grafana's variables are written
const chosen = '${datasource}'

/** Names of metrics and labels in an expression; `errors` counts what is no PromQL. */
function readExpression(text: string) {
  // Grafana puts durations and names in before it asks.
  const filled = text.replaceAll(/\$__(rate_interval|range)/g, '1m').replaceAll('$instance', '.*')
  const read = { metrics: new Set<string>(), labels: new Set<string>(), errors: 0 }
  parser.parse(filled).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) read.errors++
      if (name === 'Identifier') read.metrics.add(filled.slice(from, to))
      if (name === 'LabelName') read.labels.add(filled.slice(from, to))
    },
  })
  return read
}

describe('the Grafana dashboard', () => {
  test('has what Grafana needs of a dashboard', () => {
    expect(dashboard).toMatchObject({
      uid: expect.stringMatching(/^[\w-]{1,40}$/),
      title: expect.stringMatching(/./),
      schemaVersion: expect.any(Number),
    })
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    )
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { description, datasource, targets } of shown) {
      expect(description).toMatch(/^[A-Z0-9].*\.$/)
      expect(datasource?.uid).toBe(chosen)
      expect(targets!.map((each) => each.datasource.uid)).toEqual(targets!.map(() => chosen))
      expect(new Set(targets!.map(({ refId }) => refId)).size).toBe(targets!.length)
    }
  })

  test('has panels side by side, none over another', () => {
    const cells = new Map<string, string>()
    for (const { title, gridPos } of dashboard.panels) {
      const { x, y, w, h } = gridPos
      expect(
        [x, y, w, h].every((each) => Number.isInteger(each) && each >= 0),
        title,
      ).toBe(true)
      expect(w * h, title).toBeGreaterThan(0)
      expect(x + w, title).toBeLessThanOrEqual(24)
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          const cell = `${column},${line}`
          expect(cells.get(cell), `${title} at ${cell}`).toBeUndefined()
          cells.set(cell, title)
        }
      }
    }
  })

  test.each(queries)('$title: $expr can be asked', ({ expr, legendFormat }) => {
    const { metrics, labels, errors } = readExpression(expr)
    expect(errors).toBe(0)
    expect(metrics.size).toBeGreaterThan(0)
    expect([...metrics].filter((name) => !known.has(name))).toEqual([])
    // `instance` is Prometheus' own.
    const there = new Set(['instance', 'le', ...[...metrics].flatMap((name) => [...known.get(name)!.labels])])
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!)
    expect([...labels, ...named].filter((label) => !there.has(label))).toEqual([])
    // A label that is summed away cannot be in the legend.
    const kept = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, list]) => list!.split(', '))
    for (const list of kept) expect(list).toEqual(expect.arrayContaining(named))
  })

  test('shows everything that is counted', () => {
    const used = new Set(
      queries.flatMap(({ expr }) => [...readExpression(expr).metrics]).map((name) => known.get(name)),
    )
    const forgotten = [...new Set(known.values())].filter(
      ({ name }) => ![...used].some((family) => family?.name === name),
    )
    expect(forgotten).toEqual([])
  })

  test('a wrong expression would be found', () => {
    expect(readExpression('sum by (x) (rate(a[$__rate_interval])').errors).toBeGreaterThan(0)
    expect(readExpression('sum by (x) (rate(a{b="1"}[$__rate_interval]))')).toEqual({
      metrics: new Set(['a']),
      labels: new Set(['x', 'b']),
      errors: 0,
    })
  })
})

test('what a field sensor has last reported is shown until it is detached', async () => {
  const { engine } = fleet
  const lines = async () =>
    (await engine.ok('GET /metrics')).text.split('\n').filter((line) => /^pitot_sensor_\w+\{/.test(line))
  const [profile, numbers, categories, last, sum, histogram] = attached
  const of = (id: number | undefined, field = 'amount') => `sensor="${id}",slot="0",field="${field}"`
  expect(await lines()).toEqual(
    expect.arrayContaining([
      `pitot_sensor_values{${of(profile)}} 2`,
      `pitot_sensor_missing{${of(profile)}} 0`,
      `pitot_sensor_mean{${of(profile)}} 1.5`,
      `pitot_sensor_quantile{${of(profile)},quantile="0.99"} 2`,
      `pitot_sensor_values{${of(numbers)}} 2`,
      `pitot_sensor_alarm{${of(numbers)}} 1`,
      `pitot_sensor_drift_new_categories{${of(categories, 'kind')}} 0`,
      `pitot_sensor_last{${of(last)}} 2`,
      `pitot_sensor_sum{${of(sum)}} 3`,
      `pitot_sensor_bucket{${of(histogram)},le="1"} 1`,
      `pitot_sensor_bucket{${of(histogram)},le="+Inf"} 2`,
    ]),
  )
  // Though there is no job any more that could be asked.
  await engine.ok('DELETE /1/job')
  expect(await lines()).toContain(`pitot_sensor_sum{${of(sum)}} 3`)
  for (const id of attached) {
    await engine.ok(`DELETE /1/control/sensor/${id}`)
    expect((await lines()).filter((line) => line.includes(`sensor="${id}"`))).toEqual([])
  }
  expect(await lines()).toEqual([])
})
