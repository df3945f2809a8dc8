// The input side of form `json`: frames of a stream come in, frames that each are one JSON text go out. Where there is no
// type to check they pass as they are, and are parsed once: by the runner.
import type { AvroType } from '@pitot/avro'
import { countFrames, encodeTexts, type Frames } from '@pitot/codec'
import type { JetReject, SlotStream } from '../messages.ts'
import type { See } from '../slot/field-watches.ts'
import { compileInput, type Input, type InputBatch, typeOf } from '../slot/input.ts'

/** The batch as it is sent; fields as those of `SentBatch`. */
export interface JsonFrames {
  readonly bytes: Uint8Array
  readonly bounds: ArrayLike<number>
  readonly map?: ArrayLike<number>
  readonly consumed: number
  readonly rejects: JetReject[]
  readonly seconds: InputBatch['seconds']
}

export interface JsonInput {
  /** `see` is shown the records; without it, frames without a type are not decoded. */
  translate(frames: Frames, see: See | undefined): JsonFrames
}

/** Throws an Error when the stream cannot be that of a slot of this schema. */
export function compileJsonInput(stream: SlotStream, modelSchema: unknown): JsonInput {
  const input = compileInput(stream, modelSchema)
  const types = [typeOf(stream.schema), typeOf(modelSchema)].filter((type) => type !== null)
  const isPassing = isRaw(stream) ? types.every(isTextOrBytes) : stream.encoding === 'json' && types.length === 0
  const translate = isPassing ? passing : isRaw(stream) ? asTexts : checked
  return { translate: (frames, see) => translate(input, frames, see) }
}

/** Streams whose frames go to models as they are, as strings or as bytes: the runner knows from `attach`. */
export function isRaw({ encoding }: SlotStream): boolean {
  return encoding === 'null' || encoding === 'utf-8'
}

export function isTextOrBytes({ kind }: AvroType): boolean {
  return kind === 'string' || kind === 'bytes'
}

const NO_SECONDS = { decode: 0, checkInput: 0 }

function passing(input: Input, frames: Frames, see: See | undefined): JsonFrames {
  see?.(input.decode(frames).records)
  return {
    bytes: frames.bytes,
    bounds: frames.bounds,
    consumed: countFrames(frames),
    rejects: [],
    seconds: NO_SECONDS,
  }
}

/** Frames that are no record are sent as empty ones, which runners pass over: so records keep their numbers. */
function checked(input: Input, frames: Frames, see: See | undefined): JsonFrames {
  const batch = input.decode(frames)
  see?.(batch.records)
  const { indexes, rejects, seconds } = batch
  const count = countFrames(frames)
  if (!input.isVerbatim(frames)) return written(batch, count, input.toJson)
  const bounds = indexes.length === count ? frames.bounds : only(frames.bounds, indexes)
  return { bytes: frames.bytes, bounds, consumed: indexes.length, rejects, seconds }
}

/** A byte between the texts keeps numbers apart for runners that read from the middle of a batch. */
const GAP = 1

function written(batch: InputBatch, count: number, write: (record: unknown) => string): JsonFrames {
  const start = performance.now()
  const { frames, rejects } = encodeTexts(batch.records, GAP, write)
  const refused = new Set(rejects.map(({ index }) => index))
  const indexes = refused.size === 0 ? batch.indexes : batch.indexes.filter((_, at) => !refused.has(at))
  for (const { index, reason } of rejects)
    batch.rejects.push({ index: batch.indexes[index]!, step: 'encoding', reason })
  const decode = batch.seconds.decode + (performance.now() - start) / 1000
  const common = {
    bytes: frames.bytes,
    consumed: indexes.length,
    rejects: batch.rejects,
    seconds: { ...batch.seconds, decode },
  }
  if (!isRising(indexes)) return { ...common, bounds: frames.bounds, map: indexes }
  if (indexes.length === count) return { ...common, bounds: frames.bounds }
  return { ...common, bounds: apart(frames.bounds, indexes, count) }
}

/** Bounds of all frames come in; those that gave no record become empty. */
function only(bounds: readonly number[], indexes: Uint32Array): number[] {
  const kept = new Array<number>(bounds.length).fill(0)
  for (const index of indexes) {
    kept[2 * index] = bounds[2 * index]!
    kept[2 * index + 1] = bounds[2 * index + 1]!
  }
  return kept
}

/** Bounds of the records come in; each goes where its frame was, with empty ones between. */
function apart(bounds: readonly number[], indexes: Uint32Array, count: number): number[] {
  const spread = new Array<number>(2 * count).fill(0)
  for (const [at, index] of indexes.entries()) {
    spread[2 * index] = bounds[2 * at]!
    spread[2 * index + 1] = bounds[2 * at + 1]!
  }
  return spread
}

/** Whether no frame gave more than one record. */
function isRising(indexes: Uint32Array): boolean {
  for (let at = 1; at < indexes.length; at++) if (indexes[at] === indexes[at - 1]) return false
  return true
}

/** Texts of other types than strings, such as symbols. An empty text is a record here, so what is rejected is left out. */
function asTexts(input: Input, frames: Frames, see: See | undefined): JsonFrames {
  const { records, indexes, rejects, seconds } = input.decode(frames)
  see?.(records)
  const { bytes, bounds } = encodeTexts(records, 0, String).frames
  return { bytes, bounds, map: indexes, consumed: indexes.length, rejects, seconds }
}
