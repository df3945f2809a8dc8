import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DocumentObject, type DocumentValue, isList, isObject } from '../../src/forms/document.ts'
import { formats, parse, print } from '../../src/forms/index.ts'
import { parseJson } from '../../src/forms/json.ts'
import { sharedFolder } from '../forms/shared.ts'
import { meaning } from './meaning.ts'

const present = existsSync(sharedFolder)
if (!present) console.log(`skipped: ${sharedFolder} is not present`)

/** Whatever looks like a whole document, in every recorded file. */
function documentsIn(value: DocumentValue): DocumentObject[] {
  if (isList(value)) return value.flatMap(documentsIn)
  if (!isObject(value)) return []
  if (value.input !== undefined && value.output !== undefined && value.action !== undefined) return [value]
  return Object.values(value).flatMap(documentsIn)
}

const files = present
  ? readdirSync(sharedFolder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.json') && !file.includes('expected'),
    )
  : []

describe.skipIf(!present)('recorded documents mean the same after they are printed and read', () => {
  let compared = 0
  test.each(files)('%s', (file) => {
    for (const document of documentsIn(parseJson(readFileSync(join(sharedFolder, file), 'utf8')).root)) {
      let expected: unknown
      try {
        expected = meaning(document)
      } catch {
        continue // recorded because it is wrong
      }
      for (const format of formats) {
        const text = print(document, format)
        expect(meaning(parse(text, format).root), text).toEqual(expected)
      }
      compared += 1
    }
  })

  test('there were documents to compare', () => {
    console.log(`${compared} documents compared in ${formats.join(', ')}`)
    expect(compared).toBeGreaterThan(500)
  })
})
