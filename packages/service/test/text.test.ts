import type { PitotError } from '@pitot/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText, parseJson } from '../src/text.ts'

function refusal(action: () => unknown): PitotError {
  try {
    action()
  } catch (error) {
    return error as PitotError
  }
  throw new Error('was taken')
}

describe('decodeText', () => {
  const good: [name: string, bytes: number[], text: string][] = [
    ['nothing', [], ''],
    ['plain text', [0x61, 0x62], 'ab'],
    ['two bytes', [0xc3, 0xa9], 'é'],
    ['four bytes', [0xf0, 0x9f, 0x98, 0x80], '😀'],
    ['a byte order mark, which is dropped', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ]
  test.each(good)('reads %s', (_, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes), 'it')).toBe(text)
  })

  const bad: [name: string, bytes: number[], offset: number][] = [
    ['a byte that is never UTF-8', [0x61, 0xff, 0x62], 1],
    ['Latin-1', [0x67, 0x72, 0xf6, 0xdf, 0x65], 2],
    ['a continuation byte on its own', [0x80], 0],
    ['an overlong form', [0x61, 0xc0, 0x80], 1],
    ['a surrogate', [0xed, 0xa0, 0x80], 1],
    ['a character that is cut off in the middle', [0xc3, 0x28], 1],
    ['a text that ends in the middle of a character', [0x61, 0xf0, 0x9f], 2],
  ]
  test.each(bad)('refuses %s and names the offset', (_, bytes, offset) => {
    const error = refusal(() => decodeText(Uint8Array.from(bytes), 'the model'))
    expect(error.code).toBe('not-utf8')
    expect(error.message).toBe(`the model is not valid UTF-8: the byte at offset ${offset} does not fit`)
  })

  test('gives any text back that was UTF-8, and still does after a refusal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        refusal(() => decodeText(Uint8Array.of(0xc3), 'it'))
        expect(decodeText(Buffer.from(text), 'it')).toBe(text.replace(/^\ufeff/, ''))
      }),
    )
  })

  test('names the place of a wrong byte put anywhere into a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const head = Buffer.from(before)
        const bytes = Buffer.concat([head, Buffer.of(0xff), Buffer.from(after)])
        expect(refusal(() => decodeText(bytes, 'it')).message).toContain(`the byte at offset ${head.length} does`)
      }),
    )
  })
})

describe('parseJson', () => {
  test.each(['null', '0', '"a"', '[]', ' {"a":[1,{"b":null}]} \n'])('reads %j', (text) => {
    expect(parseJson(text, 'it')).toEqual(JSON.parse(text))
  })

  const bad: [text: string, line: number, column: number, reason: string][] = [
    ['', 1, 1, 'the text ends too early'],
    ['   ', 1, 4, 'the text ends too early'],
    ['[1,2', 1, 5, "expected ',' or ']' after array element"],
    ['{', 1, 2, "expected property name or '}'"],
    ['{"a":', 1, 6, 'the text ends too early'],
    ['{"a":\n\n', 3, 1, 'the text ends too early'],
    ['"abc', 1, 5, 'unterminated string'],
    ['{"a": x}', 1, 7, "unexpected token 'x'"],
    ['{\n "a": x\n}\n', 2, 7, "unexpected token 'x'"],
    ['[1,2,]', 1, 6, "unexpected token ']'"],
    ['[1,\n2,\n]\n\n\n', 3, 1, "unexpected token ']'"],
    [`[${'1,'.repeat(500)}\n  x, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]`, 2, 3, "unexpected token 'x'"],
    ['["a" "b"]', 1, 6, "expected ',' or ']' after array element"],
    ['[}"', 1, 2, "unexpected token '}'"],
    ['{"a":1,}', 1, 8, 'expected double-quoted property name'],
    ["{'a':1}", 1, 2, "expected property name or '}'"],
    ['{"a" 1}', 1, 6, "expected ':' after property name"],
    ['1 2', 1, 3, 'unexpected non-whitespace character after JSON'],
    ['{"a": x at position 3}', 1, 7, "unexpected token 'x'"],
    ['undefined', 1, 1, "unexpected token 'u'"],
    ['[object Object]', 1, 2, "unexpected token 'o'"],
    ['nul]', 1, 4, "unexpected token ']'"],
    ['a: yaml\nb: 2\n', 1, 1, "unexpected token 'a'"],
    ['<html>\n</html>', 1, 1, "unexpected token '<'"],
    ['😀', 1, 1, "unexpected token '😀'"],
    ['["é", ü]', 1, 7, "unexpected token 'ü'"],
    ['{"a":\r\n  tru}', 2, 6, "unexpected token '}'"],
  ]
  test.each(bad)('%j is wrong in line %i, column %i: %s', (text, line, column, reason) => {
    const error = refusal(() => parseJson(text, 'the stream'))
    expect(error.code).toBe('bad-json')
    expect(error.message).toBe(`the stream is not valid JSON: line ${line}, column ${column}: ${reason}`)
  })

  test('names the place of a wrong character put between any two tokens', () => {
    const documents = fc.json().map((text) => JSON.stringify(JSON.parse(text), null, 1))
    fc.assert(
      fc.property(documents, fc.nat(), (text, choice) => {
        // Between tokens means outside of strings: the places before any other token.
        const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[-\d.eE+]+|[a-z]+|[[\]{},:]/g)].map((match) => match.index)
        const place = places[choice % places.length]!
        const broken = `${text.slice(0, place)}@${text.slice(place)}`
        const before = broken.slice(0, place).split('\n')
        const expected = `line ${before.length}, column ${before.at(-1)!.length + 1}: `
        expect(refusal(() => parseJson(broken, 'it')).message).toContain(expected)
      }),
    )
  })
})
