// What an operation is: one row of a table, from which come the route, the validation, the swagger documents, the type of
// its handler and the method of the client.
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Parameter } from './parameters.ts'

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'

export interface Operation {
  readonly method: Method
  /** With its `/1` prefix; `{name}` marks a path parameter. */
  readonly path: string
  readonly summary: string
  /** The words for the swagger document; path parameters are names unless `integers` says otherwise. */
  readonly names?: Readonly<Record<string, string>>
  readonly integers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, Parameter<unknown>>>
  readonly body?: RequestBody
  readonly replies: Readonly<Record<number, ReplyShape>>
  /** What can go wrong here, besides what can go wrong everywhere. */
  readonly errors?: readonly ErrorCode[]
}

export interface RequestBody {
  readonly summary: string
  /** The content types to document; which ones are taken is the handler's decision, because clients differ widely. */
  readonly types: readonly string[]
  /** `bytes`: held in memory, limited. `stream`: handed on as it comes, unlimited. */
  readonly as: 'bytes' | 'stream'
  /** `false`: an empty body means something too. */
  readonly required: boolean
}

export interface ReplyShape<Schema extends TSchema = TSchema> {
  readonly summary: string
  readonly kind: 'json' | 'bytes' | 'empty' | 'socket'
  /** Content types other than JSON's. */
  readonly types?: readonly string[]
  readonly schema?: Schema
}

export function json<Schema extends TSchema>(schema: Schema, summary: string) {
  return { summary, kind: 'json', schema } as const
}

export function bytes(summary: string, ...types: string[]) {
  return { summary, kind: 'bytes', types } as const
}

export function empty(summary: string) {
  return { summary, kind: 'empty' } as const
}

/** The connection becomes a websocket. */
export function socket(summary: string) {
  return { summary, kind: 'socket' } as const
}

export type OperationTable = Readonly<Record<string, Operation>>

/** Declares a table; its exact type is kept, because handlers and client are typed from it. */
export function operations<const Table extends OperationTable>(table: Table): Table {
  return table
}

// From here on: the types of requests and replies, read off a row.

type PathWord<Path extends string> = Path extends `${string}{${infer Word}}${infer Rest}`
  ? Word | PathWord<Rest>
  : never

export type PathValues<Row extends Operation> = {
  readonly [Word in PathWord<Row['path']>]: Word extends keyof Row['integers'] ? number : string
}

export type QueryValues<Row extends Operation> = {
  readonly [Name in keyof NonNullable<Row['query']>]: NonNullable<Row['query']>[Name] extends Parameter<infer Value>
    ? NonNullable<Row['query']>[Name] extends { readonly required: true }
      ? Value
      : Value | undefined
    : never
}

export interface StreamedBody {
  /** The bytes as they arrive; reading slowly slows the sender down. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** From Content-Length; undefined when the sender does not know. */
  readonly length: number | undefined
}

type BodyValue<Row extends Operation> = Row['body'] extends { readonly as: 'stream' }
  ? StreamedBody
  : Row['body'] extends { readonly as: 'bytes' }
    ? Uint8Array
    : undefined

export interface OperationRequest<Row extends Operation> {
  readonly path: PathValues<Row>
  readonly query: QueryValues<Row>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: BodyValue<Row>
  readonly id: string
  /** Fires when the caller has gone away. */
  readonly signal: AbortSignal
}

/** A reply that is passed on piece by piece. */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>

type ReplyBody<Shape> = Shape extends { readonly kind: 'json'; readonly schema: infer Schema extends TSchema }
  ? Static<Schema>
  : Shape extends { readonly kind: 'bytes' }
    ? ByteSource
    : undefined

/** What a handler gives back: one of the statuses its row lists, with the body that belongs to that status. */
export type OperationReply<Row extends Operation> = {
  readonly [Status in keyof Row['replies'] & number]: {
    readonly status: Status
    /** Content type, exactly as it goes out; `application/json` for JSON replies unless set. */
    readonly type?: string
    readonly headers?: Readonly<Record<string, string>>
  } & (Row['replies'][Status]['kind'] extends 'json' | 'bytes'
    ? { readonly body: ReplyBody<Row['replies'][Status]> }
    : { readonly body?: undefined })
}[keyof Row['replies'] & number]

export type Handler<Row extends Operation> = (
  request: OperationRequest<Row>,
) => OperationReply<Row> | Promise<OperationReply<Row>>

/** One handler per row: a missing one does not compile. */
export type Handlers<Table extends OperationTable> = { readonly [Id in keyof Table]: Handler<Table[Id]> }
