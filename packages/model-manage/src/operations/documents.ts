// The operations of streams, schemas and sensor descriptors: three kinds of JSON documents, kept alike.
import { failure, type Handlers, type modelManageOperations } from '@pitot/api'
import { decodeText, parseJson } from '@pitot/service'
import type { AssetKey, AssetStore } from '../store/asset-store.ts'
import { readCondition } from '../store/conditions.ts'
import { detailOf, isFound, versionList, versionReply } from './versions.ts'

type All = Handlers<typeof modelManageOperations>
type DocumentKind = 'stream' | 'schema' | 'sensor'
type Capital<Kind extends DocumentKind> = Capitalize<Kind>
type DocumentHandlers<Kind extends DocumentKind> = Pick<
  All,
  | `list${Capital<Kind>}s`
  | `get${Capital<Kind>}`
  | `put${Capital<Kind>}`
  | `delete${Capital<Kind>}`
  | `list${Capital<Kind>}Versions`
>

const words = {
  stream: { capital: 'Stream', what: 'the stream descriptor' },
  schema: { capital: 'Schema', what: 'the schema' },
  sensor: { capital: 'Sensor', what: 'the sensor descriptor' },
} as const

type StreamHandlers = DocumentHandlers<'stream'>

export function documentHandlers<Kind extends DocumentKind>(kind: Kind, store: AssetStore): DocumentHandlers<Kind> {
  const { capital, what } = words[kind]
  // The rows of the three kinds differ only in the name of their one path parameter.
  const keyOf = (path: Readonly<Record<string, string>>): AssetKey => ({ kind, owner: '', name: path[kind]! })
  // The three sentences have the same details, which is more than the compiler can see.
  const code = `${kind}-not-found` as 'stream-not-found'
  const notFound = (key: AssetKey, version?: number) => failure(code, { name: key.name, detail: detailOf(version) })

  const list: StreamHandlers['listStreams'] = async () => ({ status: 200, body: [...(await store.names(kind))] })

  const get: StreamHandlers['getStream'] = async ({ path, query, headers }) => {
    const key = keyOf(path)
    const found = query.version === undefined ? await store.current(key) : await store.version(key, query.version)
    if (!isFound(found)) throw notFound(key, query.version)
    return versionReply(store, found, readCondition(headers), 'application/json')
  }

  const put: StreamHandlers['putStream'] = async ({ path, body, headers }) => {
    parseJson(decodeText(body, what), what)
    const { added, etag } = await store.write(
      keyOf(path),
      { type: 'application/json', content: body },
      readCondition(headers),
    )
    return { status: added ? 201 : 204, headers: { etag } }
  }

  const remove: StreamHandlers['deleteStream'] = async ({ path, query, headers }) => {
    const key = keyOf(path)
    if (!(await store.remove(key, query.purge ?? false, readCondition(headers)))) throw notFound(key)
    return { status: 204 }
  }

  const versions: StreamHandlers['listStreamVersions'] = async ({ path }) => {
    const key = keyOf(path)
    const entries = await store.versions(key)
    if (entries.length === 0) throw notFound(key)
    return { status: 200, body: versionList(entries) }
  }

  return {
    [`list${capital}s`]: list,
    [`get${capital}`]: get,
    [`put${capital}`]: put,
    [`delete${capital}`]: remove,
    [`list${capital}Versions`]: versions,
  } as unknown as DocumentHandlers<Kind>
}
