// The operations of the Engine.
import { Type } from 'typebox'
import { CpuSample, JobStatus, ModelVerification, Profiles, RejectedRecord, Resolved, StreamRate } from '../objects.ts'
import { bytes, empty, json, operations } from '../operation.ts'
import { flag, integer, text, word, words } from '../parameters.ts'
import { commonOperations, done } from './common.ts'
import { sensorControlOperations } from './sensor-control.ts'

const octets = 'application/octet-stream'
const descriptor = {
  summary: 'A stream descriptor.',
  types: ['application/json'],
  as: 'bytes',
  required: true,
} as const
const descriptorErrors = [
  'bad-descriptor',
  'bad-schema',
  'registry-unavailable',
  'stream-failed',
  'bad-json',
  'not-utf8',
  'body-missing',
  'body-too-large',
] as const
const dryRun = flag('Check only: nothing changes, and the reply tells what would be.')

/** The three ways to name the slot that a stream is attached to. */
function attaching<const Path extends string>(path: Path, summary: string) {
  return {
    method: 'PUT',
    path,
    summary,
    query: { 'dry-run': dryRun },
    body: descriptor,
    replies: { 200: json(Resolved, 'What the descriptor means, after a dry run.'), 204: done },
    errors: [...descriptorErrors, 'schema-mismatch'],
  } as const
}

const records = { summary: 'Records.', types: [octets], as: 'stream', required: false } as const
const inputErrors = ['no-rest-stream', 'input-ended', 'record-too-large', 'body-incomplete'] as const
const state = {
  method: 'PUT',
  summary: 'Restores the cells and pools of a model from a snapshot, for the model that is there or the next one.',
  body: { summary: 'The contents of a snapshot.', types: [octets], as: 'bytes', required: true },
  replies: { 204: done },
  errors: ['bad-state', 'body-missing', 'body-too-large'],
} as const
/** What a model is refused for, however it is sent. */
const modelErrors = [
  'model-failed',
  'bad-model-type',
  'language-not-run',
  'bad-attachment',
  'model-too-large',
  'bad-annotation',
  'bad-model-schema',
  'model-schema-not-found',
  'registry-unavailable',
  'schema-mismatch',
  'bad-json',
  'not-utf8',
  'body-missing',
  'body-incomplete',
] as const
const longestScore = 600_000
const scoring = {
  method: 'POST',
  query: {
    timeout: integer('Milliseconds to wait for the scores; 30,000 when not given.', {
      minimum: 1,
      maximum: longestScore,
    }),
  },
  body: { summary: 'Records, framed as in the input stream.', types: [octets], as: 'bytes', required: true },
  replies: { 200: bytes('Scores, framed as in the output stream.', octets, 'application/json') },
  errors: ['no-rest-stream', 'job-not-running', 'nothing-scored', 'score-timeout', 'body-missing', 'body-too-large'],
} as const

