// Order and repetition: do, if, cond, while, do-until, for, foreach, forkey-forval.
import type { DocumentValue } from '../forms/document.ts'
import { syntaxProblem } from '../problems.ts'
import type { TestedBody } from './ast.ts'
import { readBindings, readBody, readExpression } from './expressions.ts'
import type { Form } from './form.ts'
import { readBoolean, readEach, readSymbolName } from './reader.ts'

function readBranch(json: DocumentValue, at: string): TestedBody {
  const branch = readExpression(json, at)
  const [only] = branch.form === 'cond' ? branch.branches : []
  if (branch.form !== 'cond' || branch.otherwise !== undefined || branch.branches.length !== 1 || only === undefined) {
    throw syntaxProblem(at, '"cond" takes a list of {"if": ..., "then": ...} without "else"')
  }
  return only
}

function readBranches(json: DocumentValue, at: string): readonly TestedBody[] {
  const branches = readEach(json, at, readBranch)
  if (branches.length === 0) throw syntaxProblem(at, '"cond" needs at least one {"if": ..., "then": ...}')
  return branches
}

export const controlForms: readonly Form[] = [
  { required: ['do'], read: (f) => ({ form: 'do', at: f.at, body: f.get('do', readBody) }) },
  {
    required: ['if', 'then'],
    optional: ['else'],
    read: (f) => ({
      form: 'cond',
      at: f.at,
      branches: [{ at: f.at, test: f.get('if', readExpression), body: f.get('then', readBody) }],
      ...f.optional('else', 'otherwise', readBody),
    }),
  },
  {
    required: ['cond'],
    optional: ['else'],
    read: (f) => ({
      form: 'cond',
      at: f.at,
      branches: f.get('cond', readBranches),
      ...f.optional('else', 'otherwise', readBody),
    }),
  },
  {
    required: ['while', 'do'],
    read: (f) => ({ form: 'while', at: f.at, test: f.get('while', readExpression), body: f.get('do', readBody) }),
  },
  {
    required: ['do', 'until'],
    read: (f) => ({ form: 'until', at: f.at, body: f.get('do', readBody), test: f.get('until', readExpression) }),
  },
  {
    required: ['for', 'while', 'step', 'do'],
    read: (f) => ({
      form: 'for',
      at: f.at,
      bindings: f.get('for', readBindings),
      test: f.get('while', readExpression),
      steps: f.get('step', readBindings),
      body: f.get('do', readBody),
    }),
  },
  {
    required: ['foreach', 'in', 'do'],
    optional: ['seq'],
    read: (f) => ({
      form: 'foreach',
      at: f.at,
      name: f.get('foreach', readSymbolName),
      over: f.get('in', readExpression),
      body: f.get('do', readBody),
      sequential: f.optional('seq', 'sequential', readBoolean).sequential ?? true,
    }),
  },
  {
    required: ['forkey', 'forval', 'in', 'do'],
    read: (f) => ({
      form: 'forkeyval',
      at: f.at,
      key: f.get('forkey', readSymbolName),
      value: f.get('forval', readSymbolName),
      over: f.get('in', readExpression),
      body: f.get('do', readBody),
    }),
  },
]
