import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstAtLeast, Quantiles, rankError } from '../../src/sketches/quantiles.ts'
import { normal, seeded } from '../random.ts'

const distributions: Record<string, (random: () => number) => (index: number) => number> = {
  uniform: (random) => () => random(),
  normal: (random) => normal(random),
  'long-tailed': (random) => () => Math.exp(5 * random() ** 4 * 10),
  rising: () => (index) => index,
  falling: () => (index) => -index,
  'few values': (random) => () => Math.floor(random() * 5),
  'one value': () => () => 42,
  sawtooth: () => (index) => index % 1000,
}

function sketchOf(values: Iterable<number>): Quantiles {
  const sketch = new Quantiles()
  for (const value of values) sketch.add(value)
  return sketch
}

/** The furthest that a rank of the sketch is from the true one, as a share of the count. */
function worstRank(sketch: Quantiles, values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  let worst = 0
  for (let share = 0.005; share < 1; share += 0.005) {
    const value = sketch.quantile(share)!
    // With ties a value has a range of ranks; the wanted one should be in it.
    const below = firstAtLeast(sorted, value)
    let above = below
    while (above < sorted.length && sorted[above] === value) above++
    const wanted = share * values.length
    const distance = wanted < below ? below - wanted : wanted > above ? wanted - above : 0
    worst = Math.max(worst, distance / values.length)
  }
  return worst
}

describe('quantiles', () => {
  test.each(Object.entries(distributions))('of %s numbers are within the stated error', (_name, distribution) => {
    for (const size of [1, 2, 511, 512, 513, 10_000, 200_000]) {
      const next = distribution(seeded(size))
      const values = Array.from({ length: size }, (_, index) => next(index))
      const sketch = sketchOf(values)
      expect(worstRank(sketch, values), `${size}`).toBeLessThanOrEqual(Math.max(rankError, 1 / size))
      expect(sketch.quantile(0)).toBe(values.reduce((a, b) => Math.min(a, b)))
      expect(sketch.quantile(1)).toBe(values.reduce((a, b) => Math.max(a, b)))
      // Memory does not grow with the stream.
      expect(JSON.stringify(sketch).length).toBeLessThan(60_000)
    }
  })

  test.each(Object.entries(distributions))('of %s numbers in 4 merged parts are too', (_name, distribution) => {
    const next = distribution(seeded(7))
    const values = Array.from({ length: 100_000 }, (_, index) => next(index))
    const merged = new Quantiles()
    for (let part = 0; part < 4; part++) {
      const written = JSON.stringify(sketchOf(values.filter((_, index) => index % 4 === part)))
      merged.merge(Quantiles.from(JSON.parse(written)))
    }
    expect(merged.count).toBe(values.length)
    expect(worstRank(merged, values)).toBeLessThanOrEqual(rankError)
  })

  test('of fewer numbers than fit are exact, however they are split', () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 500 })
    fc.assert(
      fc.property(numbers, fc.nat(499), fc.double({ min: 0, max: 1, noNaN: true }), (values, cut, share) => {
        const sketch = sketchOf(values.slice(0, cut))
        sketch.merge(sketchOf(values.slice(cut)))
        const sorted = values.map((value) => value + 0).sort((a, b) => a - b)
        const place = Math.min(Math.max(Math.ceil(share * values.length), 1), values.length)
        expect(sketch.quantile(share)! + 0).toBe(sorted[place - 1])
      }),
    )
  })

  test('nothing has no quantiles', () => {
    expect(new Quantiles().quantiles([0, 0.5, 1])).toEqual([undefined, undefined, undefined])
    expect(Quantiles.from(new Quantiles().toJSON()).count).toBe(0)
  })

  test.each([
    [null],
    [{}],
    [{ count: 1, minimum: 1, maximum: 1, levels: [['1']] }],
    [{ count: 2, minimum: 1, maximum: 1, levels: [[1]] }],
    [{ count: 1, minimum: null, maximum: 1, levels: [[1]] }],
  ])('%j is refused', (json) => {
    expect(() => Quantiles.from(json)).toThrow(TypeError)
  })
})
