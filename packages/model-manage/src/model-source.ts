// A model as it arrives and as it is given out: bytes and content type come in; checked source, metadata, other forms go out.
import { failure, modelLanguage, type PfaForm, pfaForm } from '@pitot/api'
import { type Document, type DocumentValue, NumberLexeme, PfaError, parse, print } from '@pitot/pfa'
import { decodeText } from '@pitot/service'
import { readAnnotations } from './annotations.ts'

export interface ModelSource {
  readonly language: string
  readonly bytes: Uint8Array
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Checks that a source can be read in its language's form; what a model means is checked where it is run. */
export function readModelSource(type: string, given: Uint8Array): ModelSource {
  const language = modelLanguage(type)
  const text = decodeText(given, 'the model')
  const form = pfaForm(language)
  if (form === undefined) return { language, bytes: given, metadata: readAnnotations(text) }
  const document = parseForm(text, form)
  // Some clients send the document as a JSON text inside a JSON string.
  if (form === 'json' && typeof document.root === 'string') {
    return { language, bytes: Buffer.from(document.root), metadata: metadataOf(parseForm(document.root, form)) }
  }
  return { language, bytes: given, metadata: metadataOf(document) }
}

function parseForm(text: string, form: PfaForm): Document {
  try {
    return parse(text, form)
  } catch (error) {
    if (!(error instanceof PfaError)) throw error
    throw failure('bad-model', { reason: error.message })
  }
}

/** The same PFA document in another of its forms. */
export function convertPfa(bytes: Uint8Array, from: PfaForm, to: PfaForm): Uint8Array {
  if (from === to) return bytes
  const wanted = `PFA ${to}`
  try {
    return Buffer.from(print(parse(decodeText(bytes, 'the model'), from), to))
  } catch (error) {
    if (!(error instanceof PfaError)) throw error
    throw failure('cannot-convert', { wanted, reason: error.message })
  }
}

function metadataOf({ root }: Document): Record<string, unknown> {
  if (!isObject(root) || !Object.hasOwn(root, 'metadata')) return {}
  const metadata = plain(root.metadata!)
  return isObject(metadata as DocumentValue) ? (metadata as Record<string, unknown>) : {}
}

function isObject(value: DocumentValue): value is Readonly<Record<string, DocumentValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLexeme)
}

/** The plain JSON value; for showing, so numbers may lose what a double cannot hold. */
function plain(value: DocumentValue): unknown {
  if (value instanceof NumberLexeme) return Number(value.text)
  if (Array.isArray(value)) return value.map(plain)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
  return value
}
