// Slots as they stand in paths: a text comes in, the number of the slot goes out.
import { failure } from '@pitot/api'

export const firstInput = 0
export const firstOutput = 1
/** As many as a jet can number. */
const lastSlot = 2 ** 15 - 1

/** The slot that a stream is attached to. */
export function streamSlot(text: string): number {
  const slot = slotNumber(text)
  if (slot !== undefined) return slot
  throw failure('bad-stream-slot', { found: text, allowed: `give in, out, or a number from 0 to ${lastSlot}` })
}

/** The slot that records are sent to. Older clients number transports from 1 instead of slots from 0. */
export function inputSlot(text: string): number {
  const slot = text === '1' ? firstInput : slotNumber(text)
  if (slot !== undefined && slot % 2 === 0) return slot
  const allowed = 'inputs have even numbers from 0; the first one also goes by 1'
  throw failure('bad-slot', { found: text, purpose: 'an input', allowed })
}

/** The slot that scores are fetched from. */
export function outputSlot(text: string): number {
  const slot = slotNumber(text)
  if (slot !== undefined && slot % 2 === 1) return slot
  throw failure('bad-slot', { found: text, purpose: 'an output', allowed: 'outputs have odd numbers from 1' })
}

function slotNumber(text: string): number | undefined {
  const slot = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return slot <= lastSlot ? slot : undefined
}
