// The output side of form `json`: frames that each are one JSON text come in, checked frames for a stream go out. Where there
// is no type to check they pass as they are: the runner has left the room that the stream's envelope needs.
import { copyOf, countFrames, type Frames, FrameText, frameAt } from '@pitot/codec'
import type { SlotEmissions } from '../jet.ts'
import { type JetReject, NO_FRAME, type SlotStream } from '../messages.ts'
import type { See } from '../slot/field-watches.ts'
import { typeOf } from '../slot/input.ts'
import { compileOutput, type Output, type OutputBatch } from '../slot/output.ts'
import { isRaw } from './json-input.ts'

export interface CheckedEmissions {
  readonly emissions: SlotEmissions
  readonly rejects: readonly JetReject[]
  readonly seconds: OutputBatch['seconds']
}

export interface JsonOutput {
  /** `see` is shown the records. Throws an Error when the runner has not written JSON. */
  translate(emissions: SlotEmissions, see: See | undefined): CheckedEmissions
}

/** Throws an Error when the stream cannot be that of a slot of this schema. */
export function compileJsonOutput(stream: SlotStream, modelSchema: unknown, slot: number): JsonOutput {
  const output = compileOutput(stream, modelSchema, { slot })
  const types = [typeOf(modelSchema), typeOf(stream.schema)].filter((type) => type !== null)
  const isBytes = types.length > 0 && types.every(({ kind }) => kind === 'bytes')
  const read = isRaw(stream) ? (types[0]?.kind === 'bytes' ? readBytes : readTexts) : readJson
  const isPassing = types.length === 0 ? isRaw(stream) || stream.encoding === 'json' : isRaw(stream) && isBytes
  if (!isPassing) return { translate: (emissions, see) => check(emissions, output, read, see) }
  return {
    translate(emissions, see) {
      see?.(read(emissions.frames, output))
      return { emissions, rejects: [], seconds: { checkOutput: 0, encode: 0 } }
    },
  }
}

type Read = (frames: Frames, output: Output) => unknown[]

function check(given: SlotEmissions, output: Output, read: Read, see: See | undefined): CheckedEmissions {
  const start = performance.now()
  const records = read(given.frames, output)
  const reading = (performance.now() - start) / 1000
  const { endsOfSets } = given
  // Ends of record sets are told by how many frames come before them: then which ones were refused has to be known.
  const origins = endsOfSets ? positions(records) : given.indexes
  const { frames, indexes, rejects, seconds } = output.encode(records, origins, see)
  const timed = { checkOutput: seconds.checkOutput, encode: seconds.encode + reading }
  if (endsOfSets === undefined) {
    return { emissions: { slot: given.slot, frames, indexes }, rejects, seconds: timed }
  }
  return {
    emissions: {
      slot: given.slot,
      frames,
      indexes: indexes.map((position) => given.indexes[position] ?? NO_FRAME),
      endsOfSets: endsOfSets.map((end) => indexes.reduce((count, position) => count + (position < end ? 1 : 0), 0)),
    },
    rejects: rejects.map((reject) => ({ ...reject, index: given.indexes[reject.index] ?? NO_FRAME })),
    seconds: timed,
  }
}

function positions(records: readonly unknown[]): Uint32Array {
  return Uint32Array.from(records, (_, position) => position)
}

function readJson(frames: Frames, output: Output): unknown[] {
  const text = new FrameText()
  const records: unknown[] = []
  for (let index = 0; index < countFrames(frames); index++) records.push(output.fromJson(text.of(frames, index) ?? ''))
  return records
}

/** Bytes that are no text stay bytes, for the check to refuse. */
function readTexts(frames: Frames): unknown[] {
  const text = new FrameText()
  const records: unknown[] = []
  for (let index = 0; index < countFrames(frames); index++) {
    records.push(text.of(frames, index) ?? copyOf(frameAt(frames, index)))
  }
  return records
}

function readBytes(frames: Frames): unknown[] {
  return Array.from({ length: countFrames(frames) }, (_, index) => copyOf(frameAt(frames, index)))
}
