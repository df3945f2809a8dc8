// Every operation with every reply and every error it lists: one row each, on every database.
import { type ErrorCode, errorCatalogue, modelManageOperations, type Operation } from '@pitot/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Call, call } from '../../../test/http.ts'
import { describeDatabases } from '../../../test/servers/databases.ts'
import { testOptions } from '../../../test/service-options.ts'
import { type RunningModelManage, startModelManage } from '../src/index.ts'

type Id = keyof typeof modelManageOperations
type Step = readonly [request: string, call?: Omit<Call, 'method'>]

interface Row {
  readonly title: string
  readonly operation: Id
  /** Requests before the one under test; each must succeed. */
  readonly given?: readonly Step[]
  readonly when: Step
  /** A status, or the error code that must be answered. */
  readonly yields: number | ErrorCode
  readonly body?: string | RegExp | unknown[]
  readonly headers?: Readonly<Record<string, string | RegExp>>
}

const python = { 'content-type': 'application/vnd.pitot.model-python' }
const pfaJson = { 'content-type': 'application/vnd.pitot.model-pfa+json' }
const zip = { 'content-type': 'application/zip' }
const json = { 'content-type': 'application/json' }
const source = 'def action(x):\n  yield x\n'
const pfa = '{"input":"double","output":"double","action":[{"+":["input",1.0]}],"metadata":{"by":"me"}}'
const putModel = (name: string): Step => [`PUT /1/model/${name}`, { headers: python, body: source }]
const putAttachment = (path: string, body = 'zip'): Step => [`PUT /1/model/${path}`, { headers: zip, body }]

