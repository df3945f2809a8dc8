// Pieces of text records for tests.
import { countFrames, frameAt } from '@pitot/codec'
import type { Piece } from '../../src/manifold/batch.ts'

/** One piece with these records, a line feed behind each, positions counted from `from`. */
export function pieceOf(records: readonly string[], from = 0): Piece {
  const bytes = new TextEncoder().encode(records.map((record) => `${record}\n`).join(''))
  const bounds: number[] = []
  let at = 0
  for (const record of records) {
    const size = new TextEncoder().encode(record).length
    bounds.push(at, at + size)
    at += size + 1
  }
  return { frames: { bytes, bounds, position: 0 }, position: (index) => ({ record: from + index }) }
}

export function recordsOf({ frames }: Pick<Piece, 'frames'>): string[] {
  return Array.from({ length: countFrames(frames) }, (_, index) => new TextDecoder().decode(frameAt(frames, index)))
}
