import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../../src/library/bytes/base64.ts'
import { bytes as module } from '../../src/library/bytes.ts'
import { BYTES, bytes, fails, INT, type Row, STRING, testTable, text } from './table.ts'

const NAMES = ['Ascii', 'Latin1', 'Utf8', 'Utf16', 'Utf16be', 'Utf16le'] as const
const LONE = '\ud800'

/** By encoding: a text and its bytes, bytes that are no text of it, text that has no bytes in it. */
const CODECS: Record<(typeof NAMES)[number], [string, Uint8Array, Uint8Array | undefined, string]> = {
  Ascii: ['az', bytes(97, 122), bytes(128), 'é'],
  Latin1: ['é\0', bytes(233, 0), undefined, 'Ā'],
  Utf8: ['é😀', text('é😀'), bytes(0xc0, 0x80), LONE],
  Utf16: ['é', bytes(0xff, 0xfe, 233, 0), bytes(0xff, 0xfe, 0), LONE],
  Utf16be: ['é😀', bytes(0, 233, 0xd8, 0x3d, 0xde, 0), bytes(0xd8, 0), LONE],
  Utf16le: ['é😀', bytes(233, 0, 0x3d, 0xd8, 0, 0xde), bytes(0), LONE],
}

const codecRows = NAMES.flatMap((name, i): Row[] => {
  const [characters, encoded, badBytes, badText] = CODECS[name]
  const rows: Row[] = [
    [`bytes.is${name}`, [BYTES], [encoded], true],
    [`bytes.is${name}`, [STRING], [characters], true],
    [`bytes.is${name}`, [STRING], [badText], false],
    [`bytes.decode${name}`, [BYTES], [encoded], characters],
    [`bytes.encode${name}`, [STRING], [characters], encoded],
    [`bytes.encode${name}`, [STRING], [badText], fails(16150 + 10 * i)],
  ]
  if (badBytes === undefined) return rows
  return [
    ...rows,
    [`bytes.is${name}`, [BYTES], [badBytes], false],
    [`bytes.decode${name}`, [BYTES], [badBytes], fails(16090 + 10 * i)],
  ]
})

const rows: Row[] = [
  ['bytes.len', [BYTES], [bytes(1, 2, 3)], 3],
  ['bytes.subseq', [BYTES, INT, INT], [bytes(1, 2, 3, 4), 1, -1], bytes(2, 3)],
  ['bytes.subseq', [BYTES, INT, INT], [bytes(1, 2, 3, 4), 3, 1], bytes()],
  ['bytes.subseqto', [BYTES, INT, INT, BYTES], [bytes(1, 2, 3, 4), 1, 3, bytes(9)], bytes(1, 9, 4)],
  ['bytes.subseqto', [BYTES, INT, INT, BYTES], [bytes(1, 2), 1, 0, bytes(9, 9)], bytes(1, 9, 9, 2)],
  ...codecRows,
  ['bytes.decodeUtf16', [BYTES], [bytes(0xfe, 0xff, 0, 97)], 'a'],
  ['bytes.decodeUtf16', [BYTES], [bytes(97, 0)], 'a'],
  ['bytes.decodeUtf8', [BYTES], [bytes(0xef, 0xbb, 0xbf, 97)], '\ufeffa'],
  ['bytes.toBase64', [BYTES], [bytes(1, 2)], 'AQI='],
  ['bytes.fromBase64', [STRING], ['AQI='], bytes(1, 2)],
  ['bytes.fromBase64', [STRING], [''], bytes()],
  ['bytes.fromBase64', [STRING], ['AQI'], fails(16220)],
  ['bytes.fromBase64', [STRING], ['A==='], fails(16220)],
  ['bytes.fromBase64', [STRING], ['AQ I='], fails(16220)],
]

// Every byte is a character of latin-1, so nothing can raise 16100.
testTable('bytes.', module, rows, [16100])

describe('base 64', () => {
  it('gives back what it was given, as the platform writes it', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (given) => {
        const written = toBase64(given)
        expect(written).toBe(btoa(String.fromCharCode(...given)))
        expect(fromBase64(written)).toEqual(given)
      }),
    )
  })
})
