import { existsSync, readFileSync } from 'node:fs'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue } from '../src/errors.ts'
import { bytes, empty, json, type Method, type Operation, type OperationTable } from '../src/operation.ts'
import { connectOperations } from '../src/operations/connect.ts'
import { engineOperations } from '../src/operations/engine.ts'
import { modelManageOperations } from '../src/operations/model-manage.ts'
import { anyWords, flag, integer, required, seconds, text, word, words } from '../src/parameters.ts'
import { openapi3, swagger2 } from '../src/swagger.ts'

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>
}
interface DescribedOperation {
  readonly operationId: string
  readonly parameters: { name: string; in: string; required: boolean }[]
  readonly responses: Record<string, { description: string }>
}

const info = { title: 'Some API', version: '1.3' }
const asSwagger2 = (table: OperationTable) => swagger2(table, info) as unknown as Described
const asOpenapi3 = (table: OperationTable) => openapi3(table, info) as unknown as Described

/** The endpoints of the interface, `METHOD path` without the `/1`, as its three tables list them. */
const endpoints: Record<string, readonly string[]> = {
  Engine: [
    'GET /swagger',
    'GET /health',
    'PUT /job/stream/in',
    'PUT /job/stream/out',
    'PUT /job/model',
    'DELETE /job',
    'POST /job/scale',
    'GET /job/status',
    'DELETE /job/statistics',
    'POST /job/input',
    'GET /job/output',
    'POST /job/sample/cpu',
    'POST /stream/sample',
    'POST /stream/rate',
    'GET /debug/output',
  ],
  'Model Manage': [
    'GET /swagger',
    'GET /health',
    'GET /model',
    'PUT /model/{model}',
    'GET /model/{model}',
    'DELETE /model/{model}',
    'GET /model/{model}/attachment',
    'GET /model/{model}/attachment/{attachment}',
    'PUT /model/{model}/attachment/{attachment}',
    'DELETE /model/{model}/attachment/{attachment}',
    'GET /stream',
    'GET /stream/{stream}',
    'PUT /stream/{stream}',
    'DELETE /stream/{stream}',
    'GET /schema',
    'GET /schema/{schema}',
    'PUT /schema/{schema}',
    'DELETE /schema/{schema}',
    'GET /sensor',
    'GET /sensor/{sensor}',
    'PUT /sensor/{sensor}',
    'DELETE /sensor/{sensor}',
    'GET /control/sensor',
    'GET /control/sensor/available',
    'GET /control/sensor/{id}',
    'POST /control/sensor',
  ],
  Connect: ['GET /swagger', 'GET /health', 'GET /config', 'PUT /config', 'GET /connect'],
}
/** Not in the interface, but published clients call them. */
const needed: Record<string, readonly string[]> = {
  Engine: ['GET /control/sensor', 'POST /control/sensor', 'DELETE /control/sensor/{id}'],
  'Model Manage': ['HEAD /model/{model}/attachment/{attachment}', 'DELETE /control/sensor/{id}'],
  Connect: ['GET /control/sensor', 'POST /control/sensor', 'DELETE /control/sensor/{id}'],
}

const services: [name: string, table: OperationTable][] = [
  ['Engine', engineOperations],
  ['Model Manage', modelManageOperations],
  ['Connect', connectOperations],
]

describe.each(services)('the documents of %s', (name, table) => {
  test('are a valid Swagger 2.0 document', async () => {
    await expect(validSwagger2(table)).resolves.toBeUndefined()
  })

  test('are a valid OpenAPI 3.1 document', async () => {
    expect(await validity(table)).toEqual({ valid: true })
  })

  test.each([...endpoints[name]!, ...needed[name]!])('have %s', (endpoint) => {
    const [method, path] = endpoint.split(' ') as [string, string]
    expect(asSwagger2(table).paths[path]?.[method.toLowerCase()]?.responses).toBeDefined()
    expect(asOpenapi3(table).paths[`/1${path}`]?.[method.toLowerCase()]?.responses).toBeDefined()
  })

  test('have every row of the table exactly once, under its id', () => {
    const ids = (document: Described) =>
      Object.values(document.paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId))
    const all = Object.keys(table)
    expect(ids(asOpenapi3(table)).sort()).toEqual(all.toSorted())
    // In Swagger 2.0 everything is below basePath, which these are not.
    const elsewhere = ['getMetrics', 'getPneumo']
    expect(ids(asSwagger2(table)).sort()).toEqual(all.filter((id) => !elsewhere.includes(id)).sort())
  })
})

const specification = new URL('../../../../shared/spec/interface.md', import.meta.url)
describe.skipIf(!existsSync(specification))('the list of endpoints in this test', () => {
  test.each(Object.keys(endpoints))('is the table of %s in the interface', (name) => {
    const markdown = readFileSync(specification, 'utf8')
    const section = markdown
      .split('\n## Endpoints\n')[1]!
      .split('\n## ')[0]!
      .split(`\n### ${name} (`)[1]!
      .split('\n### ')[0]!
    const rows = [...section.matchAll(/^\| (GET|HEAD|PUT|POST|DELETE) \| (\S+) \|/gm)].map(
      ([, m, path]) => `${m} ${path}`,
    )
    expect(rows).toEqual(endpoints[name])
  })
})

