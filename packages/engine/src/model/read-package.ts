// A model as it is sent: headers and bytes of a request come in, the model with its attachments on the disk goes out.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, modelLanguage, PitotError } from '@pitot/api'
import { decodeText, parseJson } from '@pitot/service'
import type { Registry } from '../registry.ts'
import { AttachmentFolder } from './attachment-folder.ts'
import { type ExternalAttachment, readExternal } from './external-body.ts'
import { type HeaderValue, readHeaderValue } from './header.ts'
import { sourceFile } from './languages.ts'
import { type PackageLimits, packageLimits } from './limits.ts'
import { readMultipart } from './multipart.ts'
import type { ModelPackage } from './package.ts'
import { PartHead } from './part-head.ts'

export interface PackageRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly chunks: AsyncIterable<Uint8Array>
}

export interface PackageContext {
  /** Attachments are kept in a folder of their own in here. */
  readonly folder: string
  readonly registry: Registry
  readonly limits?: PackageLimits
}

interface ModelPart {
  readonly name: string
  readonly contentType: string
  readonly language: string
  readonly source: Uint8Array
}

const unnamed = '(unnamed)'
const longestInnerHeaders = 16 * 1024
const plainEncodings: ReadonlySet<string> = new Set(['binary', '8bit', '7bit', ''])

/** A model that is in memory already. */
export interface GivenModel {
  readonly contentType: string
  readonly source: Uint8Array
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly data: Uint8Array }[]
}

/** What the model does is not looked at. Rejects with the catalogue's errors; nothing is then left on the disk. */
export function readModelPackage(request: PackageRequest, context: PackageContext): Promise<ModelPackage> {
  const contentType = headerOf(request, 'content-type') ?? ''
  const type = readHeaderValue(contentType)
  return packageFrom(context, (reader) =>
    type.word.startsWith('multipart/')
      ? reader.parts(type, request.chunks)
      : reader.alone(contentType, headerOf(request, 'content-disposition'), request.chunks),
  )
}

/** The same of a model that came as a part of something else. */
export function keepModelPackage(given: GivenModel, context: PackageContext): Promise<ModelPackage> {
  return packageFrom(context, async (reader) => {
    for (const { name, type, data } of given.attachments) await reader.attachments.keep(name, type, whole(data))
    return reader.alone(given.contentType, undefined, whole(given.source))
  })
}

