// What the headers of a part say of it: a part of a multipart body comes in, its role and its name go out.
import { failure, modelLanguage } from '@pitot/api'
import { type HeaderValue, readHeaderValue } from './header.ts'
import type { Part } from './multipart.ts'

type Role = 'model' | 'schema' | 'attachment'

/** The first word of Content-Disposition, or the form's name for a field. */
const roles: ReadonlyMap<string, Role> = new Map([
  ['x-model', 'model'],
  ['model', 'model'],
  ['x-schema', 'schema'],
  ['schema', 'schema'],
  ['attachment', 'attachment'],
  ['attachments', 'attachment'],
])

/** For parts whose disposition tells nothing. */
const typeRoles: readonly (readonly [type: RegExp, role: Role])[] = [
  [/^application\/vnd\.[^.]+\.schema-/, 'schema'],
  [/^application\/(?:x-)?(?:zip|zip-compressed|gzip|gtar|tgz|tar|compressed-tar|gzip-compressed)$/, 'attachment'],
  [/^message\/external-body$/, 'attachment'],
]

/** What the headers of a part say. */
export class PartHead {
  readonly number: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: AsyncIterable<Uint8Array>
  readonly contentType: string
  readonly type: HeaderValue
  readonly #disposition: HeaderValue

  constructor(part: Part) {
    this.number = part.number
    this.headers = part.headers
    this.body = part.body
    this.contentType = part.headers.get('content-type') ?? ''
    this.type = readHeaderValue(this.contentType)
    this.#disposition = readHeaderValue(part.headers.get('content-disposition') ?? '')
  }

  role(): Role {
    const { word, parameters } = this.#disposition
    const role = roles.get(word === 'form-data' ? (parameters.get('name') ?? '').toLowerCase() : word)
    if (role !== undefined) return role
    const byType = typeRoles.find(([type]) => type.test(this.type.word))?.[1]
    if (byType !== undefined) return byType
    if (isModelType(this.contentType)) return 'model'
    throw this.refused(
      'nothing tells what it is; mark it with Content-Disposition: x-model, x-schema or attachment, or with a content type',
    )
  }

  /** What it holds is called so; in a form `name` names the field, and the file name says what it is. */
  get name(): string | undefined {
    const { word, parameters } = this.#disposition
    const given = (word === 'form-data' ? undefined : parameters.get('name')) ?? parameters.get('filename')
    return given === '' ? undefined : given
  }

  get title(): string {
    return this.name === undefined ? `part ${this.number}` : `part ${this.number} ('${this.name}')`
  }

  refused(reason: string) {
    return failure('bad-model-part', { part: this.title, reason })
  }
}

function isModelType(contentType: string): boolean {
  try {
    modelLanguage(contentType)
    return true
  } catch {
    return false
  }
}
