import { describe, expect, test } from 'vitest'
import { createAggregate } from '../src/aggregates.ts'
import { readSensorDescriptor } from '../src/descriptor.ts'
import type { SensorProgram } from '../src/program.ts'
import { RecordWatch } from '../src/record-watch.ts'

function programOf(Aggregate: object | string): SensorProgram {
  const { filter, aggregate } = readSensorDescriptor({ Tap: 'field', Aggregate })
  return { filter, aggregate, maxReads: null }
}

function resultOf(watch: RecordWatch, id: number, program: SensorProgram): unknown {
  const whole = createAggregate(program.aggregate)
  whole.merge(watch.takePartial(id))
  return whole.takeResult()
}

describe('the sensors of a stream', () => {
  test('each see their field of every record', () => {
    const watch = new RecordWatch()
    expect(watch.isIdle).toBe(true)
    watch.attach(1, 'a', programOf('sum'))
    watch.attach(2, 'b.c', programOf('max'))
    expect(watch.isIdle).toBe(false)
    for (let index = 1; index <= 4; index++) watch.see({ a: index, b: { c: -index } })
    expect(resultOf(watch, 1, programOf('sum'))).toBe(10)
    expect(resultOf(watch, 2, programOf('max'))).toBe(-1)
    watch.detach(1)
    watch.see({ a: 1, b: { c: 5 } })
    expect(watch.takePartial(1)).toBeUndefined()
    expect(resultOf(watch, 2, programOf('max'))).toBe(5)
    watch.detach(2)
    expect(watch.isIdle).toBe(true)
  })

  test('those for which some are enough look at the same records', () => {
    let time = 0
    const watch = new RecordWatch(() => time)
    const profile = programOf({ Type: 'profile', MaxRate: 1000 })
    watch.attach(1, 'a', profile)
    watch.attach(2, 'b', profile)
    watch.attach(3, 'a', programOf('count'))
    for (let index = 0; index < 500_000; index++) {
      time = index / 100
      watch.see({ a: index, b: -index })
    }
    const [one, two] = [resultOf(watch, 1, profile), resultOf(watch, 2, profile)] as {
      count: number
      min: number
      max: number
    }[]
    // Five seconds; more in the first, until it is known how fast they come.
    expect(one!.count).toBeGreaterThan(3500)
    expect(one!.count).toBeLessThan(8000)
    expect([two!.count, two!.max, two!.min]).toEqual([one!.count, -one!.min, -one!.max])
    expect(resultOf(watch, 3, programOf('count'))).toBe(500_000)
  })

  test('a field that is not there is missing', () => {
    const watch = new RecordWatch()
    watch.attach(1, 'a', programOf('profile'))
    for (const record of [{ a: 1 }, {}, { a: null }, 'no record']) watch.see(record)
    expect(resultOf(watch, 1, programOf('profile'))).toMatchObject({ count: 4, missing: 3 })
  })
})
