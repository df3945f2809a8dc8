// What a running fleet says at /metrics, and those who rely on it: the page about metrics, the Grafana dashboard.
import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricsDocument } from './metrics-document.ts'
import { type Family, familiesOf, sampleNames } from './metrics-text.ts'
import { type Fleet, restLines, squarePfa, startFleet } from './scenarios/fleet.ts'

let fleet: Fleet
const families = new Map<string, readonly Family[]>()
/** By the name of a sample. */
const known = new Map<string, Family>()
beforeAll(async () => {
  fleet = await startFleet()
  const { gateway, connect, modelManage, engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model('pfa+json', squarePfa)
  await engine.ok('POST /1/job/input', '1\n2\nfoo\n1.5\n3\n{"$pitot":"pig"}\n')
  await engine.linesUntilPig()
  for (const [name, member] of Object.entries({ gateway, connect, 'model-manage': modelManage, engine })) {
    // So that there is a request to count.
    await member.ok('GET /1/health')
    families.set(name, familiesOf((await member.ok('GET /metrics')).text))
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
