import { readSensorDescriptor, type SensorProgram, SensorRun } from '@pitot/sensor'
import { describe, expect, test } from 'vitest'
import { Sensor, type SensorReport } from '../src/sensor.ts'
import { Taps } from '../src/taps.ts'
import { FakeClock } from './fake-clock.ts'

function attached(descriptor: object, taps: Taps, random: () => number = () => 0.5) {
  const clock = new FakeClock()
  const reports: SensorReport[] = []
  const troubles: unknown[] = []
  const surroundings = {
    taps,
    clock,
    random,
    report: (report: SensorReport) => reports.push(report),
    trouble: (error: unknown) => troubles.push(error),
  }
  const sensor = new Sensor(readSensorDescriptor({ Tap: 'tap', ...descriptor }), surroundings)
  return { sensor, clock, reports, troubles, data: () => reports.map(({ data }) => data) }
}

/** Readings 1, 2, 3, … */
function counting(): Taps {
  const taps = new Taps()
  let count = 0
  taps.gauge('tap', () => ++count)
  return taps
}

const every = (Interval: number, more: object = {}) => ({ Type: 'regular', Interval, ...more })

describe('a sensor on a gauge', () => {
  test('regular 0.5 s, report 3 s: arrays of 6', async () => {
    const { clock, reports } = attached({ Activate: every(0.5), Report: { Interval: 3 } }, counting())
    await clock.pass(9)
    expect(reports).toEqual([
      { data: [1, 2, 3, 4, 5, 6], seconds: 3, alarm: undefined },
      { data: [7, 8, 9, 10, 11, 12], seconds: 3, alarm: undefined },
      { data: [13, 14, 15, 16, 17, 18], seconds: 3, alarm: undefined },
    ])
  })

  test.each<[title: string, descriptor: object, seconds: number, data: unknown[]]>([
    ['permanent: once a second, at once', {}, 3, [[1], [2], [3]]],
    [
      'permanent, in reports',
      { Report: { Interval: 2 } },
      4,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['permanent, in quick reports', { Report: { Interval: 0.25 } }, 0.5, [[1], [2]]],
    ['permanent until it has read enough', { Activate: { Type: 'permanent', MaxReads: 2 } }, 9, [[1], [2]]],
    ['by a word', { Activate: 'regular' }, 2, [[1], [2]]],
    ['by intensity', { Activate: { Type: 'regular', Intensity: 4 }, Aggregate: null }, 1, [1, 2, 3, 4]],
    ['tenths of seconds', { Activate: every(0.1), Report: { Interval: 3 }, Aggregate: 'count' }, 9, [30, 30, 30]],
    ['several reads each time', { Activate: every(5, { MaxReads: 3 }) }, 10, [[1], [2], [3], [4]]],
    [
      'for a while each time',
      { Activate: every(5, { Duration: 1.5 }), Report: { Interval: 5 } },
      15,
      [[1], [2, 3], [4, 5]],
    ],
    ['a filter', { Activate: every(1), Filter: { Type: '>', Threshold: 2 } }, 4, [[3], [4]]],
    ['a sum', { Activate: every(1), Report: { Interval: 2 }, Aggregate: 'sum' }, 4, [3, 7]],
    [
      'no report when nothing passes',
      { Activate: every(1), Report: { Interval: 2 }, Filter: { Type: '<', Threshold: 2 } },
      6,
      [[1]],
    ],
  ])('%s', async (_title, descriptor, seconds, data) => {
    const sensor = attached(descriptor, counting())
    await sensor.clock.pass(seconds)
    expect(sensor.data()).toEqual(data)
  })

  test('delta_time is the time since the last report', async () => {
    const { clock, reports } = attached({ Activate: every(1), Filter: { Type: '>=', Threshold: 3 } }, counting())
    await clock.pass(4)
    expect(reports.map(({ seconds }) => seconds)).toEqual([3, 1])
  })

  test('random activations come at the mean rate', async () => {
    let state = 1
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
    const { clock, data } = attached(
      { Activate: { Type: 'random', Interval: 0.1 }, Report: { Interval: 1 }, Aggregate: 'count' },
      counting(),
      random,
    )
    await clock.pass(100)
    const counts = data() as number[]
    const total = counts.reduce((sum, count) => sum + count, 0)
    // 1000 are expected, with a standard deviation of 32; and they are not regular.
    expect(Math.abs(total - 1000)).toBeLessThan(130)
    expect(new Set(counts).size).toBeGreaterThan(5)
  })

  test('a short pause is made up for, a long one is not', async () => {
    const { clock, data } = attached({ Activate: every(1), Aggregate: 'count', Report: { Interval: 5 } }, counting())
    clock.sleep(5)
    await clock.pass(0)
    expect(data()).toEqual([5])
    clock.sleep(1000)
    await clock.pass(0)
    expect(data()).toEqual([5, 1])
    await clock.pass(5)
    expect(data()).toEqual([5, 1, 5])
  })

  test('is active only while its tap is on', async () => {
    const { clock, sensor } = attached({ Activate: every(10, { Duration: 4 }) }, counting())
    const seen: boolean[] = []
    for (let second = 0; second < 20; second++) {
      seen.push(sensor.active)
      await clock.pass(1)
    }
    expect(seen.map(Number).join('')).toBe('00000000001111000000')
    expect(attached({}, counting()).sensor.active).toBe(true)
  })

  test('that cannot be read says so and goes on', async () => {
    const taps = new Taps()
    let turn = 0
    taps.gauge('tap', () => {
      if (++turn === 2) throw new Error('broken')
      return turn
    })
    const { clock, data, troubles } = attached({ Activate: every(1) }, taps)
    await clock.pass(3)
    expect(data()).toEqual([[1], [3]])
    expect(troubles).toEqual([new Error('broken')])
  })

  test('stopped, it leaves nothing behind', async () => {
    const { clock, sensor, data } = attached({ Activate: every(1) }, counting())
    await clock.pass(1)
    sensor.stop()
    expect(clock.waiting).toBe(0)
    await clock.pass(5)
    expect(data()).toEqual([[1]])
    expect(sensor.active).toBe(false)
  })
})

describe('a sensor on an event tap', () => {
  test('takes what is pushed while it is on', async () => {
    const taps = new Taps()
    const tap = taps.event<number>('tap')
    const { clock, data, sensor } = attached({ Aggregate: 'sum', Report: { Interval: 2 } }, taps)
    tap.watch?.(3)
    tap.watch?.(4)
    await clock.pass(2)
    await clock.pass(2)
    tap.watch?.(5)
    await clock.pass(2)
    expect(data()).toEqual([7, 5])
    sensor.stop()
    expect(tap.watch).toBeUndefined()
  })

  test('reports at once, but not each of many', async () => {
    const taps = new Taps()
    const tap = taps.event<number>('tap')
    const { clock, data } = attached({}, taps)
    for (let value = 0; value < 5; value++) tap.watch?.(value)
    await clock.pass(0.05)
    tap.watch?.(9)
    await clock.pass(0.05)
    expect(data()).toEqual([[0, 1, 2, 3, 4], [9]])
  })

  test('switches off after its reads, and on again', async () => {
    const taps = new Taps()
    const tap = taps.event<number>('tap')
    const { clock, data } = attached({ Activate: every(1, { MaxReads: 2 }), Report: { Interval: 1 } }, taps)
    expect(tap.watch).toBeUndefined()
    await clock.pass(1)
    for (const value of [1, 2, 3]) tap.watch?.(value)
    expect(tap.watch).toBeUndefined()
    await clock.pass(1)
    tap.watch?.(4)
    await clock.pass(1)
    expect(data()).toEqual([[1, 2], [4]])
  })

  test('follows a tap that goes and comes back', async () => {
    const taps = new Taps()
    const { clock, data, sensor } = attached({ Report: { Interval: 1 } }, taps)
    expect(sensor.active).toBe(false)
    taps.event<number>('tap').watch!(1)
    expect(sensor.active).toBe(true)
    await clock.pass(1)
    taps.remove('tap')
    expect(sensor.active).toBe(false)
    taps.event<number>('tap').watch!(2)
    await clock.pass(1)
    expect(data()).toEqual([[1], [2]])
  })
})

/** A tap whose readings are made in several places, as those of jets are. */
class Places {
  readonly taps = new Taps()
  readonly running: SensorRun[] = []

  constructor(count: number) {
    this.taps.distant('tap', (program: SensorProgram) => {
      for (let place = 0; place < count; place++) this.running.push(new SensorRun(program))
      return {
        collect: async () => this.running.map((run) => JSON.parse(JSON.stringify(run.takePartial()))),
        stop: () => void this.running.splice(0),
      }
    })
  }
}

describe('a sensor on a distant tap', () => {
  test('merges what the places have gathered', async () => {
    const places = new Places(4)
    const { clock, data, sensor } = attached(
      { Report: { Interval: 1 }, Filter: { Type: '>', Threshold: 0 }, Aggregate: 'sum' },
      places.taps,
    )
    for (let value = -4; value < 8; value++) places.running[Math.abs(value) % 4]!.addAll([value], Number)
    await clock.pass(1)
    await clock.pass(1)
    expect(data()).toEqual([28])
    sensor.stop()
    await sensor.settled()
    expect(places.running).toHaveLength(0)
  })

  test('collects once more when it switches off', async () => {
    const places = new Places(2)
    const activate = every(10, { Duration: 5 })
    const { clock, data } = attached({ Activate: activate, Report: { Interval: 20 }, Aggregate: 'count' }, places.taps)
    expect(places.running).toHaveLength(0)
    await clock.pass(10)
    places.running[0]!.addAll([1], Number)
    places.running[1]!.addAll([1], Number)
    await clock.pass(5)
    expect(places.running).toHaveLength(0)
    await clock.pass(5)
    expect(data()).toEqual([2])
  })

  test('a place that fails to answer costs its readings, nothing else', async () => {
    const taps = new Taps()
    let turn = 0
    taps.distant('tap', () => ({
      collect: async () => {
        if (++turn === 1) throw new Error('the jet has gone')
        return [1]
      },
      stop: () => undefined,
    }))
    const { clock, data, troubles } = attached({ Report: { Interval: 1 }, Aggregate: 'count' }, taps)
    await clock.pass(2)
    expect(data()).toEqual([1])
    expect(troubles).toEqual([new Error('the jet has gone')])
  })
})
