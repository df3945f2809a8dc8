import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordText } from '../../src/status/record-text.ts'

const rows: [bytes: Uint8Array, text: string, isBase64: boolean][] = [
  [Buffer.from('{"a":1}'), '{"a":1}', false],
  [Buffer.from(''), '', false],
  [Buffer.from('grüße 😀'), 'grüße 😀', false],
  [Buffer.from([0xef, 0xbb, 0xbf, 0x31]), '\ufeff1', false],
  [Buffer.from([0xff, 0x00]), '/wA=', true],
  [Buffer.from('xabcx').subarray(1, 4), 'abc', false],
]
test.each(rows)('%j is %j', (bytes, text, isBase64) => {
  expect(recordText(bytes)).toEqual({ text, isBase64 })
})

test('no byte is lost', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { text, isBase64 } = recordText(bytes)
      expect([...Buffer.from(text, isBase64 ? 'base64' : 'utf8')]).toEqual([...bytes])
    }),
  )
})
