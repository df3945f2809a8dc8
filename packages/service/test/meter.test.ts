// The metrics of one operation.
import { expect, test } from 'vitest'
import { Meter } from '../src/meter.ts'
import { Metrics } from '../src/metrics.ts'

test('answers are counted by status, their times together', () => {
  const metrics = new Metrics()
  const meter = new Meter(metrics, 'getThing')
  meter.count(200, 1)
  meter.count(200, 3)
  meter.count(404, 2)
  const text = metrics.text()
  expect(text).toContain('pitot_requests_total{operation="getThing",status="200"} 2\n')
  expect(text).toContain('pitot_requests_total{operation="getThing",status="404"} 1\n')
  expect(text).toContain('pitot_request_seconds_count{operation="getThing"} 3\n')
  expect(text).toMatch(/pitot_request_seconds_sum\{operation="getThing"\} 0\.006\d*\n/)
})

test('two meters do not count for each other', () => {
  const metrics = new Metrics()
  new Meter(metrics, 'one').count(200, 1)
  new Meter(metrics, 'two').count(204, 1)
  expect(metrics.text()).not.toContain('operation="one",status="204"')
})
