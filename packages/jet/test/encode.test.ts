// Messages to bytes and back, in both directions; what is no message.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Assembler,
  decodeHostMessage,
  decodeJetMessage,
  encodeHostMessage,
  encodeJetMessage,
  type HostMessage,
  type JetMessage,
  MAXIMUM_MESSAGE,
  ProtocolError,
  type ScoreBatch,
} from '../src/index.ts'
import { comparable, cutAt, fromHost, fromJet, hostMessage, jetMessage, joined } from './messages.ts'

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
    const bytes = new Uint8Array(1000)
    const [, ...rest] = encodeHostMessage({
      kind: 'score',
      batch: { batch: 1, slot: 0, isRecordset: false, first: 1, bytes, bounds: [100, 110, 200, 300] },
    })
    expect(rest.map((piece) => [piece.buffer === bytes.buffer, piece.byteOffset, piece.length])).toEqual([
      [true, 100, 200],
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

  test('one value for the whole batch is sent whole', () => {
    const pieces = encodeHostMessage({
      kind: 'score',
      batch: { batch: 1, slot: 0, isRecordset: false, first: 1, bytes: new Uint8Array(50), bounds: [0, 0, 0, 0] },
    })
    expect(pieces.at(-1)?.length).toBe(50)
  })
})

function scoredWith({ bounds, bytes }: { bounds: number[]; bytes: number[] }): JetMessage {
  return {
    kind: 'scored',
    scored: {
      batch: 1,
      consumed: 1,
      seconds: { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 },
      indexes: new Uint32Array(bounds.length / 2),
      bounds: Uint32Array.from(bounds),
      slots: new Uint16Array(bounds.length / 2).fill(1),
      bytes: Uint8Array.from(bytes),
      rejects: [],
    },
  }
}

const scoreWith = (more: Partial<ScoreBatch>): HostMessage => ({
  kind: 'score',
  batch: { batch: 1, slot: 0, isRecordset: false, first: 1, bytes: new Uint8Array(10), bounds: [0, 10], ...more },
})

/** Body of a message, with numbers of it changed: offset, value. */
function changed(message: Uint8Array, ...numbers: [number, number][]): Uint8Array {
  const body = message.slice(5)
  for (const [at, value] of numbers) new DataView(body.buffer).setUint32(at, value, true)
  return body
}
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const good = { bounds: [0, 2, 2, 4], bytes: [1, 2, 3, 4] }
const slotOf = (slot: unknown) => ({ slots: [slot], snapshots: 'none', warnings: [] })

describe('what no jet may send', () => {
  test.each<[string, number, Uint8Array, RegExp]>([
    ['a kind that is not', 9, json({}), /no message of kind 9 from a jet/],
    ['kind 0', 0, json({}), /no message of kind 0/],
    ['no JSON', 1, new TextEncoder().encode('{"protocol":'), /hello is not JSON/],
    ['no UTF-8', 3, Uint8Array.of(0x22, 0xff, 0x22), /failed is not JSON in UTF-8/],
    ['no object', 1, json([]), /hello is not an object/],
    ['no pid', 1, json({ protocol: 1, runner: 'r', version: '4', form: 'r' }), /hello.pid is not a whole number/],
    [
      'an unknown form',
      1,
      json({ protocol: 1, runner: 'r', version: '4', pid: 1, form: 'xml' }),
      /hello.form is not one of wire, json, r/,
    ],
    ['no slots', 2, json({ snapshots: 'none', warnings: [] }), /loaded.slots is not a list/],
    ['a slot below 0', 2, json(slotOf({ slot: -1, recordsets: true, action: null })), /loaded.slots\[0\].slot/],
    ['a slot without recordsets', 2, json(slotOf({ slot: 1, action: null })), /recordsets is not true or false/],
    ['no sentence', 3, json({ trace: 'x' }), /failed.sentence is not a string/],
    ['more than attached', 4, Uint8Array.of(1), /attached is 1 bytes long, not 0/],
    ['half a progress', 6, new Uint8Array(7), /progress is 7 bytes long, not 8/],
    ['half a head', 5, new Uint8Array(55), /scored is 55 bytes long, but says it has 56/],
    ['more emissions than numbers', 5, changed(fromJet(scoredWith(good)), [8, 3]), /scored is 88 bytes long/],
    ['endless emissions', 5, changed(fromJet(scoredWith(good)), [8, 0xffffffff]), /scored is 88 bytes long/],
    ['rejects longer than the message', 5, changed(fromJet(scoredWith(good)), [12, 5]), /says it has 89/],
    [
      'rejects that are no JSON',
      5,
      changed(fromJet(scoredWith({ ...good, bounds: [0, 2] })), [12, 2]),
      /rejects is not JSON/,
    ],
    ['rejects over the bytes', 5, changed(fromJet(scoredWith(good)), [12, 1]), /frame 1 of scored.* 3 bytes/],
    ['an end outside', 5, changed(fromJet(scoredWith(good)), [76, 5]), /frame 1 of scored is from 2 to 5.* 4 bytes/],
    ['an end before the start', 5, changed(fromJet(scoredWith(good)), [64, 3]), /frame 0 of scored is from 3 to 2/],
    ['an unknown question', 7, json({ do: 'drop', cell: 'x' }), /ask.do is not one of get, set, lock, release/],
    ['a question about nothing', 7, json({ do: 'get' }), /neither a cell nor an item/],
    ['a question about two', 7, json({ do: 'get', cell: 'x', pool: 'y', key: 'z' }), /or both/],
    ['a pool without key', 7, json({ do: 'get', pool: 'y' }), /neither a cell nor an item/],
    ['a state without pools', 8, json({ cells: {} }), /state.pools is not an object/],
    ['a pool that is a list', 8, json({ cells: {}, pools: { p: [] } }), /state.pools.p is not an object/],
  ])('%s', (_, kind, body, sentence) => {
    expect(() => decodeJetMessage(kind, body)).toThrow(ProtocolError)
    expect(() => decodeJetMessage(kind, body)).toThrow(sentence)
  })
})