const modelRows: Row[] = [
  {
    title: 'no models',
    operation: 'listModels',
    when: ['GET /1/model'],
    yields: 200,
    body: [],
    headers: { 'content-type': /^application\/json$/ },
  },
  {
    title: 'names',
    operation: 'listModels',
    given: [putModel('l2'), putModel('l1')],
    when: ['GET /1/model'],
    yields: 200,
    body: ['l1', 'l2'],
  },
  {
    title: 'with fields',
    operation: 'listModels',
    given: [
      ['PUT /1/model/l3', { headers: pfaJson, body: pfa }],
      putAttachment('l3/attachment/b'),
      putAttachment('l3/attachment/a'),
    ],
    when: ['GET /1/model?return=type,attachments,metadata'],
    yields: 200,
    body: /\{"name":"l3","type":"pfa-json","metadata":\{"by":"me"\},"attachments":\["a","b"\]\}/,
  },
  {
    title: 'by the old name i',
    operation: 'listModels',
    given: [putModel('l4')],
    when: ['GET /1/model?i=type'],
    yields: 200,
    body: /\{"name":"l4","type":"python"\}/,
  },
  {
    title: 'annotations as metadata',
    operation: 'listModels',
    given: [['PUT /1/model/l5', { headers: python, body: '# fastscore.input: int\n# pitot.output double\n' }]],
    when: ['GET /1/model?return=metadata'],
    yields: 200,
    body: /\{"name":"l5","metadata":\{"input":"int","output":"double"\}\}/,
  },
  {
    title: 'unknown field',
    operation: 'listModels',
    when: ['GET /1/model?return=typ'],
    yields: 'bad-parameter',
    body: /'return' is 'typ'.*metadata, type, attachments/,
  },

  { title: 'added', operation: 'putModel', when: putModel('p1'), yields: 201, body: '' },
  { title: 'updated', operation: 'putModel', given: [putModel('p2')], when: putModel('p2'), yields: 204, body: '' },
  {
    title: 'any vendor word',
    operation: 'putModel',
    when: [
      'PUT /1/model/p3',
      { headers: { 'content-type': 'application/vnd.fastscore.model-r' }, body: 'action <- 1' },
    ],
    yields: 201,
  },
  {
    title: 'unknown language',
    operation: 'putModel',
    when: ['PUT /1/model/p4', { headers: { 'content-type': 'application/vnd.pitot.model-pyton' }, body: 'x' }],
    yields: 'bad-model-type',
    body: /did you mean 'python'\?/,
  },
  {
    title: 'no content type',
    operation: 'putModel',
    when: ['PUT /1/model/p4', { body: 'x' }],
    yields: 'bad-model-type',
  },
  {
    title: 'PFA that is no JSON',
    operation: 'putModel',
    when: ['PUT /1/model/p5', { headers: pfaJson, body: '{"input": }' }],
    yields: 'bad-model',
    body: /[Ll]ine 1/,
  },
  {
    title: 'not UTF-8',
    operation: 'putModel',
    when: ['PUT /1/model/p6', { headers: python, body: Buffer.from([0x61, 0xff]) }],
    yields: 'not-utf8',
    body: /offset 1/,
  },
  { title: 'no body', operation: 'putModel', when: ['PUT /1/model/p7', { headers: python }], yields: 'body-missing' },
  {
    title: 'too large',
    operation: 'putModel',
    when: ['PUT /1/model/p8', { headers: python, body: Buffer.alloc(2 ** 20 + 1, 32) }],
    yields: 'body-too-large',
    body: /1048576/,
  },
  {
    title: 'bad name',
    operation: 'putModel',
    when: [`PUT /1/model/${'x'.repeat(256)}`, { headers: python, body: 'x' }],
    yields: 'bad-name',
    body: /256 bytes/,
  },
  {
    title: 'condition fails',
    operation: 'putModel',
    given: [putModel('p9')],
    when: ['PUT /1/model/p9', { headers: { ...python, 'if-none-match': '*' }, body: 'x' }],
    yields: 'precondition-failed',
  },

  {
    title: 'source with its exact type',
    operation: 'getModel',
    given: [putModel('g1')],
    when: ['GET /1/model/g1'],
    yields: 200,
    body: source,
    headers: {
      'content-type': /^application\/vnd\.pitot\.model-python$/,
      etag: /^"1-/,
      'content-length': String(source.length),
    },
  },
  {
    title: 'older version',
    operation: 'getModel',
    given: [putModel('g2'), ['PUT /1/model/g2', { headers: python, body: 'new' }]],
    when: ['GET /1/model/g2?version=1'],
    yields: 200,
    body: source,
  },
  {
    title: 'not changed',
    operation: 'getModel',
    given: [putModel('g3')],
    when: ['GET /1/model/g3', { headers: { 'if-none-match': '*' } }],
    yields: 304,
    body: '',
  },
  {
    title: 'not there',
    operation: 'getModel',
    when: ['GET /1/model/nobody'],
    yields: 'model-not-found',
    body: /there is no model 'nobody'/,
  },
  {
    title: 'version not there',
    operation: 'getModel',
    given: [putModel('g4')],
    when: ['GET /1/model/g4?version=2'],
    yields: 'model-not-found',
    body: /version 2/,
  },
  {
    title: 'PFA as YAML',
    operation: 'getModel',
    given: [['PUT /1/model/g5', { headers: pfaJson, body: pfa }]],
    when: ['GET /1/model/g5', { headers: { accept: 'application/vnd.pitot.model-pfa-yaml' } }],
    yields: 200,
    body: /^input: double\noutput: double\n/,
    headers: { 'content-type': /^application\/vnd\.pitot\.model-pfa-yaml$/ },
  },
  {
    title: 'YAML as PFA JSON keeps number types',
    operation: 'getModel',
    given: [
      [
        'PUT /1/model/g6',
        {
          headers: { 'content-type': 'application/vnd.x.model-pfa-yaml' },
          body: 'input: double\noutput: double\naction: {+: [input, 1.0]}\n',
        },
      ],
    ],
    when: ['GET /1/model/g6', { headers: { accept: 'application/vnd.x.model-pfa-json' } }],
    yields: 200,
    body: /1\.0/,
  },
  {
    title: 'stored form for any type',
    operation: 'getModel',
    given: [['PUT /1/model/g7', { headers: pfaJson, body: pfa }]],
    when: ['GET /1/model/g7', { headers: { accept: '*/*' } }],
    yields: 200,
    body: pfa,
  },
  {
    title: 'a JSON string with a document in it is unwrapped',
    operation: 'getModel',
    given: [['PUT /1/model/g8', { headers: pfaJson, body: JSON.stringify(pfa) }]],
    when: ['GET /1/model/g8'],
    yields: 200,
    body: pfa,
  },
  {
    title: 'Python as YAML',
    operation: 'getModel',
    given: [putModel('g9')],
    when: ['GET /1/model/g9', { headers: { accept: 'application/vnd.pitot.model-pfa-yaml' } }],
    yields: 'not-acceptable',
    body: /application\/vnd\.pitot\.model-python/,
  },
  {
    title: 'metadata alone',
    operation: 'getModel',
    given: [['PUT /1/model/g10', { headers: pfaJson, body: pfa }]],
    when: ['GET /1/model/g10?metadata_only=1'],
    yields: 200,
    body: '{"by":"me"}',
  },
  { title: 'bad name', operation: 'getModel', when: ['GET /1/model/a%00b'], yields: 'bad-name', body: /U\+0000/ },

  {
    title: 'removed',
    operation: 'deleteModel',
    given: [putModel('d1')],
    when: ['DELETE /1/model/d1'],
    yields: 204,
    body: '',
  },
  {
    title: 'removed twice',
    operation: 'deleteModel',
    given: [putModel('d2'), ['DELETE /1/model/d2']],
    when: ['DELETE /1/model/d2'],
    yields: 'model-not-found',
  },
  {
    title: 'purged',
    operation: 'deleteModel',
    given: [putModel('d3'), ['DELETE /1/model/d3']],
    when: ['DELETE /1/model/d3?purge=true'],
    yields: 204,
  },
  {
    title: 'condition fails',
    operation: 'deleteModel',
    given: [putModel('d4')],
    when: ['DELETE /1/model/d4', { headers: { 'if-match': '"9-x"' } }],
    yields: 'precondition-failed',
  },
  { title: 'bad name', operation: 'deleteModel', when: ['DELETE /1/model/..'], yields: 'bad-name' },

  {
    title: 'newest first',
    operation: 'listModelVersions',
    given: [putModel('v1'), putModel('v1')],
    when: ['GET /1/model/v1/versions'],
    yields: 200,
    body: /^\[\{"version":2,.*"current":true\},\{"version":1,.*"current":false\}\]$/,
  },
  {
    title: 'not there',
    operation: 'listModelVersions',
    when: ['GET /1/model/nobody/versions'],
    yields: 'model-not-found',
  },
  { title: 'bad name', operation: 'listModelVersions', when: ['GET /1/model/%7F/versions'], yields: 'bad-name' },
]

