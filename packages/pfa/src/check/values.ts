// Data written in a document: JSON of a known type comes in, the value goes out.
import { AvroError, type AvroType, compileConvert, explain } from '@pitot/avro'
import type { DocumentValue } from '../forms/document.ts'
import { semanticProblem } from '../problems.ts'
import { plainJson } from './schemas.ts'

type Convert = (value: unknown) => unknown
const converters = new WeakMap<AvroType, Convert>()

export function readValue(type: AvroType, json: DocumentValue, at: string): unknown {
  const convert = converters.get(type) ?? compileConvert(type, { extra: 'ignore' })
  converters.set(type, convert)
  try {
    return convert(plainJson(json))
  } catch (error) {
    if (error instanceof AvroError) throw semanticProblem(at + error.pointer, explain({ ...error, pointer: '' }))
    throw error
  }
}
