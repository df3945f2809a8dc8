import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TopValue, TopValues, topValuesError } from '../../src/sketches/top-values.ts'
import { seeded } from '../random.ts'

function sketchOf(values: Iterable<TopValue>): TopValues {
  const sketch = new TopValues()
  for (const value of values) sketch.add(value)
  return sketch
}

function exact(values: readonly TopValue[]): Map<TopValue, number> {
  const counts = new Map<TopValue, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** A few values are frequent, most are rare: rank r has a weight of 1/r. */
function skewed(size: number, seed: number): number[] {
  const random = seeded(seed)
  return Array.from({ length: size }, () => Math.floor(Math.exp(random() * Math.log(50_000))))
}

function expectWithinBounds(sketch: TopValues, values: readonly TopValue[]): void {
  expect(sketch.error).toBeLessThanOrEqual(values.length * topValuesError)
  for (const [value, count] of exact(values)) {
    const found = sketch.countOf(value) ?? 0
    expect(found).toBeLessThanOrEqual(count)
    expect(found).toBeGreaterThanOrEqual(count - sketch.error)
  }
}

describe('top values', () => {
  test('are exact while there are few', () => {
    const sketch = sketchOf(['a', 'b', 'a', 1, '1', true, 'a', 1])
    expect(sketch.error).toBe(0)
    expect(sketch.top(2)).toEqual([
      { value: 'a', count: 3 },
      { value: 1, count: 2 },
    ])
  })

  test.each([1, 2, 3])('of many values are within the stated error (%i)', (seed) => {
    const values = skewed(100_000, seed)
    const sketch = sketchOf(values)
    expect(sketch.error).toBeGreaterThan(0)
    expect(sketch.size).toBeLessThanOrEqual(512)
    expectWithinBounds(sketch, values)
    const [best] = [...exact(values)].sort(([, a], [, b]) => b - a)
    expect(sketch.top(1)[0]!.value).toBe(best![0])
  })

  test('of 4 merged parts are too', () => {
    const values = skewed(100_000, 4)
    const merged = new TopValues()
    for (let part = 0; part < 4; part++) {
      const written = JSON.stringify(sketchOf(values.filter((_, index) => index % 4 === part)))
      merged.merge(TopValues.from(JSON.parse(written)))
    }
    expectWithinBounds(merged, values)
  })

  test('of few values are the same however they are split', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(9), fc.boolean(), fc.string({ maxLength: 1 }))), fc.nat(), (values, cut) => {
        const merged = sketchOf(values.slice(0, cut))
        merged.merge(sketchOf(values.slice(cut)))
        expectWithinBounds(merged, values)
        expect(merged.error).toBe(0)
      }),
    )
  })

  test('long texts are cut', () => {
    const sketch = sketchOf(['x'.repeat(10_000), 'x'.repeat(10_000)])
    expect(sketch.top(1)).toEqual([{ value: `${'x'.repeat(256)}…`, count: 2 }])
  })

  test.each([[null], [{ error: 0 }], [{ error: 0, counts: [['a']] }], [{ error: 0, counts: [[{}, 1]] }]])(
    '%j is refused',
    (json) => {
      expect(() => TopValues.from(json)).toThrow(TypeError)
    },
  )
})
