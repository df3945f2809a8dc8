// Messages to bytes and back, in both directions, without a copy of what is in them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Assembler,
  decodeHostMessage,
  decodeJetMessage,
  encodeHostMessage,
  encodeJetMessage,
  type JetMessage,
  MAXIMUM_MESSAGE,
  type ScoreBatch,
} from '../src/index.ts'
import {
  comparable,
  cutAt,
  fromHost,
  fromJet,
  hostMessage,
  jetMessage,
  joined,
  scoredWith,
  scoreWith,
} from './messages.ts'

const cuts = fc.array(fc.nat(10_000), { maxLength: 30 })

function decodeAll<Message>(
  pieces: readonly Uint8Array[],
  decode: (kind: number, body: Uint8Array) => Message,
): Message[] {
  const messages: Message[] = []
  const assembler = new Assembler((kind, body) => messages.push(decode(kind, body)))
  for (const piece of pieces) assembler.push(piece)
  return messages
}

describe('a stream of messages, cut anywhere', () => {
  test('from the host', () => {
    fc.assert(
      fc.property(fc.array(hostMessage, { maxLength: 6 }), cuts, (messages, where) => {
        const decoded = decodeAll(cutAt(joined(messages.map(fromHost)), where), decodeHostMessage)
        expect(decoded.map(comparable)).toEqual(messages.map(comparable))
      }),
    )
  })

  test('from a jet', () => {
    fc.assert(
      fc.property(fc.array(jetMessage, { maxLength: 6 }), cuts, (messages, where) => {
        const decoded = decodeAll(cutAt(joined(messages.map(fromJet)), where), decodeJetMessage)
        expect(decoded.map(comparable)).toEqual(messages.map(comparable))
      }),
    )
  })

  test('byte by byte', () => {
    const message: JetMessage = { kind: 'failed', sentence: 'no' }
    const bytes = fromJet(message)
    expect(
      decodeAll(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        decodeJetMessage,
      ),
    ).toEqual([message])
  })

  test('a long message in small pieces', () => {
    const bytes = new Uint8Array(5_000_000).map((_, index) => index)
    const batch: ScoreBatch = { batch: 7, slot: 0, isRecordset: false, first: 1, bytes, bounds: [0, bytes.length] }
    const stream = fromHost({ kind: 'score', batch })
    const pieces = Array.from({ length: Math.ceil(stream.length / 999) }, (_, at) =>
      stream.subarray(999 * at, 999 * (at + 1)),
    )
    const [message] = decodeAll(pieces, decodeHostMessage)
    expect(message?.kind === 'score' && Buffer.compare(message.batch.bytes, bytes)).toBe(0)
  })
})

describe('nothing is copied', () => {
  test('bytes of a batch that is sent', () => {
    const bytes = new Uint8Array(10_000)
    const [, ...rest] = encodeHostMessage({
      kind: 'score',
      batch: { batch: 1, slot: 0, isRecordset: false, first: 1, bytes, bounds: [100, 110, 200, 9000] },
    })
    expect(rest.map((piece) => [piece.buffer === bytes.buffer, piece.byteOffset, piece.length])).toEqual([
      [true, 100, 8900],
    ])
  })

  test('emissions in memory that is aligned', () => {
    const piece = joined([new Uint8Array(3), fromJet(scoredWith({ bounds: [0, 2], bytes: [1, 2] }))]).subarray(3)
    const [message] = decodeAll([piece], decodeJetMessage)
    const scored = message?.kind === 'scored' ? message.scored : undefined
    expect(scored?.bytes.buffer).toBe(piece.buffer)
    expect(scored?.bounds.buffer).toBe(piece.buffer)
    expect(scored?.indexes.buffer).toBe(piece.buffer)
  })
})

test('one value for the whole batch is sent whole', () => {
  const message = scoreWith({ bytes: new Uint8Array(50).fill(7), bounds: [0, 0, 0, 0] })
  const [decoded] = decodeAll([fromHost(message)], decodeHostMessage)
  expect(decoded?.kind === 'score' && Array.from(decoded.batch.bytes)).toEqual(Array(50).fill(7))
})

test('a message that would be too long is not written', () => {
  const bytes = new Uint8Array(MAXIMUM_MESSAGE)
  const message = scoreWith({ bytes, bounds: [0, bytes.length] })
  expect(() => encodeHostMessage(message)).toThrow(/too long for a jet: the limit is 268435456/)
  const { kind, scored } = scoredWith({ bounds: [], bytes: [] }) as JetMessage & { kind: 'scored' }
  expect(() => encodeJetMessage({ kind, scored: { ...scored, bytes } })).toThrow(RangeError)
})
