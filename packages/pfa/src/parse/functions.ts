// Calls and functions: {"name": arguments}, {"call": ..., "args": ...}, inline functions, references with and without "fill".
import type { DocumentValue } from '../forms/document.ts'
import { syntaxProblem } from '../problems.ts'
import type { Argument, FilledArgument, FunctionDefinition, Parameter } from './ast.ts'
import { readArgument, readBody, readExpression, readExpressions, readPairs, readType } from './expressions.ts'
import type { Fields, Form } from './form.ts'
import { isFunctionName, isList, isSymbolName, readEach, readMembers, readString } from './reader.ts'

function readFill(json: DocumentValue, at: string): readonly FilledArgument[] {
  const fill = readMembers(json, at).map((member) => ({
    at: member.at,
    name: member.key,
    value: readArgument(member.json, member.at),
  }))
  if (fill.length === 0) throw syntaxProblem(at, '"fill" needs at least one parameter name with its argument')
  return fill
}

function readParameters(json: DocumentValue, at: string): readonly Parameter[] {
  const parameters = readPairs(json, at, (pair) => {
    if (!isSymbolName(pair.key))
      throw syntaxProblem(pair.at, `${JSON.stringify(pair.key)} is not a valid parameter name`)
    return { at: pair.at, name: pair.key, type: readType(pair.json, pair.at) }
  })
  for (const [index, parameter] of parameters.entries()) {
    if (parameters.findIndex((other) => other.name === parameter.name) !== index) {
      throw syntaxProblem(parameter.at, `parameter ${JSON.stringify(parameter.name)} is declared twice`)
    }
  }
  return parameters
}

/** A function as it stands in the document: also the form of the functions under "fcns". */
export const readDefinition = (f: Fields): FunctionDefinition => ({
  form: 'fcn-def',
  at: f.at,
  params: f.get('params', readParameters),
  ret: f.get('ret', readType),
  body: f.get('do', readBody),
})

function readFunctionName(json: DocumentValue, at: string): string {
  const name = readString(json, at)
  // Operators of the library are names too: {"fcn": "+"} is refused later, by its types.
  if (!isFunctionName(name) && /[\s"']/.test(name))
    throw syntaxProblem(at, `${JSON.stringify(name)} is not a valid function name`)
  return name
}

export const functionForms: readonly Form[] = [
  { required: ['params', 'ret', 'do'], read: readDefinition },
  {
    required: ['fcn'],
    optional: ['fill'],
    read: (f) => ({
      form: 'fcn-ref',
      at: f.at,
      name: f.get('fcn', readFunctionName),
      fill: f.optional('fill', 'fill', readFill).fill ?? [],
    }),
  },
  {
    required: ['call', 'args'],
    read: (f) => ({
      form: 'choose',
      at: f.at,
      choice: f.get('call', readExpression),
      args: f.get('args', readExpressions),
    }),
  },
]

/** `{"name": [arguments]}`; a single argument may stand without its brackets. */
export const readCall = (name: string, f: Fields): Argument => ({
  form: 'call',
  at: f.at,
  name,
  args: f.get(name, (json, at) => (isList(json) ? readEach(json, at, readArgument) : [readArgument(json, at)])),
})
