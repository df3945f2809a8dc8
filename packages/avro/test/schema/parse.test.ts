// Schemas as people write them, with the type or the error each one gives.
import { readFileSync } from 'node:fs'
import { AvroError, NameTable, parseSchema, printSchema, readSchema } from '@pitot/avro'
import { describe, expect, test } from 'vitest'

function failure(run: () => unknown): AvroError {
  try {
    run()
  } catch (error) {
    if (error instanceof AvroError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const record = (fields: unknown[], more: object = {}) => ({ type: 'record', name: 'R', fields, ...more })

interface Row {
  title?: string
  schema: unknown
  printed?: unknown
  refusedAt?: string
}
const table = JSON.parse(
  readFileSync(new URL('../../../../conformance/avro/schemas.json', import.meta.url), 'utf8'),
) as Row[]

describe('accepted', () => {
  test.each(table.filter((row) => row.refusedAt === undefined))('$title: $schema', ({ schema, printed }) => {
    const type = parseSchema(schema)
    expect(printSchema(type)).toEqual(printed)
    expect(printSchema(parseSchema(printSchema(type)))).toEqual(printed)
  })

  test('the same object used twice is one type', () => {
    const inner = { type: 'enum', name: 'E', symbols: ['a'] }
    const type = parseSchema(
      record([
        { name: 'a', type: inner },
        { name: 'b', type: inner },
      ]),
    )
    if (type.kind !== 'record') throw new Error('no record')
    expect(type.fields[0]!.type).toBe(type.fields[1]!.type)
  })

  test('a default of type long keeps its digits', () => {
    const type = readSchema(
      '{"type":"record","name":"R","fields":[{"name":"a","type":"long","default":9223372036854775807}]}',
    )
    expect(type.kind === 'record' && type.fields[0]!.default).toBe(9223372036854775807n)
  })
})

describe('refused', () => {
  test.each(table.filter((row) => row.refusedAt !== undefined))('$schema at $refusedAt', ({ schema, refusedAt }) => {
    expect(failure(() => parseSchema(schema)).pointer).toBe(refusedAt)
  })

  const cases: [schema: unknown, pointer: string, message: RegExp][] = [
    ['strng', '', /did you mean "string"/],
    ['array', '', /write an object around it/],
    ['no name!', '', /found the string "no name!"/],
    [3, '', /expected a schema.*found the number 3/],
    [null, '', /found null/],
    [[], '', /at least one branch/],
    [['int', ['null']], '/1', /union inside a union/],
    [['int', 'int'], '/1', /second branch int/],
    [
      [
        { type: 'array', items: 'int' },
        { type: 'array', items: 'string' },
      ],
      '/1',
      /second branch array/,
    ],
    [{ typ: 'int' }, '', /"typ" meant to be "type"/],
    [{ type: 7 }, '/type', /found the number 7/],
    [{ type: 'enumm' }, '/type', /did you mean "enum"/],
    [{ $ref: 'a' }, '', /resolve references/],
    [{ type: 'array', item: 'int' }, '', /is "item" meant to be "items"/],
    [{ type: 'map' }, '', /the key "values"/],
    [{ type: 'record', name: 'R' }, '', /the key "fields"/],
    [{ type: 'record', name: '1R', fields: [] }, '/name', /not starting with a digit/],
    [{ type: 'record', name: 'int', fields: [] }, '/name', /no type of Avro itself/],
    [{ type: 'record', name: 'R', namespace: 'a..b', fields: [] }, '/namespace', /a namespace/],
    [record({} as unknown[]), '/fields', /an array of fields/],
    [record([3]), '/fields/0', /a field/],
    [record([{ type: 'int' }]), '/fields/0', /the key "name"/],
    [record([{ name: 'a.b', type: 'int' }]), '/fields/0/name', /a name/],
    [record([{ name: 'a' }]), '/fields/0', /the key "type"/],
    [
      record([
        { name: 'a', type: 'int' },
        { name: 'a', type: 'int' },
      ]),
      '/fields/1/name',
      /a second field "a"/,
    ],
    [record([{ name: 'a', type: 'int', order: 'up' }]), '/fields/0/order', /ascending, descending or ignore/],
    [record([{ name: 'a', type: 'int', default: 'x' }]), '/fields/0/default', /an int.*found the string "x"/],
    [record([{ name: 'a', type: 'int', default: 2147483648 }]), '/fields/0/default', /an int/],
    [
      record([{ name: 'a', type: { type: 'array', items: 'int' }, default: [1, 'x'] }]),
      '/fields/0/default/1',
      /an int/,
    ],
    [record([{ name: 'a', type: ['null', 'int'], default: 'x' }]), '/fields/0/default', /one of null or int/],
    [record([{ name: 'a', type: ['null', 'int'], default: { int: 1 } }]), '/fields/0/default', /one of null or int/],
    [record([{ name: 'a', type: 'Missing' }]), '/fields/0/type', /which nothing defines/],
    [record([{ name: 'a', type: 'int', aliases: 'b' }]), '/fields/0/aliases', /an array of names/],
    [{ type: 'enum', name: 'E' }, '', /the key "symbols"/],
    [{ type: 'enum', symbols: ['a'] }, '', /the key "name"/],
    [{ type: 'enum', name: 'E', symbols: [] }, '/symbols', /at least one symbol/],
    [{ type: 'enum', name: 'E', symbols: ['a', 'a'] }, '/symbols/1', /each name once/],
    [{ type: 'enum', name: 'E', symbols: ['a-b'] }, '/symbols/0', /a name/],
    [{ type: 'enum', name: 'E', symbols: ['red'], default: 'rod' }, '/default', /did you mean "red"/],
    [{ type: 'fixed', name: 'F' }, '', /the key "size"/],
    [{ type: 'fixed', name: 'F', size: -1 }, '/size', /a number of bytes/],
    [{ type: 'fixed', name: 'F', size: 1.5 }, '/size', /a number of bytes/],
    [
      [
        { type: 'fixed', name: 'F', size: 1 },
        { type: 'map', values: { type: 'fixed', name: 'F', size: 1 } },
      ],
      '/1/values',
      /another definition/,
    ],
  ]
  test.each(cases)('%j', (schema, pointer, message) => {
    const error = failure(() => parseSchema(schema))
    expect(error.message).toMatch(message)
    expect(error.pointer).toBe(pointer)
  })

  test('a schema nested too deeply', () => {
    let schema: unknown = 'int'
    for (let level = 0; level < 100_000; level++) schema = { type: 'array', items: schema }
    expect(failure(() => parseSchema(schema)).message).toMatch(/at most 100 schemas/)
  })

  test('text that is no JSON', () => {
    expect(failure(() => readSchema('{"type":')).message).toMatch(/a schema in JSON/)
  })

  test('the pointer starts where the caller says', () => {
    expect(failure(() => parseSchema([3], { pointer: '/cells/a/type' })).pointer).toBe('/cells/a/type/0')
  })
})

describe('a shared table of names', () => {
  test('later schemas use earlier names', () => {
    const names = new NameTable()
    const type = parseSchema(record([]), { names })
    expect(parseSchema({ type: 'array', items: 'R' }, { names })).toEqual({ kind: 'array', items: type })
  })

  test('names may come before their definitions, of any kind', () => {
    const names = new NameTable({ usedBeforeDefined: true })
    const uses = ['R', 'E', 'F'].map((name) => parseSchema(name, { names }))
    const definitions = [
      record([{ name: 'e', type: 'E', default: 'a' }]),
      { type: 'enum', name: 'E', symbols: ['a'] },
      { type: 'fixed', name: 'F', size: 2 },
    ].map((schema) => parseSchema(schema, { names }))
    names.finish()
    expect(uses).toEqual(definitions)
    for (const [index, use] of uses.entries()) expect(use).toBe(definitions[index])
  })

  test('a name that never gets a definition is reported where it is used', () => {
    const names = new NameTable({ usedBeforeDefined: true })
    parseSchema(record([{ name: 'a', type: 'Engin' }]), { names, pointer: '/input' })
    parseSchema({ type: 'enum', name: 'Engine', symbols: ['a'] }, { names })
    const error = failure(() => names.finish())
    expect(error.pointer).toBe('/input/fields/0/type')
    expect(error.message).toMatch(/did you mean "Engine"/)
  })

  test('the same definition again is fine, another one is not', () => {
    const names = new NameTable({ definedAgain: true, usedBeforeDefined: true })
    const first = parseSchema(record([{ name: 'a', type: ['null', 'R'] }]), { names })
    expect(parseSchema(record([{ name: 'a', type: ['null', 'R'] }]), { names })).toBe(first)
    names.finish()
    parseSchema(record([{ name: 'a', type: 'int' }]), { names, pointer: '/x' })
    expect(failure(() => names.finish()).message).toMatch(/at \/x: expected the same definition as before/)
  })
})
