// What is no message: whatever the bytes are, there is a sentence about what is wrong with them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeHostMessage, decodeJetMessage, ProtocolError } from '../src/index.ts'
import { fromHost, fromJet, jetMessage, scoredWith, scoreWith } from './messages.ts'

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
    ['a kind that is not', 10, json({}), /no message of kind 10 from a jet/],
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
    ['partials that are a list', 9, json({ partials: [] }), /collected.partials is not an object/],
  ])('%s', (_, kind, body, sentence) => {
    expect(() => decodeJetMessage(kind, body)).toThrow(ProtocolError)
    expect(() => decodeJetMessage(kind, body)).toThrow(sentence)
  })
})

describe('what the host may not send', () => {
  test.each<[string, number, Uint8Array, RegExp]>([
    ['a kind that is not', 11, json({}), /no message of kind 11 from the host/],
    ['half a begin', 3, new Uint8Array(3), /begin is 3 bytes long, not 4/],
    ['more than stop', 8, new Uint8Array(1), /stop is 1 bytes long/],
    ['half a head', 4, new Uint8Array(23), /score is 23 bytes long, but says it has 24/],
    ['more frames than bounds', 4, changed(fromHost(scoreWith({})), [8, 9]), /score is 42 bytes long/],
    ['a frame outside', 4, changed(fromHost(scoreWith({})), [28, 11]), /frame 0 of score is from 0 to 11/],
    ['a first record beyond numbers', 4, changed(fromHost(scoreWith({})), [20, 0xffffffff]), /too large/],
    ['counts of other frames', 4, fromHost(scoreWith({ counts: [1, 2] })).slice(5), /1 frames, but counts for 2/],
    ['a model without file', 1, json({ language: 'r', name: 'x' }), /load.file is not a string/],
    ['a stream that is none', 2, json({ slot: 0, stream: 'json' }), /attach.stream is not an object/],
    ['a watch without a path', 9, json({ watch: 1, slot: 0, program: null }), /watch.path is not a string/],
    [
      'a program without an aggregate',
      9,
      json({ watch: 1, slot: 0, path: 'x', program: { filter: null, maxReads: null } }),
      /watch.program.aggregate is not an object/,
    ],
    ['watches that are no numbers', 10, json({ watches: ['1'] }), /collect.watches\[0\] is not a whole number/],
  ])('%s', (_, kind, body, sentence) => {
    expect(() => decodeHostMessage(kind, body)).toThrow(ProtocolError)
    expect(() => decodeHostMessage(kind, body)).toThrow(sentence)
  })
})

test('any bytes are a message or a ProtocolError', () => {
  fc.assert(
    fc.property(fc.nat(14), fc.uint8Array({ maxLength: 200 }), (kind, body) => {
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
