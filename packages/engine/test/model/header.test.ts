// Header values as clients really write them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHeaderValue } from '../../src/model/header.ts'

test.each([
  ['a plain one', 'x-model; name="square"', 'x-model', { name: 'square' }],
  ['without quotes', 'x-stream; name=demo-1', 'x-stream', { name: 'demo-1' }],
  ['the opening quote missing', 'x-stream; name=demo-1"', 'x-stream', { name: 'demo-1' }],
  ['the closing quote missing', 'x-stream; name="demo-1', 'x-stream', { name: 'demo-1' }],
  [
    'the closing quote missing, more to come',
    'form-data; name="a; filename=b',
    'form-data',
    { name: 'a', filename: 'b' },
  ],
  [
    'a quote in the wrong place',
    'message/external-body; access-type=x-model-manage; ref="urn:fastscore:attachment:"m:a.zip',
    'message/external-body',
    { 'access-type': 'x-model-manage', ref: 'urn:fastscore:attachment:m:a.zip' },
  ],
  ['a semicolon inside quotes', 'attachment; filename="a;b.zip"; x=1', 'attachment', { filename: 'a;b.zip', x: '1' }],
  ['protected quotes', String.raw`attachment; filename="a\"b\\c.zip"`, 'attachment', { filename: 'a"b\\c.zip' }],
  [
    'a path of Windows',
    String.raw`attachment; filename="C:\data\a.zip"`,
    'attachment',
    { filename: 'C:\\data\\a.zip' },
  ],
  ['capitals', 'Attachment; FileName="A.zip"', 'attachment', { filename: 'A.zip' }],
  ['the extended spelling', "form-data; filename*=utf-8''na%C3%AFve.zip", 'form-data', { filename: 'naïve.zip' }],
  ['both spellings', "form-data; filename*=UTF-8''%E2%82%AC; filename=EUR", 'form-data', { filename: '€' }],
  ['a broken extended spelling', "form-data; filename*=utf-8''%E2%82", 'form-data', { 'filename*': "utf-8''%E2%82" }],
  ['UTF-8 as HTTP gives it', Buffer.from('x-model; name="é€"').toString('latin1'), 'x-model', { name: 'é€' }],
  ['Latin-1', 'x-model; name="é"', 'x-model', { name: 'é' }],
  ['blanks', '  attachment ;  filename = "a" ; ', 'attachment', { filename: 'a' }],
  ['nothing', '', '', {}],
  ['a parameter without a value', 'attachment; filename', 'attachment', {}],
  ['the first of two', 'x-model; name=a; name=b', 'x-model', { name: 'a' }],
])('%s', (_title, text, word, parameters) => {
  const value = readHeaderValue(text)
  expect(value.word).toBe(word)
  expect(Object.fromEntries(value.parameters)).toEqual(parameters)
})

test('any name that is quoted properly comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const quoted = name.replace(/["\\]/g, '\\$&')
      expect(readHeaderValue(`x-model; name="${quoted}"; last=1`).parameters.get('name')).toBe(name)
    }),
  )
})

test('any text at all has a word and parameters without quotes', () => {
  const text = fc.string({ unit: fc.constantFrom(';', '"', '\\', '=', '*', "'", 'a', ' ') })
  fc.assert(
    fc.property(text, (given) => {
      const { word, parameters } = readHeaderValue(given)
      for (const value of [word, ...parameters.values()]) expect(value.length).toBeLessThanOrEqual(given.length)
      if (!given.includes('\\')) expect([word, ...parameters.values()].join('')).not.toContain('"')
    }),
  )
})
