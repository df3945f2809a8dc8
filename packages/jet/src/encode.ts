// Messages go in, the pieces to be written come out. Bytes of frames are not copied: they are pieces of their own, unless the
// whole message is so short that one piece costs less than two.
import { writeExact } from '@pitot/avro'
import { IS_RECORDSET, SCORE_HEAD, SCORED_HEAD, scoredFront } from './layout.ts'
import {
  type HostMessage,
  hostKinds,
  type JetMessage,
  jetKinds,
  MAXIMUM_MESSAGE,
  type ScoreBatch,
  type Scored,
} from './messages.ts'

// The first piece begins 3 bytes into its memory, so that the body stands at a multiple of 8 and typed arrays fit on it.
const LENGTH_AT = 3
const KIND_AT = 7
const BODY_AT = 8

/** A message up to this length is one piece. */
const SHORT = 2048
const NOTHING: Uint8Array = new Uint8Array()

const text = new TextEncoder()

/** Throws a RangeError when the message is longer than the protocol allows. */
export function encodeHostMessage(message: HostMessage): Uint8Array[] {
  const kind = hostKinds.indexOf(message.kind) + 1
  switch (message.kind) {
    case 'load':
      return jsonMessage(kind, message.load)
    case 'attach':
      return jsonMessage(kind, message.attach)
    case 'begin':
    case 'end':
      return numbersMessage(kind, message.batch)
    case 'score':
      return scoreMessage(kind, message.batch)
    case 'answer':
      return jsonMessage(kind, message.answer)
    case 'snapshot':
    case 'stop':
      return numbersMessage(kind)
    case 'watch':
      return jsonMessage(kind, message.watch)
    case 'collect':
      return jsonMessage(kind, { watches: message.watches })
  }
}

/** Throws a RangeError when the message is longer than the protocol allows. */
export function encodeJetMessage(message: JetMessage): Uint8Array[] {
  const kind = jetKinds.indexOf(message.kind) + 1
  switch (message.kind) {
    case 'hello':
      return jsonMessage(kind, message.hello)
    case 'loaded':
      return jsonMessage(kind, message.loaded)
    case 'failed':
      return jsonMessage(kind, { sentence: message.sentence, trace: message.trace })
    case 'attached':
      return numbersMessage(kind)
    case 'scored':
      return scoredMessage(kind, message.scored)
    case 'progress':
      return numbersMessage(kind, message.batch, message.done)
    case 'ask':
      return jsonMessage(kind, message.ask)
    case 'state':
      return jsonMessage(kind, message.state)
    case 'collected':
      return jsonMessage(kind, { partials: message.partials })
  }
}

function jsonMessage(kind: number, value: unknown): Uint8Array[] {
  return piecesOf(kind, new ArrayBuffer(BODY_AT), text.encode(writeExact(value)))
}

function numbersMessage(kind: number, ...numbers: readonly number[]): Uint8Array[] {
  const head = new ArrayBuffer(BODY_AT + 4 * numbers.length)
  new Uint32Array(head, BODY_AT).set(numbers)
  return piecesOf(kind, head)
}

function scoreMessage(kind: number, score: ScoreBatch): Uint8Array[] {
  const { bounds } = score
  const extra = extraOf(score)
  const head = new ArrayBuffer(BODY_AT + SCORE_HEAD + 4 * bounds.length)
  const view = new DataView(head, BODY_AT)
  view.setUint32(0, score.batch, true)
  view.setUint16(4, score.slot, true)
  view.setUint16(6, score.isRecordset ? IS_RECORDSET : 0, true)
  view.setUint32(8, bounds.length / 2, true)
  view.setUint32(12, extra.length, true)
  view.setBigUint64(16, BigInt(score.first), true)
  let from = score.bytes.length
  let to = 0
  for (let at = 0; at < bounds.length; at += 2) {
    if (bounds[at]! < from) from = bounds[at]!
    if (bounds[at + 1]! > to) to = bounds[at + 1]!
  }
  // Bounds that are all zero do not point into the bytes: these are one value for the whole batch (form `r`).
  if (to === 0) {
    from = 0
    to = score.bytes.length
  }
  const shifted = new Uint32Array(head, BODY_AT + SCORE_HEAD)
  for (let at = 0; at < bounds.length; at++) shifted[at] = bounds[at]! - from
  return piecesOf(kind, head, extra, score.bytes.subarray(from, to))
}

function extraOf({ counts, header, writerSchema }: ScoreBatch): Uint8Array {
  if (counts === undefined && header === undefined && writerSchema === undefined) return NOTHING
  const extra = { counts, header: header && new TextDecoder().decode(header), writerSchema }
  return text.encode(JSON.stringify(extra))
}

function scoredMessage(kind: number, scored: Scored): Uint8Array[] {
  const count = scored.indexes.length
  const rejects = scored.rejects.length === 0 ? NOTHING : text.encode(JSON.stringify(scored.rejects))
  const head = new ArrayBuffer(BODY_AT + scoredFront(count))
  const { decode, checkInput, model, checkOutput, encode } = scored.seconds
  new Uint32Array(head, BODY_AT, 4).set([scored.batch, scored.consumed, count, rejects.length])
  new Float64Array(head, BODY_AT + 16, 5).set([decode, checkInput, model, checkOutput, encode])
  new Uint32Array(head, BODY_AT + SCORED_HEAD, count).set(scored.indexes)
  new Uint32Array(head, BODY_AT + SCORED_HEAD + 4 * count, 2 * count).set(scored.bounds)
  new Uint16Array(head, BODY_AT + SCORED_HEAD + 12 * count, count).set(scored.slots)
  return piecesOf(kind, head, scored.bytes, rejects)
}

function piecesOf(kind: number, head: ArrayBuffer, one = NOTHING, other = NOTHING): Uint8Array[] {
  const length = head.byteLength - KIND_AT + one.length + other.length
  if (length > MAXIMUM_MESSAGE) {
    throw new RangeError(`a message of ${length} bytes is too long for a jet: the limit is ${MAXIMUM_MESSAGE}`)
  }
  const front = new Uint8Array(head, LENGTH_AT)
  front[0] = length
  front[1] = length >>> 8
  front[2] = length >>> 16
  front[3] = length >>> 24
  front[KIND_AT - LENGTH_AT] = kind
  if (one.length === 0 && other.length === 0) return [front]
  if (length > SHORT) return [front, one, other].filter((piece) => piece.length > 0)
  const whole = new Uint8Array(length + KIND_AT - LENGTH_AT)
  whole.set(front)
  whole.set(one, front.length)
  whole.set(other, front.length + one.length)
  return [whole]
}
