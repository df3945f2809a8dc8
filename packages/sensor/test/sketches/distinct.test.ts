import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DistinctCount, distinctError } from '../../src/sketches/distinct.ts'
import type { Hashable } from '../../src/sketches/hash.ts'

const kinds: Record<string, (index: number) => Hashable> = {
  'whole numbers': (index) => index,
  fractions: (index) => index / 7,
  'large numbers': (index) => index * 2 ** 20,
  'bigints beyond safe integers': (index) => 2n ** 60n + BigInt(index),
  'short texts': (index) => index.toString(36),
  'texts that differ in the middle': (index) => `customer-${index}-of-the-year`,
  'texts beyond Latin': (index) => `${String.fromCodePoint(0x4e00 + (index % 20_000))}${Math.floor(index / 20_000)}`,
}
const sizes = [0, 1, 2, 10, 100, 1000, 5000, 20_000, 100_000]

function sketchOf(values: Iterable<Hashable>): DistinctCount {
  const sketch = new DistinctCount()
  for (const value of values) sketch.add(value)
  return sketch
}

describe('distinct count', () => {
  test.each(Object.entries(kinds))('of %s is within three standard deviations', (_name, value) => {
    for (const size of sizes) {
      const estimate = sketchOf(Array.from({ length: size }, (_, index) => value(index))).estimate()
      expect(Math.abs(estimate - size), `${size}`).toBeLessThanOrEqual(Math.ceil(size * 3 * distinctError))
    }
  })

  test('repetition changes nothing, 0 and -0 are the same, 1 and "1" and true are not', () => {
    const sketch = sketchOf([0, -0, 1, '1', true, 'true', 1n, 1])
    expect(sketch.estimate()).toBe(5)
  })

  test('merged sketches are the sketch of everything', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.string(), fc.boolean())), fc.nat(4), (values, parts) => {
        const merged = new DistinctCount()
        for (let part = 0; part <= parts; part++)
          merged.merge(sketchOf(values.filter((_, index) => index % (parts + 1) === part)))
        expect(merged.toJSON()).toBe(sketchOf(values).toJSON())
        expect(DistinctCount.from(merged.toJSON()).estimate()).toBe(merged.estimate())
      }),
    )
  })

  test.each([[null], [3], ['AAAA'], ['not base64!'], [`${'/'.repeat(5460)}/w==`]])('%j is refused', (json) => {
    expect(() => DistinctCount.from(json)).toThrow()
  })
})
