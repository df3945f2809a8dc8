// The operations of models: they translate between HTTP and the store, and decide nothing.
import { failure, type Handlers, modelLanguage, type modelManageOperations, type PfaForm, pfaForm } from '@pitot/api'
import { convertPfa, readModelSource } from '../model-source.ts'
import type { AssetKey, AssetStore, AssetVersion } from '../store/asset-store.ts'
import { isKnown, readCondition } from '../store/conditions.ts'
import { detailOf, isFound, versionHeaders, versionList, versionReply } from './versions.ts'

type ModelHandlers = Pick<
  Handlers<typeof modelManageOperations>,
  'listModels' | 'getModel' | 'putModel' | 'deleteModel' | 'listModelVersions'
>

export function modelHandlers(store: AssetStore): ModelHandlers {
  return {
    async listModels({ query }) {
      // `i` is what `return` was called first.
      const fields = query.return ?? query.i
      if (fields === undefined) return { status: 200, body: [...(await store.names('model'))] }
      const models = await store.models()
      const attachments = fields.includes('attachments') ? await store.attachments() : undefined
      const body = models.map(({ name, type, metadata }) => ({
        name,
        ...(fields.includes('type') && { type: modelLanguage(type) }),
        ...(fields.includes('metadata') && { metadata: { ...metadata } }),
        ...(attachments && { attachments: [...(attachments.get(name) ?? [])] }),
      }))
      return { status: 200, body }
    },

    async getModel({ path, query, headers }) {
      const key = keyOf(path.model)
      const found = query.version === undefined ? await store.current(key) : await store.version(key, query.version)
      if (!isFound(found)) throw failure('model-not-found', { name: path.model, detail: detailOf(query.version) })
      if (query.metadata_only === true) return metadataReply(store, found)
      const condition = readCondition(headers)
      const choice = chooseForm(found.type, headers.accept as string | undefined)
      if (choice === undefined) return versionReply(store, found, condition, found.type)
      // Each form of a version has its own tag, because its bytes are others.
      const etag = versionHeaders(found).etag.replace(/"$/, `-${choice.form}"`)
      const replyHeaders = { ...versionHeaders(found), etag, vary: 'accept' }
      if (isKnown(condition, etag)) return { status: 304, headers: replyHeaders }
      const bytes = convertPfa(await wholeContent(store, found), choice.from, choice.form)
      return { status: 200, body: bytes, type: choice.type, headers: replyHeaders }
    },

    async putModel({ path, body, headers }) {
      const type = (headers['content-type'] as string | undefined) ?? ''
      const { bytes, metadata } = readModelSource(type, body)
      const { added, etag } = await store.write(
        keyOf(path.model),
        { type, content: bytes, metadata },
        readCondition(headers),
      )
      return { status: added ? 201 : 204, headers: { etag } }
    },

    async deleteModel({ path, query, headers }) {
      const removed = await store.remove(keyOf(path.model), query.purge ?? false, readCondition(headers))
      if (!removed) throw failure('model-not-found', { name: path.model, detail: '' })
      return { status: 204 }
    },

    async listModelVersions({ path }) {
      const entries = await store.versions(keyOf(path.model))
      if (entries.length === 0) throw failure('model-not-found', { name: path.model, detail: '' })
      return { status: 200, body: versionList(entries) }
    },
  }
}

function keyOf(name: string): AssetKey {
  return { kind: 'model', owner: '', name }
}

async function metadataReply(store: AssetStore, found: AssetVersion) {
  const { metadata } = readModelSource(found.type, await wholeContent(store, found))
  return { status: 200, body: Buffer.from(JSON.stringify(metadata)), type: 'application/json' } as const
}

async function wholeContent(store: AssetStore, found: AssetVersion): Promise<Uint8Array> {
  return found.body ?? Buffer.concat(await Array.fromAsync(store.open(found.sha256)))
}

interface FormChoice {
  readonly from: PfaForm
  readonly form: PfaForm
  /** As the caller wrote it. */
  readonly type: string
}

/** Which other form of a PFA document the Accept header asks for; undefined when the stored one will do. */
function chooseForm(stored: string, accept: string | undefined): FormChoice | undefined {
  if (accept === undefined || accept.trim() === '') return undefined
  const from = pfaForm(modelLanguage(stored))
  for (const type of inOrderOfWish(accept)) {
    if (type === '*/*' || type === 'application/*' || type === stored.toLowerCase()) return undefined
    const form = from && formOf(type)
    if (from && form) return form === from ? undefined : { from, form, type }
  }
  throw failure('not-acceptable', { offered: from ? `${stored} or another PFA form` : stored, accept })
}

function formOf(type: string): PfaForm | undefined {
  try {
    return pfaForm(modelLanguage(type))
  } catch {
    return undefined
  }
}

function inOrderOfWish(accept: string): string[] {
  return accept
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ type }) => type)
}
