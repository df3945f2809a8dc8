import { describe, expect, test } from 'vitest'
import { createAggregate } from '../src/aggregates.ts'
import { type DriftResult, DriftWindow, driftReference } from '../src/drift.ts'
import { Profile } from '../src/profile.ts'
import { normal, seeded } from './random.ts'

const thresholds = { psi: 0.2, ks: 0.1, newCategories: 0.05 }

function profileOf(values: Iterable<unknown>): Profile {
  const profile = new Profile()
  for (const value of values) profile.add(value)
  return profile
}

function compare(reference: readonly unknown[], window: readonly unknown[]): DriftResult {
  const drift = new DriftWindow(driftReference(profileOf(reference)), thresholds)
  for (const value of window) drift.add(value)
  return drift.result()
}

function numbers(count: number, mean: number, deviation: number, seed: number): number[] {
  const next = normal(seeded(seed))
  return Array.from({ length: count }, () => mean + deviation * next())
}

function categories(count: number, words: readonly string[], seed: number): string[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => words[Math.floor(random() ** 1.5 * words.length)]!)
}

/** Kolmogorov-Smirnov distance from all values. */
function exactDistance(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [a.toSorted((p, q) => p - q), b.toSorted((p, q) => p - q)]
  let [i, j, worst] = [0, 0, 0]
  while (i < x.length && j < y.length) {
    const value = Math.min(x[i]!, y[j]!)
    while (i < x.length && x[i]! <= value) i++
    while (j < y.length && y[j]! <= value) j++
    worst = Math.max(worst, Math.abs(i / x.length - j / y.length))
  }
  return worst
}

describe('drift of numbers', () => {
  const reference = numbers(20_000, 100, 15, 1)

  test('the same distribution is no alarm', () => {
    for (let seed = 2; seed < 30; seed++) {
      const result = compare(reference, numbers(1000, 100, 15, seed))
      expect(result).toMatchObject({ kind: 'numbers', alarm: false, count: 1000, missing: 0, reasons: [] })
    }
  })

  test.each([
    ['mean', 110, 15],
    ['deviation', 100, 25],
    ['both', 90, 5],
  ])('a shift of %s is an alarm', (_what, mean, deviation) => {
    const window = numbers(2000, mean, deviation, 50)
    const result = compare(reference, window)
    expect(result.alarm).toBe(true)
    expect(Math.abs(result.ks! - exactDistance(reference, window))).toBeLessThan(0.025)
    expect(result.reasons.join()).toMatch(/^(PSI|the Kolmogorov-Smirnov distance) is \d\.\d+, above 0\.[12]/)
  })

  test('of few different numbers', () => {
    const random = seeded(9)
    const dice = (sides: number) => Array.from({ length: 3000 }, () => Math.floor(random() * sides))
    const six = dice(6)
    expect(compare(six, dice(6)).alarm).toBe(false)
    const result = compare(six, dice(8))
    expect(result.alarm).toBe(true)
    expect(result.ks).toBeCloseTo(0.25, 1)
  })

  test('of one number', () => {
    expect(compare([7, 7, 7], Array(1000).fill(7))).toMatchObject({ psi: expect.closeTo(0, 6), ks: 0, alarm: false })
    expect(compare([7, 7, 7], Array(1000).fill(8)).alarm).toBe(true)
    expect(compare([7, 7, 7], Array(1000).fill(6))).toMatchObject({ ks: 1, alarm: true })
  })

  test('values that are missing are counted apart', () => {
    expect(compare(reference, [null, undefined, 'x', Number.NaN, 100])).toMatchObject({ count: 1, missing: 4 })
  })
})

describe('drift of categories', () => {
  const words = ['red', 'green', 'blue', 'white', 'black']
  const reference = categories(20_000, words, 1)

  test('the same distribution is no alarm', () => {
    for (let seed = 2; seed < 30; seed++) {
      const result = compare(reference, categories(1000, words, seed))
      expect(result).toMatchObject({ kind: 'categories', alarm: false, new_categories: 0 })
      expect(result.ks).toBeUndefined()
    }
  })

  test('other shares are an alarm', () => {
    const result = compare(reference, categories(2000, words.toReversed(), 3))
    expect(result.reasons).toEqual([expect.stringMatching(/^PSI is \d.*, above 0\.2$/)])
  })

  test('new categories are an alarm', () => {
    const window = [...categories(900, words, 4), ...Array(100).fill('mauve')]
    const result = compare(reference, window)
    expect(result.new_categories).toBe(0.1)
    expect(result.reasons).toContain('the share of new categories is 0.100, above 0.05')
  })

  test('a reference with more categories than it can hold does not know which are new', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `c${index % 5000}`)
    expect(compare(many, ['c1', 'mauve']).new_categories).toBeNull()
  })
})

test('4 jets find exactly what one finds', () => {
  for (const [reference, window] of [
    [numbers(5000, 0, 1, 1), numbers(4000, 0.5, 1, 2)],
    [categories(5000, ['a', 'b', 'c'], 1), categories(4000, ['b', 'c', 'd'], 2)],
  ] as const) {
    const settings = {
      type: 'drift',
      reference: profileOf(reference).toJSON(),
      thresholds,
      minCount: 1000,
      maxRate: 1,
    } as const
    const one = createAggregate(settings)
    for (const value of window) one.add(value)
    const four = createAggregate(settings)
    for (let jet = 0; jet < 4; jet++) {
      const part = createAggregate(settings)
      for (const value of window.filter((_, index) => index % 4 === jet)) part.add(value)
      four.merge(JSON.parse(JSON.stringify(part.takePartial())))
    }
    expect(four.takeResult()).toEqual(one.takeResult())
    expect(one.alarm!()).toBeDefined()
  }
})

test('a window grows until it can be judged', () => {
  const reference = profileOf(numbers(5000, 0, 1, 1)).toJSON()
  const drift = createAggregate({ type: 'drift', reference, thresholds, minCount: 1000, maxRate: 1 })
  for (const value of numbers(999, 0, 1, 3)) drift.add(value)
  expect(drift.takeResult()).toBeUndefined()
  drift.add(0)
  expect(drift.takeResult()).toMatchObject({ count: 1000, alarm: false })
  expect(drift.takeResult()).toBeUndefined()
})

test('a profile without values is no reference', () => {
  expect(() => driftReference(profileOf([null]))).toThrow('it has no values')
})
