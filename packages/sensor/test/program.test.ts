import { describe, expect, test } from 'vitest'
import { createAggregate } from '../src/aggregates.ts'
import { type SensorProgram, SensorRun } from '../src/program.ts'
import { seeded } from './random.ts'

const count: SensorProgram = { filter: null, aggregate: { type: 'count' }, maxReads: null }

describe('a program', () => {
  test('filters, aggregates, and gives its part', () => {
    const program: SensorProgram = { ...count, filter: { type: '>', threshold: 2 }, aggregate: { type: 'sum' } }
    const run = new SensorRun(JSON.parse(JSON.stringify(program)))
    for (const value of [1, 2, 3, 4]) if (run.wants()) run.add(value)
    const whole = createAggregate(program.aggregate)
    whole.merge(run.takePartial())
    whole.merge(run.takePartial())
    expect(whole.takeResult()).toBe(7)
  })

  test('stops after its reads', () => {
    const run = new SensorRun({ ...count, maxReads: 3 })
    for (let value = 0; value < 10; value++) if (run.wants()) run.add(value)
    expect(run.takePartial()).toBe(3)
    expect(run.wants()).toBe(false)
  })

  test.each([100, 10_000, 1_000_000])('with a maximum rate takes no more of %i records a second', (rate) => {
    let time = 0
    const aggregate = { type: 'profile', sketch: false, maxRate: 1000 } as const
    const run = new SensorRun({ ...count, aggregate }, seeded(rate), () => time)
    let taken = 0
    const values: number[] = []
    const seconds = 20
    for (let record = 0; record < rate * seconds; record++) {
      time = (record / rate) * 1000
      if (!run.wants()) continue
      run.add(record)
      // The first second is spent on finding out how fast they come.
      if (time >= 1000) {
        taken++
        values.push(record)
      }
    }
    const wanted = Math.min(rate, 1000) * (seconds - 1)
    expect(taken / wanted).toBeGreaterThan(0.8)
    expect(taken / wanted).toBeLessThan(1.2)
    // Spread over all records.
    expect(values.filter((record) => record < (rate * (seconds + 1)) / 2).length / taken).toBeCloseTo(0.5, 1)
  })

  test('without one takes everything', () => {
    const run = new SensorRun(count)
    for (let record = 0; record < 100_000; record++) if (run.wants()) run.add(record)
    expect(run.takePartial()).toBe(100_000)
  })
})
