import { describe, expect, test } from 'vitest'
import { RandomTimes, RegularTimes } from '../src/schedule.ts'

function timesOf(times: { readonly next: number; pass(now: number): void }, count: number): number[] {
  return Array.from({ length: count }, () => {
    const { next } = times
    times.pass(next)
    return next
  })
}

describe('regular times', () => {
  test('do not drift, and meet where they should', () => {
    const [short, long] = [new RegularTimes(0.1, 100), new RegularTimes(0.1, 3000)]
    const shortTimes = new Set(timesOf(short, 3000))
    expect(timesOf(long, 100).every((time) => shortTimes.has(time))).toBe(true)
  })

  test.each([
    [105, 200],
    [1050, 200],
    [1250, 1300],
    [100_000, 100_100],
  ])('passed at %i, the next after 100 is %i', (now, next) => {
    const times = new RegularTimes(0, 100)
    times.pass(now)
    expect(times.next).toBe(next)
  })
})

describe('random times', () => {
  test('rise', () => {
    const times = timesOf(new RandomTimes(5, 100, Math.random), 1000)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBeGreaterThanOrEqual(5)
  })

  test('go on from now after a long sleep', () => {
    const times = new RandomTimes(0, 100, () => 0.5)
    times.pass(1_000_000)
    expect(times.next).toBe(1_000_000)
  })
})
