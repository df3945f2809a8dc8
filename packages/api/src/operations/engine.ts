// The operations of the Engine.
import { Type } from 'typebox'
import { CpuSample, JobStatus, StreamRate } from '../objects.ts'
import { bytes, json, operations } from '../operation.ts'
import { integer, required, words } from '../parameters.ts'
import { commonOperations, done } from './common.ts'
import { sensorControlOperations } from './sensor-control.ts'

const descriptor = {
  summary: 'A stream descriptor.',
  types: ['application/json'],
  as: 'bytes',
  required: true,
} as const

export const engineOperations = operations({
  ...commonOperations,
  ...sensorControlOperations,
  putInputStream: {
    method: 'PUT',
    path: '/1/job/stream/in',
    summary: 'Sets the input stream.',
    body: descriptor,
    replies: { 204: done },
    errors: ['not-offered'],
  },
  putOutputStream: {
    method: 'PUT',
    path: '/1/job/stream/out',
    summary: 'Sets the output stream.',
    body: descriptor,
    replies: { 204: done },
    errors: ['not-offered'],
  },
  putJobModel: {
    method: 'PUT',
    path: '/1/job/model',
    summary: 'Adds or updates the model: its source alone, or a multipart body with source and attachments.',
    body: {
      summary: 'The model and its attachments.',
      types: ['application/vnd.pitot.model-pfa+json', 'multipart/form-data', 'multipart/mixed'],
      as: 'stream',
      required: true,
    },
    replies: { 204: done },
    errors: ['not-offered'],
  },
  deleteJob: { method: 'DELETE', path: '/1/job', summary: 'Stops the running model.', replies: { 204: done } },
  scaleJob: {
    method: 'POST',
    path: '/1/job/scale',
    summary: 'Sets the number of instances of the model.',
    query: { n: required(integer('The number of instances.', { minimum: 0, maximum: 1024 })) },
    replies: { 204: done },
  },
  getJobStatus: {
    method: 'GET',
    path: '/1/job/status',
    summary: 'The state of the job: all sections, or those asked for.',
    query: { return: words('Sections to give', ['input', 'output', 'model', 'jets']) },
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
    body: { summary: 'Records.', types: ['application/octet-stream'], as: 'stream', required: false },
    replies: { 204: done },
    errors: ['no-rest-stream'],
  },
  getOutput: {
    method: 'GET',
    path: '/1/job/output',
    summary: 'Gives scores of a REST output stream.',
    replies: { 200: bytes('Scores.', 'application/octet-stream') },
    errors: ['no-rest-stream'],
  },
  sampleCpu: {
    method: 'POST',
    path: '/1/job/sample/cpu',
    summary: 'Measures for a while where the time goes.',
    query: { duration: integer('Seconds to sample.', { minimum: 1, maximum: 3600 }) },
    replies: { 200: json(CpuSample, 'The sample.') },
    errors: ['not-offered'],
  },
  sampleStream: {
    method: 'POST',
    path: '/1/stream/sample',
    summary: 'Reads a few records of a stream.',
    query: { n: integer('How many.', { minimum: 1 }) },
    body: descriptor,
    replies: { 200: json(Type.Array(Type.String()), 'The records.') },
    errors: ['not-offered'],
  },
  rateStream: {
    method: 'POST',
    path: '/1/stream/rate',
    summary: 'Measures how fast a stream can be read.',
    body: descriptor,
    replies: { 200: json(StreamRate, 'Some measurements in a row.') },
    errors: ['not-offered'],
  },
  getDebugOutput: {
    method: 'GET',
    path: '/1/debug/output',
    summary: 'What was written to the debug output transport since the job started.',
    replies: { 200: json(Type.Array(Type.String()), 'The records, oldest first.') },
  },
})
