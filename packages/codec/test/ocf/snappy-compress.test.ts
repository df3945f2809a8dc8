// Whatever is compressed comes back when it is decompressed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snappyDecompress } from '../../src/ocf/snappy.ts'
import { snappyCompress } from '../../src/ocf/snappy-compress.ts'

const back = (data: Uint8Array) => snappyDecompress(snappyCompress(data), data.length)

test('any bytes come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (data) => void expect(Buffer.compare(back(data), data)).toBe(0)),
  )
})

test('repeated bytes come back, and take less room', () => {
  const pieces = fc.array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(300)), { maxLength: 40 })
  fc.assert(
    fc.property(pieces, (parts) => {
      const data = Buffer.concat(parts.flatMap(([bytes, times]) => Array(times).fill(bytes)))
      expect(back(data).length).toBe(data.length)
      expect(Buffer.compare(back(data), data)).toBe(0)
    }),
    { numRuns: 50 },
  )
  expect(snappyCompress(Buffer.alloc(100_000, 'abc')).length).toBeLessThan(6000)
})

test('the worst case fits', () => {
  // Matches of four bytes with a literal between each: as many elements as there can be.
  const data = Uint8Array.from({ length: 60_000 }, (_, index) => (index % 5 === 4 ? (index * 7919) >>> 3 : index % 5))
  expect(Buffer.compare(back(data), data)).toBe(0)
})
