// Records as R sees them: each row is written, and R itself says whether it is the object that the row's expression makes.
import { type AvroType, Branch, parseSchema } from '@pitot/avro'
import { expect, test } from 'vitest'
import { ROutput, UnwritableText } from '../../src/r/output.ts'
import { compileWriteR } from '../../src/r/write.ts'
import { describeR, READ, runR } from './real-r.ts'

const point = {
  type: 'record',
  name: 'Point',
  fields: [
    { name: 'x', type: 'double' },
    { name: 'label', type: ['null', 'string'] },
  ],
}
const tree = {
  type: 'record',
  name: 'Tree',
  fields: [
    { name: 'value', type: 'int' },
    { name: 'children', type: { type: 'array', items: 'Tree' } },
  ],
}
const fixed = { type: 'fixed', name: 'Two', size: 2 }
const color = { type: 'enum', name: 'Color', symbols: ['red', 'blue'] }
const array = (items: unknown) => ({ type: 'array', items })

/** Schema (null for none), value, and the R expression for it. */
const rows: readonly (readonly [unknown, unknown, string])[] = [
  ['null', null, 'NULL'],
  ['boolean', true, 'TRUE'],
  ['boolean', false, 'FALSE'],
  ['int', 7, '7L'],
  ['int', -2147483648, '-2147483648'],
  ['long', 7, '7'],
  ['long', 9007199254740991, '9007199254740991'],
  ['long', 9007199254740993n, 'structure("9007199254740993", class = "long")'],
  ['long', -9223372036854775808n, 'structure("-9223372036854775808", class = "long")'],
  ['float', 0.5, '0.5'],
  ['double', 3, '3'],
  ['double', Number.NaN, 'NaN'],
  ['double', -Infinity, '-Inf'],
  ['string', '', '""'],
  ['string', 'grün 🛩', '"gr\\u00fcn \\U0001f6e9"'],
  ['string', 'x'.repeat(1000), 'strrep("x", 1000)'],
  ['bytes', new Uint8Array([0, 255]), 'as.raw(c(0, 255))'],
  ['bytes', new Uint8Array(), 'raw()'],
  [fixed, new Uint8Array([1, 2]), 'as.raw(1:2)'],
  [color, 'blue', '"blue"'],
  [array('boolean'), [true, false], 'c(TRUE, FALSE)'],
  [array('int'), [1, 2], '1:2'],
  [array('int'), [], 'integer()'],
  [array('int'), [5], '5L'],
  [array('int'), [1, -2147483648], 'c(1, -2147483648)'],
  [array('long'), [1, 2], 'c(1, 2)'],
  [array('long'), [1, 9007199254740993n], 'c("1", "9007199254740993")'],
  [array('double'), [1, 2.5], 'c(1, 2.5)'],
  [array(['null', 'double']), [1, null, Number.NaN], 'c(1, NA, NaN)'],
  [array(['int', 'null']), [null, 3], 'c(NA, 3L)'],
  [array(['null', 'boolean']), [null, true], 'c(NA, TRUE)'],
  [array(['null', 'string']), ['a', null], 'c("a", NA)'],
  [array('string'), ['a', 'é'], 'c("a", "\\u00e9")'],
  [array('bytes'), [new Uint8Array([1])], 'list(as.raw(1))'],
  [array(array('int')), [[1], [2, 3]], 'list(1L, 2:3)'],
  [array(point), [{ x: 1, label: null }], 'list(list(x = 1, label = NULL))'],
  [array(['int', 'string']), [1, 'a'], 'list(1L, "a")'],
  [{ type: 'map', values: 'int' }, new Map([['a b', 1]]), 'list("a b" = 1L)'],
  [{ type: 'map', values: 'int' }, new Map(), 'structure(list(), names = character())'],
  [point, { x: 1, label: 'p' }, 'list(x = 1, label = "p")'],
  [point, { x: 2, label: null }, 'list(x = 2, label = NULL)'],
  [
    tree,
    { value: 1, children: [{ value: 2, children: [] }] },
    'list(value = 1L, children = list(list(value = 2L, children = list())))',
  ],
  [['null', 'double'], null, 'NULL'],
  [['null', 'double'], 2, '2'],
  [['null', 'long', 'string'], 2, '2'],
  [['null', 'long', 'string'], 9007199254740993n, 'structure("9007199254740993", class = "long")'],
  [['int', 'double'], new Branch('double', 1), '1'],
  [['int', 'double'], new Branch('int', 1), '1L'],
  [['string', color], new Branch('Color', 'red'), '"red"'],
  [['null', array('int'), { type: 'map', values: 'int' }], [1], '1L'],
  [['null', array('int'), { type: 'map', values: 'int' }], new Map([['k', 1]]), 'list(k = 1L)'],
  [['bytes', point], new Uint8Array([9]), 'as.raw(9)'],
  [['bytes', point], { x: 1, label: null }, 'list(x = 1, label = NULL)'],
  [null, null, 'NULL'],
  [null, 3, '3L'],
  [null, 3.5, '3.5'],
  [null, 2147483648, '2147483648'],
  [null, -2147483648, '-2147483648'],
  [null, -0, '-0'],
  [null, 9007199254740993n, 'structure("9007199254740993", class = "long")'],
  [null, 'text', '"text"'],
  [null, true, 'TRUE'],
  [null, [], 'list()'],
  [null, [1, 2], '1:2'],
  [null, [1, 2.5], 'c(1, 2.5)'],
  [null, [1, null], 'c(1L, NA)'],
  [null, [null, null], 'c(NA, NA)'],
  [null, ['a', null], 'c("a", NA)'],
  [null, [true, null], 'c(TRUE, NA)'],
  [null, [1, 'a'], 'list(1L, "a")'],
  [null, [1, 9007199254740993n], 'list(1L, structure("9007199254740993", class = "long"))'],
  [null, [[1, 2], [3]], 'list(1:2, 3L)'], // biome-ignore format: a row
  [null, { a: 1, b: { c: [] } }, 'list(a = 1L, b = list(c = list()))'],
  [null, {}, 'structure(list(), names = character())'],
  [null, new Map([['k', 1]]), 'list(k = 1L)'],
  [null, new Uint8Array([1]), 'as.raw(1)'],
]

