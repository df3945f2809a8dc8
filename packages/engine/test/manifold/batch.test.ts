import { countRecords } from '@pitot/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canJoin, joinPieces, slicePiece, spanOf } from '../../src/manifold/batch.ts'
import { pieceOf, recordsOf } from './pieces.ts'

const records = fc.array(fc.string(), { maxLength: 8 })

describe('pieces', () => {
  test('cut anywhere and joined again hold the same records at the same positions', () => {
    fc.assert(
      fc.property(records, fc.nat(8), fc.nat(8), (given, a, b) => {
        const [from, to] = [Math.min(a, b, given.length), Math.min(Math.max(a, b), given.length)]
        const piece = pieceOf(given)
        const parts = [slicePiece(piece, 0, from), slicePiece(piece, from, to), slicePiece(piece, to, given.length)]
        const joined = joinPieces(parts)
        expect(recordsOf(joined)).toEqual(given)
        expect(given.map((_, index) => joined.position(index))).toEqual(given.map((_, record) => ({ record })))
      }),
    )
  })

  test('joined keep the details of those that have some', () => {
    const key = Uint8Array.of(1)
    const joined = joinPieces([{ ...pieceOf(['a']), details: [{ key }] }, pieceOf(['b', 'c'])])
    expect(joined.details).toEqual([{ key }, {}, {}])
  })

  test('joined keep the counts of their frames', () => {
    const blocks = (counts: number[]) => {
      const piece = pieceOf(counts.map(String))
      return { ...piece, frames: { ...piece.frames, counts } }
    }
    const joined = joinPieces([blocks([3, 4]), blocks([5])])
    expect(countRecords(joined.frames)).toBe(12)
  })

  test('span the bytes from the first record to the last', () => {
    expect(spanOf(pieceOf(['ab', 'c']).frames)).toBe(4)
    expect(spanOf(pieceOf([]).frames)).toBe(0)
  })

  test('with different headers are not joined', () => {
    const { frames } = pieceOf(['a'])
    expect(canJoin(frames, frames)).toBe(true)
    expect(canJoin(frames, { ...frames, header: Uint8Array.of(1) })).toBe(false)
    expect(canJoin(frames, { ...frames, counts: [1] })).toBe(false)
  })
})
