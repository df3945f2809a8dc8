import { expect, test } from 'vitest'
import { createAggregate } from '../src/aggregates.ts'
import { type SensorProgram, SensorRun } from '../src/program.ts'

test('a program filters, aggregates, and gives its part', () => {
  const program: SensorProgram = { filter: { type: '>', threshold: 2 }, aggregate: { type: 'sum' }, maxReads: null }
  const run = new SensorRun(JSON.parse(JSON.stringify(program)))
  for (const value of [1, 2, 3, 4]) run.add(value)
  const whole = createAggregate(program.aggregate)
  whole.merge(run.takePartial())
  whole.merge(run.takePartial())
  expect(whole.takeResult()).toBe(7)
})

test('a program stops after its reads', () => {
  const run = new SensorRun({ filter: null, aggregate: { type: 'count' }, maxReads: 3 })
  for (let value = 0; value < 10; value++) run.add(value)
  expect(run.takePartial()).toBe(3)
  expect(run.takePartial()).toBe(0)
})