function written(items: readonly { readonly type: AvroType | null; readonly value: unknown }[]): Uint8Array {
  const output = new ROutput(16)
  output.startBatch()
  for (const { type, value } of items) compileWriteR(type)(output, value)
  output.endBatch(items.length)
  return output.bytes
}

const typeOf = (schema: unknown) => (schema === null ? null : parseSchema(schema))

describeR('writing', () => {
  test('each row is the object that R means', () => {
    const bytes = written(rows.map(([schema, value]) => ({ type: typeOf(schema), value })))
    const expected = rows.map(([, , expression]) => `quote(${expression})`).join(',\n')
    const code = `${READ}
      expected <- lapply(list(${expected}), eval)
      for (at in seq_along(expected)) {
        if (!identical(given[[at]], expected[[at]], single.NA = FALSE)) cat("row", at, deparse(given[[at]]), "\\n")
      }
      cat(length(given))`
    expect(runR(code, bytes).printed).toBe(String(rows.length))
  })

  test('what is taken back leaves no trace', () => {
    const output = new ROutput(16)
    const write = compileWriteR(null)
    output.startBatch()
    const start = output.length
    expect(() => write(output, { a: { b: 1 }, c: 'nul \0' })).toThrow(UnwritableText)
    output.rewind(start)
    write(output, { a: 1 })
    write(output, { a: 9007199254740993n })
    output.endBatch(2, [0, 5])
    const { printed } = runR(`${READ} cat(deparse(given, width.cutoff = 500L))`, output.bytes)
    const list = 'list(list(a = 1L), list(a = structure("9007199254740993", class = "long")))'
    expect(printed).toBe(`structure(${list}, frames = c(0L, 5L))`)
  })
})
