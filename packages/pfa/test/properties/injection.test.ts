import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { DocumentObject, DocumentValue } from '../../src/forms/document.ts'
import { compile, PfaError, type Program } from '../../src/index.ts'
import { documents, hostileSymbol, hostileText } from './documents.ts'

/** Set by any payload that becomes code. */
const canary = 'pwned'
const payloads = [
  `${canary}`,
  `"];globalThis.${canary}=1;["`,
  `'];globalThis.${canary}=1;['`,
  `\`;globalThis.${canary}=1;\``,
  `$${'{'}globalThis.${canary}=1}`,
  `\u2028globalThis.${canary}=1//`,
  `\u2029;globalThis.${canary}=1;`,
  `\n;globalThis.${canary}=1;//`,
  `*/globalThis.${canary}=1/*`,
  `\\";globalThis.${canary}=1;//`,
  `)};globalThis.${canary}=1;({`,
  `x=globalThis.${canary}=1`,
  `constructor.constructor("globalThis.${canary}=1")()`,
  '__proto__',
  'constructor',
  'prototype',
  'arguments',
  'eval',
  'await',
  'env1',
  'input1',
]
/** Half a surrogate pair is no text of Avro: what happens to it is no matter of code. */
const hostile = fc.oneof(fc.constantFrom(...payloads), hostileText, hostileSymbol).filter((text) => text.isWellFormed())

afterEach(() => {
  Reflect.deleteProperty(globalThis, canary)
})

/** Nothing ran, nothing was added to every object, and no name stands in the code except in strings and numbered names. */
function expectNothingHappened(program: Program | undefined): void {
  expect(Reflect.get(globalThis, canary)).toBeUndefined()
  expect(Reflect.ownKeys(Object.prototype)).not.toContain(canary)
  const code = program?.source.replaceAll(/"(?:[^"\\\n\u2028\u2029]|\\.)*"/g, '""') ?? ''
  expect(code).not.toMatch(new RegExp(`${canary}(?![A-Za-z0-9_$]*[0-9])`))
}

function compiled(document: DocumentValue): Program | undefined {
  try {
    return compile(document as object)
  } catch (error) {
    expect(error).toBeInstanceOf(PfaError)
    return undefined
  }
}

interface Names {
  readonly [slot: string]: string
}

/** A document with a name of every kind in it: types, namespaces, fields, symbols, functions, cells, pools, keys, texts. */
function documentWith(names: Names): DocumentObject {
  const { type, namespace, field, symbol, variable, parameter, cell, pool, fcn, key, text, loop } = names as Record<
    string,
    string
  >
  const one = (name: string | undefined, value: DocumentValue) => Object.fromEntries([[name, value]]) as DocumentObject
  const enumeration = { type: 'enum', name: `${type}E`, symbols: [symbol!] }
  const fullName = namespace === '' ? type! : `${namespace}.${type}`
  return {
    name: type!,
    input: {
      type: 'record',
      name: type!,
      ...(namespace === '' ? {} : { namespace }),
      fields: [
        { name: field!, type: 'int' },
        { name: 'e', type: enumeration },
      ],
    },
    output: 'int',
    cells: one(cell, { type: 'int', init: 1 }),
    pools: one(pool, { type: 'int', init: one(key, 2) }),
    fcns: one(fcn, { params: [one(parameter, 'int')], ret: 'int', do: [parameter!] }),
    metadata: one(key, text!),
    action: [
      { let: one(variable, { attr: 'input', path: [{ string: field! }] }) },
      { let: { map: { type: { type: 'map', values: 'int' }, new: one(key, 3) } } },
      {
        foreach: loop!,
        in: { type: { type: 'array', items: 'int' }, value: [4] },
        do: [{ set: one(variable, { '+': [variable!, loop!] }) }],
        seq: true,
      },
      { log: [{ string: text! }], namespace: text! },
      { while: { '!=': ['input.e', { type: `${fullName}E`, value: symbol! }] }, do: [{ doc: text! }] },
      { try: [{ error: text! }], filter: [text!] },
      { cell: cell!, to: { '+': [{ cell: cell! }, 1] } },
      {
        '+': [
          { '+': [variable!, { attr: 'map', path: [{ string: key! }] }] },
          { '+': [{ [`u.${fcn}`]: [{ cell: cell! }] }, { pool: pool!, path: [{ string: key! }] }] },
        ],
      },
    ],
  }
}

const slots = [
  'type',
  'namespace',
  'field',
  'symbol',
  'variable',
  'parameter',
  'cell',
  'pool',
  'fcn',
  'key',
  'text',
  'loop',
]
const plainNames: Names = {
  type: 'T',
  namespace: '',
  field: 'f',
  symbol: 'S',
  variable: 'v',
  parameter: 'p',
  cell: 'c',
  pool: 'q',
  fcn: 'g',
  key: 'k',
  text: 't',
  loop: 'i',
}

function run(program: Program, names: Names): unknown {
  const record = Object.fromEntries([
    [names.field, 10],
    ['e', names.symbol],
  ])
  return program.start({ log: () => {} }).action(record)
}

describe('no name becomes code', () => {
  test('the document itself works', () => {
    const program = compiled(documentWith(plainNames))
    expect(program && run(program, plainNames)).toBe(10 + 4 + 3 + 2 + 2)
  })

  test.each(slots)('in the place of %s', (slot) => {
    fc.assert(
      fc.property(hostile, (name) => {
        const names = { ...plainNames, [slot]: name }
        const program = compiled(documentWith(names))
        if (program !== undefined) expect(run(program, names)).toBe(21)
        expectNothingHappened(program)
      }),
      { numRuns: 150, examples: payloads.map((payload): [string] => [payload]) },
    )
  })

  test('in every place at once, with names that PFA allows', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(hostileSymbol, { minLength: 6, maxLength: 6 }),
        hostile,
        hostile,
        (symbols, key, text) => {
          const [variable, parameter, cell, pool, fcn, loop] = symbols as [
            string,
            string,
            string,
            string,
            string,
            string,
          ]
          fc.pre(!symbols.includes('input') && !symbols.includes('map'))
          // In a document `@` is no key: it tells where something stands in the source.
          fc.pre(key !== '@')
          const names = {
            ...plainNames,
            field: variable,
            symbol: variable,
            variable,
            parameter,
            cell,
            pool,
            fcn,
            loop,
            key,
            text,
          }
          const program = compiled(documentWith(names))
          expect(program).toBeDefined()
          expect(run(program!, names)).toBe(21)
          expectNothingHappened(program)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('generated documents of every form compile, or are refused with an error of this package', () => {
    fc.assert(
      fc.property(documents, (document) => expectNothingHappened(compiled(document))),
      { numRuns: 300 },
    )
  })
})