describe('a Swagger 2.0 document', () => {
  const document = swagger2(
    {
      putThing: {
        method: 'PUT',
        path: '/1/thing/{thing}/part/{number}',
        summary: 'Puts a thing.',
        names: { thing: 'Name of the thing.' },
        integers: { number: 'Number of the part.' },
        query: { n: required(integer('How many.', { minimum: 1, maximum: 9 })), all: flag('All of them.') },
        body: { summary: 'The thing.', types: ['application/zip'], as: 'bytes', required: true },
        replies: {
          201: empty('Added.'),
          200: json(Type.Object({ x: Type.Union([Type.Integer(), Type.Null()]) }), 'Good.'),
        },
        errors: ['bad-name', 'not-utf8', 'store-unavailable'],
      },
      getMetrics: {
        method: 'GET',
        path: '/metrics',
        summary: 'Outside.',
        replies: { 200: bytes('Text.', 'text/plain') },
      },
    },
    { title: 'Thing API', version: '1.3' },
  )

  test('describes a status as a reply where it is both a reply and an error', () => {
    const table: OperationTable = {
      get: {
        method: 'GET',
        path: '/1/x',
        summary: 'S.',
        replies: { 404: empty('Not here.') },
        errors: ['unknown-path'],
      },
    }
    expect(asSwagger2(table).paths['/x']!.get!.responses[404]).toEqual({ description: 'Not here.' })
  })

  test('is what its table says, word by word', () => {
    const binary = { type: 'string', format: 'binary' }
    const error = { schema: { type: 'string' } }
    expect(JSON.parse(JSON.stringify(document))).toEqual({
      swagger: '2.0',
      info: { title: 'Thing API', version: '1.3' },
      basePath: '/1',
      schemes: ['https', 'http'],
      consumes: ['application/json'],
      produces: ['application/json', 'text/plain'],
      paths: {
        '/thing/{thing}/part/{number}': {
          put: {
            operationId: 'putThing',
            summary: 'Puts a thing.',
            consumes: ['application/zip'],
            produces: ['application/json', 'text/plain'],
            parameters: [
              { name: 'thing', in: 'path', required: true, description: 'Name of the thing.', type: 'string' },
              {
                name: 'number',
                in: 'path',
                required: true,
                description: 'Number of the part.',
                type: 'integer',
                format: 'int32',
              },
              {
                name: 'n',
                in: 'query',
                required: true,
                description: 'How many.',
                type: 'integer',
                format: 'int32',
                minimum: 1,
                maximum: 9,
              },
              { name: 'all', in: 'query', required: false, description: 'All of them.', type: 'boolean' },
              { name: 'body', in: 'body', required: true, description: 'The thing.', schema: binary },
            ],
            responses: {
              200: {
                description: 'Good.',
                schema: { type: 'object', required: ['x'], properties: { x: { type: 'integer', 'x-nullable': true } } },
              },
              201: { description: 'Added.' },
              400: { description: 'bad-name, not-utf8', ...error },
              401: { description: 'token-needed', ...error },
              403: { description: 'bad-parameter, unknown-parameter, host-refused', ...error },
              500: { description: 'internal', ...error },
              503: { description: 'store-unavailable', ...error },
            },
          },
        },
      },
    })
  })

  const schemas: [name: string, schema: TSchema, described: object][] = [
    [
      'a choice of words as an enum',
      Type.Union([Type.Literal('ok'), Type.Literal('fail')]),
      { type: 'string', enum: ['ok', 'fail'] },
    ],
    [
      'text or null as a nullable text',
      Type.Union([Type.String(), Type.Null()]),
      { type: 'string', 'x-nullable': true },
    ],
    [
      'a choice of forms as any value',
      Type.Union([Type.String(), Type.Integer()]),
      { description: 'one of several forms' },
    ],
    [
      'a map as an open object',
      Type.Record(Type.String(), Type.Unknown()),
      { type: 'object', additionalProperties: true },
    ],
    [
      'what is nested in arrays and objects alike',
      Type.Array(Type.Object({ a: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])) })),
      { type: 'array', items: { type: 'object', properties: { a: { type: 'boolean', 'x-nullable': true } } } },
    ],
  ]
  test.each(schemas)('describes %s', (_, schema, described) => {
    const table: OperationTable = {
      get: { method: 'GET', path: '/1/x', summary: 'S.', replies: { 200: json(schema, 'R.') } },
    }
    const { paths } = JSON.parse(JSON.stringify(swagger2(table, info)))
    expect(paths['/x'].get.responses[200]).toEqual({ description: 'R.', schema: described })
  })
})

