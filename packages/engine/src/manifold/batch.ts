// Batches: pieces of a stream come in, frames that are scored together go out, and each still knows where it came from.
import { countFrames, type Frames } from '@pitot/codec'
import type { JetBatch } from '@pitot/jet'
import type { MessageDetails, Position } from '@pitot/stream'

/** Frames as a stream gave them. */
export interface Piece {
  readonly frames: Frames
  readonly details?: readonly MessageDetails[] | undefined
  /** Where frame `index` ends in its stream. */
  position(index: number): Position
}

/** A batch on its way to a jet. Its frames may come from several pieces of one stream. */
export interface Batch extends JetBatch {
  readonly details?: readonly MessageDetails[] | undefined
  position(index: number): Position
}

/** Frames `from` to `to` of a piece. */
export function slicePiece(piece: Piece, from: number, to: number): Piece {
  const { frames, details } = piece
  if (from === 0 && to === countFrames(frames)) return piece
  return {
    frames: {
      ...frames,
      bounds: frames.bounds.slice(2 * from, 2 * to),
      ...(frames.counts && { counts: frames.counts.slice(from, to) }),
    },
    details: details?.slice(from, to),
    position: (index) => piece.position(from + index),
  }
}

/** Bytes from the first frame to the last: what a jet is sent. */
export function spanOf({ bounds }: Frames): number {
  return bounds.length === 0 ? 0 : bounds.at(-1)! - bounds[0]!
}

/** Whether two pieces can be scored together: a header or a writer's schema is said once for all frames. */
export function canJoin(a: Frames, b: Frames): boolean {
  return (
    a.header === b.header && a.writerSchema === b.writerSchema && (a.counts === undefined) === (b.counts === undefined)
  )
}

/** One piece made of several. Copies, so it is for small pieces that wait in a row. */
export function joinPieces(pieces: readonly Piece[]): Piece {
  if (pieces.length === 1) return pieces[0]!
  const size = pieces.reduce((sum, { frames }) => sum + spanOf(frames), 0)
  const bytes = new Uint8Array(size)
  const bounds: number[] = []
  const starts: number[] = []
  let at = 0
  for (const { frames } of pieces) {
    starts.push(bounds.length / 2)
    const begin = frames.bounds[0] ?? 0
    bytes.set(frames.bytes.subarray(begin, begin + spanOf(frames)), at)
    for (const bound of frames.bounds) bounds.push(at + bound - begin)
    at += spanOf(frames)
  }
  const { header, writerSchema, counts, position } = pieces[0]!.frames
  return {
    frames: {
      bytes,
      bounds,
      position,
      ...(header && { header }),
      ...(writerSchema !== undefined && { writerSchema }),
      ...(counts && { counts: pieces.flatMap(({ frames }) => frames.counts!) }),
    },
    details: joinDetails(pieces),
    position(index) {
      const last = starts.findLastIndex((start) => start <= index)
      return pieces[last]!.position(index - starts[last]!)
    },
  }
}

function joinDetails(pieces: readonly Piece[]): readonly MessageDetails[] | undefined {
  if (pieces.every(({ details }) => details === undefined)) return undefined
  return pieces.flatMap(({ frames, details }) => details ?? Array<MessageDetails>(countFrames(frames)).fill({}))
}
