// All Avro schemas of one document, resolved together: a name may be used before, or far from, its definition.
import { AvroError, type AvroType, explain, NameTable, parseSchema } from '@pitot/avro'
import { type DocumentValue, NumberLexeme } from '../forms/document.ts'
import type { Syntax, TypeText } from '../parse/ast.ts'
import { isList, isObject } from '../parse/reader.ts'
import { semanticProblem } from '../problems.ts'

export class Schemas {
  private readonly types = new Map<TypeText, AvroType>()

  constructor(syntax: unknown) {
    const names = new NameTable({ usedBeforeDefined: true, definedAgain: true })
    try {
      for (const text of collectTypes(syntax)) {
        this.types.set(text, parseSchema(plainJson(text.schema), { names, pointer: text.at }))
      }
      names.finish()
    } catch (error) {
      if (error instanceof AvroError) throw semanticProblem(error.pointer, explain({ ...error, pointer: '' }))
      throw error
    }
  }

  resolve(text: TypeText): AvroType {
    const type = this.types.get(text)
    if (type === undefined) throw new Error(`the type at ${text.at} has not been collected`)
    return type
  }
}

/** Every type that stands anywhere in the tree, without descending into data. */
function* collectTypes(node: unknown): Generator<TypeText> {
  if (typeof node !== 'object' || node === null || ArrayBuffer.isView(node)) return
  if (Object.hasOwn(node, 'schema')) yield node as TypeText
  else if (!Object.hasOwn(node, 'json')) {
    for (const [key, member] of Object.entries(node)) {
      if (key !== 'options' && key !== 'metadata') yield* collectTypes(member)
    }
  }
}

/** The JSON as other packages know it: without locator marks, numbers as numbers (longs beyond 2^53 as bigint). */
export function plainJson(json: DocumentValue): unknown {
  if (json instanceof NumberLexeme) {
    const number = Number(json.text)
    return /^-?\d+$/.test(json.text) && !Number.isSafeInteger(number) ? BigInt(json.text) : number
  }
  if (isList(json)) return json.map(plainJson)
  if (!isObject(json)) return json
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(json)) {
    if (key === '@') continue
    const value = plainJson(json[key] as DocumentValue)
    // Plain assignment to `__proto__` would set the prototype.
    if (key !== '__proto__') copy[key] = value
    else Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true })
  }
  return copy
}

export const schemasOf = (syntax: Syntax): Schemas => new Schemas(syntax)
