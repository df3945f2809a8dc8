import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitBody } from '../../../src/transports/rest/split-body.ts'
import { bytesOf, messagesOf, textOf } from '../contract.ts'

describe('splitBody', () => {
  test.each([
    ['', []],
    ['1', ['1']],
    ['{"a":1}\n', ['{"a":1}']],
    ['{"a":1}\n{"a":2}', ['{"a":1}', '{"a":2}']],
    ['{"a":1}\r\n\r\n{"a":2}\r\n', ['{"a":1}', '{"a":2}']],
    ['{\n  "a": 1\n}\n', ['{\n  "a": 1\n}']],
    ['\n[1,\n2]\n\n', ['[1,\n2]']],
    ['not json\n2', ['not json', '2']],
    ['{"a":\n2', ['{"a":', '2']],
    ['1\n{"$pitot":"pig"}\n', ['1', '{"$pitot":"pig"}']],
  ])('%j', (body, records) => {
    const bytes = bytesOf(body)
    const bounds = splitBody(bytes)
    expect(messagesOf({ frames: { bytes, bounds, position: 0 }, position: () => ({}) }).map(textOf)).toEqual(records)
  })

  test('any JSON values on lines come apart, any one value stays whole however it is laid out', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(4), (values, indent) => {
        const body = bytesOf(values.map((value) => JSON.stringify(value)).join('\n'))
        expect(splitBody(body).length / 2).toBe(values.length)
        expect(splitBody(bytesOf(JSON.stringify(values, null, indent))).length).toBe(2)
      }),
    )
  })
})
