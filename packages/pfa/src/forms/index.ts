// The written forms of a document: text and the name of its form come in, a document goes out, and back again.
import { PfaError } from '../errors.ts'
import { printJson } from '../print/json.ts'
import { printPretty } from '../print/pretty/document.ts'
import { printYaml } from '../print/yaml.ts'
import type { Document, DocumentValue } from './document.ts'
import { parseJson } from './json.ts'
import { type PrettyOptions, parsePretty } from './pretty/sections.ts'
import { parseYaml } from './yaml.ts'

export type Format = 'json' | 'yaml' | 'pretty'

/** `replacements` are for PrettyPFA: what stands for `<<name>>`. */
export type ParseOptions = PrettyOptions

interface Form {
  readonly parse: (text: string, options: ParseOptions) => Document
  readonly print: (value: DocumentValue) => string
}

const forms: Readonly<Record<Format, Form>> = {
  json: { parse: (text) => parseJson(text), print: printJson },
  yaml: { parse: (text) => parseYaml(text), print: printYaml },
  pretty: { parse: parsePretty, print: printPretty },
}

export const formats = Object.keys(forms) as readonly Format[]

export function parse(text: string, format: Format, options: ParseOptions = {}): Document {
  return formOf(format).parse(text, options)
}

/** The text means exactly the same document when it is parsed again: numbers keep their types, keys their order. */
export function print(document: Document | DocumentValue, format: Format): string {
  return formOf(format).print(isDocument(document) ? document.root : document)
}

function formOf(format: Format): Form {
  if (!Object.hasOwn(forms, format)) {
    throw new PfaError('syntax', `No form is called ${JSON.stringify(format)}: expected one of ${formats.join(', ')}.`)
  }
  return forms[format]
}

function isDocument(value: Document | DocumentValue): value is Document {
  return typeof value === 'object' && value !== null && 'place' in value && typeof value.place === 'function'
}
