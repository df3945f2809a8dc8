// A typed client made from a table of operations: a base address comes in, one method per operation goes out.
import type { Static, TSchema } from 'typebox'
import { failure } from './errors.ts'
import type { Operation, OperationTable, PathValues, QueryValues } from './operation.ts'

export interface ClientOptions {
  /** Base address, without the `/1`. */
  readonly url: string
  readonly token?: string
  /** `fetch` unless something else is to carry the requests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type Given<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> }

/** Path parameters are always needed, the rest where the operation has it. */
export type CallOptions<Row extends Operation> = (keyof PathValues<Row> extends never
  ? unknown
  : { readonly path: PathValues<Row> }) & {
  readonly query?: Given<QueryValues<Row>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
  /** Content type of the body. */
  readonly type?: string
  readonly signal?: AbortSignal
}

type JsonReply<Row extends Operation> = Row['replies'][200] extends { readonly schema: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown

/** A `Response` that knows what its JSON is. */
export type TypedResponse<Row extends Operation> = Omit<Response, 'json'> & { json(): Promise<JsonReply<Row>> }

export type Client<Table extends OperationTable> = {
  readonly [Id in keyof Table]: keyof PathValues<Table[Id]> extends never
    ? (options?: CallOptions<Table[Id]>) => Promise<TypedResponse<Table[Id]>>
    : (options: CallOptions<Table[Id]>) => Promise<TypedResponse<Table[Id]>>
}

interface AnyCall {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
  readonly type?: string
  readonly signal?: AbortSignal
}

export function createClient<Table extends OperationTable>(table: Table, options: ClientOptions): Client<Table> {
  const base = options.url.replace(/\/+$/, '')
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const method =
    (row: Operation) =>
    async (call: AnyCall = {}) => {
      const headers: Record<string, string> = { ...call.headers }
      if (call.type !== undefined) headers['content-type'] = call.type
      if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`
      const init: RequestInit & { duplex?: 'half' } = { method: row.method, headers }
      if (call.signal !== undefined) init.signal = call.signal
      if (call.body !== undefined) {
        init.body = call.body
        if (call.body instanceof ReadableStream) init.duplex = 'half'
      }
      return send(base + target(row, call), init)
    }
  return Object.fromEntries(Object.entries(table).map(([id, row]) => [id, method(row)])) as unknown as Client<Table>
}

/** Path and query of one call. A name becomes one segment, whatever it contains. */
function target(row: Operation, call: AnyCall): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, String(call.path?.[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** URLs take `.` and `..` for steps, even percent-encoded: sent as names they would reach another operation. */
function segment(what: string, name: string): string {
  if (name === '.' || name === '..') throw failure('bad-name', { what, reason: `must not be '${name}'` })
  if (!name.isWellFormed()) throw failure('bad-name', { what, reason: 'is not valid UTF-8' })
  return encodeURIComponent(name)
}
