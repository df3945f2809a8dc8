// Kinds and bodies go in, messages come out. Numbers and bytes are views of the body; what is not as the protocol says is a
// ProtocolError with a sentence, whatever the bytes are.
import { parseExact } from '@pitot/avro'
import { IS_RECORDSET, SCORE_HEAD, SCORED_HEAD, scoredFront } from './layout.ts'
import {
  type Answer,
  type Ask,
  type Attach,
  type Hello,
  type HostMessage,
  hostKinds,
  type JetMessage,
  type JetReject,
  jetKinds,
  type Load,
  type Loaded,
  type Partials,
  type ScoreBatch,
  type Scored,
  type SharedState,
  type Watch,
} from './messages.ts'
import * as shape from './shape.ts'
import { ProtocolError } from './shape.ts'

const slotNumber = shape.whole(0x7fff)
const frameNumber = shape.whole(0xffffffff)
const modelSlots = shape.listOf(
  shape.object({
    slot: slotNumber,
    'schema?': shape.anything,
    recordsets: shape.boolean,
    action: shape.nullOr(shape.string),
  }),
)
const state = shape.object({
  cells: shape.mapOf(shape.anything),
  pools: shape.mapOf(shape.mapOf(shape.anything)),
})

const shapes = {
  load: shape.object({
    language: shape.string,
    name: shape.string,
    file: shape.string,
    sandbox: shape.string,
    timeout: shape.number,
    slots: modelSlots,
    attached: shape.listOf(shape.string),
    'state?': state,
  }),
  attach: shape.object({
    slot: slotNumber,
    stream: shape.nullOr(
      shape.object({
        encoding: shape.string,
        options: shape.mapOf(shape.anything),
        'schema?': shape.anything,
        room: shape.whole(0xffffffff),
      }),
    ),
  }),
  answer: shape.object({ 'value?': shape.anything, 'failed?': shape.string }),
  extra: shape.object({
    'counts?': shape.listOf(frameNumber),
    'header?': shape.string,
    'writerSchema?': shape.string,
  }),
  hello: shape.object({
    protocol: shape.number,
    runner: shape.string,
    version: shape.string,
    pid: shape.whole(0xffffffff),
    form: shape.oneOf('wire', 'json', 'r'),
  }),
  loaded: shape.object({
    slots: modelSlots,
    snapshots: shape.oneOf('none', 'eof'),
    warnings: shape.listOf(shape.string),
  }),
  failed: shape.object({ sentence: shape.string, 'trace?': shape.string }),
  rejects: shape.listOf(
    shape.object({
      index: frameNumber,
      step: shape.oneOf('encoding', 'schema', 'model'),
      reason: shape.string,
      'trace?': shape.string,
      'slot?': slotNumber,
      'bytes?': shape.string,
    }),
  ),
  ask: shape.object({
    do: shape.oneOf('get', 'set', 'lock', 'release'),
    'cell?': shape.string,
    'pool?': shape.string,
    'key?': shape.string,
    'value?': shape.anything,
  }),
  state,
  watch: shape.object({
    watch: shape.whole(Number.MAX_SAFE_INTEGER),
    slot: slotNumber,
    path: shape.string,
    program: shape.nullOr(
      shape.object({
        filter: shape.nullOr(shape.mapOf(shape.anything)),
        aggregate: shape.mapOf(shape.anything),
        maxReads: shape.nullOr(shape.number),
      }),
    ),
  }),
  collect: shape.object({ watches: shape.listOf(shape.whole(Number.MAX_SAFE_INTEGER)) }),
  collected: shape.object({ partials: shape.mapOf(shape.anything) }),
}

/** For the host: what a jet has sent. */
export function decodeJetMessage(kind: number, body: Uint8Array): JetMessage {
  const name = jetKinds[kind - 1]
  switch (name) {
    case 'hello':
      return { kind: name, hello: parse<Hello>(name, body) }
    case 'loaded':
      return { kind: name, loaded: parse<Loaded>(name, body) }
    case 'failed':
      return { kind: name, ...parse<{ sentence: string; trace?: string }>(name, body) }
    case 'attached':
      expectLength(name, body, 0)
      return { kind: name }
    case 'scored':
      return { kind: name, scored: decodeScored(body) }
    case 'progress': {
      expectLength(name, body, 8)
      const numbers = viewOf(body)
      return { kind: name, batch: numbers.getUint32(0, true), done: numbers.getUint32(4, true) }
    }
    case 'ask':
      return { kind: name, ask: decodeAsk(body) }
    case 'state':
      return { kind: name, state: parse<SharedState>(name, body) }
    case 'collected':
      return { kind: name, ...parse<{ partials: Partials }>(name, body, JSON.parse) }
    default:
      throw new ProtocolError(`there is no message of kind ${kind} from a jet`)
  }
}

/** For runners: what the host has sent. */
export function decodeHostMessage(kind: number, body: Uint8Array): HostMessage {
  const name = hostKinds[kind - 1]
  switch (name) {
    case 'load':
      return { kind: name, load: parse<Load>(name, body) }
    case 'attach':
      return { kind: name, attach: parse<Attach>(name, body) }
    case 'begin':
    case 'end':
      expectLength(name, body, 4)
      return { kind: name, batch: viewOf(body).getUint32(0, true) }
    case 'score':
      return { kind: name, batch: decodeScore(body) }
    case 'answer':
      return { kind: name, answer: parse<Answer>(name, body) }
    case 'snapshot':
    case 'stop':
      expectLength(name, body, 0)
      return { kind: name }
    case 'watch':
      return { kind: name, watch: parse<Watch>(name, body, JSON.parse) }
    case 'collect':
      return { kind: name, ...parse<{ watches: number[] }>(name, body) }
    default:
      throw new ProtocolError(`there is no message of kind ${kind} from the host`)
  }
}

