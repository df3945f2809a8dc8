// The output side of form `r`: objects of R that a model emitted come in, checked frames for a stream go out.
import type { SlotEmissions } from '../jet.ts'
import type { JetReject, SlotStream } from '../messages.ts'
import { type ConvertR, compileConvertR } from '../r/convert.ts'
import type { RValue } from '../r/value.ts'
import type { See } from '../slot/field-watches.ts'
import { typeOf } from '../slot/input.ts'
import { compileOutput, type Output, type OutputBatch } from '../slot/output.ts'

/** What a batch has for one slot, in the order it was emitted. */
export class Emitted {
  readonly values: RValue[] = []
  /** For each value: the frame it came from. */
  readonly indexes: number[] = []
  /** Where record sets end: how many values come before each end. */
  readonly endsOfSets: number[] = []

  add(value: RValue, index: number): void {
    this.values.push(value)
    this.indexes.push(index)
  }

  addAll(values: readonly RValue[], index: number): void {
    for (const value of values) this.add(value, index)
  }

  endSet(): void {
    this.endsOfSets.push(this.values.length)
  }
}

interface CheckedEmissions {
  readonly emissions: SlotEmissions
  readonly rejects: readonly JetReject[]
  readonly seconds: OutputBatch['seconds']
}

export interface ROutputSlot {
  /** `see` is shown the records. */
  translate(emitted: Emitted, see: See | undefined): CheckedEmissions
}

/** Throws an Error when the stream cannot be that of a slot of this schema. */
export function compileROutput(stream: SlotStream, modelSchema: unknown, slot: number): ROutputSlot {
  const output = compileOutput(stream, modelSchema, { slot })
  const type = typeOf(modelSchema) ?? typeOf(stream.schema)
  const convert = compileConvertR(type)
  const record: ConvertR = type === null && isText(stream) ? (value) => withoutBytes(convert(value)) : convert
  return { translate: (emitted, see) => translate(emitted, record, output, slot, see) }
}

function translate(
  emitted: Emitted,
  convert: ConvertR,
  output: Output,
  slot: number,
  see: See | undefined,
): CheckedEmissions {
  const start = performance.now()
  const records: unknown[] = []
  /** For each record: which of the emitted values it is. */
  const positions: number[] = []
  const rejects: JetReject[] = []
  for (let at = 0; at < emitted.values.length; at++) {
    try {
      records.push(convert(emitted.values[at]!))
      positions.push(at)
    } catch (error) {
      rejects.push({ index: emitted.indexes[at]!, step: 'schema', slot, reason: (error as Error).message })
    }
  }
  const converting = (performance.now() - start) / 1000
  const checked = output.encode(records, positions, see)
  const indexes = checked.indexes.map((position) => emitted.indexes[position]!)
  for (const reject of checked.rejects) rejects.push({ ...reject, index: emitted.indexes[reject.index]! })
  const endsOfSets = keptBefore(emitted.endsOfSets, checked.indexes)
  return {
    emissions: {
      slot,
      frames: checked.frames,
      indexes,
      ...(endsOfSets.length > 0 && { endsOfSets }),
    },
    rejects,
    seconds: { checkOutput: checked.seconds.checkOutput, encode: checked.seconds.encode + converting },
  }
}

/** Ends of sets counted in values, as counted in the values that were not refused; both lists ascend. */
function keptBefore(ends: readonly number[], positions: ArrayLike<number>): number[] {
  let kept = 0
  return ends.map((end) => {
    while (kept < positions.length && positions[kept]! < end) kept++
    return kept
  })
}

/** Whether records without a type become texts in this stream, which have no bytes. */
function isText({ encoding }: SlotStream): boolean {
  return encoding === 'json' || encoding === 'csv'
}

/** Bytes as in Avro's JSON: one character for each. */
function withoutBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  const members = value as Record<string, unknown>
  for (const key in members) {
    const member = members[key]
    if (typeof member === 'object' && member !== null) members[key] = withoutBytes(member)
  }
  return value
}
