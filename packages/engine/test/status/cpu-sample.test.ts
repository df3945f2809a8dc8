import { expect, test } from 'vitest'
import { cpuSample } from '../../src/status/cpu-sample.ts'
import { noSteps } from './report.ts'

test('the operations are a list of one object, and one object for clients that look under cpu-utilization', () => {
  const counters = {
    duration: 1.5,
    input_bytes: 10,
    input_records: 2,
    output_bytes: 20,
    output_records: 4,
    user_time: 0.5,
    kernel_time: 0.25,
    jets: [{ input_records: 2, output_records: 4, user_time: 1, kernel_time: 2, model_time: 0.5 }],
  }
  const steps = { ...noSteps, decode_output_record: { seconds: 0.125, times: 4 } }
  const times = {
    unwrap_envelope: 0,
    unwrap_envelope_n: 0,
    wrap_envelope: 0,
    wrap_envelope_n: 0,
    decode_input_record: 0,
    decode_input_record_n: 0,
    decode_output_record: 0.125,
    decode_output_record_n: 4,
    type_check_input: 0,
    type_check_input_n: 0,
    type_check_output: 0,
    type_check_output_n: 0,
  }
  expect(cpuSample({ ...counters, steps })).toEqual({
    ...counters,
    op_times: [times],
    'cpu-utilization': { ...counters, op_times: times },
  })
})
