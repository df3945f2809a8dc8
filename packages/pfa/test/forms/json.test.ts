import { describe, expect, test } from 'vitest'
import { type DocumentValue, NumberLexeme } from '../../src/forms/document.ts'
import { parseJson } from '../../src/forms/json.ts'
import type { PfaError } from '../../src/index.ts'

const number = (text: string) => new NumberLexeme(text)

describe('reads', () => {
  const cases: [text: string, value: DocumentValue][] = [
    ['null', null],
    [' \t\r\n true ', true],
    ['\ufefffalse', false],
    ['1', number('1')],
    ['1.0', number('1.0')],
    ['-0', number('-0')],
    ['1e3', number('1e3')],
    ['9223372036854775807', number('9223372036854775807')],
    ['-12.50E-03', number('-12.50E-03')],
    ['""', ''],
    ['"a\\u0041\\n\\"\\\\\\/\\b\\f\\r\\t"', 'aA\n"\\/\b\f\r\t'],
    ['"\\ud83d\\ude00 \\ud800"', '😀 \ud800'],
    ['"\u2028"', '\u2028'],
    ['[]', []],
    ['[1, [2], {}]', [number('1'), [number('2')], {}]],
    ['{"b": 1, "a": {"": null}}', { b: number('1'), a: { '': null } }],
  ]
  test.each(cases)('%s', (text, value) => {
    expect(parseJson(text).root).toStrictEqual(value)
  })

  test('__proto__ and constructor are keys like others', () => {
    const root = parseJson('{"__proto__": {"polluted": 1}, "constructor": 2}').root as Record<string, DocumentValue>
    expect(Object.keys(root)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(root)).toBe(Object.prototype)
    expect(root.polluted).toBeUndefined()
  })
})

describe('refuses', () => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['', 1, 1, /expected a JSON value .*found the end of the text/],
    ['{"a": 1,}', 1, 9, /expected a key in double quotes, found "}"/],
    ['{"a": 1,\n "a": 2}', 2, 2, /the key "a" stands twice/],
    ['{"__proto__": 1, "__proto__": 2}', 1, 18, /stands twice/],
    ['{a: 1}', 1, 2, /expected a key in double quotes, found "a"/],
    ['{"a" 1}', 1, 6, /expected ':' after the key, found "1"/],
    ['{\n  "a": [1,\n    2\n  "b"]}', 4, 3, /expected ',' or ']' in the array opened at line 2, column 8/],
    ['[1 2]', 1, 4, /expected ',' or ']'/],
    ['[1,]', 1, 4, /expected a JSON value/],
    ['01', 1, 1, /does not begin with 0/],
    ['-00.5', 1, 2, /does not begin with 0/],
    ['1.', 1, 3, /expected a digit/],
    ['.5', 1, 1, /expected a JSON value/],
    ['+1', 1, 1, /expected a JSON value/],
    ['1e', 1, 3, /expected a digit/],
    ['-', 1, 2, /expected a digit/],
    ['NaN', 1, 1, /expected a JSON value .*found "NaN"/],
    ['tru', 1, 1, /expected 'true', found "tru"/],
    ["'a'", 1, 1, /expected a JSON value/],
    ['"abc', 1, 1, /no closing double quote/],
    ['"a\nb"', 1, 3, /control character/],
    ['"\\x"', 1, 3, /after the backslash, found "x"/],
    ['"\\u12g4"', 1, 4, /four hexadecimal digits/],
    ['1 // no comments', 1, 3, /expected the end of the text/],
    ['"\\constructor"', 1, 3, /after the backslash/],
  ]
  test.each(cases)('%j', (text, line, column, message) => {
    const error = thrown(() => parseJson(text))
    expect(error).toMatchObject({ kind: 'syntax', at: { line, column } })
    expect(error.message).toMatch(message)
    expect(error.message).toContain(`Line ${line}, column ${column}:`)
  })

  test('deep nesting, without overflowing the stack', () => {
    const error = thrown(() => parseJson('['.repeat(1_000_000)))
    expect(error.message).toMatch(/nested more than 1500 deep/)
    expect(() => parseJson('['.repeat(1500) + ']'.repeat(1500))).not.toThrow()
  })

  test('what is longer than the limit', () => {
    expect(() => parseJson('[1, 2, 3]', { depth: 10, length: 5 })).toThrow(/9 characters, more than the 5 allowed/)
  })
})

test('places are those of the values, by pointer', () => {
  const document = parseJson('{\n  "a": [1,\n    {"b/c~": true}]\n}')
  expect(document.place('')).toEqual({ line: 1, column: 1, pointer: '' })
  expect(document.place('/a')).toEqual({ line: 2, column: 8, pointer: '/a' })
  expect(document.place('/a/1/b~1c~0')).toEqual({ line: 3, column: 14, pointer: '/a/1/b~1c~0' })
  expect(document.place('/nowhere')).toBeUndefined()
})

test('a document of ten megabytes is read, which in quadratic time would take hours', () => {
  const node =
    '{"field": "x", "operator": "<", "value": {"double": 12.345}, "pass": {"double": 1.0}, "fail": {"int": 3}}'
  const text = `[${Array.from({ length: 100_000 }, () => node).join(', ')}]`
  expect(text.length).toBeGreaterThan(10_000_000)
  expect(parseJson(text).root).toHaveLength(100_000)
})

function thrown(action: () => unknown): PfaError {
  try {
    action()
  } catch (error) {
    return error as PfaError
  }
  throw new Error('expected an error, got none')
}
