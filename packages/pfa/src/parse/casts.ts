// From one type to another: cast, upcast, ifnotnull, pack, unpack.
import type { DocumentValue } from '../forms/document.ts'
import { nearest, semanticProblem, syntaxProblem } from '../problems.ts'
import type { CastCase } from './ast.ts'
import { readBindings, readBody, readExpression, readPairs, readType } from './expressions.ts'
import { Fields, type Form } from './form.ts'
import { isSymbolName, readBoolean, readEach, readMembers, readString, readSymbolName } from './reader.ts'

const caseFields = ['as', 'named', 'do']

function readCase(json: DocumentValue, at: string): CastCase {
  const members = readMembers(json, at)
  const names = members.map((member) => member.key)
  const unknown = members.find((member) => !caseFields.includes(member.key))
  if (unknown !== undefined) {
    throw syntaxProblem(
      unknown.at,
      `unexpected field ${JSON.stringify(unknown.key)} in a cast case${nearest(unknown.key, caseFields)}`,
    )
  }
  const missing = caseFields.find((name) => !names.includes(name))
  if (missing !== undefined) throw syntaxProblem(at, `a cast case needs the field ${JSON.stringify(missing)}`)
  const fields = new Fields(at, new Map(members.map((member) => [member.key, member.json])))
  return {
    at,
    as: fields.get('as', readType),
    named: fields.get('named', readSymbolName),
    body: fields.get('do', readBody),
  }
}

/** What is packed or unpacked: a list of at least one format. */
function readFormats<Item>(json: DocumentValue, at: string, read: Parameters<typeof readPairs<Item>>[2]) {
  const items = readPairs(json, at, read)
  if (items.length === 0) throw syntaxProblem(at, 'expected at least one format')
  return items
}

export const castForms: readonly Form[] = [
  {
    required: ['cast', 'cases'],
    optional: ['partial'],
    read: (f) => ({
      form: 'cast',
      at: f.at,
      value: f.get('cast', readExpression),
      cases: f.get('cases', (json, at) => readEach(json, at, readCase)),
      partial: f.optional('partial', 'partial', readBoolean).partial ?? false,
    }),
  },
  {
    required: ['upcast', 'as'],
    read: (f) => ({ form: 'upcast', at: f.at, value: f.get('upcast', readExpression), as: f.get('as', readType) }),
  },
  {
    required: ['ifnotnull', 'then'],
    optional: ['else'],
    read: (f) => ({
      form: 'ifnotnull',
      at: f.at,
      bindings: f.get('ifnotnull', readBindings),
      body: f.get('then', readBody),
      ...f.optional('else', 'otherwise', readBody),
    }),
  },
  {
    required: ['pack'],
    read: (f) => ({
      form: 'pack',
      at: f.at,
      items: f.get('pack', (json, at) =>
        readFormats(json, at, (pair) => ({ at: pair.at, format: pair.key, value: readExpression(pair.json, pair.at) })),
      ),
    }),
  },
  {
    required: ['unpack', 'format', 'then'],
    optional: ['else'],
    read: (f) => ({
      form: 'unpack',
      at: f.at,
      value: f.get('unpack', readExpression),
      items: f.get('format', (json, at) =>
        readFormats(json, at, (pair) => {
          if (!isSymbolName(pair.key))
            throw semanticProblem(pair.at, `${JSON.stringify(pair.key)} is not a valid symbol name`)
          return { at: pair.at, name: pair.key, format: readString(pair.json, pair.at) }
        }),
      ),
      body: f.get('then', readBody),
      ...f.optional('else', 'otherwise', readBody),
    }),
  },
]
