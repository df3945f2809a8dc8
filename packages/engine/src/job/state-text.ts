// The contents of a snapshot: state of cells and pools to text and back, numbers with all their digits.
import { failure } from '@pitot/api'
import { parseExact, writeExact } from '@pitot/avro'
import type { SharedState } from '@pitot/jet'

export function writeState(state: SharedState): Uint8Array {
  return Buffer.from(writeExact(state))
}

/** Throws an error of the catalogue when it is no state. */
export function readState(contents: Uint8Array): SharedState {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(contents)
    const state = parseExact(text) as Partial<SharedState> | null
    if (!isObject(state?.cells) || !isObject(state.pools)) throw new Error('it has no cells and pools')
    return { cells: state.cells, pools: state.pools }
  } catch (error) {
    throw failure('bad-state', { reason: (error as Error).message })
  }
}

function isObject(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
