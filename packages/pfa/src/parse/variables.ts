// Symbols: "x", the shorthand "x.field.0", {"let": ...} and {"set": ...}.
import { syntaxProblem } from '../problems.ts'
import type { Expression } from './ast.ts'
import { readBindings } from './expressions.ts'
import type { Form } from './form.ts'
import { isSymbolName } from './reader.ts'

export const variableForms: readonly Form[] = [
  { required: ['let'], read: (f) => ({ form: 'let', at: f.at, bindings: f.get('let', readBindings) }) },
  { required: ['set'], read: (f) => ({ form: 'set', at: f.at, bindings: f.get('set', readBindings) }) },
]

/** A bare string is a symbol; dots make it the short form of `attr`, where whole numbers are array indexes. */
export function readReference(text: string, at: string): Expression {
  const [name = '', ...path] = text.split('.')
  if (!isSymbolName(name)) {
    throw syntaxProblem(
      at,
      `${JSON.stringify(text)} is not a valid symbol name (a string literal is written {"string": ${JSON.stringify(text)}})`,
    )
  }
  const reference: Expression = { form: 'ref', at, name }
  if (path.length === 0) return reference
  return {
    form: 'attr',
    at,
    target: reference,
    path: path.map((word) =>
      /^-?\d+$/.test(word)
        ? { form: 'literal', at, type: 'int', value: Number(word) }
        : { form: 'literal', at, type: 'string', value: word },
    ),
  }
}
