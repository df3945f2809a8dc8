import { describe, expect, test } from 'vitest'
import { type DocumentValue, NumberLexeme } from '../../src/forms/document.ts'
import { parseYaml } from '../../src/forms/yaml.ts'
import type { PfaError } from '../../src/index.ts'

const number = (text: string) => new NumberLexeme(text)

describe('reads', () => {
  const cases: [text: string, value: DocumentValue][] = [
    [
      'input: double\noutput: double\naction:\n  - {+: [input, 100]}',
      { input: 'double', output: 'double', action: [{ '+': ['input', number('100')] }] },
    ],
    ['[1, 1.0, 1e3, 9223372036854775807, -0]', ['1', '1.0', '1e3', '9223372036854775807', '-0'].map(number)],
    [
      '[+1, 007, 0x1F, 0o17, .5, 1., -01.50, +.5e-3]',
      ['1', '7', '31', '15', '0.5', '1.0', '-1.50', '0.5e-3'].map(number),
    ],
    [
      '[1_000, 1:30, 0b1, 1e, ".5", \'1\', 0x, 12e03]',
      ['1_000', '1:30', '0b1', '1e', '.5', '1', '0x', number('12e03')],
    ],
    ['[null, ~, Null, NULL, , nUll]'.replace(', ,', ','), [null, null, null, null, 'nUll']],
    ['[true, True, FALSE, yes, no, on, y]', [true, true, false, 'yes', 'no', 'on', 'y']],
    ['a:\nb: ', { a: null, b: null }],
    ['{1: a, true: b, null: c, 1.50: d}', { 1: 'a', true: 'b', null: 'c', '1.50': 'd' }],
    ['!!str 1', '1'],
    ['!!int "3"', number('3')],
    ['"\\u263a \\x41 \\ud83d\\ude00"', '☺ A 😀'],
    ['a: |\n  one\n   two\nb: >-\n  one\n  two', { a: 'one\n two\n', b: 'one two' }],
    ['%YAML 1.1\n---\n[yes, 017, 1_0]', ['yes', number('17'), '1_0']],
    ['{a: &x [1, 2], b: *x}', { a: [number('1'), number('2')], b: [number('1'), number('2')] }],
    [
      'a: &x {p: 1, q: 2}\nb:\n  q: 3\n  <<: *x\n  r: 4',
      { a: { p: number('1'), q: number('2') }, b: { p: number('1'), q: number('3'), r: number('4') } },
    ],
    [
      'a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}',
      { a: { p: number('1') }, b: { p: number('2'), q: number('2') }, c: { p: number('1'), q: number('2') } },
    ],
    ['{"<<": [a]}', { '<<': ['a'] }],
    ['{"a": [1, "x"], "b": {"c": null}}', { a: [number('1'), 'x'], b: { c: null } }],
  ]
  test.each(cases)('%s', (text, value) => {
    expect(parseYaml(text).root).toStrictEqual(value)
  })

  test('__proto__ is a key like others', () => {
    const root = parseYaml('__proto__: {polluted: 1}\nb: {<<: {__proto__: 2}}').root as Record<string, DocumentValue>
    expect(Object.keys(root)).toEqual(['__proto__', 'b'])
    expect(Object.keys(root.b as object)).toEqual(['__proto__'])
    expect(root.polluted).toBeUndefined()
  })
})

describe('refuses', () => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['', 1, 1, /empty text/],
    ['a: 1\nb: 2\na: 3', 3, 1, /the key "a" stands twice/],
    ['a: [1, 2\nb: 3', 2, 1, /flow/i],
    ['a: *x', 1, 4, /alias \*x has no anchor/],
    ['a: &x [*x]', 1, 8, /stands inside its own anchor/],
    ['a: !thing 3', 1, 11, /tag !thing has no meaning/],
    ['a: .inf', 1, 4, /write "Infinity"/],
    ['{<<: 3}', 1, 6, /'<<' merges maps/],
    ['a: 1\n--- \nb: 2', 2, 1, /document/],
    ['? [a]\n: b', 1, 3, /key/],
  ]
  test.each(cases)('%j', (text, line, column, message) => {
    const error = thrown(() => parseYaml(text))
    expect(error).toMatchObject({ kind: 'syntax', at: { line, column } })
    expect(error.message).toMatch(message)
  })

  test('a bomb of aliases', () => {
    const lines = ['a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]']
    for (let level = 1; level < 12; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`)
    }
    expect(() => parseYaml(lines.join('\n'))).toThrow(/aliases repeat more than/)
  })

  test.each([
    ['lists in flow style', '['.repeat(100_000)],
    ['lists in block style', '- '.repeat(20_000)],
    [
      'a chain of aliases',
      `a0: &a0 [1]\n${Array.from({ length: 1000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]`).join('\n')}`,
    ],
  ])('deep nesting of %s', (_name, text) => {
    expect(() => parseYaml(text)).toThrow(/nested more than 600 deep/)
  })
})

test('places are those of the values, by pointer', () => {
  const document = parseYaml('a:\n  - 1\n  - b: &x {c: 2}\nd: *x\n')
  expect(document.place('/a/1/b')).toEqual({ line: 3, column: 11, pointer: '/a/1/b' })
  expect(document.place('/a/0')).toEqual({ line: 2, column: 5, pointer: '/a/0' })
  expect(document.place('/d/c')).toEqual({ line: 3, column: 15, pointer: '/d/c' })
})

function thrown(action: () => unknown): PfaError {
  try {
    action()
  } catch (error) {
    return error as PfaError
  }
  throw new Error('expected an error, got none')
}
