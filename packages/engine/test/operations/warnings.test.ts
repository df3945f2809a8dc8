import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { warningHeaders } from '../../src/operations/warnings.ts'

test('nothing to say is no header', () => {
  expect(warningHeaders([])).toEqual({})
})

test('each sentence is a value of the header, quoted', () => {
  expect(warningHeaders(["'JSON' is taken for 'json'", 'a "b" \\ c'])).toEqual({
    headers: { warning: `299 pitot "'JSON' is taken for 'json'", 299 pitot "a \\"b\\" \\\\ c"` },
  })
})

test('any sentences make a header that can be sent, of bounded length', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { minLength: 1 }), (sentences) => {
      const { warning } = warningHeaders(sentences).headers!
      validateHeaderValue('warning', warning!)
      expect(warning!.length).toBeLessThanOrEqual(4096)
      expect(warning).toMatch(/^299 pitot "/)
    }),
  )
})
