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
  return new Message(kind, 0, text.encode(writeExact(value))).pieces
}

function numbersMessage(kind: number, ...numbers: readonly number[]): Uint8Array[] {
  const message = new Message(kind, 4 * numbers.length)
  message.uint32(0, numbers.length).set(numbers)
  return message.pieces
}

function scoreMessage(kind: number, score: ScoreBatch): Uint8Array[] {
  const { bounds } = score
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
  const extra = extraOf(score)
  const message = new Message(kind, SCORE_HEAD + 4 * bounds.length, extra, score.bytes.subarray(from, to))
  const { view } = message
  view.setUint32(0, score.batch, true)
  view.setUint16(4, score.slot, true)
  view.setUint16(6, score.isRecordset ? IS_RECORDSET : 0, true)
  view.setUint32(8, bounds.length / 2, true)
  view.setUint32(12, extra.length, true)
  view.setBigUint64(16, BigInt(score.first), true)
  const shifted = message.uint32(SCORE_HEAD, bounds.length)
  for (let at = 0; at < bounds.length; at++) shifted[at] = bounds[at]! - from
  return message.pieces
}

function extraOf({ counts, header, writerSchema }: ScoreBatch): Uint8Array {
  if (counts === undefined && header === undefined && writerSchema === undefined) return NOTHING
  const extra = { counts, header: header && new TextDecoder().decode(header), writerSchema }
  return text.encode(JSON.stringify(extra))
}

function scoredMessage(kind: number, scored: Scored): Uint8Array[] {
  const count = scored.indexes.length
  const rejects = scored.rejects.length === 0 ? NOTHING : text.encode(JSON.stringify(scored.rejects))
  const message = new Message(kind, scoredFront(count), scored.bytes, rejects)
  const { view } = message
  const { decode, checkInput, model, checkOutput, encode } = scored.seconds
  view.setUint32(0, scored.batch, true)
  view.setUint32(4, scored.consumed, true)
  view.setUint32(8, count, true)
  view.setUint32(12, rejects.length, true)
  view.setFloat64(16, decode, true)
  view.setFloat64(24, checkInput, true)
  view.setFloat64(32, model, true)
  view.setFloat64(40, checkOutput, true)
  view.setFloat64(48, encode, true)
  message.uint32(SCORED_HEAD, count).set(scored.indexes)
  message.uint32(SCORED_HEAD + 4 * count, 2 * count).set(scored.bounds)
  const slots = message.uint16(SCORED_HEAD + 12 * count, count + (count % 2))
  // Where their number is odd two bytes are left, so that what follows begins at a multiple of 4.
  if (count % 2 === 1) slots[count] = 0
  slots.set(scored.slots)
  return message.pieces
}

/** A message that is being written: room for the numbers it begins with, and what stands behind them. */
class Message {
  readonly pieces: Uint8Array[]
  /** The numbers. All of them have to be written: the memory has been used before. */
  readonly view: DataView
  readonly #memory: Buffer

  constructor(kind: number, front: number, one = NOTHING, other = NOTHING) {
    const length = BODY_AT - KIND_AT + front + one.length + other.length
    if (length > MAXIMUM_MESSAGE) {
      throw new RangeError(`a message of ${length} bytes is too long for a jet: the limit is ${MAXIMUM_MESSAGE}`)
    }
    const isShort = length <= SHORT
    // From a pool where it is short, which takes a tenth of the time, and at a multiple of 8 in any case.
    const memory = Buffer.allocUnsafe(isShort ? KIND_AT + length : BODY_AT + front)
    memory.writeUInt32LE(length, LENGTH_AT)
    memory[KIND_AT] = kind
    this.#memory = memory
    this.view = new DataView(memory.buffer, memory.byteOffset + BODY_AT, front)
    if (isShort) {
      memory.set(one, BODY_AT + front)
      memory.set(other, BODY_AT + front + one.length)
      this.pieces = [memory.subarray(LENGTH_AT)]
    } else this.pieces = [memory.subarray(LENGTH_AT), one, other].filter((piece) => piece.length > 0)
  }

  /** `count` numbers from `at` on, which is a multiple of 4. */
  uint32(at: number, count: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.view.byteOffset + at, count)
  }

  uint16(at: number, count: number): Uint16Array {
    return new Uint16Array(this.#memory.buffer, this.view.byteOffset + at, count)
  }
}
