// The input side of a slot: frames of a stream come in, checked records of the model's type go out.
import { AvroError, type AvroType, type Field, parseSchema, typesIn } from '@pitot/avro'
import { type Decoder, type EncodingName, encodings, type Frames, type Reject } from '@pitot/codec'
import type { JetReject, SlotStream } from '../messages.ts'
import { type Conversion, compileConversion } from './conversion.ts'
import { compileText, type WriteText } from './json-text.ts'

export interface InputBatch {
  readonly records: unknown[]
  /** For each record: the frame it came from. */
  readonly indexes: Uint32Array
  readonly rejects: JetReject[]
  readonly seconds: { readonly decode: number; readonly checkInput: number }
}

/** One stream as one model takes it. Made anew when either changes. */
export interface Input {
  /** Never throws: what is no record is rejected. */
  decode(frames: Frames): InputBatch
  /** A record as JSON text, for models that take it so: unions bare where the value tells its branch. */
  readonly toJson: WriteText
  /** Whether these frames say just what `toJson` would say of their records: each that gave one can be handed on as it is. */
  isVerbatim(frames: Frames): boolean
}

/**
 * Records are checked against both schemas, the stream's and the model's, null or absent when there is none, and given as the
 * model's. Throws an Error when the encoding cannot carry the type, or no record of the stream could be one of the model.
 */
export function compileInput(stream: SlotStream, modelSchema?: unknown): Input {
  const streamType = typeOf(stream.schema)
  const modelType = typeOf(modelSchema)
  const encoding = encodings[stream.encoding as EncodingName]
  // Where the stream says nothing the model's type says how to read it: what cells of text are, what bytes are.
  const decoder = encoding.decoder(streamType ?? modelType, stream.options)
  const conversion = streamType !== null && modelType !== null ? compileConversion(streamType, modelType) : undefined
  return {
    decode: (frames) => decode(decoder, conversion, frames),
    toJson: compileText(modelType ?? streamType),
    isVerbatim:
      stream.encoding === 'json' && conversion === undefined ? verbatim(streamType ?? modelType, stream) : () => false,
  }
}

export function typeOf(schema: unknown): AvroType | null {
  return schema === undefined || schema === null ? null : parseSchema(schema)
}

/** How NaN and the infinities may be spelled where a number is expected. */
const SPELLED_NUMBERS = ['"NaN"', '"nan"', '"Infinity"', '"-Infinity"', '"inf"', '"-inf"']

/** JSON of a type is literal when there are no tags to leave out, no fields to fill in or drop, and no numbers in words. */
function verbatim(type: AvroType | null, { options }: SlotStream): Input['isVerbatim'] {
  if (type === null) return () => true
  const types = [...typesIn(type)]
  const isRewritten =
    options.extra === 'ignore' ||
    types.some((each) => each.kind === 'union' || (each.kind === 'record' && each.fields.some(hasDefault)))
  if (isRewritten) return () => false
  if (!types.some(({ kind }) => kind === 'float' || kind === 'double')) return () => true
  return ({ bytes }) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return !SPELLED_NUMBERS.some((word) => buffer.includes(word))
  }
}

function hasDefault(field: Field): boolean {
  return 'default' in field
}

function decode(decoder: Decoder, conversion: Conversion | undefined, frames: Frames): InputBatch {
  const start = performance.now()
  const count = frames.bounds.length / 2
  const records: unknown[] = []
  const rejects: JetReject[] = []
  let indexes = new Uint32Array(count)
  const reader = decoder.halves ?? { read: decoder.decode.bind(decoder), check: undefined }
  for (let index = 0; index < count; index++) {
    const before = records.length
    const reject = reader.read(frames, index, records)
    if (records.length > indexes.length) indexes = grown(indexes, records.length)
    for (let at = before; at < records.length; at++) indexes[at] = index
    if (reject !== undefined) rejects.push(jetReject(reject, frames, index))
  }
  const decoded = performance.now()
  let kept = records.length
  const { check } = reader
  if (check !== undefined) kept = keepChecked(records, indexes, rejects, (value, index) => check(value, frames, index))
  if (conversion !== undefined) kept = keepChecked(records, indexes, rejects, conversion)
  const checked = performance.now()
  return {
    records,
    indexes: indexes.subarray(0, kept),
    rejects: rejects.sort((one, other) => one.index - other.index),
    seconds: { decode: (decoded - start) / 1000, checkInput: (checked - decoded) / 1000 },
  }
}

function grown(indexes: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, 2 * indexes.length))
  larger.set(indexes)
  return larger
}

/** The bytes are only said where they are not the frame itself: what is left of a block. */
function jetReject({ step, reason, bytes }: Reject, { bounds }: Frames, index: number): JetReject {
  const isWhole = bytes.length === bounds[2 * index + 1]! - bounds[2 * index]!
  return {
    index,
    step: step === 'schema' ? 'schema' : 'encoding',
    reason,
    ...(isWhole ? {} : { bytes: base64(bytes) }),
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Puts what `check` gives in place of each record and closes up over what it refuses; gives how many are left. */
function keepChecked(
  records: unknown[],
  indexes: Uint32Array,
  rejects: JetReject[],
  check: (record: unknown, index: number) => unknown,
): number {
  let kept = 0
  for (let at = 0; at < records.length; at++) {
    const index = indexes[at]!
    try {
      records[kept] = check(records[at], index)
      indexes[kept] = index
      kept++
    } catch (error) {
      if (!(error instanceof AvroError)) throw error
      rejects.push({ index, step: 'schema', reason: error.message })
    }
  }
  records.length = kept
  return kept
}
