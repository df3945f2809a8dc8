// Attachments that stay in Model Manage: the headers of a `message/external-body` part come in, whose attachment it is goes out.
import { type HeaderValue, readHeaderValue } from './header.ts'
import { headersOf } from './multipart.ts'

export interface ExternalAttachment {
  /** Undefined: the model that is sent. */
  readonly model: string | undefined
  readonly name: string
}

/**
 * `ref="urn:<vendor>:attachment:MODEL:NAME"`, or `model="MODEL"; name="NAME"` as it was written before, or without the model
 * as before that. The first colon after the model ends its name, unless the part's own headers say what the attachment is
 * called. A string says what is wrong.
 */
export function readExternal(type: HeaderValue, inner: string, number: number): ExternalAttachment | string {
  const access = type.parameters.get('access-type')
  if (access !== undefined && access.toLowerCase() !== 'x-model-manage') {
    return `access-type is '${access}', but must be x-model-manage`
  }
  const name = type.parameters.get('name')
  if (name !== undefined) return { model: type.parameters.get('model'), name }
  const reference = type.parameters.get('ref')
  if (reference === undefined)
    return 'it says neither ref="urn:pitot:attachment:MODEL:NAME" nor model="MODEL"; name="NAME"'
  const rest = /^urn:[^:]+:attachment:(.+)$/is.exec(reference)?.[1]
  const colon = rest === undefined ? -1 : splitAt(rest, innerName(inner, number))
  if (rest === undefined || colon < 1 || colon === rest.length - 1) {
    return `ref is '${reference}', but must be urn:pitot:attachment:MODEL:NAME`
  }
  return { model: rest.slice(0, colon), name: rest.slice(colon + 1) }
}

function splitAt(rest: string, name: string | undefined): number {
  if (name !== undefined && rest.endsWith(`:${name}`)) return rest.length - name.length - 1
  return rest.indexOf(':')
}

/** The body of such a part is a second set of headers. */
function innerName(inner: string, number: number): string | undefined {
  const lines = inner.split(/\r?\n/).filter((line) => line.trim() !== '')
  const disposition = headersOf(lines, number).get('content-disposition')
  return disposition === undefined ? undefined : readHeaderValue(disposition).parameters.get('filename')
}
