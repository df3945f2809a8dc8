// Slots as they stand in paths: a text comes in, the number of the slot goes out.
import { failure } from '@pitot/api'

export const firstInput = 0
export const firstOutput = 1
/** As many as a jet can number. */
const lastSlot = 2 ** 15 - 1

type Purpose = 'a stream' | 'an input' | 'an output'

const allowed: Readonly<Record<Purpose, string>> = {
  'a stream': `give in, out, or a number from 0 to ${lastSlot}`,
  'an input': 'inputs have even numbers from 0; the first one also goes by 1',
  'an output': 'outputs have odd numbers from 1',
}

export function slotOf(text: string, purpose: Purpose): number {
  const slot = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  const isThere = slot <= lastSlot && (purpose === 'a stream' || slot % 2 === (purpose === 'an input' ? 0 : 1))
  if (isThere) return slot
  // Older clients number transports from 1 instead of slots from 0.
  if (purpose === 'an input' && slot === 1) return firstInput
  throw failure('bad-slot', { found: text, purpose, allowed: allowed[purpose] })
}