function decodeScore(body: Uint8Array): ScoreBatch {
  expectAtLeast('score', body, SCORE_HEAD)
  const numbers = viewOf(body)
  const count = numbers.getUint32(8, true)
  const extraLength = numbers.getUint32(12, true)
  const first = Number(numbers.getBigUint64(16, true))
  if (!Number.isSafeInteger(first)) throw new ProtocolError('the number of the first record of score is too large')
  const boundsEnd = SCORE_HEAD + 8 * count
  expectAtLeast('score', body, boundsEnd + extraLength)
  const front = aligned(body, boundsEnd)
  const bounds = new Uint32Array(front.buffer, front.byteOffset + SCORE_HEAD, 2 * count)
  const bytes = body.subarray(boundsEnd + extraLength)
  expectBounds('score', bounds, bytes.length)
  const extra = extraLength === 0 ? {} : decodeExtra(body.subarray(boundsEnd, boundsEnd + extraLength), count)
  return {
    batch: numbers.getUint32(0, true),
    slot: numbers.getUint16(4, true),
    isRecordset: (numbers.getUint16(6, true) & IS_RECORDSET) !== 0,
    first,
    bytes,
    bounds,
    ...extra,
  }
}

function decodeExtra(json: Uint8Array, frames: number): Pick<ScoreBatch, 'counts' | 'header' | 'writerSchema'> {
  const { counts, header, writerSchema } = parse<{ counts?: number[]; header?: string; writerSchema?: string }>(
    'extra',
    json,
  )
  if (counts && counts.length !== frames) {
    throw new ProtocolError(`score has ${frames} frames, but counts for ${counts.length}`)
  }
  return { counts, header: header === undefined ? undefined : new TextEncoder().encode(header), writerSchema }
}

function decodeScored(body: Uint8Array): Scored {
  expectAtLeast('scored', body, SCORED_HEAD)
  const numbers = viewOf(body)
  const count = numbers.getUint32(8, true)
  const rejectsLength = numbers.getUint32(12, true)
  const frontLength = scoredFront(count)
  expectAtLeast('scored', body, frontLength + rejectsLength)
  const { buffer, byteOffset } = aligned(body, frontLength)
  const bounds = new Uint32Array(buffer, byteOffset + SCORED_HEAD + 4 * count, 2 * count)
  const bytes = body.subarray(frontLength, body.length - rejectsLength)
  expectBounds('scored', bounds, bytes.length)
  return {
    batch: numbers.getUint32(0, true),
    consumed: numbers.getUint32(4, true),
    seconds: {
      decode: numbers.getFloat64(16, true),
      checkInput: numbers.getFloat64(24, true),
      model: numbers.getFloat64(32, true),
      checkOutput: numbers.getFloat64(40, true),
      encode: numbers.getFloat64(48, true),
    },
    indexes: new Uint32Array(buffer, byteOffset + SCORED_HEAD, count),
    bounds,
    slots: new Uint16Array(buffer, byteOffset + SCORED_HEAD + 12 * count, count),
    bytes,
    rejects: rejectsLength === 0 ? [] : parse<JetReject[]>('rejects', body.subarray(body.length - rejectsLength)),
  }
}

function decodeAsk(body: Uint8Array): Ask {
  const ask = parse<Ask & { cell?: string; pool?: string; key?: string }>('ask', body)
  const isCell = ask.cell !== undefined
  const isPool = ask.pool !== undefined && ask.key !== undefined
  if (isCell === isPool) throw new ProtocolError('ask names neither a cell nor an item of a pool, or both')
  return ask
}

/** State and schemas may hold integers that a number cannot; what sensors count with is numbers. */
function parse<Value>(
  name: keyof typeof shapes,
  body: Uint8Array,
  read: (text: string) => unknown = parseExact,
): Value {
  let value: unknown
  try {
    value = read(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new ProtocolError(`${name} is not JSON in UTF-8: ${(error as Error).message}`)
  }
  shapes[name](value, name)
  return value as Value
}

function viewOf(body: Uint8Array): DataView {
  return new DataView(body.buffer, body.byteOffset, body.byteLength)
}

/** The numbers at the beginning of a body, where the memory allows typed arrays as they are, else a copy of them. */
function aligned(body: Uint8Array, length: number): Uint8Array {
  // From a pool where it is short, and at a multiple of 8 in any case.
  return body.byteOffset % 4 === 0 ? body : Buffer.copyBytesFrom(body, 0, length)
}

function expectLength(name: string, body: Uint8Array, length: number): void {
  if (body.length !== length) throw new ProtocolError(`${name} is ${body.length} bytes long, not ${length}`)
}

function expectAtLeast(name: string, body: Uint8Array, length: number): void {
  if (body.length < length) throw new ProtocolError(`${name} is ${body.length} bytes long, but says it has ${length}`)
}

function expectBounds(name: string, bounds: Uint32Array, length: number): void {
  for (let at = 0; at < bounds.length; at += 2) {
    if (bounds[at]! > bounds[at + 1]! || bounds[at + 1]! > length) {
      throw new ProtocolError(
        `frame ${at / 2} of ${name} is from ${bounds[at]} to ${bounds[at + 1]}, outside its ${length} bytes`,
      )
    }
  }
}
