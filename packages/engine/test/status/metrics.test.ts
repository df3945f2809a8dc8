import { Metrics } from '@pitot/service'
import { expect, test } from 'vitest'
import type { JobReport } from '../../src/job/control.ts'
import { addJobMetrics } from '../../src/status/metrics.ts'
import { idle, running } from './report.ts'

function linesOf(report: JobReport): string[] {
  const metrics = new Metrics()
  addJobMetrics(metrics, { report: () => report })
  return metrics
    .text()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
}

test('slots, jets and steps each have their series', () => {
  expect(linesOf(running)).toEqual(
    expect.arrayContaining([
      'pitot_job_state{state="running"} 1',
      'pitot_job_state{state="error"} 0',
      'pitot_slot_records_total{slot="0",direction="input"} 12',
      'pitot_slot_records_total{slot="1",direction="output"} 6',
      'pitot_slot_bytes_total{slot="0",direction="input"} 345',
      'pitot_slot_record_bytes_total{slot="0",direction="input"} 333',
      'pitot_slot_rejected_total{slot="0",direction="input",by="schema"} 2',
      'pitot_slot_eof{slot="0",direction="input"} 1',
      'pitot_jets 1',
      'pitot_jets_busy 1',
      'pitot_jet_consumed_total{jet="43661788"} 12',
      'pitot_jet_consumed_bytes_total{jet="43661788"} 333',
      'pitot_jet_produced_bytes_total{jet="43661788"} 54',
      'pitot_jet_cpu_seconds_total{jet="43661788",mode="kernel"} 0.25',
      'pitot_jet_restarts_total 2',
      'pitot_deadlocks_total 1',
      'pitot_shared_state_bytes 700',
      'pitot_shared_state_limit_bytes 1000',
      'pitot_step_seconds_total{step="type_check_input"} 0.75',
      'pitot_step_times_total{step="type_check_input"} 12',
    ]),
  )
})

test('a slot without a stream has none, and neither has an idle engine', () => {
  expect(linesOf(running).filter((line) => line.includes('slot="3"'))).toEqual([])
  expect(linesOf(idle).filter((line) => /pitot_(slot|jet)_\w+\{/.test(line))).toEqual([])
})

test('the job is asked once for each answer, and again for the next', async () => {
  const metrics = new Metrics()
  let count = 0
  const report = () => {
    count++
    return running
  }
  addJobMetrics(metrics, { report })
  metrics.text()
  expect(count).toBe(1)
  await Promise.resolve()
  metrics.text()
  expect(count).toBe(2)
})
