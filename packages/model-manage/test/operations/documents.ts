// Rows of the operations on streams, schemas and sensors.
import { json, type Row, type Step } from './row.ts'

/** Streams, schemas and sensors behave alike; so do their rows. */
export function documentRows(kind: 'stream' | 'schema' | 'sensor'): Row[] {
  const capital = (kind.charAt(0).toUpperCase() + kind.slice(1)) as 'Stream' | 'Schema' | 'Sensor'
  const path = `/1/${kind}`
  const document = '{ "Tap" : 1.0,\n"é": [] }'
  const put = (name: string, body = document): Step => [`PUT ${path}/${name}`, { headers: json, body }]
  const [list, get, add, remove] = [`list${capital}s`, `get${capital}`, `put${capital}`, `delete${capital}`] as const
  const versions = `list${capital}Versions` as const
  const notFound = `${kind}-not-found` as const
  return [
    {
      title: 'names',
      operation: list,
      given: [put('z'), put('y')],
      when: [`GET ${path}`],
      yields: 200,
      body: ['y', 'z'],
    },
    {
      title: 'bytes as they were',
      operation: get,
      given: [put('g1')],
      when: [`GET ${path}/g1`],
      yields: 200,
      body: document,
      headers: { 'content-type': /^application\/json$/ },
    },
    {
      title: 'older version',
      operation: get,
      given: [put('g2', '1'), put('g2', '2')],
      when: [`GET ${path}/g2?version=1`],
      yields: 200,
      body: '1',
    },
    {
      title: 'not changed',
      operation: get,
      given: [put('g3')],
      when: [`GET ${path}/g3`, { headers: { 'if-none-match': '*' } }],
      yields: 304,
    },
    { title: 'not there', operation: get, when: [`GET ${path}/nobody`], yields: notFound },
    { title: 'bad name', operation: get, when: [`GET ${path}/%1F`], yields: 'bad-name' },
    { title: 'added', operation: add, when: put('p1'), yields: 201, body: '' },
    {
      title: 'any JSON is stored, its meaning is not checked',
      operation: add,
      when: put('p2', '"foobar"'),
      yields: 201,
    },
    { title: 'updated', operation: add, given: [put('p3')], when: put('p3'), yields: 204, body: '' },
    {
      title: 'not JSON',
      operation: add,
      when: put('p4', '{\n  "a": 1,\n}'),
      yields: 'bad-json',
      body: /line 3, column 1/,
    },
    {
      title: 'not UTF-8',
      operation: add,
      when: [`PUT ${path}/p5`, { headers: json, body: Buffer.from([0x22, 0xff, 0x22]) }],
      yields: 'not-utf8',
    },
    { title: 'no body', operation: add, when: [`PUT ${path}/p6`, { headers: json }], yields: 'body-missing' },
    { title: 'too large', operation: add, when: put('p7', `"${'x'.repeat(2 ** 20)}"`), yields: 'body-too-large' },
    { title: 'bad name', operation: add, when: put('.'), yields: 'bad-name' },
    {
      title: 'condition fails',
      operation: add,
      when: [`PUT ${path}/p8`, { headers: { ...json, 'if-match': '*' }, body: '1' }],
      yields: 'precondition-failed',
    },
    { title: 'removed', operation: remove, given: [put('d1')], when: [`DELETE ${path}/d1`], yields: 204, body: '' },
    {
      title: 'removed twice',
      operation: remove,
      given: [put('d2'), [`DELETE ${path}/d2`]],
      when: [`DELETE ${path}/d2`],
      yields: notFound,
    },
    {
      title: 'condition fails',
      operation: remove,
      given: [put('d3')],
      when: [`DELETE ${path}/d3`, { headers: { 'if-match': '"1-no"' } }],
      yields: 'precondition-failed',
    },
    { title: 'bad name', operation: remove, when: [`DELETE ${path}/..`], yields: 'bad-name' },
    {
      title: 'newest first',
      operation: versions,
      given: [put('v1'), put('v1')],
      when: [`GET ${path}/v1/versions`],
      yields: 200,
      body: /"version":2.*"version":1/,
    },
    { title: 'not there', operation: versions, when: [`GET ${path}/nobody/versions`], yields: notFound },
    { title: 'bad name', operation: versions, when: [`GET ${path}/%00/versions`], yields: 'bad-name' },
  ]
}
