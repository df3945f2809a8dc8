// Avro's JSON: the table of conformance/avro/json.json, round trips of random values, and hostile texts.
import { readFileSync } from 'node:fs'
import { AvroError, type AvroType, compileJson, generatePlain, parseSchema } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typed } from '../arbitrary.ts'
import { expectSame } from '../same-value.ts'

interface Entry {
  schema: unknown
  /** Given text, and the text that comes out when it is read and written again. */
  accepts?: [string, string][]
  /** Given text, and the pointer to what does not fit. */
  refuses?: [string, string][]
}
const table = JSON.parse(
  readFileSync(new URL('../../../../conformance/avro/json.json', import.meta.url), 'utf8'),
) as Entry[]

const versions = [
  ['generated', { generate: true }],
  ['interpreted', { generate: false }],
] as const

const nested = (levels: number) => `${'{"next":'.repeat(levels)}null${'}'.repeat(levels)}`

function refusal(run: () => unknown): AvroError {
  try {
    run()
  } catch (error) {
    if (error instanceof AvroError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe.each(versions)('%s', (_, options) => {
  for (const { schema, accepts = [], refuses = [] } of table) {
    describe(JSON.stringify(schema).slice(0, 100), () => {
      const codec = compileJson(parseSchema(schema), options)
      test.each(accepts)('%s -> %s', (given, written) => {
        const value = codec.read(given)
        expect(codec.write(value)).toBe(written)
        // What has been written means the same.
        expect(codec.read(written)).toEqual(value)
      })
      if (refuses.length > 0) {
        test.each(refuses)('%s is refused at %j', (given, pointer) => {
          expect(refusal(() => codec.read(given)).pointer).toBe(pointer)
        })
      }
    })
  }

  test('any value of any schema comes back from its text', () => {
    fc.assert(
      fc.property(typed, ({ type, values }) => {
        const codec = compileJson(type, options)
        for (const value of values) expectSame(codec.read(codec.write(value)), value)
      }),
      { numRuns: 300 },
    )
  })

  test('a list of a hundred thousand levels is refused, not a crash', () => {
    const type = parseSchema({
      type: 'record',
      name: 'L',
      fields: [{ name: 'next', type: ['null', 'L'], default: null }],
    })
    const codec = compileJson(type, options)
    const text = nested(100_000)
    expect(refusal(() => codec.read(text)).message).toMatch(/at most 1000 records|stack/)
    expect(codec.read(nested(900))).toBeTypeOf('object')
    const loop: { next: unknown } = { next: null }
    loop.next = loop
    expect(refusal(() => codec.write(loop)).message).toMatch(/at most 1000 records/)
  })

  test('deep arrays where something else is expected', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const schema of ['int', 'long', { type: 'array', items: 'long' }]) {
      expect(refusal(() => compileJson(parseSchema(schema), options).read(text))).toBeInstanceOf(AvroError)
    }
  })

  test.each<[schema: unknown, text: string, message: string]>([
    [
      { type: 'record', name: 'R', fields: [{ name: 'name', type: 'int' }] },
      '{"nam":1}',
      'is "nam" meant to be "name"?',
    ],
    [['null', 'double'], '{"doubel":1}', 'did you mean "double"?'],
    [{ type: 'enum', name: 'E', symbols: ['red'] }, '"rod"', 'did you mean "red"?'],
  ])('a word that is nearly right: %j %s', (schema, text, message) => {
    expect(refusal(() => compileJson(parseSchema(schema), options).read(text)).message).toContain(message)
  })

  test('extra fields can be ignored', () => {
    const type = parseSchema({ type: 'record', name: 'R', fields: [{ name: 'a', type: 'int' }] })
    expect(compileJson(type, { ...options, extra: 'ignore' }).read('{"a":1,"b":2}')).toEqual({ a: 1 })
    expect(refusal(() => compileJson(type, options).read('{"a":1,"aa":2}')).message).toMatch(/did you mean "a"/)
  })

  test('keys that every object inherits', () => {
    const fields = ['constructor', '__proto__', 'toString'].map((name) => ({ name, type: 'int', default: 7 }))
    const codec = compileJson(parseSchema({ type: 'record', name: 'R', fields }), options)
    const value = codec.read('{"__proto__":1}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.entries(value)).toEqual([
      ['constructor', 7],
      ['__proto__', 1],
      ['toString', 7],
    ])
    expect(codec.write(value)).toBe('{"constructor":7,"__proto__":1,"toString":7}')
    const strict = compileJson(
      parseSchema({ type: 'record', name: 'R', fields: [{ name: 'toString', type: 'int' }] }),
      options,
    )
    expect(refusal(() => strict.read('{}')).message).toMatch(/no such field/)
    const map = compileJson(parseSchema({ type: 'map', values: 'int' }), options)
    expect(map.read('{"__proto__":1}')).toEqual(new Map([['__proto__', 1]]))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('records have one order of fields, whatever the text has', () => {
    const codec = compileJson(
      parseSchema({
        type: 'record',
        name: 'R',
        fields: [
          { name: 'a', type: 'int' },
          { name: 'b', type: 'int', default: 2 },
        ],
      }),
      options,
    )
    expect(Object.keys(codec.read('{"b":1,"a":2}') as object)).toEqual(['a', 'b'])
    expect(Object.keys(codec.read('{"a":2}') as object)).toEqual(['a', 'b'])
  })

  test('a default is not shared between records', () => {
    const codec = compileJson(
      parseSchema({
        type: 'record',
        name: 'R',
        fields: [{ name: 'a', type: { type: 'array', items: 'int' }, default: [1] }],
      }),
      options,
    )
    const first = codec.read('{}') as { a: number[] }
    first.a.push(2)
    expect(codec.read('{}')).toEqual({ a: [1] })
  })

  test.each<[unknown, unknown, string]>([
    ['int', 1.5, ''],
    ['int', undefined, ''],
    ['string', '\ud800', ''],
    ['double', '1', ''],
    [['null', 'int'], 'x', ''],
    [['int', 'long'], 3, ''],
    [{ type: 'array', items: 'int' }, [1, 'x'], '/1'],
    [{ type: 'map', values: 'int' }, { a: 1 }, ''],
    [{ type: 'map', values: 'int' }, new Map([['a', 1.5]]), '/a'],
    [{ type: 'record', name: 'R', fields: [{ name: 'a', type: 'bytes' }] }, { a: 'x' }, '/a'],
    [{ type: 'record', name: 'R', fields: [{ name: 'a', type: 'bytes' }] }, null, ''],
    [{ type: 'fixed', name: 'F', size: 2 }, new Uint8Array(3), ''],
    [{ type: 'enum', name: 'E', symbols: ['a'] }, 'b', ''],
  ])('as %j nothing writes %j', (schema, value, pointer) => {
    expect(refusal(() => compileJson(parseSchema(schema), options).write(value)).pointer).toBe(pointer)
  })
})

test('generated code writes what interpreted code writes, and never gives up on a value of the type', () => {
  fc.assert(
    fc.property(typed, ({ type, values }: { type: AvroType; values: unknown[] }) => {
      const interpreted = compileJson(type, { generate: false })
      const plain = generatePlain(type)
      for (const value of values) expect(JSON.stringify(plain(value))).toBe(interpreted.write(value))
    }),
    { numRuns: 300 },
  )
})
