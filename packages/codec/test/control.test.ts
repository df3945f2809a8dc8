// Control records and end markers, in each encoding that has them.
import { type Control, controlReader, controlSign, type EncodingName, endMarkerTest, writeControl } from '@pitot/codec'
import { describe, expect, test } from 'vitest'

const bytesOf = (text: string | number[]) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text)
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const read = (encoding: EncodingName, frame: string | number[]) => {
  // In the middle of other bytes, as frames are.
  const bytes = bytesOf(frame)
  const around = new Uint8Array(bytes.length + 6).fill(0x7b)
  around.set(bytes, 3)
  return controlReader(encoding)(around, 3, 3 + bytes.length)
}

describe('read', () => {
  test.each<[EncodingName, string | number[], Control | undefined]>([
    ['json', '{"$pitot":"pig"}', { kind: 'pig', vendor: 'pitot' }],
    ['json', '{"$fastscore":"end"}', { kind: 'end', vendor: 'fastscore' }],
    ['json', '{ "$service" : "set" }', { kind: 'set', vendor: 'service' }],
    [
      'json',
      '{"$pitot":"pig","id":3,"timestamp":1500000000000,"misc":"x"}',
      { kind: 'pig', id: 3, timestamp: 1500000000000, misc: 'x', vendor: 'pitot' },
    ],
    ['json', '{"$pitot":"hog"}', undefined],
    ['json', '{"$pitot":"pig","other":1}', undefined],
    ['json', '{"a":"$pitot"}', undefined],
    ['json', '{"$pitot":"pig"', undefined],
    ['json', '"$pitot"', undefined],
    ['json', '', undefined],
    ['json', `{"$pitot":"pig","misc":"${'x'.repeat(2000)}"}`, undefined],
    ['utf-8', '\u262epitot.end', { kind: 'end', vendor: 'pitot' }],
    [
      'utf-8',
      '\u262efastscore.pig|7|1500000000000|a|b',
      { kind: 'pig', id: 7, timestamp: 1500000000000, misc: 'a|b', vendor: 'fastscore' },
    ],
    ['utf-8', '\u262epitot.pigs', undefined],
    ['utf-8', 'pitot.pig', undefined],
    ['null', [0xfa, ...ascii('stscore.set')], { kind: 'set', vendor: 'fastscore' }],
    [
      'null',
      [0xfa, ...ascii('stscore.pig'), 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 1, 0, ...ascii('hi')],
      { kind: 'pig', id: 5, timestamp: 256, misc: 'hi', vendor: 'fastscore' },
    ],
    ['null', [0xfa, ...ascii('stscore.pig'), 0, 0], undefined],
    ['null', [0xfa, ...ascii('stscore.pi')], undefined],
    ['null', [0xfa], undefined],
    ['null', '{"$pitot":"pig"}', undefined],
    ['avro-binary', '{"$pitot":"pig"}', undefined],
    ['csv', '{"$pitot":"pig"}', undefined],
    ['msgpack', '{"$pitot":"pig"}', undefined],
  ])('%s %j', (encoding, frame, control) => {
    expect(read(encoding, frame)).toEqual(control)
  })
})

describe('written', () => {
  test('a pig in JSON has no spaces', () => {
    expect(new TextDecoder().decode(writeControl('json', { kind: 'pig', vendor: 'fastscore' }))).toBe(
      '{"$fastscore":"pig"}',
    )
  })

  test.each<EncodingName>(['json', 'utf-8', 'null'])('%s: what is written is read again', (encoding) => {
    for (const kind of ['end', 'set', 'pig'] as const) {
      for (const more of [{}, { id: 9, timestamp: 12345678901234, misc: 'note' }]) {
        const control: Control = { kind, ...more, vendor: 'fastscore' }
        const bytes = writeControl(encoding, control)!
        expect(controlReader(encoding)(bytes, 0, bytes.length)).toEqual(control)
        expect(bytes).toContain(controlSign(encoding))
      }
    }
  })

  test('not in the other encodings', () => {
    for (const encoding of ['csv', 'msgpack', 'avro-binary'] as const)
      expect([writeControl(encoding, { kind: 'end', vendor: 'pitot' }), controlSign(encoding)]).toEqual([
        undefined,
        undefined,
      ])
  })
})

describe('end marker', () => {
  test.each<[marker: string | null, encoding: EncodingName, frame: string, isEnd: boolean]>([
    ['$end-of-stream', 'json', '$end-of-stream', true],
    ['$end-of-stream', 'json', '"$end-of-stream"', true],
    ['$end-of-stream', 'json', '"$end-of-stream" ', false],
    ['$end-of-stream', 'null', '$end-of-stream', true],
    ['$end-of-stream', 'null', '"$end-of-stream"', false],
    ['$end-of-stream', 'utf-8', '$end-of-strea', false],
    ['fin é', 'utf-8', 'fin é', true],
    [null, 'json', '$end-of-stream', false],
  ])('%j in %s: %j %j', (marker, encoding, frame, isEnd) => {
    const bytes = bytesOf(frame)
    expect(endMarkerTest(marker, encoding)(bytes, 0, bytes.length)).toBe(isEnd)
  })
})