const attachmentRows: Row[] = [
  {
    title: 'none',
    operation: 'listAttachments',
    given: [putModel('al1')],
    when: ['GET /1/model/al1/attachment'],
    yields: 200,
    body: [],
  },
  {
    title: 'model not there',
    operation: 'listAttachments',
    when: ['GET /1/model/nobody/attachment'],
    yields: 'no-such-model',
  },
  { title: 'bad name', operation: 'listAttachments', when: ['GET /1/model/%01/attachment'], yields: 'bad-name' },
  {
    title: 'added',
    operation: 'putAttachment',
    given: [putModel('ap1')],
    when: putAttachment('ap1/attachment/a'),
    yields: 201,
  },
  {
    title: 'updated',
    operation: 'putAttachment',
    given: [putModel('ap2'), putAttachment('ap2/attachment/a')],
    when: putAttachment('ap2/attachment/a'),
    yields: 204,
  },
  {
    title: 'model not there',
    operation: 'putAttachment',
    when: putAttachment('nobody/attachment/a'),
    yields: 'no-such-model',
  },
  {
    title: 'bad type',
    operation: 'putAttachment',
    given: [putModel('ap3')],
    when: ['PUT /1/model/ap3/attachment/a', { headers: { 'content-type': 'zip' }, body: 'x' }],
    yields: 'bad-content-type',
  },
  { title: 'bad name', operation: 'putAttachment', when: putAttachment('ap3/attachment/%0A'), yields: 'bad-name' },
  {
    title: 'condition fails',
    operation: 'putAttachment',
    given: [putModel('ap4')],
    when: ['PUT /1/model/ap4/attachment/a', { headers: { ...zip, 'if-match': '*' }, body: 'x' }],
    yields: 'precondition-failed',
  },
  {
    title: 'content with its exact type',
    operation: 'getAttachment',
    given: [putModel('ag1'), putAttachment('ag1/attachment/a')],
    when: ['GET /1/model/ag1/attachment/a'],
    yields: 200,
    body: 'zip',
    headers: { 'content-type': /^application\/zip$/, 'content-length': '3' },
  },
  {
    title: 'older version',
    operation: 'getAttachment',
    given: [putModel('ag2'), putAttachment('ag2/attachment/a', '1'), putAttachment('ag2/attachment/a', '2')],
    when: ['GET /1/model/ag2/attachment/a?version=1'],
    yields: 200,
    body: '1',
  },
  {
    title: 'not changed',
    operation: 'getAttachment',
    given: [putModel('ag3'), putAttachment('ag3/attachment/a')],
    when: ['GET /1/model/ag3/attachment/a', { headers: { 'if-none-match': '*' } }],
    yields: 304,
  },
  {
    title: 'not there',
    operation: 'getAttachment',
    given: [putModel('ag4')],
    when: ['GET /1/model/ag4/attachment/a'],
    yields: 'attachment-not-found',
    body: /model 'ag4' has no attachment 'a'/,
  },
  { title: 'bad name', operation: 'getAttachment', when: ['GET /1/model/ag4/attachment/.'], yields: 'bad-name' },
  {
    title: 'size and type',
    operation: 'headAttachment',
    given: [putModel('ah1'), putAttachment('ah1/attachment/a')],
    when: ['HEAD /1/model/ah1/attachment/a'],
    yields: 200,
    body: '',
    headers: { 'content-length': '3', 'content-type': /^application\/zip$/ },
  },
  {
    title: 'not changed',
    operation: 'headAttachment',
    given: [putModel('ah2'), putAttachment('ah2/attachment/a')],
    when: ['HEAD /1/model/ah2/attachment/a', { headers: { 'if-none-match': '*' } }],
    yields: 304,
  },
  {
    title: 'not there',
    operation: 'headAttachment',
    when: ['HEAD /1/model/ah2/attachment/b'],
    yields: 'attachment-not-found',
  },
  { title: 'bad name', operation: 'headAttachment', when: ['HEAD /1/model/ah2/attachment/..'], yields: 'bad-name' },
  {
    title: 'removed',
    operation: 'deleteAttachment',
    given: [putModel('ad1'), putAttachment('ad1/attachment/a')],
    when: ['DELETE /1/model/ad1/attachment/a'],
    yields: 204,
  },
  {
    title: 'removed twice',
    operation: 'deleteAttachment',
    given: [putModel('ad2'), putAttachment('ad2/attachment/a'), ['DELETE /1/model/ad2/attachment/a']],
    when: ['DELETE /1/model/ad2/attachment/a'],
    yields: 'attachment-not-found',
  },
  {
    title: 'condition fails',
    operation: 'deleteAttachment',
    given: [putModel('ad3'), putAttachment('ad3/attachment/a')],
    when: ['DELETE /1/model/ad3/attachment/a', { headers: { 'if-match': '"0"' } }],
    yields: 'precondition-failed',
  },
  {
    title: 'bad name',
    operation: 'deleteAttachment',
    when: ['DELETE /1/model/ad3/attachment/%C2%85'],
    yields: 'bad-name',
    body: /U\+0085/,
  },
  {
    title: 'newest first',
    operation: 'listAttachmentVersions',
    given: [putModel('av1'), putAttachment('av1/attachment/a')],
    when: ['GET /1/model/av1/attachment/a/versions'],
    yields: 200,
    body: /"version":1,"type":"application\/zip","size":3/,
  },
  {
    title: 'not there',
    operation: 'listAttachmentVersions',
    when: ['GET /1/model/av1/attachment/b/versions'],
    yields: 'attachment-not-found',
  },
  {
    title: 'bad name',
    operation: 'listAttachmentVersions',
    when: ['GET /1/model/av1/attachment/%00/versions'],
    yields: 'bad-name',
  },
]

