// Messages of every kind for property tests, and what they look like once they have travelled.
import { parseExact } from '@pitot/avro'
import fc from 'fast-check'
import {
  type Ask,
  END_OF_SET,
  encodeHostMessage,
  encodeJetMessage,
  type HostMessage,
  type JetMessage,
  type JetReject,
  NO_FRAME,
  type ScoreBatch,
  type Scored,
} from '../src/index.ts'

const uint32 = fc.nat(0xffffffff)
const slot = fc.nat(0x7fff)
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => parseExact(JSON.stringify(value)))
const seconds = fc.double({ min: 0, noNaN: true })
const state = fc.record({
  cells: fc.dictionary(fc.string(), json),
  pools: fc.dictionary(fc.string(), fc.dictionary(fc.string(), json)),
})
const modelSlots = fc.array(
  fc.record(
    { slot, schema: json, recordsets: fc.boolean(), action: fc.option(fc.string()) },
    { requiredKeys: ['slot', 'recordsets', 'action'] },
  ),
)

/** Frames anywhere in some bytes, in any order, also empty ones. */
const frames = fc.uint8Array({ maxLength: 300 }).chain((bytes) =>
  fc.record({
    bytes: fc.constant(bytes),
    bounds: fc
      .array(fc.tuple(fc.nat(bytes.length), fc.nat(bytes.length)), { maxLength: 20 })
      .map((pairs) => pairs.flatMap(([a, b]) => [Math.min(a, b), Math.max(a, b)])),
  }),
)

const score: fc.Arbitrary<ScoreBatch> = frames.chain(({ bytes, bounds }) =>
  fc.record({
    batch: uint32,
    slot,
    isRecordset: fc.boolean(),
    first: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    bytes: fc.constant(bytes),
    bounds: fc.constant(bounds),
    counts: fc.option(fc.array(uint32, { minLength: bounds.length / 2, maxLength: bounds.length / 2 }), {
      nil: undefined,
    }),
    header: fc.option(
      fc.string({ unit: 'grapheme' }).map((text) => new TextEncoder().encode(text)),
      { nil: undefined },
    ),
    writerSchema: fc.option(fc.string(), { nil: undefined }),
  }),
)

const reject = fc.record(
  {
    index: fc.oneof(uint32, fc.constant(NO_FRAME)),
    step: fc.constantFrom('encoding', 'schema', 'model'),
    reason: fc.string(),
    trace: fc.string(),
    slot,
    bytes: fc.base64String(),
  },
  { requiredKeys: ['index', 'step', 'reason'] },
) as fc.Arbitrary<JetReject>

const scored: fc.Arbitrary<Scored> = frames.chain(({ bytes, bounds }) => {
  const count = bounds.length / 2
  const each = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: count, maxLength: count })
  return fc.record({
    batch: uint32,
    consumed: uint32,
    seconds: fc.record({ decode: seconds, checkInput: seconds, model: seconds, checkOutput: seconds, encode: seconds }),
    indexes: each(fc.oneof(uint32, fc.constant(NO_FRAME))).map((list) => Uint32Array.from(list)),
    bounds: fc.constant(Uint32Array.from(bounds)),
    slots: each(
      fc.oneof(
        slot,
        slot.map((number) => number | END_OF_SET),
      ),
    ).map((list) => Uint16Array.from(list)),
    bytes: fc.constant(bytes),
    rejects: fc.array(reject, { maxLength: 5 }),
  })
})

const item = fc.oneof(fc.record({ cell: fc.string() }), fc.record({ pool: fc.string(), key: fc.string() }))
const ask = fc
  .tuple(fc.constantFrom('get', 'set', 'lock', 'release'), item, fc.option(json, { nil: undefined }))
  .map(([action, which, value]) => ({ do: action, ...which, ...(value !== undefined && { value }) }) as Ask)

const load = fc.record(
  {
    language: fc.string(),
    name: fc.string(),
    file: fc.string(),
    sandbox: fc.string(),
    // A whole number beyond what is exact would be read as a bigint; nobody waits so long.
    timeout: fc.double({ min: 0, max: 1e9, noNaN: true }),
    slots: modelSlots,
    attached: fc.array(fc.string()),
    state,
  },
  { requiredKeys: ['language', 'name', 'file', 'sandbox', 'timeout', 'slots', 'attached'] },
)

