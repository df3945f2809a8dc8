// From a table of operations to the documents that describe it: Swagger 2.0 and OpenAPI 3.1.
import { type ErrorCode, errorCatalogue } from './errors.ts'
import type { Operation, OperationTable, ReplyShape } from './operation.ts'

export interface DocumentInfo {
  readonly title: string
  readonly version: string
}

type Json = Record<string, unknown>

/** Can happen on every operation. */
const everywhere: readonly ErrorCode[] = ['token-needed', 'host-refused', 'internal']

export function swagger2(table: OperationTable, info: DocumentInfo): Json {
  return {
    swagger: '2.0',
    info,
    basePath: '/1',
    schemes: ['https', 'http'],
    consumes: ['application/json'],
    produces: ['application/json', 'text/plain'],
    paths: paths(table, swagger2Operation, (path) => path.startsWith('/1/')),
  }
}

export function openapi3(table: OperationTable, info: DocumentInfo): Json {
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    paths: paths(table, openapi3Operation, () => true),
  }
}

function paths(
  table: OperationTable,
  describe: (id: string, row: Operation) => Json,
  wanted: (path: string) => boolean,
) {
  const all: Record<string, Json> = {}
  for (const [id, row] of Object.entries(table)) {
    if (!wanted(row.path)) continue
    // In Swagger 2.0 paths are relative to basePath.
    const path = describe === swagger2Operation ? row.path.slice('/1'.length) : row.path
    all[path] ??= {}
    all[path][row.method.toLowerCase()] = describe(id, row)
  }
  return all
}

function swagger2Operation(id: string, row: Operation): Json {
  const body = row.body
  return {
    operationId: id,
    summary: row.summary,
    ...(body && { consumes: body.types }),
    produces: [...new Set(['text/plain', ...Object.values(row.replies).flatMap(contentTypes)])].sort(),
    parameters: [
      ...pathParameters(row).map(({ name, description, type }) => ({
        name,
        in: 'path',
        required: true,
        description,
        ...type,
      })),
      ...Object.entries(row.query ?? {}).map(([name, parameter]) => ({
        name,
        in: 'query',
        required: parameter.required ?? false,
        description: parameter.summary,
        ...parameter.schema,
      })),
      ...(body
        ? [
            {
              name: 'body',
              in: 'body',
              required: body.required,
              description: body.summary,
              schema: { type: 'string', format: 'binary' },
            },
          ]
        : []),
    ],
    responses: {
      ...Object.fromEntries(
        Object.entries(row.replies).map(([status, reply]) => [status, swagger2Response(reply)] as const),
      ),
      ...errorResponses(row, () => ({ schema: { type: 'string' } })),
    },
  }
}

function swagger2Response(reply: ReplyShape): Json {
  const schema = reply.kind === 'json' ? swagger2Schema(reply.schema) : { type: 'string', format: 'binary' }
  return { description: reply.summary, ...(reply.kind === 'json' || reply.kind === 'bytes' ? { schema } : {}) }
}

/** JSON Schema cut down to what Swagger 2.0 can say: no `null` type, no alternatives. */
function swagger2Schema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(swagger2Schema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf, const: literal, patternProperties, ...rest } = schema as Json & { anyOf?: Json[] }
  if (anyOf !== undefined) {
    const branches = anyOf.filter((branch) => branch.type !== 'null')
    if (branches.every((branch) => 'const' in branch)) return { type: 'string', enum: branches.map((b) => b.const) }
    const only = branches.length === 1 ? (swagger2Schema(branches[0]) as Json) : { description: 'one of several forms' }
    return { ...only, ...(branches.length < anyOf.length && { 'x-nullable': true }) }
  }
  const known = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, swagger2Schema(value)]))
  if (patternProperties !== undefined) return { ...known, additionalProperties: true }
  return literal === undefined ? known : { ...known, enum: [literal] }
}

function openapi3Operation(id: string, row: Operation): Json {
  const binary = { schema: { type: 'string', format: 'binary' } }
  return {
    operationId: id,
    summary: row.summary,
    parameters: [
      ...pathParameters(row).map(({ name, description, type }) => ({
        name,
        in: 'path',
        required: true,
        description,
        schema: type,
      })),
      ...Object.entries(row.query ?? {}).map(([name, parameter]) => ({
        name,
        in: 'query',
        required: parameter.required ?? false,
        description: parameter.summary,
        schema: parameter.schema,
      })),
    ],
    ...(row.body && {
      requestBody: {
        description: row.body.summary,
        required: row.body.required,
        content: Object.fromEntries(row.body.types.map((type) => [type, binary])),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(row.replies).map(([status, reply]) => [
          status,
          {
            description: reply.summary,
            ...(reply.kind === 'json' && { content: { 'application/json': { schema: reply.schema } } }),
            ...(reply.kind === 'bytes' && {
              content: Object.fromEntries(contentTypes(reply).map((type) => [type, binary])),
            }),
          },
        ]),
      ),
      ...errorResponses(row, () => ({
        content: {
          'text/plain': { schema: { type: 'string' } },
          'application/problem+json': { schema: { type: 'object' } },
        },
      })),
    },
  }
}

function contentTypes(reply: ReplyShape): readonly string[] {
  return reply.kind === 'json' ? ['application/json'] : (reply.types ?? [])
}

function pathParameters(row: Operation) {
  return [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    description: row.names?.[name!] ?? row.integers?.[name!] ?? '',
    type: row.integers?.[name!] === undefined ? { type: 'string' } : { type: 'integer', format: 'int32' },
  }))
}

/** One response per status; its description lists the codes behind it. */
function errorResponses(row: Operation, content: () => Json): Record<string, Json> {
  const parameterErrors: readonly ErrorCode[] = row.query
    ? ['bad-parameter', 'unknown-parameter']
    : ['unknown-parameter']
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...(row.errors ?? []), ...parameterErrors, ...everywhere]) {
    const { status } = errorCatalogue[code]
    if (status in row.replies) continue
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.join(', '), ...content() }]),
  )
}
