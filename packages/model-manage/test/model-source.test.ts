// Models as they arrive, and PFA documents in other forms.
import { expect, test } from 'vitest'
import { convertPfa, readModelSource } from '../src/model-source.ts'

const json = 'application/vnd.pitot.model-pfa+json'
const pfa = '{"input": "double", "output": "double", "action": ["input"], "metadata": {"a": 1.0, "b": ["x"]}}'

test('a PFA document gives its metadata and keeps its bytes', () => {
  const bytes = Buffer.from(pfa)
  expect(readModelSource(json, bytes)).toEqual({ language: 'pfa-json', bytes, metadata: { a: 1, b: ['x'] } })
})

test('a document inside a JSON string is unwrapped once', () => {
  expect(Buffer.from(readModelSource(json, Buffer.from(JSON.stringify(pfa))).bytes).toString()).toBe(pfa)
})

test.each([
  ['no metadata', '{}', {}],
  ['metadata that is no object', '{"metadata": 3}', {}],
  ['a document that is no object', '[]', {}],
  ['a key of an evil name', '{"metadata": {"__proto__": 1}}', JSON.parse('{"__proto__": 1}')],
])('%s', (_title, text, metadata) => {
  expect(readModelSource(json, Buffer.from(text)).metadata).toEqual(metadata)
})

test.each([
  ['longs', '{"a": 9223372036854775807}', /9223372036854775807/],
  ['doubles that are whole', '{"a": 1.0}', /1\.0/],
  ['texts that look like something else', '{"a": "null", "b": "1", "c": "yes", "d": "~"}', /"null".*"1"/s],
])('%s survive the way to YAML and back', (_title, text, inYaml) => {
  const yaml = convertPfa(Buffer.from(text), 'json', 'yaml')
  expect(Buffer.from(yaml).toString()).toMatch(inYaml)
  expect(JSON.parse(Buffer.from(convertPfa(yaml, 'yaml', 'json')).toString())).toEqual(JSON.parse(text))
})

test('what cannot be read cannot be converted', () => {
  expect(() => convertPfa(Buffer.from('{'), 'json', 'yaml')).toThrow(/cannot be given as PFA yaml/)
})