async function packageFrom(
  context: PackageContext,
  read: (reader: PackageReader) => Promise<ModelPart>,
): Promise<ModelPackage> {
  const limits = context.limits ?? packageLimits
  const folder = await mkdtemp(join(context.folder, 'model-'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  const reader = new PackageReader(new AttachmentFolder(folder, limits.attachments), context.registry, limits.source)
  try {
    const model = await read(reader)
    return { ...model, attachments: reader.attachments.kept, schemas: reader.schemas, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

function headerOf({ headers }: PackageRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

class PackageReader {
  readonly attachments: AttachmentFolder
  readonly schemas = new Map<string, unknown>()
  readonly #registry: Registry
  readonly #longestSource: number
  readonly #external: ExternalAttachment[] = []
  #model: ModelPart | undefined

  constructor(attachments: AttachmentFolder, registry: Registry, longestSource: number) {
    this.attachments = attachments
    this.#registry = registry
    this.#longestSource = longestSource
  }

  /** Shape a: the body is the source. */
  alone(contentType: string, disposition: string | undefined, chunks: AsyncIterable<Uint8Array>): Promise<ModelPart> {
    const { parameters } = readHeaderValue(disposition ?? '')
    return this.#readModel(contentType, parameters.get('name') ?? parameters.get('filename'), chunks)
  }

  /** Shapes b and c: parts in any order, one of them the model. */
  async parts(type: HeaderValue, chunks: AsyncIterable<Uint8Array>): Promise<ModelPart> {
    const boundary = type.parameters.get('boundary') ?? ''
    if (boundary === '') throw failure('bad-multipart', { reason: 'the Content-Type has no boundary parameter' })
    for await (const part of readMultipart(chunks, boundary)) await this.#readPart(new PartHead(part))
    const model = this.#model
    if (model === undefined) {
      throw failure('bad-multipart', {
        reason: 'no part of it is the model; mark one with Content-Disposition: x-model; name="NAME"',
      })
    }
    for (const external of this.#external) await this.#fetch(external.model ?? model.name, external.name)
    return model
  }

  #readPart(part: PartHead): Promise<void> {
    const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
    if (!plainEncodings.has(encoding)) {
      throw part.refused(`Content-Transfer-Encoding '${encoding}' is not supported; send the bytes as they are`)
    }
    switch (part.role()) {
      case 'model':
        return this.#readModelPart(part)
      case 'schema':
        return this.#readSchema(part)
      case 'attachment':
        return part.type.word === 'message/external-body' ? this.#refer(part) : this.#keep(part)
    }
  }

  async #readModelPart(part: PartHead): Promise<void> {
    if (this.#model !== undefined) throw part.refused('it is a second model; there must be exactly one')
    this.#model = await this.#readModel(part.contentType, part.name, part.body)
  }

  async #readModel(
    contentType: string,
    name: string | undefined,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<ModelPart> {
    const language = modelLanguage(contentType)
    // Asked for early: a language that does not run is not worth reading.
    sourceFile(language)
    const bytes = await readAll(chunks, this.#longestSource, 'the source of the model')
    if (bytes.length === 0) throw failure('body-missing', { what: 'the source of the model' })
    const text = decodeText(bytes, 'the model')
    const inner = language === 'pfa-json' ? innerDocument(text) : undefined
    const source = inner === undefined ? bytes : Buffer.from(inner)
    return { name: modelName(name), contentType, language, source }
  }

  async #readSchema(part: PartHead): Promise<void> {
    const { name } = part
    if (name === undefined) throw part.refused('it has no name; write Content-Disposition: x-schema; name="NAME"')
    if (this.schemas.has(name)) throw part.refused(`schema '${name}' is there twice`)
    const what = `schema '${name}'`
    const text = decodeText(await readAll(part.body, this.#longestSource, what), what)
    this.schemas.set(name, parseJson(text, what))
  }

  async #keep(part: PartHead): Promise<void> {
    await this.attachments.keep(part.name, part.type.word, part.body)
  }

  /** Fetched when everything else is here: the sender is not kept waiting, and the model's name is known. */
  async #refer(part: PartHead): Promise<void> {
    const inner = decodeText(await readAll(part.body, longestInnerHeaders, part.title), part.title)
    const external = readExternal(part.type, inner, part.number)
    if (typeof external === 'string') throw part.refused(external)
    this.#external.push(external)
  }

  async #fetch(model: string, name: string): Promise<void> {
    const refused = (error: unknown) => notFetched(model, name, error)
    const { type, chunks } = await this.#registry.attachment(model, name).catch((error: unknown) => {
      throw refused(error)
    })
    await this.attachments.keep(name, readHeaderValue(type).word, mapErrors(chunks, refused))
  }
}

/** When Model Manage itself cannot be asked, the registry has said so already. */
function notFetched(model: string, name: string, error: unknown): PitotError {
  if (error instanceof PitotError) return error
  return failure('attachment-not-fetched', {
    model,
    name,
    reason: error instanceof Error ? error.message : String(error),
  })
}

/** Some clients write `(source)` for a model that has no name. */
function modelName(given: string | undefined): string {
  const name = given?.trim() ?? ''
  return name === '' || name === '(source)' ? unnamed : name
}

/** Some clients send the document as a JSON text inside a JSON string. */
function innerDocument(text: string): string | undefined {
  if (!text.trimStart().startsWith('"')) return undefined
  const value = parseJson(text, 'the model')
  return typeof value === 'string' ? value : undefined
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Rejects with `model-too-large` for more than the limit. */
export async function readAll(chunks: AsyncIterable<Uint8Array>, limit: number, what: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw failure('model-too-large', { what, limit })
    kept.push(chunk)
  }
  return Buffer.concat(kept, size)
}

async function* mapErrors(
  chunks: AsyncIterable<Uint8Array>,
  change: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw change(error)
  }
}
