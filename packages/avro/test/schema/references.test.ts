// Stored schemas and references to them.
import { parseSchema, printSchema, resolveReferences } from '@pitot/avro'
import { describe, expect, test } from 'vitest'

const STORED: Record<string, unknown> = {
  a1: { type: 'record', name: 'A', fields: [{ name: 'b', type: { $ref: 'b1' } }] },
  b1: { type: 'array', items: { $ref: 'urn:fastscore:schema:c1' } },
  c1: 'double',
  alias: 'b1',
  me: { type: 'array', items: { $ref: 'me' } },
  first: { type: 'map', values: 'urn:pitot:schema:second' },
  second: ['null', { $ref: 'first' }],
  broken: { type: 'array', items: { $ref: 'nowhere' } },
  cars: { type: 'array', items: ['null', { $ref: 'car' }] },
  car: { type: 'record', name: 'Car', fields: [{ name: 'id', type: 'int' }] },
}
const lookup = async (name: string) => STORED[name]

describe('resolved', () => {
  const cases: [schema: unknown, printed: unknown][] = [
    ['int', 'int'],
    [{ $ref: 'c1' }, 'double'],
    [{ $ref: 'urn:any-vendor:schema:c1' }, 'double'],
    ['alias', { type: 'array', items: 'double' }],
    ['urn:pitot:schema:c1', 'double'],
    [
      ['null', { $ref: 'c1' }],
      ['null', 'double'],
    ],
    [{ $ref: 'a1' }, { type: 'record', name: 'A', fields: [{ name: 'b', type: { type: 'array', items: 'double' } }] }],
    [
      {
        type: 'record',
        name: 'n.Pair',
        fields: [
          { name: 'left', type: { $ref: 'car' }, default: { $ref: 'this is data' } },
          { name: 'right', type: ['null', { $ref: 'car' }] },
        ],
      },
      {
        type: 'record',
        name: 'n.Pair',
        fields: [
          {
            name: 'left',
            type: { type: 'record', name: 'Car', namespace: '', fields: [{ name: 'id', type: 'int' }] },
            default: { $ref: 'this is data' },
          },
          { name: 'right', type: ['null', 'Car'] },
        ],
      },
    ],
  ]
  test.each(cases)('%j', async (schema, printed) => {
    const resolved = (await resolveReferences(schema, lookup)) as { fields?: { default?: unknown }[] }
    // The reference inside a default must survive as data; it fits no record, so it is taken away before parsing.
    const expected = structuredClone(printed) as typeof resolved
    expect(resolved.fields?.[0]?.default).toEqual(expected.fields?.[0]?.default)
    delete resolved.fields?.[0]?.default
    delete expected.fields?.[0]?.default
    expect(printSchema(parseSchema(resolved))).toEqual(expected)
  })

  test('a stored schema has the same name in every namespace', async () => {
    const uses = ['n.A', 'm.B'].map((name) => ({
      type: 'record',
      name,
      fields: [{ name: 'cars', type: { $ref: 'cars' } }],
    }))
    const type = parseSchema(await resolveReferences(uses, lookup))
    expect(JSON.stringify(printSchema(type))).toContain(
      '"name":"m.B","fields":[{"name":"cars","type":{"type":"array","items":["null","Car"]}}]',
    )
  })

  test('many references to references stay cheap', async () => {
    const deep = async (name: string) => {
      const level = Number(name)
      if (level === 30) return 'int'
      return [
        { type: 'array', items: { $ref: `${level + 1}` } },
        { type: 'map', values: { $ref: `${level + 1}` } },
      ]
    }
    expect(parseSchema(await resolveReferences({ $ref: '0' }, deep)).kind).toBe('union')
  })
})

describe('refused', () => {
  const cases: [schema: unknown, message: RegExp][] = [
    [{ $ref: 'nowhere' }, /schema "nowhere" not found/],
    [{ $ref: 'broken' }, /at \/items: .*schema "nowhere" not found/],
    [{ $ref: 'me' }, /circle of references: "me" -> "me"/],
    [{ $ref: 'first' }, /circle of references: "first" -> "second" -> "first"/],
    [{ $ref: 3 }, /at \/\$ref: .*found the number 3/],
    [{ $ref: 'c1', doc: 'x' }, /"doc" beside it/],
  ]
  test.each(cases)('%j', async (schema, message) => {
    await expect(resolveReferences(schema, lookup)).rejects.toThrow(message)
  })
})
