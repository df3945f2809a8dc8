import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AggregateSettings } from '../src/aggregate.ts'
import { createAggregate } from '../src/aggregates.ts'
import type { Reading } from '../src/reading.ts'
import { seeded } from './random.ts'

function resultOf(settings: AggregateSettings, readings: readonly Reading[]): unknown {
  const aggregate = createAggregate(settings, seeded(1))
  for (const reading of readings) aggregate.add(reading)
  return aggregate.takeResult()
}

const accumulate: AggregateSettings = { type: 'accumulate', sampleSize: 1000 }
const bounds = [0, 10]
const cpu = [
  { kernel: 1, user: 10 },
  { kernel: 3, user: 14 },
]

describe('an aggregate', () => {
  test.each<[AggregateSettings, Reading[], unknown]>([
    [{ type: 'last' }, [1, 2, 3], 3],
    [{ type: 'last' }, [null], null],
    [accumulate, [3, 1, 2], [3, 1, 2]],
    [accumulate, ['a', { x: 1 }, null], ['a', { x: 1 }, null]],
    [{ type: 'sum' }, [1, 2, 4], 7],
    [{ type: 'sum' }, ['{"bad"', 'record'], 2],
    [{ type: 'sum' }, cpu, { kernel: 4, user: 24 }],
    [{ type: 'count' }, ['a', 1, null], 3],
    [{ type: 'mean' }, [1, 2, 6], 3],
    [{ type: 'mean' }, cpu, { kernel: 2, user: 12 }],
    [{ type: 'mean' }, ['text'], undefined],
    [{ type: 'min' }, [2, -1, 5], -1],
    [{ type: 'max' }, [2, -1, 5], 5],
    [{ type: 'max' }, [Number.POSITIVE_INFINITY, 5, Number.NaN], 5],
    [{ type: 'quantiles', quantiles: [0, 0.5, 1] }, [1, 2, 3], { 0: 1, 0.5: 2, 1: 3 }],
    [{ type: 'histogram', bounds }, [-1, 0, 0.1, 10, 11, 12], { bounds, counts: [2, 2, 2] }],
    [{ type: 'profile', sketch: false, maxRate: 1 }, ['a', 'a'], expect.objectContaining({ count: 2, distinct: 1 })],
    [{ type: 'profile', sketch: true, maxRate: 1 }, [1], expect.objectContaining({ sketch: expect.anything() })],
  ])('%j of %j is %j', (settings, readings, expected) => {
    expect(resultOf(settings, readings)).toEqual(expected)
    expect(resultOf(settings, [])).toBeUndefined()
  })

  test.each<AggregateSettings>([
    { type: 'last' },
    accumulate,
    { type: 'sum' },
    { type: 'count' },
    { type: 'mean' },
    { type: 'min' },
    { type: 'max' },
    { type: 'quantiles', quantiles: [0.5] },
    { type: 'histogram', bounds },
  ])('$type starts anew after each report, and its parts make the whole', (settings) => {
    const number = fc.integer({ min: -1000, max: 1000 })
    const reading = fc.oneof(number, fc.record({ a: number, b: number }))
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 60 }), fc.nat(4), (readings, cuts) => {
        const whole = createAggregate(settings, seeded(1))
        for (const one of readings) whole.add(one)
        const merged = createAggregate(settings, seeded(2))
        const size = Math.ceil(readings.length / (cuts + 1)) || 1
        const part = createAggregate(settings, seeded(3))
        for (let start = 0; start < readings.length; start += size) {
          for (const one of readings.slice(start, start + size)) part.add(one)
          merged.merge(JSON.parse(JSON.stringify(part.takePartial())))
        }
        const [one, other] = [whole.takeResult(), merged.takeResult()]
        expect(other).toEqual(one)
        expect([whole.takeResult(), merged.takeResult()]).toEqual([undefined, undefined])
      }),
    )
  })
})

test('bigints are numbers', () => {
  expect(resultOf({ type: 'sum' }, [1n, 2])).toBe(3)
})

describe('a sample', () => {
  const settings: AggregateSettings = { type: 'accumulate', sampleSize: 10 }

  test('is never larger than it may be, and is in the order of time', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.nat(), (first, second, seed) => {
        const aggregate = createAggregate(settings, seeded(seed))
        const other = createAggregate(settings, seeded(seed + 1))
        for (let index = 0; index < first; index++) aggregate.add(index)
        for (let index = first; index < first + second; index++) other.add(index)
        aggregate.merge(other.takePartial())
        const sample = (aggregate.takeResult() ?? []) as number[]
        expect(sample.length).toBe(Math.min(10, first + second))
        expect(sample).toEqual(sample.toSorted((a, b) => a - b))
        expect(new Set(sample).size).toBe(sample.length)
      }),
    )
  })

  test('gives every reading the same chance, merged or not', () => {
    const times = { plain: new Array(40).fill(0), merged: new Array(40).fill(0) }
    for (let round = 0; round < 4000; round++) {
      const plain = createAggregate(settings, seeded(round))
      const merged = createAggregate(settings, seeded(round + 10_000))
      const part = createAggregate(settings, seeded(round + 20_000))
      for (let index = 0; index < 40; index++) {
        plain.add(index)
        if (index < 25) merged.add(index)
        else part.add(index)
      }
      merged.merge(part.takePartial())
      for (const index of plain.takeResult() as number[]) times.plain[index]++
      for (const index of merged.takeResult() as number[]) times.merged[index]++
    }
    // 1000 are expected; the standard deviation is 27.
    for (const count of [...times.plain, ...times.merged]) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})
