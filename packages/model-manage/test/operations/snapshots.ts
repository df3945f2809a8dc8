// Rows of the operations on snapshots.
import { putModel, type Row, type Step } from './row.ts'

const post = (model: string, body = 'state'): Step => [`POST /1/model/${model}/snapshot`, { body }]
/** Ids begin with one of 16 digits: of 17 ids two begin alike. */
const many = (model: string): Step[] => [putModel(model), ...Array.from({ length: 17 }, () => post(model))]
const entry =
  '\\{"id":"[0-9a-f-]{36}","created_on":"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z","type":"PITOT1","size":5\\}'

/** What all operations on one snapshot have in common. */
function oneSnapshot(operation: Row['operation'], method: string, tail: string, prefix: string): Row[] {
  return [
    {
      title: 'model not there',
      operation,
      when: [`${method} /1/model/nobody/snapshot/00${tail}`],
      yields: 'no-such-model',
      body: /there is no model 'nobody' that could have snapshots/,
    },
    {
      title: 'not there',
      operation,
      given: [putModel(`${prefix}1`)],
      when: [`${method} /1/model/${prefix}1/snapshot/00${tail}`],
      yields: 'snapshot-not-found',
      body: /model '\w+' has no snapshot '00'/,
    },
    {
      title: 'no id at all',
      operation,
      given: [putModel(`${prefix}2`), post(`${prefix}2`)],
      when: [`${method} /1/model/${prefix}2/snapshot/%25${tail}`],
      yields: 'snapshot-not-found',
    },
    {
      title: 'two fit',
      operation,
      given: many(`${prefix}3`),
      when: [`${method} /1/model/${prefix}3/snapshot/{shared}${tail}`],
      yields: 'snapshot-ambiguous',
      body: /^'.' fits \d+ snapshots of model '\w+': [0-9a-f-]{36}, [0-9a-f-]{36}.*; give more of the id$/,
    },
    {
      title: 'bad name',
      operation,
      when: [`${method} /1/model/${prefix}1/snapshot/%00${tail}`],
      yields: 'bad-name',
    },
  ]
}

export const snapshotRows: Row[] = [
  {
    title: 'stored',
    operation: 'postSnapshot',
    given: [putModel('sp1')],
    when: post('sp1'),
    yields: 201,
    body: /^\{"id":"[0-9a-f-]{36}"\}$/,
  },
  {
    title: 'nothing is something too',
    operation: 'postSnapshot',
    given: [putModel('sp2')],
    when: post('sp2', ''),
    yields: 201,
  },
  { title: 'model not there', operation: 'postSnapshot', when: post('nobody'), yields: 'no-such-model' },
  {
    title: 'model removed',
    operation: 'postSnapshot',
    given: [putModel('sp3'), ['DELETE /1/model/sp3']],
    when: post('sp3'),
    yields: 'no-such-model',
  },
  { title: 'bad name', operation: 'postSnapshot', when: post('%01'), yields: 'bad-name' },
  {
    title: 'none',
    operation: 'listSnapshots',
    given: [putModel('sl1')],
    when: ['GET /1/model/sl1/snapshot'],
    yields: 200,
    body: [],
  },
  {
    title: 'all of them',
    operation: 'listSnapshots',
    given: [putModel('sl2'), post('sl2'), post('sl2')],
    when: ['GET /1/model/sl2/snapshot'],
    yields: 200,
    body: new RegExp(`^\\[${entry},${entry}\\]$`),
  },
  {
    title: 'the newest',
    operation: 'listSnapshots',
    given: [putModel('sl3'), post('sl3', 'older'), post('sl3', 'new')],
    when: ['GET /1/model/sl3/snapshot?count=1'],
    yields: 200,
    body: /^\[\{[^}]*"size":3\}\]$/,
  },
  {
    title: 'between two dates',
    operation: 'listSnapshots',
    given: [putModel('sl4'), post('sl4')],
    when: ['GET /1/model/sl4/snapshot?date-range=2017-01-01--2017-12-31'],
    yields: 200,
    body: [],
  },
  {
    title: 'since a date',
    operation: 'listSnapshots',
    given: [putModel('sl5'), post('sl5')],
    when: ['GET /1/model/sl5/snapshot?date-range=2017-01-01--&count=9'],
    yields: 200,
    body: new RegExp(`^\\[${entry}\\]$`),
  },
  {
    title: 'a range that is none',
    operation: 'listSnapshots',
    when: ['GET /1/model/sl5/snapshot?date-range=yesterday'],
    yields: 'bad-parameter',
    body: /two ISO 8601 dates or times with '--' between them/,
  },
  {
    title: 'gone with the model',
    operation: 'listSnapshots',
    given: [putModel('sl6'), post('sl6'), ['DELETE /1/model/sl6'], putModel('sl6')],
    when: ['GET /1/model/sl6/snapshot'],
    yields: 200,
    body: [],
  },
  {
    title: 'model not there',
    operation: 'listSnapshots',
    when: ['GET /1/model/nobody/snapshot'],
    yields: 'no-such-model',
  },
  { title: 'bad name', operation: 'listSnapshots', when: ['GET /1/model/%01/snapshot'], yields: 'bad-name' },
  {
    title: 'two parts',
    operation: 'getSnapshot',
    given: [putModel('sg9'), post('sg9')],
    when: ['GET /1/model/sg9/snapshot/{id}'],
    yields: 200,
    headers: { 'content-type': /^multipart\/mixed; boundary=[\w-]+$/, 'content-length': /^\d+$/ },
    body: new RegExp(
      `^--(\\S+)\r\nContent-Disposition: inline; name="metadata"\r\nContent-Type: application/json\r\n\r\n${entry}\r\n` +
        `--\\1\r\nContent-Disposition: attachment; name="contents"\r\nContent-Type: application/octet-stream\r\n` +
        `Content-Length: 5\r\n\r\nstate\r\n--\\1--\r\n$`,
    ),
  },
  ...oneSnapshot('getSnapshot', 'GET', '', 'sg'),
  {
    title: 'what is known of it',
    operation: 'getSnapshotMetadata',
    given: [putModel('sm9'), post('sm9')],
    when: ['GET /1/model/sm9/snapshot/{id}/metadata'],
    yields: 200,
    headers: { 'content-type': /^application\/json$/ },
    body: new RegExp(`^${entry}$`),
  },
  ...oneSnapshot('getSnapshotMetadata', 'GET', '/metadata', 'sm'),
  {
    title: 'byte by byte',
    operation: 'getSnapshotContents',
    given: [putModel('sc9'), post('sc9', 'any bytes')],
    when: ['GET /1/model/sc9/snapshot/{id}/contents'],
    yields: 200,
    headers: { 'content-type': /^application\/octet-stream$/, 'content-length': '9' },
    body: 'any bytes',
  },
  ...oneSnapshot('getSnapshotContents', 'GET', '/contents', 'sc'),
  {
    title: 'removed',
    operation: 'deleteSnapshot',
    given: [putModel('sd9'), post('sd9')],
    when: ['DELETE /1/model/sd9/snapshot/{id}'],
    yields: 204,
    body: '',
  },
  ...oneSnapshot('deleteSnapshot', 'DELETE', '', 'sd'),
]
