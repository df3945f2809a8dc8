// What a trial is asked for with: the JSON of a request comes in, the model on the disk and its streams go out.
import { didYouMean, failure, modelContentType } from '@pitot/api'
import { decodeText, parseJson } from '@pitot/service'
import type { ModelPackage } from '../model/package.ts'
import { type GivenModel, keepModelPackage, type PackageContext, readAll } from '../model/read-package.ts'
import type { Registry } from '../registry.ts'

export interface TrialStream {
  /** Of a stored stream. */
  readonly name: string | undefined
  readonly descriptor: unknown
}

export interface TrialRequest {
  readonly model: ModelPackage
  readonly input: TrialStream
  /** Without it, what the model gives is only shown. */
  readonly output: TrialStream | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** All of it is held in memory: JSON cannot be read in pieces. */
const longestBody = 32 * 2 ** 20
const knownFields = ['input', 'output', 'type', 'model', 'attachments']
const archiveTypes = new Map([
  ['zip', 'application/zip'],
  ['tgz', 'application/gzip'],
])

/** Rejects with the catalogue's errors; nothing is then left on the disk. Whoever takes the model disposes of it. */
export async function readTrialRequest(
  chunks: AsyncIterable<Uint8Array>,
  packages: PackageContext,
): Promise<TrialRequest> {
  const fields = fieldsOf(await readAll(chunks, longestBody, 'the request'))
  const model = modelOf(fields)
  const input = await streamOf('input', fields.input, packages.registry)
  if (input === undefined) throw missing('input', 'a stream descriptor, or the name of a stored one')
  const output = await streamOf('output', fields.output, packages.registry)
  return { model: await keepModelPackage(model, packages), input, output }
}

function fieldsOf(body: Uint8Array): Fields {
  if (body.length === 0) throw failure('body-missing', { what: `an object with ${knownFields.join(', ')}` })
  const what = 'the request'
  const given = parseJson(decodeText(body, what), what)
  if (!isObject(given)) throw refused(`the request is ${kindOf(given)}, but must be an object`)
  const unknown = Object.keys(given).find((name) => !knownFields.includes(name))
  if (unknown === undefined) return given
  throw refused(
    `there is no field '${unknown}' here${didYouMean(unknown, knownFields)}; known: ${knownFields.join(', ')}`,
  )
}

function modelOf(fields: Fields): GivenModel {
  return {
    contentType: modelContentType(textOf('type', fields.type, 'the content type of the model, or its language')),
    source: Buffer.from(textOf('model', fields.model, 'the source of the model')),
    attachments: attachmentsOf(fields.attachments ?? []),
  }
}

function attachmentsOf(given: unknown): GivenModel['attachments'] {
  if (!Array.isArray(given)) throw refused(`/attachments is ${kindOf(given)}, but must be a list`)
  return given.map((attachment: unknown, index) => {
    const place = `attachments/${index}`
    if (!isObject(attachment)) throw refused(`/${place} is ${kindOf(attachment)}, but must be an object`)
    const name = textOf(`${place}/name`, attachment.name, 'the name of the attachment')
    const word = textOf(`${place}/type`, attachment.type, "'zip' or 'tgz'")
    const type = archiveTypes.get(word)
    if (type === undefined) throw refused(`/${place}/type is '${word}', but must be 'zip' or 'tgz'`)
    const data = textOf(`${place}/data`, attachment.data, 'the archive in base64')
    return { name, type, data: bytesOf(name, data) }
  })
}

function bytesOf(attachment: string, base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64)
  } catch {
    throw failure('bad-attachment', { attachment, reason: 'its data is not base64' })
  }
}

/** A descriptor, the JSON text of one as some clients send it, or the name of one that Model Manage has. */
async function streamOf(field: string, given: unknown, registry: Registry): Promise<TrialStream | undefined> {
  if (given === undefined || given === null || given === '') return undefined
  if (isObject(given)) return { name: undefined, descriptor: given }
  if (typeof given !== 'string') {
    throw refused(`/${field} is ${kindOf(given)}, but must be a stream descriptor, or the name of a stored one`)
  }
  if (given.trimStart().startsWith('{')) return { name: undefined, descriptor: parseJson(given, `the ${field} stream`) }
  const descriptor = await registry.stream(given)
  if (descriptor === undefined) {
    throw failure('stream-failed', { reason: `Model Manage has no stream '${given}', which /${field} names` })
  }
  return { name: given, descriptor }
}

function textOf(place: string, value: unknown, what: string): string {
  if (value === undefined) throw missing(place, what)
  if (typeof value !== 'string') throw refused(`/${place} is ${kindOf(value)}, but must be a text: ${what}`)
  return value
}

function missing(place: string, what: string) {
  return refused(`/${place} is missing; it must be ${what}`)
}

function refused(reason: string) {
  return failure('bad-trial', { reason })
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
