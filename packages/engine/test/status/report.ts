// Reports of a job, for tests of what is made of them.
import type { JobReport, StepCounts, StreamReport } from '../../src/job/control.ts'

const none = { seconds: 0, times: 0 }
export const noSteps: StepCounts = {
  unwrap_envelope: none,
  wrap_envelope: none,
  decode_input_record: none,
  decode_output_record: none,
  type_check_input: none,
  type_check_output: none,
}

export const idle: JobReport = {
  state: 'INIT',
  reason: undefined,
  input: null,
  output: null,
  model: null,
  jets: [],
  slots: [],
  restarts: { count: 0, waiting: 0, last: undefined },
  deadlocks: 0,
  sharedState: { bytes: 0, limit: 1000 },
  queue: { items: 0, batches: 0, bytes: 0 },
  latency: [],
  steps: noSteps,
}

const input: StreamReport = {
  descriptor: { Transport: 'REST' },
  name: 'cars',
  total_records: 12,
  total_bytes: 345,
  record_bytes: 333,
  rejected: { by_encoding: 1, by_schema: 2, by_model: 3 },
  eof: true,
}
const output: StreamReport = { ...input, name: undefined, total_records: 6, total_bytes: 60, eof: false }

export const running: JobReport = {
  state: 'RUNNING',
  reason: undefined,
  input,
  output,
  model: {
    name: 'square',
    type: 'python',
    source: 'def action(x): yield x * x\n',
    attachments: ['library.zip'],
    input_schema: 'int',
    output_schema: null,
    recordsets: 'none',
    snapshots: 'eof',
  },
  jets: [
    {
      pid: 4711,
      sandbox: '43661788',
      total_consumed: 12,
      total_produced: 6,
      consumed_bytes: 333,
      produced_bytes: 54,
      run_time: 2,
      memory: 1_000_000,
      busy: true,
      user_time: 0.5,
      kernel_time: 0.25,
      model_time: 0.125,
      isolation: ['no network'],
    },
  ],
  slots: [
    { slot: 0, schema: 'int', recordsets: false, action: 'action', stream: input },
    { slot: 1, schema: null, recordsets: false, action: null, stream: output },
    { slot: 3, schema: null, recordsets: false, action: null, stream: null },
  ],
  restarts: { count: 2, waiting: 0.5, last: 'it was killed by SIGKILL' },
  deadlocks: 1,
  sharedState: { bytes: 700, limit: 1000 },
  queue: { items: 3, batches: 2, bytes: 100 },
  latency: [{ slot: 0, seconds: 1.5, times: 4 }],
  steps: { ...noSteps, type_check_input: { seconds: 0.75, times: 12 } },
}
