import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formats, parse, print } from '../../src/forms/index.ts'
import { canonical } from '../forms/canonical.ts'
import { documents } from './documents.ts'

/** The YAML package takes most of the time. */
const runs = { json: 300, yaml: 60, pretty: 300 }

describe.each(formats)('%s', (format) => {
  test('generated documents are the same after they are printed and read', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = print(document, format)
        expect(canonical(parse(text, format).root), text).toEqual(canonical(document))
      }),
      { numRuns: runs[format] },
    )
  })

  test('printing what was read gives the same text', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = print(parse(print(document, format), format), format)
        expect(print(parse(text, format), format)).toBe(text)
      }),
      { numRuns: runs[format] / 4 },
    )
  })
})
