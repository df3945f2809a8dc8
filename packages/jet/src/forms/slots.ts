// Emissions of a batch, in the order the model made them, go in; one list of frames per output slot comes out.
import type { SlotEmissions } from '../jet.ts'
import { END_OF_SET, type Scored } from '../messages.ts'

/** The frames are ranges of the bytes of `scored`. Indexes are those of the batch that was sent. */
export function emissionsBySlot(scored: Scored): SlotEmissions[] {
  const { slots, bytes, indexes } = scored
  if (slots.length === 0) return []
  if (isOneSlot(slots)) {
    return [{ slot: slots[0]!, frames: { bytes, bounds: plainNumbers(scored.bounds), position: 0 }, indexes }]
  }
  const bySlot = new Map<number, { bounds: number[]; indexes: number[]; endsOfSets: number[] }>()
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]! & ~END_OF_SET
    let own = bySlot.get(slot)
    if (!own) {
      own = { bounds: [], indexes: [], endsOfSets: [] }
      bySlot.set(slot, own)
    }
    if (slots[at] === slot) {
      own.bounds.push(scored.bounds[2 * at]!, scored.bounds[2 * at + 1]!)
      own.indexes.push(indexes[at]!)
    } else own.endsOfSets.push(own.indexes.length)
  }
  return Array.from(bySlot, ([slot, { bounds, indexes, endsOfSets }]) => ({
    slot,
    frames: { bytes, bounds, position: 0 },
    indexes,
    ...(endsOfSets.length > 0 && { endsOfSets }),
  }))
}

/** The common case: a model with one output, records and not record sets. */
function isOneSlot(slots: Uint16Array): boolean {
  const slot = slots[0]!
  if (slot & END_OF_SET) return false
  for (let at = 1; at < slots.length; at++) if (slots[at] !== slot) return false
  return true
}

/** As `Array.from`, which takes more than ten times as long for typed arrays. */
function plainNumbers(numbers: Uint32Array): number[] {
  const plain = new Array<number>(numbers.length)
  for (let at = 0; at < numbers.length; at++) plain[at] = numbers[at]!
  return plain
}
