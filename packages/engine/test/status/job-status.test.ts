import { expect, test } from 'vitest'
import { jobStatus } from '../../src/status/job-status.ts'
import { idle, running } from './report.ts'

test('an idle engine has empty sections', () => {
  expect(jobStatus(idle)).toEqual({
    input: null,
    output: null,
    model: null,
    jets: [],
    slots: [],
    state: 'init',
    reason: null,
    snapshots: 'none',
    restarts: { count: 0, waiting: 0, last: null },
    shared_state: { bytes: 0, limit: 1000 },
  })
})

test('only the sections asked for are there, in that order', () => {
  expect(Object.keys(jobStatus(running, ['state', 'input']))).toEqual(['state', 'input'])
  expect(jobStatus(running, [])).toEqual({})
})

test('a running job shows what runs, what it reads and what it writes', () => {
  const status = jobStatus(running)
  expect(status.state).toBe('running')
  expect(status.snapshots).toBe('eof')
  expect(status.input).toEqual({
    name: 'cars',
    descriptor: { Transport: 'REST' },
    total_records: 12,
    total_bytes: 345,
    rejected: { by_encoding: 1, by_schema: 2, by_model: 3 },
    eof: true,
  })
  expect(status.output).toMatchObject({ name: null, total_records: 6, eof: false })
  expect(status.jets).toEqual([
    {
      pid: 4711,
      sandbox: '43661788',
      total_consumed: 12,
      total_produced: 6,
      run_time: 2,
      memory: 1_000_000,
      busy: true,
      isolation: ['no network'],
    },
  ])
  expect(status.slots?.map(({ slot, stream }) => [slot, stream?.total_records])).toEqual([
    [0, 12],
    [1, 6],
    [3, undefined],
  ])
})
