// The page about errors says what the catalogue says.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorsDocument } from '../scripts/errors-document.ts'

test('docs/errors.md is up to date; `npm run docs` makes it', () => {
  expect(readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsDocument())
})
