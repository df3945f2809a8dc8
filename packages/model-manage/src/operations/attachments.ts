// The operations of attachments: content of any size, streamed both ways.
import { failure, type Handlers, type modelManageOperations } from '@pitot/api'
import type { AssetKey, AssetStore, AssetVersion } from '../store/asset-store.ts'
import { isKnown, readCondition } from '../store/conditions.ts'
import { detailOf, isFound, versionHeaders, versionList, versionReply } from './versions.ts'

type AttachmentHandlers = Pick<
  Handlers<typeof modelManageOperations>,
  | 'listAttachments'
  | 'headAttachment'
  | 'getAttachment'
  | 'putAttachment'
  | 'deleteAttachment'
  | 'listAttachmentVersions'
>

interface Path {
  readonly model: string
  readonly attachment: string
}

/** What RFC 9110 allows for a type, with parameters; a header is stored and given out again, so nothing else gets in. */
const contentType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;[\x20-\x7e]*)?$/
const longestType = 255

export function attachmentHandlers(store: AssetStore): AttachmentHandlers {
  async function find(path: Path, version: number | undefined): Promise<AssetVersion> {
    const key = keyOf(path)
    const found = version === undefined ? await store.current(key) : await store.version(key, version)
    if (isFound(found)) return found
    throw notFound(path, version)
  }

  return {
    async listAttachments({ path }) {
      const model = await store.current({ kind: 'model', owner: '', name: path.model })
      if (model === undefined) throw failure('no-such-model', { name: path.model, what: 'attachments' })
      return { status: 200, body: [...(await store.names('attachment', path.model))] }
    },

    async headAttachment({ path, query, headers }) {
      const found = await find(path, query.version)
      const replyHeaders = versionHeaders(found)
      if (isKnown(readCondition(headers), replyHeaders.etag)) return { status: 304, headers: replyHeaders }
      return { status: 200, type: found.type, headers: { ...replyHeaders, 'content-length': String(found.size) } }
    },

    async getAttachment({ path, query, headers }) {
      const found = await find(path, query.version)
      return versionReply(store, found, readCondition(headers), found.type)
    },

    async putAttachment({ path, body, headers }) {
      const type = (headers['content-type'] as string | undefined) ?? 'application/octet-stream'
      if (type.length > longestType || !contentType.test(type)) throw failure('bad-content-type', { type })
      const { added, etag } = await store.write(keyOf(path), { type, content: body.chunks }, readCondition(headers))
      return { status: added ? 201 : 204, headers: { etag } }
    },

    async deleteAttachment({ path, query, headers }) {
      const removed = await store.remove(keyOf(path), query.purge ?? false, readCondition(headers))
      if (!removed) throw notFound(path)
      return { status: 204 }
    },

    async listAttachmentVersions({ path }) {
      const entries = await store.versions(keyOf(path))
      if (entries.length === 0) throw notFound(path)
      return { status: 200, body: versionList(entries) }
    },
  }
}

function keyOf({ model, attachment }: Path): AssetKey {
  return { kind: 'attachment', owner: model, name: attachment }
}

function notFound({ model, attachment }: Path, version?: number) {
  return failure('attachment-not-found', { model, name: attachment, detail: detailOf(version) })
}
