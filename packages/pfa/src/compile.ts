// From a document to a program: `generate(check(parse(document)))`.
import { canEvaluate } from '@pitot/avro'
import { checkDocument } from './check/document.ts'
import { PfaError } from './errors.ts'
import type { Document, DocumentValue } from './forms/document.ts'
import { type Format, parse } from './forms/index.ts'
import { generateProgram } from './generate/program.ts'
import { interpretProgram } from './interpret/program.ts'
import { parseDocument } from './parse/document.ts'
import { Program } from './program.ts'

export interface CompileOptions {
  /** The form of a document given as text; JSON when it is not said. */
  readonly format?: Format
  /** False: no generated code, for pages whose content policy forbids it. Slower. */
  readonly generate?: boolean
}

/** Compiles a document given as text, as a JSON value, or as what `parse` gives. Throws a `PfaError`. */
export function compile(document: string | object, options: CompileOptions = {}): Program {
  const source = typeof document === 'string' ? parse(document, options.format ?? 'json') : asDocument(document)
  try {
    const checked = checkDocument(parseDocument(source))
    const generate = options.generate ?? canEvaluate()
    return new Program(checked, generate ? generateProgram(checked) : interpretProgram(checked))
  } catch (error) {
    throw withPlace(error, source)
  }
}

const isDocument = (document: object): document is Document =>
  'root' in document && typeof Reflect.get(document, 'place') === 'function'

function asDocument(document: object): Document {
  return isDocument(document) ? document : { root: document as DocumentValue, place: () => undefined }
}

/** An error that knows its pointer gets the line and column of the text too. */
function withPlace(error: unknown, document: Document): unknown {
  if (error instanceof RangeError) return new PfaError('syntax', 'the document is nested too deeply')
  const pointer = error instanceof PfaError ? error.at?.pointer : undefined
  if (!(error instanceof PfaError) || pointer === undefined) return error
  const place = document.place(pointer)
  if (place === undefined || error.at?.line !== undefined) return error
  const at = { ...place, pointer }
  return new PfaError(error.kind, error.message, error.code === undefined ? { at } : { code: error.code, at })
}
