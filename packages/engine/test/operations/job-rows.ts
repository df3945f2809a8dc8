// Rows of the operations on the job as a whole, and of those that every service has.
import { type Id, put, type Row, restIn, service, square, tooLong } from './row.ts'

const debugOut = put('out', { Transport: 'debug', Encoding: 'json' })
const debugIn = put('in', { Transport: { Type: 'debug', Data: ['1', 'x', '3'] }, Encoding: 'json' })
const snapshot = '{"cells":{},"pools":{}}'

function stateRows(operation: Id, path: string): Row[] {
  return [
    { title: 'restored', operation, when: [`PUT ${path}`, { body: snapshot }], yields: 204, body: '' },
    {
      title: 'no snapshot',
      operation,
      when: [`PUT ${path}`, { body: 'nonsense' }],
      yields: 'bad-state',
      body: /^the state cannot be restored: /,
    },
    {
      title: 'while the job runs',
      operation,
      given: [...service],
      when: [`PUT ${path}`, { body: snapshot }],
      yields: 'bad-state',
    },
    { title: 'nothing', operation, when: [`PUT ${path}`], yields: 'body-missing' },
    { title: 'too much', operation, when: [`PUT ${path}`, { body: tooLong }], yields: 'body-too-large' },
  ]
}

export const jobRows: Row[] = [
  { title: 'idle', operation: 'deleteJob', when: ['DELETE /1/job'], yields: 204, body: '' },
  { title: 'running', operation: 'deleteJob', given: [...service], when: ['DELETE /1/job'], yields: 204 },
  { title: 'before there is a model', operation: 'scaleJob', when: ['POST /1/job/scale?n=2'], yields: 204 },
  { title: 'to nothing', operation: 'scaleJob', given: [...service], when: ['POST /1/job/scale?n=0'], yields: 204 },
  { title: 'in the body', operation: 'scaleJob', when: ['POST /1/job/scale', { body: '1\n' }], yields: 204 },
  { title: 'not said', operation: 'scaleJob', when: ['POST /1/job/scale'], yields: 'missing-parameter' },
  { title: 'no number', operation: 'scaleJob', when: ['POST /1/job/scale?n=x'], yields: 'bad-parameter' },
  {
    title: 'no number in the body',
    operation: 'scaleJob',
    when: ['POST /1/job/scale', { body: '-1' }],
    yields: 'bad-parameter',
  },
  {
    title: 'too much',
    operation: 'scaleJob',
    when: ['POST /1/job/scale', { body: tooLong }],
    yields: 'body-too-large',
  },
  {
    title: 'of an idle engine',
    operation: 'getJobStatus',
    when: ['GET /1/job/status'],
    yields: 200,
    body: {
      input: null,
      output: null,
      model: null,
      jets: [],
      slots: [],
      state: 'init',
      reason: null,
      snapshots: 'none',
      restarts: { count: 0, waiting: 0, last: null },
      shared_state: { bytes: 0, limit: 256 * 2 ** 20 },
    },
  },
  {
    title: 'in parts',
    operation: 'getJobStatus',
    given: [restIn],
    when: ['GET /1/job/status?return=input,jets'],
    yields: 200,
    body: {
      input: {
        name: null,
        descriptor: { Transport: 'REST', Envelope: 'delimited', Encoding: 'json' },
        total_records: 0,
        total_bytes: 0,
        rejected: { by_encoding: 0, by_schema: 0, by_model: 0 },
        eof: false,
      },
      jets: [],
    },
  },
  { title: 'idle', operation: 'resetStatistics', when: ['DELETE /1/job/statistics'], yields: 204 },
  {
    title: 'running',
    operation: 'resetStatistics',
    given: [...service],
    when: ['DELETE /1/job/statistics'],
    yields: 204,
  },
  { title: 'nothing', operation: 'getRejected', when: ['GET /1/job/rejected'], yields: 200, body: [] },
  {
    title: 'of a job',
    operation: 'getRejected',
    given: [square, debugOut, debugIn, ['POST /1/job/sample/cpu?duration=1']],
    when: ['GET /1/job/rejected?step=encoding&slot=0&limit=1'],
    yields: 200,
    body: /^\[\{"time":"[^"]*Z","slot":0,"step":"encoding","reason":".*","position":.*,"record":"x","base64":false\}\]$/,
  },
  ...stateRows('putState', '/1/job/state'),
  ...stateRows('putModelState', '/1/job/model/state'),
  {
    title: 'of an idle engine',
    operation: 'sampleCpu',
    when: ['POST /1/job/sample/cpu'],
    yields: 200,
    body: /^\{"duration":[\d.]+,"input_bytes":0,.*"jets":\[\],"op_times":\[\{.*\}\],"cpu-utilization":\{/,
  },
  { title: 'nothing', operation: 'getDebugOutput', when: ['GET /1/debug/output'], yields: 200, body: [] },
  {
    title: 'of a job',
    operation: 'getDebugOutput',
    given: [square, debugOut, debugIn, ['POST /1/job/sample/cpu?duration=1']],
    when: ['GET /1/debug/output'],
    yields: 200,
    body: ['1', '9'],
  },
  {
    title: 'Swagger 2.0',
    operation: 'getSwagger',
    when: ['GET /1/swagger'],
    yields: 200,
    body: /"title":"Engine API"/,
    headers: { 'content-type': /^application\/json$/ },
  },
  {
    title: 'health record',
    operation: 'getHealth',
    when: ['GET /1/health'],
    yields: 200,
    body: /^\{"id":"[0-9a-f-]{36}","release":"1\.3"/,
  },
  {
    title: 'Prometheus text',
    operation: 'getMetrics',
    when: ['GET /metrics'],
    yields: 200,
    body: /^pitot_job_state\{state="init"\} 1$/m,
  },
]
