// Rows of the operations on streams.
import { type Id, notUtf8, put, type Row, square, tooLong } from './row.ts'

const discard = { Transport: 'discard' }
const debug = (Data: string[], more: object = {}) => ({ Transport: { Type: 'debug', Data }, Encoding: 'json', ...more })

const nested = (...numbers: number[]) => numbers.map((number) => JSON.stringify({ a: 'x', b: { c: number } }))

/** The same for each way to name a slot. */
function attachRows(operation: Id, slot: string, good: object): Row[] {
  const direction = operation === 'putInputStream' ? 'input' : 'output'
  const path = `PUT /1/job/stream/${slot}`
  return [
    { title: 'attached', operation, when: put(slot, good), yields: 204, body: '' },
    {
      title: 'a spelling that is put right',
      operation,
      when: put(slot, { ...good, Encoding: 'JSON' }),
      yields: 204,
      headers: { warning: /^299 pitot "\/Encoding: 'JSON' is taken for 'json'"$/ },
    },
    {
      title: 'checked only',
      operation,
      when: [`${path}?dry-run=true`, { body: JSON.stringify(good) }],
      yields: 200,
      body: /^\{"Version":"1\.2","Description":"","Transport":\{"Type":".*"Loop":false.*"Schema":null/,
    },
    {
      title: 'JSON inside of JSON',
      operation,
      when: [path, { body: JSON.stringify(JSON.stringify(good)) }],
      yields: 204,
    },
    {
      title: 'an unknown field',
      operation,
      when: put(slot, { ...good, Encodign: 'json' }),
      yields: 'bad-descriptor',
      body: /^the stream descriptor is not right: \/Encodign: there is no field 'Encodign' here; .*did you mean 'Encoding'\?$/,
    },
    {
      title: 'no schema',
      operation,
      when: put(slot, { ...good, Schema: { type: 'record' } }),
      yields: 'bad-schema',
    },
    {
      title: 'a stored schema, without Connect',
      operation,
      when: put(slot, { ...good, Schema: 'stored' }),
      yields: 'registry-unavailable',
      body: /^schema 'stored' is needed from Model Manage, which cannot be asked: /,
    },
    {
      title: 'a stream that cannot be opened',
      operation,
      when: put(slot, { Transport: { Type: 'exec', Run: '/bin/sh' } }),
      yields: 'stream-failed',
      body: /--allow-exec/,
    },
    {
      title: 'another type than the model has',
      operation,
      given: [square],
      when: put(slot, { ...good, Schema: 'string' }),
      yields: 'schema-mismatch',
      body: new RegExp(`^the ${direction} schemas of stream and model do not fit: `),
    },
    { title: 'no JSON', operation, when: put(slot, '{'), yields: 'bad-json' },
    { title: 'no UTF-8', operation, when: [path, { body: notUtf8 }], yields: 'not-utf8' },
    { title: 'nothing', operation, when: [path], yields: 'body-missing' },
    { title: 'too much', operation, when: put(slot, tooLong), yields: 'body-too-large' },
  ]
}

/** The same for sampling, rating and profiling. */
function probeRows(operation: Id, path: string): Row[] {
  const probe = (descriptor: object | string | Uint8Array): Row['when'] => [
    `POST ${path}`,
    {
      body:
        typeof descriptor === 'string' || descriptor instanceof Uint8Array ? descriptor : JSON.stringify(descriptor),
    },
  ]
  return [
    { title: 'no input', operation, when: probe(discard), yields: 'bad-descriptor' },
    { title: 'no schema', operation, when: probe(debug(['1'], { Schema: { type: 'map' } })), yields: 'bad-schema' },
    {
      title: 'a stored schema, without Connect',
      operation,
      when: probe(debug(['1'], { Schema: { $ref: 'stored' } })),
      yields: 'registry-unavailable',
    },
    {
      title: 'a REST stream',
      operation,
      when: probe({ Transport: 'REST' }),
      yields: 'stream-failed',
      body: /^the stream cannot be used: a REST stream comes with requests to a running job/,
    },
    { title: 'no JSON', operation, when: probe('nothing'), yields: 'bad-json' },
    { title: 'no UTF-8', operation, when: probe(notUtf8), yields: 'not-utf8' },
    { title: 'nothing', operation, when: [`POST ${path}`], yields: 'body-missing' },
    { title: 'too much', operation, when: probe(tooLong), yields: 'body-too-large' },
  ]
}

export const streamRows: Row[] = [
  ...attachRows('putInputStream', 'in', debug(['1'])),
  ...attachRows('putOutputStream', 'out', discard),
  ...attachRows('putSlotStream', '1', discard),
  { title: 'a further input', operation: 'putSlotStream', when: put('2', debug(['1'])), yields: 204 },
  {
    title: 'no slot',
    operation: 'putSlotStream',
    when: put('input', discard),
    yields: 'bad-stream-slot',
    body: "'input' is no slot for a stream; give in, out, or a number from 0 to 32767",
  },
  ...probeRows('sampleStream', '/1/stream/sample'),
  ...probeRows('rateStream', '/1/stream/rate'),
  ...probeRows('profileStream', '/1/stream/profile'),
  {
    title: 'one field',
    operation: 'profileStream',
    when: ['POST /1/stream/profile?n=3&field=b.c', { body: JSON.stringify(debug(nested(1, 2, 2, 9))) }],
    yields: 200,
    body: /^\{"b\.c":\{"count":3,"missing":0,"distinct":2,.*"sketch":\{"version":1,/,
  },
  {
    title: 'all fields of the first record',
    operation: 'profileStream',
    when: ['POST /1/stream/profile', { body: JSON.stringify(debug(nested(1, 2, 2, 9))) }],
    yields: 200,
    body: /^\{"a":\{"count":4,.*"b\.c":\{"count":4,/,
  },
  {
    title: 'a field that no record has',
    operation: 'profileStream',
    when: ['POST /1/stream/profile?field=d', { body: JSON.stringify(debug(nested(1))) }],
    yields: 'stream-failed',
    body: "the stream cannot be used: none of its records has a value at 'd'",
  },
  {
    title: 'records without fields',
    operation: 'profileStream',
    when: ['POST /1/stream/profile', { body: JSON.stringify(debug(['1'])) }],
    yields: 'stream-failed',
    body: 'the stream cannot be used: its records have no fields with values',
  },
  {
    title: 'no records',
    operation: 'profileStream',
    when: ['POST /1/stream/profile', { body: JSON.stringify(debug(['{'])) }],
    yields: 'stream-failed',
    body: 'the stream cannot be used: it gave no records to take a profile of',
  },
  {
    title: 'to be stored, without Connect',
    operation: 'profileStream',
    when: ['POST /1/stream/profile?store=p', { body: JSON.stringify(debug(nested(1))) }],
    yields: 'registry-unavailable',
    body: /^a place for 'p\.a' among the sensors is needed from Model Manage, which cannot be asked: /,
  },
  {
    title: 'some records',
    operation: 'sampleStream',
    when: ['POST /1/stream/sample?n=2', { body: JSON.stringify(debug(['1', '2', '3'])) }],
    yields: 200,
    body: ['1', '2'],
    headers: { 'content-type': /^application\/json$/ },
  },
  {
    title: 'fewer than asked for',
    operation: 'sampleStream',
    when: ['POST /1/stream/sample', { body: JSON.stringify(debug(['1'], { Encoding: 'JSON' })) }],
    yields: 200,
    body: ['1'],
    headers: { warning: /'JSON' is taken for 'json'/ },
  },
  {
    title: 'some measurements',
    operation: 'rateStream',
    when: ['POST /1/stream/rate', { body: JSON.stringify(debug(Array(20).fill('1'))) }],
    yields: 200,
    body: /^\[\{"rps":[\d.]+,"mbps":[\d.]+\}\]$/,
  },
]