const stream = fc.record({
  encoding: fc.string(),
  options: fc.dictionary(fc.string(), json),
  schema: json,
  room: uint32,
})

/** Whatever numbers a sensor counts with: they stay numbers, also where they have many digits. */
const counted = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const program = fc.record({
  filter: fc.option(fc.dictionary(fc.string(), counted)),
  aggregate: fc.dictionary(fc.string(), counted),
  maxReads: fc.option(fc.nat()),
})

export const hostMessage = fc.oneof(
  fc.record({ kind: fc.constant('load'), load }),
  fc.record({ kind: fc.constant('attach'), attach: fc.record({ slot, stream: fc.option(stream) }) }),
  fc.record({ kind: fc.constantFrom('begin', 'end'), batch: uint32 }),
  fc.record({ kind: fc.constant('score'), batch: score }),
  fc.record({
    kind: fc.constant('answer'),
    answer: fc.oneof(fc.record({ value: json }), fc.record({ failed: fc.string() }), fc.constant({})),
  }),
  fc.record({ kind: fc.constantFrom('snapshot', 'stop') }),
  fc.record({
    kind: fc.constant('watch'),
    watch: fc.record({ watch: uint32, slot, path: fc.string(), program: fc.option(program) }),
  }),
  fc.record({ kind: fc.constant('collect'), watches: fc.array(uint32) }),
) as fc.Arbitrary<HostMessage>

export const jetMessage = fc.oneof(
  fc.record({
    kind: fc.constant('hello'),
    hello: fc.record({
      protocol: fc.nat(),
      runner: fc.string(),
      version: fc.string(),
      pid: fc.nat(),
      form: fc.constantFrom('wire', 'json', 'r'),
    }),
  }),
  fc.record({
    kind: fc.constant('loaded'),
    loaded: fc.record({
      slots: modelSlots,
      snapshots: fc.constantFrom('none', 'eof'),
      warnings: fc.array(fc.string()),
    }),
  }),
  fc.record(
    { kind: fc.constant('failed'), sentence: fc.string(), trace: fc.string() },
    { requiredKeys: ['kind', 'sentence'] },
  ),
  fc.record({ kind: fc.constant('attached') }),
  fc.record({ kind: fc.constant('scored'), scored }),
  fc.record({ kind: fc.constant('progress'), batch: uint32, done: uint32 }),
  fc.record({ kind: fc.constant('ask'), ask }),
  fc.record({ kind: fc.constant('state'), state }),
  fc.record({ kind: fc.constant('collected'), partials: fc.dictionary(uint32.map(String), counted) }),
) as fc.Arbitrary<JetMessage>

/** The same for two batches with the same frames, wherever these are in memory. */
export function comparable(message: HostMessage | JetMessage): unknown {
  if (message.kind === 'score') {
    const { bytes, bounds, header, ...rest } = message.batch
    return {
      ...rest,
      kind: 'score',
      header: header && Array.from(header),
      frames: framesOf(bytes, bounds),
    }
  }
  if (message.kind === 'scored') {
    const { bytes, bounds, indexes, slots, ...rest } = message.scored
    const all = [indexes, slots, bounds, bytes].map((numbers) => Array.from(numbers))
    return { ...rest, kind: 'scored', all }
  }
  return message
}

function framesOf(bytes: Uint8Array, bounds: ArrayLike<number>): number[][] {
  return Array.from({ length: bounds.length / 2 }, (_, index) =>
    Array.from(bytes.subarray(bounds[2 * index], bounds[2 * index + 1])),
  )
}

export const fromHost = (message: HostMessage) => joined(encodeHostMessage(message))
export const fromJet = (message: JetMessage) => joined(encodeJetMessage(message))

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces))
}

/** A stream of bytes in pieces that end anywhere. */
export function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

/** Frames anywhere in these bytes, for slot 1. */
export function scoredWith({ bounds, bytes }: { bounds: number[]; bytes: number[] }): JetMessage {
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

export const scoreWith = (more: Partial<ScoreBatch>): HostMessage => ({
  kind: 'score',
  batch: { batch: 1, slot: 0, isRecordset: false, first: 1, bytes: new Uint8Array(10), bounds: [0, 10], ...more },
})
