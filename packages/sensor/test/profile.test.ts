import { describe, expect, test } from 'vitest'
import { Profile } from '../src/profile.ts'
import { distinctError } from '../src/sketches/distinct.ts'
import { rankError } from '../src/sketches/quantiles.ts'
import { normal, seeded } from './random.ts'

function profileOf(values: Iterable<unknown>): Profile {
  const profile = new Profile()
  for (const value of values) profile.add(value)
  return profile
}

/** As jets do: each has a part, writes it as JSON, and the parts are merged. */
function merged(values: readonly unknown[], parts: number): Profile {
  const whole = new Profile()
  for (let part = 0; part < parts; part++) {
    const written = JSON.stringify(profileOf(values.filter((_, index) => index % parts === part)))
    whole.merge(Profile.from(JSON.parse(written)))
  }
  return whole
}

describe('a profile', () => {
  test('of numbers', () => {
    const { top, ...summary } = profileOf([1, 2, 2, 3, null, undefined, Number.NaN, 4n]).summary()
    expect(summary).toEqual({
      count: 8,
      missing: 3,
      distinct: 4,
      top_error: 0,
      numbers: 5,
      min: 1,
      max: 4,
      mean: 2.4,
      deviation: expect.closeTo(Math.sqrt(1.04), 12),
      quantiles: { '0.01': 1, '0.05': 1, '0.25': 2, '0.5': 2, '0.75': 3, '0.95': 4, '0.99': 4 },
    })
    expect(top[0]).toEqual({ value: 2, count: 2 })
  })

  test('of categories', () => {
    expect(profileOf(['red', 'blue', 'red', true, null, { a: 1 }]).summary()).toEqual({
      count: 6,
      missing: 1,
      distinct: 4,
      top_error: 0,
      numbers: 0,
      top: [
        { value: 'red', count: 2 },
        { value: 'blue', count: 1 },
        { value: true, count: 1 },
        { value: '{"a":1}', count: 1 },
      ],
    })
  })

  test('of nothing', () => {
    expect(new Profile().summary()).toEqual({ count: 0, missing: 0, distinct: 0, top: [], top_error: 0, numbers: 0 })
  })

  test('of 4 parts agrees with that of the whole', () => {
    const next = normal(seeded(3))
    const values = Array.from({ length: 40_000 }, (_, index) => (index % 50 === 0 ? null : 100 + 15 * next()))
    const one = profileOf(values).summary()
    const four = merged(values, 4).summary()
    for (const part of ['count', 'missing', 'distinct', 'numbers', 'min', 'max'] as const)
      expect(four[part]).toBe(one[part])
    expect(four.mean).toBeCloseTo(one.mean!, 9)
    expect(four.deviation).toBeCloseTo(one.deviation!, 9)
    const numbers = values.filter((value) => value !== null).sort((a, b) => a - b)
    expect(Math.abs(one.distinct - numbers.length)).toBeLessThanOrEqual(numbers.length * 3 * distinctError)
    for (const summary of [one, four]) {
      for (const [share, value] of Object.entries(summary.quantiles!)) {
        const rank = numbers.findIndex((number) => number >= value) / numbers.length
        expect(Math.abs(rank - Number(share))).toBeLessThanOrEqual(rankError)
      }
    }
  })

  test('of categories in 4 parts is the same', () => {
    const random = seeded(5)
    const values = Array.from({ length: 10_000 }, () => `c${Math.floor(random() ** 2 * 200)}`)
    const sorted = (profile: Profile) => ({
      ...profile.summary(),
      top: profile.top.top(1000).sort((a, b) => (String(a.value) < String(b.value) ? -1 : 1)),
    })
    expect(sorted(merged(values, 4))).toEqual(sorted(profileOf(values)))
  })

  test.each([
    [null, 'it is no profile of version 1'],
    [{ version: 2 }, 'it is no profile of version 1'],
    [{ ...new Profile().toJSON(), mean: 'x' }, 'its mean is no number'],
    [{ ...new Profile().toJSON(), distinct: 7 }, 'the distinct count is not a text'],
    [{ ...new Profile().toJSON(), top: [] }, 'the top values are no list of values and counts'],
  ])('is not made of %#', (json, sentence) => {
    expect(() => Profile.from(json)).toThrow(sentence)
  })
})
