import { describe, expect, test } from 'vitest'
import { type DocumentObject, type DocumentValue, isObject } from '../../../src/forms/document.ts'
import { parseJson } from '../../../src/forms/json.ts'
import { parsePretty, parsePrettyExpressions } from '../../../src/forms/pretty/sections.ts'
import { canonical } from '../canonical.ts'
import { readShared } from '../shared.ts'

const recorded = readShared('prettypfa.json')

describe.skipIf(recorded === undefined)('recorded pairs of PrettyPFA and PFA', () => {
  const cases = recorded === undefined ? [] : (parseJson(recorded).root as DocumentObject[])
  test.each(cases.map((pair, index) => [index, pair.source, pair] as const))('%i %s', (_index, _source, pair) => {
    const read = pair.kind === 'engine' ? parsePretty : parsePrettyExpressions
    const replacements = pair.subs as Record<string, DocumentValue> | undefined
    const { root } = read(pair.pretty as string, replacements === undefined ? {} : { replacements })
    expect(canonical(withoutName(root))).toEqual(canonical(withoutName(pair.json!)))
  })

  /** A name that the reference made up is not compared; a document without one has none here. */
  function withoutName(value: DocumentValue): DocumentValue {
    if (!isObject(value) || (typeof value.name === 'string' && !/^Engine_\d+$/.test(value.name))) return value
    const { name: _name, ...rest } = value
    return rest
  }
})
