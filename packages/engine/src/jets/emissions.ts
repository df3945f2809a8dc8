// Emissions put together: those of several small batches become those of the one batch they were cut from.
import { countFrames } from '@pitot/codec'
import {
  type Emissions,
  type JetBatch,
  type JetReject,
  NO_FRAME,
  type SlotEmissions,
  type StepSeconds,
} from '@pitot/jet'

const NO_SECONDS: StepSeconds = { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 }

export const NOTHING: Emissions = { consumed: 0, seconds: NO_SECONDS, outputs: [], rejects: [] }

/** The batch that holds frame `index` alone. */
export function singleFrame(batch: JetBatch, index: number): JetBatch {
  const { frames } = batch
  const before = frames.counts?.slice(0, index).reduce((sum, count) => sum + count, 0) ?? index
  return {
    ...batch,
    first: batch.first + before,
    frames: {
      ...frames,
      bounds: frames.bounds.slice(2 * index, 2 * index + 2),
      ...(frames.counts && { counts: [frames.counts[index]!] }),
    },
  }
}

/** What comes of a batch that no jet survives: each of its frames is rejected. */
export function rejectAll(batch: JetBatch, reason: string): Emissions {
  const rejects: JetReject[] = []
  for (let index = 0; index < countFrames(batch.frames); index++) rejects.push({ index, step: 'model', reason })
  return { ...NOTHING, consumed: rejects.length, rejects }
}

/** `parts[i]` came of frame i alone. */
export function joinSingles(parts: readonly Emissions[]): Emissions {
  const slots = [...new Set(parts.flatMap(({ outputs }) => outputs.map(({ slot }) => slot)))].sort((a, b) => a - b)
  return {
    consumed: parts.reduce((sum, { consumed }) => sum + consumed, 0),
    seconds: parts.reduce((sum, { seconds }) => addSeconds(sum, seconds), NO_SECONDS),
    outputs: slots.map((slot) => joinSlot(parts, slot)),
    rejects: parts.flatMap(({ rejects }, frame) =>
      rejects.map((reject) => (reject.index === NO_FRAME ? reject : { ...reject, index: frame })),
    ),
  }
}

/** Emissions of a slot in the order of the parts. Frames keep the room between them, so the bytes are copied whole. */
function joinSlot(parts: readonly Emissions[], slot: number): SlotEmissions {
  const bounds: number[] = []
  const indexes: number[] = []
  const endsOfSets: number[] = []
  const pieces: Uint8Array[] = []
  let at = 0
  for (const [frame, { outputs }] of parts.entries()) {
    const output = outputs.find((each) => each.slot === slot)
    if (output === undefined) continue
    const before = indexes.length
    for (const bound of output.frames.bounds) bounds.push(at + bound)
    for (let index = 0; index < countFrames(output.frames); index++) indexes.push(frame)
    for (const end of output.endsOfSets ?? []) endsOfSets.push(before + end)
    pieces.push(output.frames.bytes)
    at += output.frames.bytes.length
  }
  const bytes = new Uint8Array(at)
  at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { slot, frames: { bytes, bounds, position: 0 }, indexes, ...(endsOfSets.length > 0 && { endsOfSets }) }
}

export function addSeconds(a: StepSeconds, b: StepSeconds): StepSeconds {
  return {
    decode: a.decode + b.decode,
    checkInput: a.checkInput + b.checkInput,
    model: a.model + b.model,
    checkOutput: a.checkOutput + b.checkOutput,
    encode: a.encode + b.encode,
  }
}
