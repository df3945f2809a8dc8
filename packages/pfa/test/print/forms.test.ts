import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DocumentValue, NumberLexeme } from '../../src/forms/document.ts'
import { formats, parse, print } from '../../src/forms/index.ts'

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[-?:,[\]{}#&*!|>'"%@` \n\t\r~<=+.0-9a-z\\]*$/),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '<<',
    'null',
    '~',
    'true',
    'yes',
    '1',
    '1.0',
    '-',
    '---',
    '...',
    '.inf',
    '',
  ),
  fc.constantFrom(
    '\u2028',
    '\u0085',
    '\ufeff',
    '\ud800',
    '\udc00x',
    '😀',
    'a\nb',
    'a\n',
    '\na',
    'a\n\n',
    'a \n b',
    'x'.repeat(1100),
  ),
)
const hostileNumber = fc.oneof(
  fc.bigInt().map((value) => new NumberLexeme(value.toString())),
  fc.stringMatching(/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/).map((text) => new NumberLexeme(text)),
)
const hostileValue: fc.Arbitrary<DocumentValue> = fc.letrec<{ value: DocumentValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(hostileText, hostileNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc
      .uniqueArray(fc.tuple(hostileText, tie('value')), { maxLength: 6, selector: ([key]) => key })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

describe.each(['json', 'yaml'] as const)('%s', (format) => {
  test('what is printed means the same value when it is read', () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        expect(canonical(parse(print(value, format), format).root)).toEqual(canonical(value))
      }),
      { numRuns: 1000 },
    )
  })

  test('deep values are printed as deep as they can be read', () => {
    let value: DocumentValue = 'x'
    for (let level = 0; level < 250; level += 1) value = { a: [value] }
    expect(parse(print(value, format), format).root).toEqual(value)
  })

  test('an object that holds itself is refused', () => {
    const value: DocumentValue[] = []
    value.push(value)
    expect(() => print(value, format)).toThrow(/nested more than/)
  })

  test('numbers of JavaScript: whole ones are ints and longs', () => {
    const value = [1, -0, 2 ** 53, 9223372036854775807n, 0.5, 1e300, 1e-7]
    expect(print([value], format)).toContain('[1, 0, 9007199254740992, 9223372036854775807, 0.5, 1e+300, 1e-7]')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is refused', (value) => {
    expect(() => print(value, format)).toThrow(/no number of a document/)
  })
})

test('json is laid out for a reader', () => {
  const value = parse('{"input":"double","output":{"type":"array","items":"double"},"action":[]}', 'json')
  expect(print(value, 'json')).toBe(
    '{"input": "double", "output": {"type": "array", "items": "double"}, "action": []}\n',
  )
  const long = { name: 'x'.repeat(100), action: [{ '+': ['input', 1] }, { 'm.round': ['input'] }], doc: 'y' }
  expect(print(long, 'json')).toBe(
    `{\n  "name": "${'x'.repeat(100)}",\n  "action": [{"+": ["input", 1]}, {"m.round": ["input"]}],\n  "doc": "y"\n}\n`,
  )
})

test('yaml is laid out for a reader', () => {
  const value = {
    input: 'double',
    output: { type: 'array', items: 'double' },
    cells: { model: { type: 'string', init: 'a\nb\n' }, other: { type: 'string', init: 'z'.repeat(80) } },
    action: [{ '+': ['input', 1] }, { '==': ['x', { string: '*' }] }],
  }
  expect(print(value, 'yaml')).toBe(`input: double
output: {type: array, items: double}
cells:
  model: {type: string, init: "a\\nb\\n"}
  other:
    type: string
    init: ${'z'.repeat(80)}
action: [{+: [input, 1]}, {==: [x, {string: "*"}]}]
`)
})

test('an unknown form is named', () => {
  expect(() => parse('', 'xml' as 'json')).toThrow(`expected one of ${formats.join(', ')}`)
})

/** The tree as lists only: a key called `constructor` or `__proto__` confuses comparisons of objects. */
function canonical(value: DocumentValue): unknown {
  if (Array.isArray(value)) return ['array', ...value.map(canonical)]
  if (value instanceof NumberLexeme) return ['number', value.text]
  if (typeof value !== 'object' || value === null) return value
  return ['object', ...Object.entries(value).map(([key, item]) => [key, canonical(item)])]
}
