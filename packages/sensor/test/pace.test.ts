import { expect, test } from 'vitest'
import { Pace } from '../src/pace.ts'
import { seeded } from './random.ts'

test.each([100, 10_000, 1_000_000])('of %i a second, no more are taken than are wanted, spread over all', (rate) => {
  let time = 0
  const pace = new Pace(1000, seeded(rate), () => time)
  const taken: number[] = []
  const seconds = 20
  for (let index = 0; index < rate * seconds; index++) {
    time = (index / rate) * 1000
    if (!pace.wants()) continue
    pace.take()
    // The first second is spent on finding out how fast they come.
    if (time >= 1000) taken.push(index)
  }
  const wanted = Math.min(rate, 1000) * (seconds - 1)
  expect(taken.length / wanted).toBeGreaterThan(0.8)
  expect(taken.length / wanted).toBeLessThan(1.2)
  expect(taken.filter((index) => index < (rate * (seconds + 1)) / 2).length / taken.length).toBeCloseTo(0.5, 1)
})

test('without a limit everything is taken', () => {
  const pace = new Pace(Number.POSITIVE_INFINITY)
  for (let index = 0; index < 10_000; index++) {
    expect(pace.wants()).toBe(true)
    pace.take()
  }
})
