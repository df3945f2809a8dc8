// Literals: {"int": 3}, {"string": "x"}, ["x"], {"base64": ...}, {"type": T, "value": data} and {"type": T, "new": expressions}.
import type { DocumentValue } from '../forms/document.ts'
import { syntaxProblem } from '../problems.ts'
import type { Expression } from './ast.ts'
import { readData, readEntries, readExpressions, readType } from './expressions.ts'
import type { Form } from './form.ts'
import { describeJson, isList, isObject, readDouble, readInt, readLong, readString } from './reader.ts'

export const literalForms: readonly Form[] = [
  { required: ['int'], read: (f) => ({ form: 'literal', at: f.at, type: 'int', value: f.get('int', readInt) }) },
  { required: ['long'], read: (f) => ({ form: 'literal', at: f.at, type: 'long', value: f.get('long', readLong) }) },
  {
    required: ['float'],
    read: (f) => ({ form: 'literal', at: f.at, type: 'float', value: Math.fround(f.get('float', readDouble)) }),
  },
  {
    required: ['double'],
    read: (f) => ({ form: 'literal', at: f.at, type: 'double', value: f.get('double', readDouble) }),
  },
  {
    required: ['string'],
    read: (f) => ({ form: 'literal', at: f.at, type: 'string', value: f.get('string', readString) }),
  },
  {
    required: ['base64'],
    read: (f) => ({ form: 'literal', at: f.at, type: 'bytes', value: f.get('base64', readBase64) }),
  },
  {
    required: ['type', 'value'],
    read: (f) => ({ form: 'value', at: f.at, type: f.get('type', readType), value: f.get('value', readData) }),
  },
  {
    required: ['type', 'new'],
    read: (f) => {
      const type = f.get('type', readType)
      return f.get('new', (json, at) => {
        if (isObject(json)) return { form: 'new-object', at: f.at, type, entries: readEntries(json, at) }
        if (isList(json)) return { form: 'new-array', at: f.at, type, items: readExpressions(json, at) }
        throw syntaxProblem(at, `"new" takes an object (for a map or record) or an array, found ${describeJson(json)}`)
      })
    },
  },
]

/** `["text"]` is a string; no other array is an expression. */
export function readStringLiteral(json: readonly DocumentValue[], at: string): Expression {
  const [only] = json
  if (json.length !== 1 || typeof only !== 'string') {
    throw syntaxProblem(at, 'an array with one string is a string literal; no other array is an expression')
  }
  return { form: 'literal', at, type: 'string', value: only }
}

function readBase64(json: DocumentValue, at: string): Uint8Array {
  const text = readString(json, at)
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    throw syntaxProblem(at, `${JSON.stringify(text)} is not base64`)
  }
}
