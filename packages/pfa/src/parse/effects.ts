// What is done for its effect: doc, error, try, log.
import type { DocumentValue } from '../forms/document.ts'
import { syntaxProblem } from '../problems.ts'
import { readBlock, readBody } from './expressions.ts'
import type { Form } from './form.ts'
import { readEach, readInt, readString } from './reader.ts'

function readFilter(json: DocumentValue, at: string): readonly (string | number)[] {
  return readEach(json, at, (item, place) => {
    if (typeof item === 'string') return item
    if (typeof item === 'number' || typeof item === 'object') return readInt(item, place)
    throw syntaxProblem(place, 'a filter holds error messages (strings) and error codes (integers)')
  })
}

function readCode(json: DocumentValue, at: string): number {
  const code = readInt(json, at)
  if (code >= 0) throw syntaxProblem(at, `the code of a user error must be negative, not ${code}`)
  return code
}

export const effectForms: readonly Form[] = [
  { required: ['doc'], read: (f) => ({ form: 'doc', at: f.at, text: f.get('doc', readString) }) },
  {
    required: ['error'],
    optional: ['code'],
    read: (f) => ({
      form: 'error',
      at: f.at,
      message: f.get('error', readString),
      ...f.optional('code', 'code', readCode),
    }),
  },
  {
    required: ['try'],
    optional: ['filter'],
    read: (f) => ({
      form: 'try',
      at: f.at,
      body: f.get('try', readBody),
      ...f.optional('filter', 'filter', readFilter),
    }),
  },
  {
    required: ['log'],
    optional: ['namespace'],
    read: (f) => ({
      form: 'log',
      at: f.at,
      values: f.get('log', readBlock),
      ...f.optional('namespace', 'namespace', readString),
    }),
  },
]