/** Streams, schemas and sensors behave alike; so do their rows. */
function documentRows(kind: 'stream' | 'schema' | 'sensor'): Row[] {
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

const commonRows: Row[] = [
  {
    title: 'Swagger 2.0',
    operation: 'getSwagger',
    when: ['GET /1/swagger'],
    yields: 200,
    body: /"title":"Model Manage API"/,
    headers: { 'content-type': /^application\/json$/ },
  },
  {
    title: 'health record',
    operation: 'getHealth',
    when: ['GET /1/health'],
    yields: 200,
    body: /^\{"id":"[0-9a-f-]{36}","release":"1\.3","built_on":"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}"\}$/,
  },
  {
    title: 'Prometheus text',
    operation: 'getMetrics',
    when: ['GET /metrics'],
    yields: 200,
    body: /pitot_requests_total/,
  },
  {
    title: 'nothing attached',
    operation: 'listAttachedSensors',
    when: ['GET /1/control/sensor'],
    yields: 200,
    body: [],
  },
]

const rows = [
  ...modelRows,
  ...attachmentRows,
  ...documentRows('stream'),
  ...documentRows('schema'),
  ...documentRows('sensor'),
  ...commonRows,
]

/** Tested where the connection, the database or the sensors are: they need more than one request. */
const elsewhere = new Set(['store-unavailable', 'body-incomplete', 'cannot-convert', 'not-offered'])

describeDatabases('Model Manage operations', 'all', (database) => {
  let service: RunningModelManage
  beforeAll(async () => {
    await database.start()
    service = await startModelManage({ ...(await testOptions()), database: await database.create('operations') })
  })
  afterAll(async () => {
    await service?.stop()
    await database.stop()
  })

  async function send([request, options]: Step, headers: Record<string, string> = {}): Promise<Answer> {
    const [method, path] = request.split(' ') as [string, string]
    return call(service.url, path, { ...options, method, headers: { ...headers, ...options?.headers } })
  }

  test.each(rows.map((row) => [`${row.operation}: ${row.title} -> ${row.yields}`, row] as const))(
    '%s',
    async (_title, row) => {
      for (const step of row.given ?? []) expect((await send(step)).status).toBeLessThan(300)
      const answer = await send(row.when)
      const status = typeof row.yields === 'number' ? row.yields : errorCatalogue[row.yields].status
      expect(answer.status, answer.text).toBe(status)
      if (typeof row.yields === 'string') await expectError(row, answer)
      if (Array.isArray(row.body)) expect(JSON.parse(answer.text)).toEqual(row.body)
      else if (row.body instanceof RegExp) expect(answer.text).toMatch(row.body)
      else if (row.body !== undefined) expect(answer.text).toBe(row.body)
      for (const [name, value] of Object.entries(row.headers ?? {})) expect(answer.headers[name]).toMatch(value)
    },
  )

  async function expectError(row: Row, answer: Answer): Promise<void> {
    if (row.when[0].startsWith('HEAD')) return
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.text).toMatch(/^[^\n]{10,}$/)
    // The same request for a caller that wants JSON: the code is in it. (A model's own Accept is part of its question.)
    if (row.when[1]?.headers?.accept !== undefined) return
    const problem = await send(row.when, { accept: 'application/json' })
    expect(problem.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(problem.text)).toMatchObject({ code: row.yields, status: answer.status, detail: answer.text })
  }
})

test('every reply and error that an operation lists has a row', () => {
  const sensorControl = /[sS]ensor$|Taps$|AttachedSensors$/
  const missing = Object.entries(modelManageOperations as Record<string, Operation>)
    .filter(([id, row]) => !(row.path.includes('/control/') && sensorControl.test(id)))
    .flatMap(([id, row]) =>
      [...Object.keys(row.replies).map(Number), ...(row.errors ?? [])].map((reply) => [id, reply] as const),
    )
    .filter(([, reply]) => !elsewhere.has(String(reply)))
    .filter(([id, reply]) => !rows.some((row) => row.operation === id && row.yields === reply))
  expect(missing).toEqual([])
})
