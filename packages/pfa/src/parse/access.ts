// Reading and replacing inside structures, cells and pools: attr, attr-to, cell, cell-to, pool, pool-to, pool-del.
import type { DocumentValue } from '../forms/document.ts'
import { syntaxProblem } from '../problems.ts'
import type { Expression } from './ast.ts'
import { readArgument, readExpression, readExpressions } from './expressions.ts'
import type { Fields, Form } from './form.ts'
import { readString } from './reader.ts'

function nonEmptyPath(kind: string) {
  return (json: DocumentValue, at: string): readonly Expression[] => {
    const path = readExpressions(json, at)
    if (path.length === 0) throw syntaxProblem(at, `the path of ${kind} must have at least one key`)
    return path
  }
}

const path = (f: Fields): readonly Expression[] => f.optional('path', 'path', readExpressions).path ?? []

export const accessForms: readonly Form[] = [
  {
    required: ['attr', 'path'],
    read: (f) => ({
      form: 'attr',
      at: f.at,
      target: f.get('attr', readExpression),
      path: f.get('path', nonEmptyPath('"attr"')),
    }),
  },
  {
    required: ['attr', 'path', 'to'],
    read: (f) => ({
      form: 'attr-to',
      at: f.at,
      target: f.get('attr', readExpression),
      path: f.get('path', nonEmptyPath('"attr"')),
      to: f.get('to', readArgument),
    }),
  },
  {
    required: ['cell'],
    optional: ['path'],
    read: (f) => ({ form: 'cell', at: f.at, cell: f.get('cell', readString), path: path(f) }),
  },
  {
    required: ['cell', 'to'],
    optional: ['path'],
    read: (f) => ({
      form: 'cell-to',
      at: f.at,
      cell: f.get('cell', readString),
      path: path(f),
      to: f.get('to', readArgument),
    }),
  },
  {
    required: ['pool', 'path'],
    read: (f) => ({
      form: 'pool',
      at: f.at,
      pool: f.get('pool', readString),
      path: f.get('path', nonEmptyPath('a pool')),
    }),
  },
  {
    required: ['pool', 'path', 'to', 'init'],
    read: (f) => ({
      form: 'pool-to',
      at: f.at,
      pool: f.get('pool', readString),
      path: f.get('path', nonEmptyPath('a pool')),
      to: f.get('to', readArgument),
      init: f.get('init', readExpression),
    }),
  },
  {
    required: ['pool', 'del'],
    read: (f) => ({ form: 'pool-del', at: f.at, pool: f.get('pool', readString), key: f.get('del', readExpression) }),
  },
]
