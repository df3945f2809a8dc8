// Generated PFA documents of every special form, with names and texts chosen to break printers and code generators.
import fc from 'fast-check'
import { type DocumentObject, type DocumentValue, NumberLexeme } from '../../src/forms/document.ts'

/** Names that PFA allows and that mean something elsewhere: keywords, properties of every object, cells, pools. */
export const hostileSymbol: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('x', 'y', 'value', '_', 'Z9'),
  fc.constantFrom('if', 'to', 'init', 'as', 'var', 'fcn', 'idiv', 'null', 'true', 'emit', 'json', 'new', 'pfa'),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'arguments',
    'eval',
    'this',
    'await',
    'function',
  ),
  fc.constantFrom('some', 'other', 'm', 'a', 'u', 'input', 'tally'),
)

export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.stringMatching(/^[-"'`\\${}()[\];:,.#@<>=/*+!&|^~% \n\r\tabnrtux0-9]{0,12}$/),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '\u2028',
    '\u2029',
    '\ud800',
    '😀',
    '\0',
    '"',
    "'",
    '`',
    '$' + '{x}',
    '*/',
    '//',
    '</script>',
  ),
)

/** Keys of maps may be any text. */
const hostileKey = fc.oneof(hostileSymbol, hostileText)

const int = fc.integer().map((value) => new NumberLexeme(String(value)))
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => new NumberLexeme(String(value)))
const double = fc
  .stringMatching(/^-?(?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,4}(?:[eE][-+]?[0-9])?|[eE][-+]?[0-9])$/)
  .map((text) => new NumberLexeme(text))

const data: fc.Arbitrary<DocumentValue> = fc.letrec<{ data: DocumentValue }>((tie) => ({
  data: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(hostileText, int, long, double, fc.boolean(), fc.constant(null)),
    fc.array(tie('data'), { maxLength: 4 }),
    members(hostileKey, tie('data'), 0),
  ),
})).data

function members(
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<DocumentValue>,
  minLength = 1,
): fc.Arbitrary<DocumentObject> {
  return fc
    .uniqueArray(fc.tuple(key, value), { minLength, maxLength: 3, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries))
}

const primitive = fc.constantFrom('null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string')
const named = fc.constantFrom('Record', 'space.Inner', 'Enum', 'Fixed')
const type: fc.Arbitrary<DocumentValue> = fc.letrec<{ type: DocumentValue }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(primitive, named),
    tie('type').map((items) => ({ type: 'array', items })),
    tie('type').map((values) => ({ type: 'map', values })),
    fc.array(tie('type'), { minLength: 2, maxLength: 3 }),
  ),
})).type

/** All named types, declared by the input. */
const input: fc.Arbitrary<DocumentValue> = fc
  .tuple(
    hostileKey,
    hostileText,
    fc.option(data, { nil: undefined }),
    fc.uniqueArray(hostileSymbol, { minLength: 1, maxLength: 3 }),
  )
  .map(([field, doc, fallback, symbols]) => ({
    type: 'record',
    name: 'Record',
    fields: [
      { name: 'again', type: ['null', 'Record'] },
      { name: 'enum', type: { type: 'enum', name: 'Enum', symbols } },
      { name: 'fixed', type: { type: 'fixed', name: 'Fixed', size: new NumberLexeme('4') } },
      {
        name: 'inner',
        type: {
          type: 'record',
          name: 'Inner',
          namespace: 'space',
          ...(fallback === undefined ? {} : { doc }),
          fields: [{ name: field, type: 'double', ...(fallback === undefined ? {} : { default: fallback }) }],
        },
      },
    ],
  }))

const binaryOperators = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '%%',
  '**',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '&&',
  '||',
  '^^',
  '&',
  '|',
  '^',
] as const

const expression: fc.Arbitrary<DocumentValue> = fc.letrec<{ expression: DocumentValue }>((tie) => ({
  expression: expressions(tie('expression')),
})).expression

