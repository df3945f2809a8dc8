// Schemas guessed from samples.
import { compileConvert, inferSchema, parseSchema, printSchema } from '@pitot/avro'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const record = (...fields: unknown[]) => ({ type: 'record', name: 'Record', fields })

test.each<[samples: unknown[], schema: unknown]>([
  [[], 'null'],
  [[null], 'null'],
  [[true, false], 'boolean'],
  [[1, 2], 'int'],
  [[1, 2147483648], 'long'],
  [[1, 9007199254740993n], 'long'],
  [[1, 1.5], 'double'],
  [[1, 'NaN'], 'double'],
  [['NaN'], 'string'],
  [
    [1, 'NaN', 'x'],
    ['int', 'string'],
  ],
  [
    [null, 'x'],
    ['null', 'string'],
  ],
  [[[1], [2.5], []], { type: 'array', items: 'double' }],
  [[[]], { type: 'array', items: 'null' }],
  [
    [{ a: 1, b: 'x' }, { a: 2 }],
    record({ name: 'a', type: 'int' }, { name: 'b', type: ['null', 'string'], default: null }),
  ],
  [[{ a: null }], record({ name: 'a', type: 'null', default: null })],
  [[{ 'not a name': 1 }, { b: 2.5 }], { type: 'map', values: 'double' }],
  [[new Map([['k', 1]])], record({ name: 'k', type: 'int' })],
  [[new Uint8Array(2)], 'bytes'],
  [
    [{ a: { b: 1 } }, { a: { b: 2, c: [{ d: 1 }] } }],
    record({
      name: 'a',
      type: {
        type: 'record',
        name: 'Record_a',
        fields: [
          { name: 'b', type: 'int' },
          {
            name: 'c',
            type: [
              'null',
              {
                type: 'array',
                items: { type: 'record', name: 'Record_a_c_item', fields: [{ name: 'd', type: 'int' }] },
              },
            ],
            default: null,
          },
        ],
      },
    }),
  ],
])('%o', (samples, schema) => {
  expect(printSchema(inferSchema(samples))).toEqual(schema)
})

test('an object with very many keys is a map', () => {
  const sample = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key${index}`, index]))
  expect(printSchema(inferSchema([sample]))).toEqual({ type: 'map', values: 'int' })
})

test('every sample is a value of the schema', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })), (samples) => {
      const convert = compileConvert(parseSchema(printSchema(inferSchema(samples))))
      for (const sample of samples) convert(JSON.parse(JSON.stringify(sample)))
    }),
    { numRuns: 300 },
  )
})