export const engineOperations = operations({
  ...commonOperations,
  ...sensorControlOperations,
  putInputStream: attaching('/1/job/stream/in', 'Sets the input stream.'),
  putOutputStream: attaching('/1/job/stream/out', 'Sets the output stream.'),
  putSlotStream: {
    ...attaching('/1/job/stream/{slot}', 'Sets the stream of a slot: even slots are inputs, odd ones outputs.'),
    names: { slot: 'Number of the slot.' },
    errors: [...descriptorErrors, 'schema-mismatch', 'bad-stream-slot'],
  },
  putJobModel: {
    method: 'PUT',
    path: '/1/job/model',
    summary: 'Adds or updates the model: its source alone, or a multipart body with source and attachments.',
    query: { 'dry-run': dryRun },
    body: {
      summary: 'The model and its attachments.',
      types: ['application/vnd.pitot.model-pfa+json', 'multipart/form-data', 'multipart/mixed'],
      as: 'stream',
      required: true,
    },
    replies: { 200: json(ModelVerification, 'What the model is, after a dry run.'), 204: done },
    errors: [...modelErrors, 'bad-multipart', 'bad-model-part', 'attachment-not-fetched'],
  },
  deleteJobModel: {
    method: 'DELETE',
    path: '/1/job/model',
    summary: 'Takes the model away; the streams stay.',
    replies: { 204: done },
  },
  deleteJob: {
    method: 'DELETE',
    path: '/1/job',
    summary: 'Stops the running model and forgets it, its streams and its statistics.',
    replies: { 204: done },
  },
  scaleJob: {
    method: 'POST',
    path: '/1/job/scale',
    summary: 'Sets the number of instances of the model.',
    query: { n: integer('The number of instances; may also be the body.', { minimum: 0, maximum: 1024 }) },
    body: { summary: 'The number of instances.', types: ['text/plain'], as: 'bytes', required: false },
    replies: { 204: done },
    errors: ['missing-parameter', 'bad-parameter', 'body-too-large'],
  },
  getJobStatus: {
    method: 'GET',
    path: '/1/job/status',
    summary: 'The state of the job: all sections, or those asked for.',
    query: {
      return: words('Sections to give', [
        'input',
        'output',
        'model',
        'jets',
        'slots',
        'state',
        'reason',
        'snapshots',
        'restarts',
        'shared_state',
      ]),
    },
    replies: { 200: json(JobStatus, 'The sections.') },
  },
  resetStatistics: {
    method: 'DELETE',
    path: '/1/job/statistics',
    summary: 'Resets the performance counters.',
    replies: { 204: done },
  },
  postInput: {
    method: 'POST',
    path: '/1/job/input',
    summary: 'Takes a batch of records for a REST input stream.',
    body: records,
    replies: { 204: done },
    errors: inputErrors,
  },
  postSlotInput: {
    method: 'POST',
    path: '/1/job/input/{slot}',
    names: { slot: 'Number of the slot; 0 or 1 for the first input.' },
    summary: 'Takes a batch of records for the REST input stream of a slot.',
    body: records,
    replies: { 204: done },
    errors: [...inputErrors, 'bad-slot'],
  },
  getOutput: {
    method: 'GET',
    path: '/1/job/output',
    summary: 'Gives scores of a REST output stream; waits for them, at most half a minute.',
    replies: { 200: bytes('Scores; none when there were none for too long.', octets), 204: empty('The end.') },
    errors: ['no-rest-stream'],
  },
  getSlotOutput: {
    method: 'GET',
    path: '/1/job/output/{slot}',
    names: { slot: 'Number of the slot, odd.' },
    summary: 'Gives what there is of the scores of a REST output stream; one record where a request is a record.',
    replies: { 200: bytes('Scores.', octets), 202: empty('Nothing yet.'), 204: empty('The end.') },
    errors: ['no-rest-stream', 'bad-slot'],
  },
  // Of their own, because a GET takes what it gives.
  headOutput: {
    method: 'HEAD',
    path: '/1/job/output',
    summary: 'Whether there is a REST output stream; takes nothing from it.',
    replies: { 200: empty('There is one.') },
    errors: ['no-rest-stream'],
  },
  headSlotOutput: {
    method: 'HEAD',
    path: '/1/job/output/{slot}',
    names: { slot: 'Number of the slot, odd.' },
    summary: 'Whether a slot has a REST output stream; takes nothing from it.',
    replies: { 200: empty('There is one.') },
    errors: ['no-rest-stream', 'bad-slot'],
  },
  scoreRecords: {
    ...scoring,
    path: '/1/job/score',
    summary: 'Round trip: records come in, their scores go out in the same reply.',
  },
  roundTrip: {
    ...scoring,
    path: '/2/active/model/roundtrip/{input}/{output}',
    names: { input: 'Number of the input slot.', output: 'Number of the output slot.' },
    summary: 'Round trip through certain slots.',
    errors: [...scoring.errors, 'bad-slot'],
  },
  tryModel: {
    method: 'POST',
    path: '/1/job/debug',
    summary:
      'Tries a model once on a few records of a stream, beside the job and without touching it, and reports what came of it.',
    body: {
      summary: 'A JSON object with input, output, type, model and attachments.',
      types: ['application/json'],
      as: 'stream',
      required: true,
    },
    replies: { 200: bytes('The report.', 'text/plain') },
    errors: [...modelErrors, 'bad-descriptor', 'bad-schema', 'stream-failed', 'bad-trial', 'trial-busy'],
  },
  getRejected: {
    method: 'GET',
    path: '/1/job/rejected',
    summary: 'The last records that were rejected, newest last; the engine keeps 1,000 of them.',
    query: {
      limit: integer('How many at most.', { minimum: 1, maximum: 1000 }),
      slot: integer('Of this slot only.', { minimum: 0, maximum: 65535 }),
      step: word('Refused by this step only.', ['envelope', 'encoding', 'schema', 'model']),
    },
    replies: { 200: json(Type.Array(RejectedRecord), 'The records.') },
  },
  putState: { ...state, path: '/1/job/state' },
  putModelState: { ...state, path: '/1/job/model/state' },
  sampleCpu: {
    method: 'POST',
    path: '/1/job/sample/cpu',
    summary: 'Measures for a while where the time goes.',
    query: { duration: integer('Seconds to sample.', { minimum: 1, maximum: 3600 }) },
    replies: { 200: json(CpuSample, 'The sample.') },
  },
  sampleStream: {
    method: 'POST',
    path: '/1/stream/sample',
    summary: 'Reads a few records of a stream, outside of the job.',
    query: {
      n: integer('How many; 10 when not given.', { minimum: 1, maximum: 100_000 }),
      encoding: word('How records are written: text, with base64 where they are no UTF-8, or base64 throughout.', [
        'text',
        'base64',
      ]),
    },
    body: descriptor,
    replies: { 200: json(Type.Array(Type.String()), 'The records.') },
    errors: descriptorErrors,
  },
  rateStream: {
    method: 'POST',
    path: '/1/stream/rate',
    summary: 'Measures how fast a stream can be read, outside of the job.',
    body: descriptor,
    replies: { 200: json(StreamRate, 'Some measurements in a row.') },
    errors: descriptorErrors,
  },
  profileStream: {
    method: 'POST',
    path: '/1/stream/profile',
    summary:
      'Says what the fields of the records of a stream look like, outside of the job: references for drift sensors.',
    query: {
      n: integer('How many records to look at; 10,000 when not given.', { minimum: 1, maximum: 1_000_000 }),
      field: text('The path of one field, such as customer.age; all of them when not given.'),
      store: text(
        'Stores the profiles in Model Manage as well: that of one field as a sensor of this name, those of all fields with their paths and a dot behind it.',
      ),
    },
    body: descriptor,
    replies: { 200: json(Profiles, 'Profiles by the paths of their fields.') },
    errors: descriptorErrors,
  },
  getDebugOutput: {
    method: 'GET',
    path: '/1/debug/output',
    summary: 'What was written to the debug output transport since the job started.',
    replies: { 200: json(Type.Array(Type.String()), 'The records, oldest first.') },
  },
})