describe('what the host may not send', () => {
  test.each<[string, number, Uint8Array, RegExp]>([
    ['a kind that is not', 9, json({}), /no message of kind 9 from the host/],
    ['half a begin', 3, new Uint8Array(3), /begin is 3 bytes long, not 4/],
    ['more than stop', 8, new Uint8Array(1), /stop is 1 bytes long/],
    ['half a head', 4, new Uint8Array(23), /score is 23 bytes long, but says it has 24/],
    ['more frames than bounds', 4, changed(fromHost(scoreWith({})), [8, 9]), /score is 42 bytes long/],
    ['a frame outside', 4, changed(fromHost(scoreWith({})), [28, 11]), /frame 0 of score is from 0 to 11/],
    ['a first record beyond numbers', 4, changed(fromHost(scoreWith({})), [20, 0xffffffff]), /too large/],
    ['counts of other frames', 4, fromHost(scoreWith({ counts: [1, 2] })).slice(5), /1 frames, but counts for 2/],
    ['a model without file', 1, json({ language: 'r', name: 'x' }), /load.file is not a string/],
    ['a stream that is none', 2, json({ slot: 0, stream: 'json' }), /attach.stream is not an object/],
  ])('%s', (_, kind, body, sentence) => {
    expect(() => decodeHostMessage(kind, body)).toThrow(ProtocolError)
    expect(() => decodeHostMessage(kind, body)).toThrow(sentence)
  })
})

test('any bytes are a message or a ProtocolError', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.uint8Array({ maxLength: 200 }), (kind, body) => {
      for (const decode of [decodeHostMessage, decodeJetMessage]) {
        try {
          decode(kind, body)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      }
    }),
  )
})

test('a message with some bytes changed is a message or a ProtocolError', () => {
  fc.assert(
    fc.property(jetMessage, fc.array(fc.tuple(fc.nat(1000), fc.nat(255))), (message, changes) => {
      const body = fromJet(message).slice(4)
      for (const [at, byte] of changes) body[at % body.length] = byte
      try {
        decodeJetMessage(body[0]!, body.subarray(1))
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
      }
    }),
  )
})

describe('lengths', () => {
  const announce = (length: number) => {
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setUint32(0, length, true)
    return bytes
  }
  test.each([
    ['too long', MAXIMUM_MESSAGE + 1, /268435457 bytes is announced: the limit is 268435456/],
    ['endless', 0xffffffff, /4294967295 bytes/],
    ['without a kind', 0, /without a kind/],
  ])('%s', (_, length, sentence) => {
    expect(() => new Assembler(() => undefined).push(announce(length))).toThrow(sentence)
  })

  test('what is announced costs no memory before it comes', () => {
    const before = process.memoryUsage().arrayBuffers
    const assemblers = Array.from({ length: 20 }, () => new Assembler(() => undefined))
    for (const assembler of assemblers) assembler.push(announce(MAXIMUM_MESSAGE))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20)
  })

  test('a message that would be too long is not written', () => {
    const bytes = new Uint8Array(MAXIMUM_MESSAGE)
    const message = scoreWith({ bytes, bounds: [0, bytes.length] })
    expect(() => encodeHostMessage(message)).toThrow(/too long for a jet: the limit is 268435456/)
    const { kind, scored } = scoredWith(good) as JetMessage & { kind: 'scored' }
    expect(() => encodeJetMessage({ kind, scored: { ...scored, bytes } })).toThrow(RangeError)
  })
})
