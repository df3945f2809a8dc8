// Rows of the operations that records and scores pass through.
import { type Id, javascript, put, type Row, restIn, restOut, service, tooLong } from './row.ts'

const records = { body: '2\n3\n' }
const ended = { body: '2\n{"$pitot":"end"}\n' }
const simple = put('in', { Transport: { Type: 'REST', Mode: 'simple' }, Encoding: 'json' })
const large = { body: new Uint8Array(16 * 2 ** 20 + 1).fill(0x20) }

function inputRows(operation: Id, path: string): Row[] {
  return [
    { title: 'taken', operation, given: [restIn], when: [`POST ${path}`, records], yields: 204, body: '' },
    { title: 'without a REST stream', operation, when: [`POST ${path}`, records], yields: 'no-rest-stream' },
    {
      title: 'after the end',
      operation,
      given: [...service, [`POST ${path}`, ended], ['GET /1/job/output/1'], ['GET /1/job/output']],
      when: [`POST ${path}`, records],
      yields: 'input-ended',
    },
    {
      title: 'too large for one record',
      operation,
      given: [simple],
      when: [`POST ${path}`, large],
      yields: 'record-too-large',
      body: /^a request with one record may have 16777216 bytes; send less, or set Mode to chunked$/,
    },
  ]
}

function scoreRows(operation: Id, path: string): Row[] {
  const slow = javascript('export const action = () => new Promise((resolve) => setTimeout(resolve, 5000))\n')
  return [
    { title: 'scored', operation, given: [...service], when: [`POST ${path}`, records], yields: 200, body: '4\n9\n' },
    {
      title: 'scored, for a caller that speaks JSON',
      operation,
      given: [...service],
      when: [`POST ${path}`, { ...records, headers: { 'content-type': 'application/json' } }],
      yields: 200,
      headers: { 'content-type': /^application\/json$/ },
    },
    {
      title: 'scored, but for one record',
      operation,
      given: [...service],
      when: [`POST ${path}`, { body: '2\n"x"\n3\n' }],
      yields: 200,
      body: '4\n9\n',
      headers: { 'x-pitot-rejected': /^1$/ },
    },
    {
      title: 'a record that is none',
      operation,
      given: [...service],
      when: [`POST ${path}`, { body: '"x"\n' }],
      yields: 'nothing-scored',
      body: /^there is no score; rejected records: 1, the first by schema: /,
    },
    { title: 'without REST streams', operation, when: [`POST ${path}`, records], yields: 'no-rest-stream' },
    {
      title: 'with one REST stream',
      operation,
      given: [restIn],
      when: [`POST ${path}`, records],
      yields: 'no-rest-stream',
      body: /output stream/,
    },
    {
      title: 'without a model',
      operation,
      given: [restIn, restOut],
      when: [`POST ${path}`, records],
      yields: 'job-not-running',
      body: 'the job is not running: a model is missing',
    },
    {
      title: 'too slow',
      operation,
      given: [restIn, restOut, slow],
      when: [`POST ${path}?timeout=50`, records],
      yields: 'score-timeout',
      body: 'no scores within 50 ms; the records may still be scored',
    },
    {
      title: 'after the end',
      operation,
      given: [...service, ['POST /1/job/input', ended], ['GET /1/job/output/1'], ['GET /1/job/output']],
      when: [`POST ${path}`, records],
      yields: 'job-not-running',
    },
    { title: 'nothing', operation, given: [...service], when: [`POST ${path}`], yields: 'body-missing' },
    {
      title: 'too much',
      operation,
      given: [...service],
      when: [`POST ${path}`, { body: tooLong }],
      yields: 'body-too-large',
    },
  ]
}

export const restRows: Row[] = [
  ...inputRows('postInput', '/1/job/input'),
  ...inputRows('postSlotInput', '/1/job/input/0'),
  {
    title: 'the first input by the number that older clients use',
    operation: 'postSlotInput',
    given: [restIn],
    when: ['POST /1/job/input/1', records],
    yields: 204,
  },
  {
    title: 'an output',
    operation: 'postSlotInput',
    given: [restIn],
    when: ['POST /1/job/input/3', records],
    yields: 'bad-slot',
  },
  {
    title: 'scores',
    operation: 'getOutput',
    given: [...service, ['POST /1/job/input', records]],
    when: ['GET /1/job/output'],
    yields: 200,
    body: /^4\n/,
    headers: { 'content-type': /^application\/octet-stream$/ },
  },
  {
    title: 'the end',
    operation: 'getOutput',
    given: [...service, ['POST /1/job/input', { body: '{"$pitot":"end"}\n' }]],
    when: ['GET /1/job/output'],
    yields: 204,
  },
  { title: 'without a REST stream', operation: 'getOutput', when: ['GET /1/job/output'], yields: 'no-rest-stream' },
  {
    title: 'scores',
    operation: 'getSlotOutput',
    given: [...service, ['POST /1/job/input', records]],
    when: ['GET /1/job/output/1'],
    yields: 200,
    body: /^4\n/,
  },
  { title: 'nothing yet', operation: 'getSlotOutput', given: [...service], when: ['GET /1/job/output/1'], yields: 202 },
  {
    title: 'the end',
    operation: 'getSlotOutput',
    given: [...service, ['POST /1/job/input', { body: '{"$pitot":"end"}\n' }]],
    when: ['GET /1/job/output/1'],
    yields: 204,
  },
  {
    title: 'without a REST stream',
    operation: 'getSlotOutput',
    when: ['GET /1/job/output/1'],
    yields: 'no-rest-stream',
  },
  { title: 'an input', operation: 'getSlotOutput', when: ['GET /1/job/output/2'], yields: 'bad-slot' },
  { title: 'there', operation: 'headOutput', given: [restOut], when: ['HEAD /1/job/output'], yields: 200 },
  { title: 'not there', operation: 'headOutput', when: ['HEAD /1/job/output'], yields: 'no-rest-stream' },
  { title: 'there', operation: 'headSlotOutput', given: [restOut], when: ['HEAD /1/job/output/1'], yields: 200 },
  { title: 'not there', operation: 'headSlotOutput', when: ['HEAD /1/job/output/1'], yields: 'no-rest-stream' },
  { title: 'an input', operation: 'headSlotOutput', when: ['HEAD /1/job/output/0'], yields: 'bad-slot' },
  ...scoreRows('scoreRecords', '/1/job/score'),
  ...scoreRows('roundTrip', '/2/active/model/roundtrip/0/1'),
  {
    title: 'no such way round',
    operation: 'roundTrip',
    given: [...service],
    when: ['POST /2/active/model/roundtrip/0/2', records],
    yields: 'bad-slot',
    body: "'2' is no slot for an output; outputs have odd numbers from 1",
  },
]
