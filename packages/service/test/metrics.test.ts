import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addProcessMetrics, Metrics } from '../src/metrics.ts'

const textOf = (fill: (metrics: Metrics) => void) => {
  const metrics = new Metrics()
  fill(metrics)
  return metrics.text()
}

describe('counters', () => {
  test('count from zero, by one unless told otherwise', () => {
    const text = textOf((metrics) => {
      metrics.counter('a_total', 'As.')
      const b = metrics.counter('b_total', 'Bs.')
      b.add()
      b.add(2.5)
    })
    expect(text).toBe(
      '# HELP a_total As.\n# TYPE a_total counter\na_total 0\n# HELP b_total Bs.\n# TYPE b_total counter\nb_total 3.5\n',
    )
  })

  test('are the same one when asked for twice', () => {
    const text = textOf((metrics) => {
      metrics.counter('a_total', 'As.', { x: 1 }).add()
      metrics.counter('a_total', 'As.', { x: 1 }).add()
      metrics.counter('a_total', 'As.', { x: 2 }).add()
    })
    expect(text).toBe('# HELP a_total As.\n# TYPE a_total counter\na_total{x="1"} 2\na_total{x="2"} 1\n')
  })

  test('may be kept elsewhere', () => {
    let count = 1
    const metrics = new Metrics()
    metrics.observedCounter('a_total', 'As.', () => count, { of: 'x' })
    expect(metrics.text()).toBe('# HELP a_total As.\n# TYPE a_total counter\na_total{of="x"} 1\n')
    count = 5
    expect(metrics.text()).toContain('\na_total{of="x"} 5\n')
  })
})

test('series that come and go are read when asked for', () => {
  const metrics = new Metrics()
  let jets = ['1', '2']
  metrics.observed('jet_memory', 'Memory.', 'gauge', () => jets.map((jet) => [{ jet }, 7]))
  expect(metrics.text()).toBe(
    '# HELP jet_memory Memory.\n# TYPE jet_memory gauge\njet_memory{jet="1"} 7\njet_memory{jet="2"} 7\n',
  )
  jets = ['3']
  expect(metrics.text()).toContain('# TYPE jet_memory gauge\njet_memory{jet="3"} 7\n')
})

describe('gauges', () => {
  test('are read when asked for, and not before', () => {
    let reads = 0
    const metrics = new Metrics()
    metrics.gauge('a', 'A.', () => ++reads)
    expect(reads).toBe(0)
    expect(metrics.text()).toBe('# HELP a A.\n# TYPE a gauge\na 1\n')
    expect(metrics.text()).toContain('\na 2\n')
  })
})

describe('labels', () => {
  const escapes: [value: string, written: string][] = [
    ['plain', 'plain'],
    ['say "hi"', 'say \\"hi\\"'],
    ['back\\slash', 'back\\\\slash'],
    ['two\nlines', 'two\\nlines'],
    ['\\n', '\\\\n'],
    ['é{}=,', 'é{}=,'],
    ['', ''],
  ]
  test.each(escapes)('%j is written "%s"', (value, written) => {
    expect(textOf((metrics) => metrics.counter('a', 'A.', { x: value, y: 2 }))).toContain(
      `\na{x="${written}",y="2"} 0\n`,
    )
  })

  test('of any value stay on one line and can be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const lines = textOf((metrics) => metrics.counter('a', 'A.', { x: value })).split('\n')
        expect(lines).toHaveLength(4)
        const written = /^a\{x="((?:[^"\\\n]|\\["\\n])*)"\} 0$/s.exec(lines[2]!)![1]!
        expect(written.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c))).toBe(value)
      }),
    )
  })
})

describe('histograms', () => {
  test('count what is at or below each bound, cumulatively', () => {
    const text = textOf((metrics) => {
      const histogram = metrics.histogram('t', 'Times.', {}, [1, 2.5, 10])
      for (const value of [0.5, 1, 1.5, 10, 11, 100]) histogram.observe(value)
    })
    expect(text).toBe(
      [
        '# HELP t Times.',
        '# TYPE t histogram',
        't_bucket{le="1"} 2',
        't_bucket{le="2.5"} 3',
        't_bucket{le="10"} 4',
        't_bucket{le="+Inf"} 6',
        't_sum 124',
        't_count 6',
        '',
      ].join('\n'),
    )
  })

  test('keep their labels beside the bound', () => {
    const text = textOf((metrics) => metrics.histogram('t', 'Times.', { of: 'x' }, [1]).observe(3))
    expect(text).toContain(
      't_bucket{of="x",le="1"} 0\nt_bucket{of="x",le="+Inf"} 1\nt_sum{of="x"} 3\nt_count{of="x"} 1\n',
    )
  })

  test('have bounds from a tenth of a millisecond to ten seconds unless given', () => {
    const bounds = [...textOf((metrics) => metrics.histogram('t', 'T.')).matchAll(/le="([^"]+)"/g)].map(([, le]) => le)
    expect(bounds[0]).toBe('0.0001')
    expect(bounds.at(-2)).toBe('10')
    expect(bounds.at(-1)).toBe('+Inf')
  })

  test('of any values never fall, end with the count, and place each value where it belongs', () => {
    const bounds = [0, 1, 5, 25]
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10, max: 100 })), (values) => {
        const text = textOf((metrics) => {
          const histogram = metrics.histogram('t', 'T.', {}, bounds)
          for (const value of values) histogram.observe(value)
        })
        const buckets = [...text.matchAll(/^t_bucket\{le="[^"]+"\} (\d+)$/gm)].map(([, count]) => Number(count))
        expect(buckets).toEqual([...bounds, Infinity].map((bound) => values.filter((value) => value <= bound).length))
        expect(text).toContain(`\nt_count ${values.length}\n`)
        expect(text).toContain(`\nt_sum ${values.reduce((sum, value) => sum + value, 0)}\n`)
      }),
    )
  })
})

test('process metrics are numbers of the right size', () => {
  const text = textOf((metrics) => addProcessMetrics(metrics))
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1])
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  const [all, user, system] = ['', 'user_', 'system_'].map((mode) => value(`process_cpu_${mode}seconds_total`))
  expect(user).toBeGreaterThan(0)
  expect(system).toBeGreaterThan(0)
  // They are asked for one after the other, and time goes on.
  expect(user! + system!).toBeGreaterThanOrEqual(all!)
  expect(Math.abs(value('process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(3600)
  expect(value('pitot_event_loop_delay_seconds')).toBeGreaterThanOrEqual(0)
  expect(text).toContain('# TYPE process_cpu_seconds_total counter\n')
  expect(text).toContain('# TYPE process_resident_memory_bytes gauge\n')
})
