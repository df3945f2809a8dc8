// The whole document: its JSON tree comes in, the syntax tree goes out; everything written in an unknown way is a syntax error.
import type { Document, DocumentValue } from '../forms/document.ts'
import { nearest, step, syntaxProblem } from '../problems.ts'
import type { Store, Syntax, UserFunction } from './ast.ts'
import { readBlock, readBody, readData, readType } from './expressions.ts'
import { Fields } from './form.ts'
import { readDefinition } from './functions.ts'
import {
  describeJson,
  isObject,
  isSymbolName,
  readBoolean,
  readInt,
  readLong,
  readMembers,
  readString,
} from './reader.ts'

const topFields = [
  'name',
  'method',
  'input',
  'output',
  'begin',
  'action',
  'end',
  'fcns',
  'zero',
  'merge',
  'cells',
  'pools',
  'randseed',
  'doc',
  'version',
  'metadata',
  'options',
]

export function parseDocument(document: Document): Syntax {
  const { root } = document
  if (!isObject(root)) throw syntaxProblem('', `a PFA document is a JSON object, found ${describeJson(root)}`)
  const fields = readFields(root, '', topFields, ['input', 'output', 'action'], 'a PFA document')
  const method = fields.optional('method', 'method', readMethod).method ?? 'map'
  const hasZero = fields.optional('zero', 'zero', readData).zero !== undefined
  const hasMerge = fields.optional('merge', 'merge', readData).merge !== undefined
  if (method === 'fold' && !(hasZero && hasMerge))
    throw syntaxProblem('', 'a document with method "fold" needs the fields "zero" and "merge"')
  if (method !== 'fold' && (hasZero || hasMerge))
    throw syntaxProblem('', 'only a document with method "fold" has the fields "zero" and "merge"')
  const list = (name: string) => fields.optional(name, 'body', readBlock).body ?? []
  return {
    at: '',
    name: fields.optional('name', 'name', readString).name ?? uniqueName(),
    method,
    input: fields.get('input', readType),
    output: fields.get('output', readType),
    begin: list('begin'),
    action: fields.get('action', readBody),
    end: list('end'),
    functions: fields.optional('fcns', 'fcns', readFunctions).fcns ?? [],
    cells: fields.optional('cells', 'cells', readStores('cell')).cells ?? [],
    pools: fields.optional('pools', 'pools', readStores('pool')).pools ?? [],
    ...fields.optional('zero', 'zero', readData),
    ...fields.optional('merge', 'merge', readBody),
    ...fields.optional('randseed', 'randseed', readLong),
    ...fields.optional('version', 'version', readInt),
    ...fields.optional('doc', 'doc', readString),
    metadata: fields.optional('metadata', 'metadata', readMetadata).metadata ?? new Map(),
    options: fields.optional('options', 'options', readOptions).options ?? new Map(),
  }
}

/** The fields of an object of which all names are known; locator marks are allowed everywhere. */
function readFields(
  json: DocumentValue,
  at: string,
  known: readonly string[],
  required: readonly string[],
  what: string,
): Fields {
  const members = readMembers(json, at)
  for (const member of members) {
    if (!known.includes(member.key)) {
      throw syntaxProblem(
        member.at,
        `unexpected field ${JSON.stringify(member.key)} in ${what}${nearest(member.key, known)}`,
      )
    }
  }
  const missing = required.filter((name) => !members.some((member) => member.key === name))
  if (missing.length > 0) {
    throw syntaxProblem(
      at,
      `${what} needs the field${missing.length > 1 ? 's' : ''} ${missing.map((name) => JSON.stringify(name)).join(', ')}`,
    )
  }
  return new Fields(at, new Map(members.map((member) => [member.key, member.json])))
}

function readMethod(json: DocumentValue, at: string): 'map' | 'emit' | 'fold' {
  const method = readString(json, at)
  if (method !== 'map' && method !== 'emit' && method !== 'fold') {
    throw syntaxProblem(at, `"method" is "map", "emit" or "fold", not ${JSON.stringify(method)}`)
  }
  return method
}

let unnamed = 0
const uniqueName = (): string => `Engine_${++unnamed}`

function readFunctions(json: DocumentValue, at: string): readonly UserFunction[] {
  return readMembers(json, at).map((member) => {
    if (!/^[A-Za-z_](?:[A-Za-z0-9_]|\.[A-Za-z][A-Za-z0-9_]*)*$/.test(member.key)) {
      throw syntaxProblem(member.at, `${JSON.stringify(member.key)} is not a valid function name`)
    }
    const fields = ['params', 'ret', 'do']
    return {
      at: member.at,
      name: member.key,
      definition: readDefinition(readFields(member.json, member.at, fields, fields, 'a function')),
    }
  })
}

const storeFields = ['type', 'init', 'shared', 'rollback', 'source']

const readStores =
  (kind: 'cell' | 'pool') =>
  (json: DocumentValue, at: string): readonly Store[] =>
    readMembers(json, at).map((member) => {
      if (!isSymbolName(member.key))
        throw syntaxProblem(member.at, `${JSON.stringify(member.key)} is not a valid ${kind} name`)
      return readStore(kind, member.key, member.json, member.at)
    })

function readStore(kind: 'cell' | 'pool', name: string, json: DocumentValue, at: string): Store {
  const fields = readFields(json, at, storeFields, kind === 'cell' ? ['type', 'init'] : ['type'], `a ${kind}`)
  const shared = fields.optional('shared', 'shared', readBoolean).shared ?? false
  const rollback = fields.optional('rollback', 'rollback', readBoolean).rollback ?? false
  if (shared && rollback) throw syntaxProblem(at, `a ${kind} cannot be both "shared" and "rollback"`)
  const source = fields.optional('source', 'source', readSource).source ?? 'embedded'
  const first = fields.optional('init', 'init', readData)
  if (kind === 'pool' && source === 'embedded' && first.init !== undefined) readMembers(first.init.json, first.init.at)
  return { at, name, type: fields.get('type', readType), ...first, shared, rollback, source }
}

function readSource(json: DocumentValue, at: string): 'embedded' | 'json' | 'avro' {
  const source = readString(json, at)
  if (source !== 'embedded' && source !== 'json' && source !== 'avro') {
    throw syntaxProblem(at, `"source" is "embedded", "json" or "avro", not ${JSON.stringify(source)}`)
  }
  return source
}

function readMetadata(json: DocumentValue, at: string): ReadonlyMap<string, string> {
  return new Map(readMembers(json, at).map((member) => [member.key, readString(member.json, step(at, member.key))]))
}

function readOptions(json: DocumentValue, at: string): ReadonlyMap<string, DocumentValue> {
  return new Map(readMembers(json, at).map((member) => [member.key, member.json]))
}
