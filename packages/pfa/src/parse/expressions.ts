// Any expression: a JSON value and its pointer come in, a tree node goes out. The special forms are tables in the files beside.
import type { DocumentValue } from '../forms/document.ts'
import { nearest, semanticProblem, step, syntaxProblem } from '../problems.ts'
import { accessForms } from './access.ts'
import type { Argument, Binding, DataText, Expression, TypeText } from './ast.ts'
import { castForms } from './casts.ts'
import { controlForms } from './control.ts'
import { effectForms } from './effects.ts'
import { Fields, type Form } from './form.ts'
import { functionForms, readCall } from './functions.ts'
import { literalForms, readStringLiteral } from './literals.ts'
import { describeJson, isList, isNumber, isSymbolName, readEach, readList, readMembers, readNumber } from './reader.ts'
import { readReference, variableForms } from './variables.ts'

const forms: readonly Form[] = [
  ...literalForms,
  ...variableForms,
  ...accessForms,
  ...controlForms,
  ...castForms,
  ...effectForms,
  ...functionForms,
]

const formsByFields = new Map<string, Form>()
for (const form of forms) {
  const optional = form.optional ?? []
  for (let chosen = 0; chosen < 1 << optional.length; chosen++) {
    const fields = [...form.required, ...optional.filter((_, index) => (chosen >> index) & 1)]
    formsByFields.set(fields.sort().join(' '), form)
  }
}
const reservedWords = new Set(forms.flatMap((form) => [...form.required, ...(form.optional ?? [])]))

/** An expression or a function: what may stand as an argument of a call, or after `to`. */
export function readArgument(json: DocumentValue, at: string): Argument {
  if (json === null) return { form: 'literal', at, type: 'null', value: null }
  if (typeof json === 'boolean') return { form: 'literal', at, type: 'boolean', value: json }
  if (isNumber(json)) return { form: 'literal', at, ...readNumber(json, at) }
  if (typeof json === 'string') return readReference(json, at)
  if (isList(json)) return readStringLiteral(json, at)
  const members = readMembers(json, at)
  const fields = new Fields(at, new Map(members.map((member) => [member.key, member.json])))
  const names = members.map((member) => member.key)
  const form = formsByFields.get([...names].sort().join(' '))
  if (form !== undefined) return form.read(fields)
  const [name] = names
  if (name !== undefined && names.length === 1 && !reservedWords.has(name)) return readCall(name, fields)
  throw syntaxProblem(at, explainUnknownForm(names))
}

export function readExpression(json: DocumentValue, at: string): Expression {
  const argument = readArgument(json, at)
  if (argument.form === 'fcn-def' || argument.form === 'fcn-ref') {
    throw syntaxProblem(
      at,
      'a function can only be an argument of a call or stand after "to"; here an expression is expected',
    )
  }
  return argument
}

/** Says which form was probably meant and which fields are too many or missing. */
function explainUnknownForm(names: readonly string[]): string {
  if (names.length === 0) return 'an empty object is not an expression'
  let best: { form: Form; score: number } | undefined
  for (const form of forms) {
    const known = [...form.required, ...(form.optional ?? [])]
    const score =
      names.filter((name) => known.includes(name)).length * 2 -
      form.required.filter((name) => !names.includes(name)).length
    if (best === undefined || score > best.score) best = { form, score }
  }
  const known = best === undefined ? [] : [...best.form.required, ...(best.form.optional ?? [])]
  const missing = best?.form.required.filter((name) => !names.includes(name)) ?? []
  const extra = names.filter((name) => !known.includes(name))
  const shown = names.map((name) => JSON.stringify(name)).join(', ')
  if (best === undefined || best.score <= 0) {
    return `no special form has the fields ${shown}${nearest(extra[0] ?? '', reservedWords)}`
  }
  const parts = [
    ...extra.map((name) => `unexpected field ${JSON.stringify(name)}${nearest(name, known)}`),
    ...(missing.length > 0 ? [`missing ${missing.map((name) => JSON.stringify(name)).join(', ')}`] : []),
  ]
  return `no special form has the fields ${shown}; for the form {${known.map((name) => JSON.stringify(name)).join(', ')}}: ${parts.join('; ')}`
}

/** Where a list of expressions is expected, a single one may stand without its brackets. */
export function readBody(json: DocumentValue, at: string): readonly Expression[] {
  if (!isList(json)) return [readExpression(json, at)]
  if (json.length === 0) throw syntaxProblem(at, 'expected at least one expression')
  return readEach(json, at, readExpression)
}

/** The same where nothing is needed, as in `begin`, `end` and `log`: the list may be empty. */
export const readBlock = (json: DocumentValue, at: string): readonly Expression[] =>
  isList(json) ? readExpressions(json, at) : [readExpression(json, at)]

export const readExpressions = (json: DocumentValue, at: string): readonly Expression[] =>
  readEach(json, at, readExpression)

export function readBindings(json: DocumentValue, at: string): readonly Binding[] {
  const bindings = readMembers(json, at).map(({ key, json: value, at: place }) => {
    if (!isSymbolName(key)) throw semanticProblem(place, `${JSON.stringify(key)} is not a valid symbol name`)
    return { at: place, name: key, value: readExpression(value, place) }
  })
  if (bindings.length === 0) throw syntaxProblem(at, 'expected at least one name with its expression')
  return bindings
}

/** Entries of a new map or record: any string may be a key. */
export const readEntries = (json: DocumentValue, at: string): readonly Binding[] =>
  readMembers(json, at).map(({ key, json: value, at: place }) => ({
    at: place,
    name: key,
    value: readExpression(value, place),
  }))

/** The one member of an object like `{"x": "int"}`, as used in lists of parameters and formats. */
function readPair(
  json: DocumentValue,
  at: string,
): { readonly key: string; readonly json: DocumentValue; readonly at: string } {
  const [first, ...others] = readMembers(json, at)
  if (first === undefined || others.length > 0)
    throw syntaxProblem(at, `expected an object with exactly one field, found ${describeJson(json)}`)
  return first
}

export const readPairs = <Item>(
  json: DocumentValue,
  at: string,
  read: (pair: { readonly key: string; readonly json: DocumentValue; readonly at: string }) => Item,
): readonly Item[] => readList(json, at).map((item, index) => read(readPair(item, step(at, index))))

export const readType = (json: DocumentValue, at: string): TypeText => ({ at, schema: json })
export const readData = (json: DocumentValue, at: string): DataText => ({ at, json })