describe('an OpenAPI 3.1 document', () => {
  test('says what errors look like, as a line and as a problem', () => {
    const { paths } = openapi3(connectOperations, info) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }
    expect(paths['/1/config']!.get!.responses[404]).toEqual({
      description: 'config-not-set, section-not-found',
      content: {
        'text/plain': { schema: { type: 'string' } },
        'application/problem+json': { schema: { type: 'object' } },
      },
    })
  })
  test('lists every type a body and a reply may have', () => {
    const { paths } = openapi3(modelManageOperations, info) as {
      paths: Record<
        string,
        Record<string, { requestBody: { content: object }; responses: Record<string, { content: object }> }>
      >
    }
    const types = [
      'application/vnd.pitot.model-pfa+json',
      'application/vnd.pitot.model-pfa-yaml',
      'application/vnd.pitot.model-pfa-pretty',
      'application/vnd.pitot.model-javascript',
      'application/vnd.pitot.model-typescript',
      'application/vnd.pitot.model-python3',
      'application/vnd.pitot.model-python',
      'application/vnd.pitot.model-r',
    ]
    expect(Object.keys(paths['/1/model/{model}']!.put!.requestBody.content)).toEqual(types)
    expect(Object.keys(paths['/1/model/{model}']!.get!.responses[200]!.content)).toEqual(types)
  })
})

describe('the documents of any table', () => {
  test('are valid and list all of its paths', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        await validSwagger2(table)
        expect(await validity(table)).toEqual({ valid: true })
        const paths = Object.values(table).map((row) => row.path)
        expect(Object.keys(asOpenapi3(table).paths).sort()).toEqual([...new Set(paths)].sort())
        for (const [id, row] of Object.entries(table)) {
          const operation = asSwagger2(table).paths[row.path.slice(2)]![row.method.toLowerCase()]!
          expect(operation.operationId).toBe(id)
          for (const [status, given] of Object.entries(row.replies)) {
            expect(operation.responses[status]!.description).toBe(given.summary)
          }
          for (const code of row.errors ?? []) {
            const { status } = errorCatalogue[code]
            if (!(status in row.replies)) expect(operation.responses[status]!.description.split(', ')).toContain(code)
          }
        }
      }),
      { numRuns: 25 },
    )
  })
})

const identifier = fc.stringMatching(/^[a-z]{1,8}$/)
const parameter = fc.constantFrom(
  text('Text.'),
  integer('Whole.'),
  required(integer('Bounded.', { minimum: 1, maximum: 2 })),
  seconds('Seconds.', { minimum: 0, maximum: 1 }),
  flag('Flag.'),
  word('Word.', ['a', 'b']),
  words('Words', ['a', 'b']),
  required(anyWords('Any.')),
)
const reply = fc.constantFrom(
  empty('Nothing.'),
  bytes('Bytes.', 'application/zip', 'text/plain'),
  json(Type.Array(Type.String()), 'Names.'),
  json(Type.Object({ a: Type.Optional(Type.Union([Type.String(), Type.Null()])) }), 'Object.'),
)
const row = fc
  .record({
    method: fc.constantFrom<Method>('GET', 'HEAD', 'PUT', 'POST', 'DELETE'),
    // `p` before the names of path parameters, so that one place has one name in all rows.
    segments: fc.array(fc.tuple(identifier, fc.boolean()), { minLength: 1, maxLength: 3 }),
    summary: fc.string(),
    query: fc.dictionary(identifier, parameter, { maxKeys: 3 }),
    body: fc.option(
      fc.record({
        summary: fc.string(),
        types: fc.uniqueArray(fc.constantFrom('application/json', 'application/zip', '*/*'), { minLength: 1 }),
        as: fc.constantFrom('bytes' as const, 'stream' as const),
        required: fc.boolean(),
      }),
    ),
    replies: fc.dictionary(fc.constantFrom('200', '201', '204', '304', '404'), reply, { minKeys: 1 }),
    errors: fc.array(fc.constantFrom(...(Object.keys(errorCatalogue) as ErrorCode[])), { maxLength: 4 }),
  })
  .map(({ segments, body, ...rest }): Operation => {
    const path = `/1${segments.map(([name, isParameter], place) => (isParameter ? `/{p${place}}` : `/${name}`)).join('')}`
    // GET and HEAD have no body.
    const bodied = body !== null && rest.method !== 'GET' && rest.method !== 'HEAD' && rest.method !== 'DELETE'
    return { ...rest, path, ...(bodied && { body }) }
  })
const tables = fc
  .uniqueArray(row, { selector: ({ method, path }) => `${method} ${path}`, minLength: 1, maxLength: 6 })
  .map((rows): OperationTable => Object.fromEntries(rows.map((entry, index) => [`operation${index}`, entry])))

/** Rejects with what is wrong. The document goes through JSON, as it does on the wire. */
async function validSwagger2(table: OperationTable): Promise<void> {
  await SwaggerParser.validate(JSON.parse(JSON.stringify(swagger2(table, info))))
}

const validator = new Validator()
async function validity(table: OperationTable): Promise<unknown> {
  return validator.validate(JSON.parse(JSON.stringify(openapi3(table, info))))
}