function expressions(inner: fc.Arbitrary<DocumentValue>): fc.Arbitrary<DocumentValue> {
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const path = fc.array(fc.oneof(inner, hostileKey.map(string)), { minLength: 1, maxLength: 3 })
  const bindings = members(hostileSymbol, inner)
  const definition = fc.record({
    params: fc.array(fc.tuple(hostileSymbol, type).map(pair), { maxLength: 2 }),
    ret: type,
    do: list,
  })
  const reference = fc.oneof(
    fc.constantFrom('m.sqrt', 'u.f', 'u.if', '+').map((fcn) => ({ fcn })),
    fc.record({ fcn: fc.constantFrom('m.atan2', 'u.f', '**'), fill: bindings }),
  )
  const fcn = fc.oneof<fc.Arbitrary<DocumentValue>[]>(definition, reference)
  const format = fc.tuple(hostileSymbol, fc.constantFrom('int', 'big double')).map(pair)
  const then = list
  const optionalElse = { else: list }
  const branch = form({ if: inner, then })
  return fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    // literals and symbols
    hostileSymbol,
    fc.oneof<fc.Arbitrary<DocumentValue>[]>(int, double, fc.boolean(), fc.constant(null), hostileText.map(string)),
    long.map((value) => ({ long: value })),
    double.map((value) => ({ float: value })),
    fc.constantFrom('', 'aGk=', '/+8=').map((base64) => ({ base64 })),
    fc.record({
      type: fc.oneof(
        named,
        type.filter((kind) => typeof kind !== 'string'),
      ),
      value: data,
    }),
    fc.record({ type: type.map((items) => ({ type: 'array', items })), new: fc.array(inner, { maxLength: 3 }) }),
    fc.record({
      type: fc.oneof(
        named,
        type.map((values) => ({ type: 'map', values })),
      ),
      new: members(hostileKey, inner, 0),
    }),
    // calls
    fc.tuple(fc.constantFrom(...binaryOperators), fc.tuple(inner, inner)).map(pair),
    fc.tuple(fc.constantFrom('u-', '!', '~'), fc.tuple(inner)).map(pair),
    fc.tuple(fc.constantFrom('+', 'u-', 'm.pi'), fc.array(inner, { maxLength: 3 })).map(pair),
    fc
      .tuple(
        fc.constantFrom('a.map', 'u.f', 'u.if', 'emit', 's.concat'),
        fc.array(fc.oneof(inner, fcn), { maxLength: 3 }),
      )
      .map(pair),
    fc.record({ call: inner, args: fc.array(inner, { maxLength: 2 }) }),
    // variables and access
    fc.record({ let: bindings }),
    fc.record({ set: bindings }),
    fc.record({ attr: inner, path }),
    fc.record({ attr: inner, path, to: fc.oneof(inner, fcn) }),
    fc.record({ cell: fc.constantFrom('some', 'if'), path }, { requiredKeys: ['cell'] }),
    fc.record(
      { cell: fc.constantFrom('some', 'if'), path, to: fc.oneof(inner, fcn) },
      { requiredKeys: ['cell', 'to'] },
    ),
    fc.record({ pool: fc.constantFrom('other', 'to', 'some'), path }),
    fc.record({ pool: fc.constantFrom('other', 'to', 'some'), path, init: inner, to: fc.oneof(inner, fcn) }),
    fc.record({ pool: fc.constant('other'), del: inner }),
    // control
    fc.record({ do: list }),
    form({ if: inner, then }, optionalElse),
    form({ cond: fc.array(branch, { minLength: 2, maxLength: 3 }) }, optionalElse),
    fc.record({ while: inner, do: list }),
    fc.record({ do: list, until: inner }),
    fc.record({ for: bindings, while: inner, step: bindings, do: list }),
    fc.record({ foreach: hostileSymbol, in: inner, do: list, seq: fc.boolean() }),
    fc.record({ forkey: hostileSymbol, forval: hostileSymbol, in: inner, do: list }),
    // casts
    fc.record({
      cast: inner,
      cases: fc.array(fc.record({ as: type, named: hostileSymbol, do: list }), { minLength: 1, maxLength: 2 }),
      partial: fc.boolean(),
    }),
    fc.record({ upcast: inner, as: type }),
    form({ ifnotnull: bindings, then }, optionalElse),
    fc.record({
      pack: fc.array(fc.tuple(fc.constantFrom('int', 'little int', 'raw 5'), inner).map(pair), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
    form({ unpack: inner, format: fc.array(format, { minLength: 1, maxLength: 2 }), then }, optionalElse),
    // effects
    hostileText.map((doc) => ({ doc })),
    form({ error: hostileText }, { code: int }),
    form({ try: list }, { filter: fc.array(fc.oneof(hostileText, int), { maxLength: 2 }) }),
    form({ log: fc.array(inner, { maxLength: 2 }) }, { namespace: hostileText }),
  ) as fc.Arbitrary<DocumentValue>
}

type Members = Record<string, fc.Arbitrary<DocumentValue>>

function form(required: Members, optional: Members = {}): fc.Arbitrary<DocumentValue> {
  return fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<DocumentValue>
}

function pair([key, value]: readonly [string, DocumentValue]): DocumentObject {
  return Object.fromEntries([[key, value]])
}

function string(text: string): DocumentObject {
  return { string: text }
}

const body = fc.array(expression, { minLength: 1, maxLength: 3 })
const functionDefinition = fc.record({ params: fc.constant([{ x: 'int' }] as DocumentValue), ret: type, do: body })

/** As the reader of PrettyPFA writes them: defaults said, bodies as lists. */
export const documents: fc.Arbitrary<DocumentObject> = fc.record(
  {
    name: hostileSymbol,
    input,
    output: type,
    method: fc.constantFrom('map', 'emit', 'fold'),
    begin: body,
    action: body,
    end: body,
    fcns: fc.record({ f: functionDefinition, if: functionDefinition }),
    cells: fc.record({ some: store(data), if: store(data) }),
    pools: fc.record({
      other: store(members(hostileKey, data, 0)),
      to: store(fc.constant({})),
      some: store(fc.constant({})),
    }),
    zero: data,
    merge: body,
    randseed: int,
    doc: hostileText,
    version: int,
    metadata: members(hostileKey, hostileText, 0),
    options: members(hostileKey, data, 0),
  },
  { requiredKeys: ['input', 'output', 'method', 'action', 'cells', 'pools', 'fcns'] },
) as fc.Arbitrary<DocumentObject>

function store(init: fc.Arbitrary<DocumentValue>) {
  const flags = fc.constantFrom([false, false], [true, false], [false, true])
  return fc
    .tuple(type, init, flags, fc.constantFrom(undefined, 'json'))
    .map(([kind, value, [shared, rollback], source]) => ({
      type: kind,
      init: value,
      shared,
      rollback,
      ...(source === undefined ? {} : { source }),
    }))
}
