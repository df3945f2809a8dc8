import { describe, expect, test } from 'vitest'
import { createAggregate } from '../src/aggregates.ts'
import { type SensorProgram, SensorRun } from '../src/program.ts'
import { seeded } from './random.ts'

const count: SensorProgram = { filter: null, aggregate: { type: 'count' }, maxReads: null }

const itself = <Value>(value: Value) => value
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('a program', () => {
  test('filters, aggregates, and gives its part', () => {
    const program: SensorProgram = { ...count, filter: { type: '>', threshold: 2 }, aggregate: { type: 'sum' } }
    const run = new SensorRun(JSON.parse(JSON.stringify(program)))
    run.addAll([1, 2, 3], itself)
    run.addAll([], itself)
    run.addAll(['4'], Number)
    const whole = createAggregate(program.aggregate)
    whole.merge(run.takePartial())
    whole.merge(run.takePartial())
    expect(whole.takeResult()).toBe(7)
  })

  test('stops after its reads', () => {
    const run = new SensorRun({ ...count, maxReads: 3 })
    run.addAll([1, 2], itself)
    run.addAll(numbers(0, 10), itself)
    run.addAll([1, 2], itself)
    expect(run.takePartial()).toBe(3)
  })

  test('without a maximum rate takes everything', () => {
    const run = new SensorRun(count)
    for (let batch = 0; batch < 10; batch++) run.addAll(numbers(0, 1000), itself)
    expect(run.takePartial()).toBe(10_000)
  })
})

describe('a maximum rate of 1000', () => {
  const aggregate = { type: 'profile', sketch: false, maxRate: 1000 } as const
  const seconds = 5
  /** Which records are read after the first second, when they come in batches of this size at this rate. */
  function readAt(rate: number, size: number): number[] {
    let time = 0
    const run = new SensorRun({ ...count, aggregate }, seeded(rate + size), () => time)
    const read: number[] = []
    for (let record = 0; record < rate * seconds; record += size) {
      time = (record / rate) * 1000
      run.addAll(numbers(record, record + size), (value) => {
        read.push(value)
        return value
      })
    }
    return read.filter((record) => record >= rate)
  }

  test.each([
    [100, 1],
    [100, 50],
    [10_000, 1],
    [10_000, 1024],
    [1_000_000, 4096],
    [1_000_000, 65_536],
  ])('of %i records a second in batches of %i', (rate, size) => {
    const read = readAt(rate, size)
    const wanted = Math.min(rate, 1000) * (seconds - 1)
    expect(read.length / wanted).toBeGreaterThan(0.85)
    expect(read.length / wanted).toBeLessThan(1.15)
    expect(new Set(read).size).toBe(read.length)
    // Spread over all records, and over those of a batch.
    const firstHalf = read.filter((record) => record < (rate * (seconds + 1)) / 2).length
    expect(firstHalf / read.length).toBeCloseTo(0.5, 1)
    if (size > 1)
      expect(read.reduce((sum, record) => sum + (record % size), 0) / read.length / size).toBeCloseTo(0.5, 1)
  })

  test('is taken in gulps: of a large batch nothing, or as much as is worth it', () => {
    let time = 0
    const run = new SensorRun({ ...count, aggregate }, seeded(2), () => time)
    const gulps: number[] = []
    for (let batch = 0; batch < 1000; batch++) {
      time += 5
      let read = 0
      run.addAll(numbers(0, 500), () => ++read)
      if (read > 0) gulps.push(read)
    }
    expect(Math.min(...gulps)).toBeGreaterThanOrEqual(64)
    expect(gulps.reduce((sum, read) => sum + read, 0) / 5000).toBeCloseTo(1, 1)
  })

  test('does not add up without end while nothing comes', () => {
    let time = 0
    const run = new SensorRun({ ...count, aggregate }, seeded(1), () => time)
    time = 60_000
    let read = 0
    run.addAll(numbers(0, 10_000), () => ++read)
    expect(read).toBe(200)
  })

  test('is below what comes one by one: which are read is left to chance', () => {
    const read = readAt(10_000, 1)
    const gaps = new Set(read.slice(1).map((record, index) => record - read[index]!))
    expect(gaps.size).toBeGreaterThan(5)
  })
})
