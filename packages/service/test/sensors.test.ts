import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Notice } from '@pitot/api'
import { Profile } from '@pitot/sensor'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Metrics } from '../src/metrics.ts'
import { Sensors, type SensorsOptions } from '../src/sensors.ts'
import { Taps } from '../src/taps.ts'
import { FakeClock } from './fake-clock.ts'

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pitot-sensors-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'deep', 'sensors.json')
}

async function opened(options: SensorsOptions = {}) {
  const clock = new FakeClock()
  const notices: Notice[] = []
  const sensors = await Sensors.open({ clock, notify: (notice) => notices.push(notice), ...options })
  onTestFinished(() => sensors.close())
  return { sensors, clock, notices }
}

const ids = (sensors: Sensors) => sensors.list().map(({ id }) => id)
const taps = (sensors: Sensors) => sensors.list().map(({ id, sensor }) => `${id} ${sensor.descriptor.tap}`)

describe('attached sensors', () => {
  test('have small ids that are not given twice', async () => {
    const { sensors } = await opened()
    expect(await sensors.attach({ Tap: 'sys.memory' })).toBe(1)
    expect(await sensors.attach({ Tap: 'sys.memory' })).toBe(2)
    await sensors.detach(2)
    expect(await sensors.attach({ Tap: 'sys.test.int' })).toBe(3)
    expect(taps(sensors)).toEqual(['1 sys.memory', '3 sys.test.int'])
    await expect(sensors.detach(2)).rejects.toThrow('there is no attached sensor 2')
    expect(() => sensors.get(2)).toThrow('there is no attached sensor 2')
  })

  test('report as notifications', async () => {
    const metrics = new Metrics()
    const { sensors, clock, notices } = await opened({ metrics })
    await sensors.attach({ Tap: 'sys.test.int', Activate: 'regular', Report: { Interval: 2 }, Aggregate: 'count' })
    await clock.pass(4)
    const report = { type: 'sensor-report', id: 1, tap: 'sys.test.int', data: 2, delta_time: 2 }
    expect(notices).toEqual([report, report])
    expect(metrics.text()).toContain('\npitot_sensors 1\n')
    expect(metrics.text()).toContain('\npitot_sensor_reports_total 2\n')
  })

  test.each<[descriptor: object, sentence: string]>([
    [{ Tap: 'sys.memry' }, "/Tap: there is no tap 'sys.memry' here; did you mean 'sys.memory'?"],
    [
      { Tap: 'sys.memory', Sink: { Transport: 'discard' } },
      '/Sink: this service sends reports as notifications only: "Pneumo"',
    ],
    [{ Tap: 'sys.memory', Report: 1 }, '/Report: 1 is not allowed, it must be an object with the field Interval'],
  ])('%j is refused', async (descriptor, sentence) => {
    const { sensors } = await opened()
    await expect(sensors.attach(descriptor)).rejects.toThrow(`the sensor descriptor is not right: ${sentence}`)
    expect(sensors.list()).toEqual([])
  })

  test('are limited in number', async () => {
    const { sensors } = await opened()
    for (let count = 0; count < 1000; count++) await sensors.attach({ Tap: 'sys.memory' })
    await expect(sensors.attach({ Tap: 'sys.memory' })).rejects.toThrow('1000 sensors are attached already')
    await sensors.detach(1)
    expect(await sensors.attach({ Tap: 'sys.memory' })).toBe(1001)
  })

  test('may wait for a tap that is expected', async () => {
    const own = new Taps()
    own.expect('jet.*.count')
    const { sensors, clock, notices } = await opened({ taps: own })
    await sensors.attach({ Tap: 'jet.7.count', Aggregate: 'sum', Report: { Interval: 1 } })
    expect(sensors.get(1).active).toBe(false)
    const tap = own.event<number>('jet.7.count')
    expect(sensors.get(1).active).toBe(true)
    tap.watch?.(5)
    await clock.pass(1)
    expect(notices).toMatchObject([{ tap: 'jet.7.count', data: 5 }])
  })
})

describe('after a restart', () => {
  test('attached sensors are there again, under their ids', async () => {
    const file = await temporaryFile()
    const first = await opened({ file })
    for (const Tap of ['sys.memory', 'sys.test.int', 'sys.test.float']) await first.sensors.attach({ Tap })
    await first.sensors.detach(2)
    await first.sensors.close()
    const { sensors, clock, notices } = await opened({ file })
    expect(taps(sensors)).toEqual(['1 sys.memory', '3 sys.test.float'])
    await clock.pass(1)
    expect(notices.map((notice) => (notice as { id?: number }).id)).toEqual([1, 3])
    expect(await sensors.attach({ Tap: 'sys.memory' })).toBe(4)
  })

  test('a sensor waits for its tap, though nobody promised it', async () => {
    const file = await temporaryFile()
    const own = new Taps()
    own.event('manifold.0.records.count')
    await (await opened({ file, taps: own })).sensors.attach({ Tap: 'manifold.0.records.count' })
    const { sensors } = await opened({ file })
    expect(sensors.get(1).active).toBe(false)
    sensors.taps.event('manifold.0.records.count')
    expect(sensors.get(1).active).toBe(true)
  })

  test('default sensors are attached the first time, and stay detached', async () => {
    const file = await temporaryFile()
    const defaults = [{ Tap: 'sys.memory' }, { Tap: 'sys.test.int' }]
    const first = await opened({ file, defaults })
    expect(await first.sensors.attach({ Tap: 'sys.test.float' })).toBe(3)
    await first.sensors.detach(1)
    expect(ids((await opened({ file, defaults })).sensors)).toEqual([2, 3])
  })

  test('a sensor that cannot be started is kept for the next time', async () => {
    const file = await temporaryFile()
    const sink = { write: async () => undefined, close: async () => undefined }
    const first = await opened({ file, openSink: async () => sink })
    await first.sensors.attach({ Tap: 'sys.memory', Sink: { Transport: 'discard' } })
    const second = await opened({ file })
    expect(second.sensors.list()).toEqual([])
    await second.sensors.attach({ Tap: 'sys.test.int' })
    expect(ids((await opened({ file, openSink: async () => sink })).sensors)).toEqual([2, 1])
  })

  test('what is under way while it closes does not empty the file', async () => {
    const file = await temporaryFile()
    const { sensors } = await opened({ file })
    await sensors.attach({ Tap: 'sys.memory' })
    await sensors.attach({ Tap: 'sys.test.int' })
    const late = sensors.detach(2)
    await sensors.close()
    await late
    await expect(sensors.attach({ Tap: 'sys.memory' })).rejects.toThrow('the service is stopping')
    expect(ids((await opened({ file })).sensors)).toEqual([1, 2])
  })

  test('a damaged file is refused by its name', async () => {
    const file = await temporaryFile()
    await (await opened({ file })).sensors.attach({ Tap: 'sys.memory' })
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 20))
    await expect(Sensors.open({ file })).rejects.toThrow(`the attached sensors in ${file} cannot be read: `)
  })

  test('many changes at once are all in the file', async () => {
    const file = await temporaryFile()
    const { sensors } = await opened({ file })
    await Promise.all(Array.from({ length: 20 }, () => sensors.attach({ Tap: 'sys.memory' })))
    await Promise.all([3, 5, 7].map((id) => sensors.detach(id)))
    const kept = JSON.parse(await readFile(file, 'utf8')) as { sensors: { id: number }[] }
    expect(kept.sensors.map(({ id }) => id)).toEqual(ids(sensors))
    expect(kept.sensors).toHaveLength(17)
  })
})

describe('a sink that is no notification', () => {
  test('gets the reports one after the other, the last ones too', async () => {
    const written: unknown[] = []
    const events: string[] = []
    const { sensors, clock, notices } = await opened({
      openSink: async (descriptor) => {
        events.push(`open ${JSON.stringify(descriptor)}`)
        return {
          write: async (report) => void written.push(report),
          close: async () => void events.push('close'),
        }
      },
    })
    await sensors.attach({ Tap: 'sys.test.int', Aggregate: 'count', Sink: { Transport: 'x' } })
    await clock.pass(2)
    await sensors.detach(1)
    expect(written).toMatchObject([
      { type: 'sensor-report', id: 1, data: 1, timestamp: expect.stringMatching(/T.*Z$/) },
      { data: 1 },
    ])
    expect(events).toEqual(['open {"Transport":"x"}', 'close'])
    expect(notices).toEqual([])
  })

  test('that cannot be opened is the error of the descriptor', async () => {
    const { sensors } = await opened({ openSink: () => Promise.reject(new Error('there is no topic "x"')) })
    const descriptor = { Tap: 'sys.memory', Sink: { Transport: 'x' } }
    await expect(sensors.attach(descriptor)).rejects.toThrow('/Sink: there is no topic "x"')
  })
})

describe('a drift sensor', () => {
  const profile = new Profile()
  for (let value = 0; value < 1000; value++) profile.add(value)

  test('raises an alarm when values drift, and says when they are back', async () => {
    const own = new Taps()
    const tap = own.event<number>('field')
    const findProfile = async (name: string) => (name === 'spring' ? { sketch: profile.toJSON() } : undefined)
    const { sensors, clock, notices } = await opened({ taps: own, findProfile })
    const Aggregate = { Type: 'drift', Reference: 'spring', MinCount: 500 }
    await sensors.attach({ Tap: 'field', Report: { Interval: 1 }, Aggregate })
    const window = async (shift: number) => {
      for (let value = 0; value < 1000; value++) tap.watch?.(value + shift)
      await clock.pass(1)
    }
    for (const shift of [0, 0, 300, 300, 0]) await window(shift)
    const logs = notices.filter(({ type }) => type === 'log')
    expect(logs).toEqual([
      { type: 'log', level: 16, text: expect.stringMatching(/^sensor 1 at field: PSI is [\d.]+, above 0\.2; /) },
      { type: 'log', level: 32, text: 'sensor 1 at field is back within its thresholds' },
    ])
    const alarms = notices
      .filter(({ type }) => type === 'sensor-report')
      .map((notice) => (notice as { data: unknown }).data)
    expect(alarms).toMatchObject([false, false, true, true, false].map((alarm) => ({ alarm, count: 1000 })))
    await expect(sensors.attach({ Tap: 'field', Aggregate: { Type: 'drift', Reference: 'winter' } })).rejects.toThrow(
      'there is no stored profile "winter"',
    )
  })

  test('is refused when nobody can be asked for its reference', async () => {
    const findProfile = async (name: string, tap: string) => Promise.reject(new Error(`no ${name} for ${tap}`))
    const { sensors } = await opened({ findProfile })
    const Aggregate = { Type: 'drift', Reference: 'spring' }
    await expect(sensors.attach({ Tap: 'sys.test.int', Aggregate })).rejects.toMatchObject({
      code: 'bad-sensor',
      message: expect.stringContaining('/Aggregate/Reference: no spring for sys.test.int'),
    })
  })

  test('keeps its reference across a restart', async () => {
    const file = await temporaryFile()
    const first = await opened({ file, findProfile: async () => profile.toJSON() })
    await first.sensors.attach({ Tap: 'sys.test.int', Aggregate: { Type: 'drift', Reference: 'spring' } })
    expect(ids((await opened({ file })).sensors)).toEqual([1])
  })
})

describe('in the metrics', () => {
  /** Reading them takes what the sensor has gathered, as it does in jets. */
  function distantTap() {
    const own = new Taps()
    let collected = 0
    let values: number[] = []
    own.distant('field.age', () => ({
      async collect() {
        collected++
        const counted = values.length
        values = []
        return [counted]
      },
      stop: () => undefined,
    }))
    return { own, add: (...more: number[]) => values.push(...more), collections: () => collected }
  }
  const labelsOf = (tap: string) => (tap.startsWith('field.') ? { field: tap.slice('field.'.length) } : undefined)
  const age = { Tap: 'field.age', Report: { Interval: 1 }, Aggregate: 'count' }
  const valuesOf = (metrics: Metrics) => metrics.text().match(/^pitot_sensor_values\{.*$/gm) ?? []

  test('stands what a sensor has last reported, and asking for it takes nothing from the next report', async () => {
    const metrics = new Metrics()
    const { own, add, collections } = distantTap()
    const { sensors, clock, notices } = await opened({ taps: own, metrics, labelsOf })
    await sensors.attach(age)
    add(1, 2, 3)
    await clock.pass(0.5)
    expect(valuesOf(metrics)).toEqual([])
    expect(collections()).toBe(0)
    await clock.pass(0.5)
    add(4)
    expect(valuesOf(metrics)).toEqual(['pitot_sensor_values{sensor="1",field="age"} 3'])
    expect(collections()).toBe(1)
    await clock.pass(1)
    expect(valuesOf(metrics)).toEqual(['pitot_sensor_values{sensor="1",field="age"} 1'])
    // Nothing new: what was reported last stays.
    await clock.pass(3)
    expect(valuesOf(metrics)).toEqual(['pitot_sensor_values{sensor="1",field="age"} 1'])
    expect(metrics.text()).toMatch(/^pitot_sensor_report_timestamp_seconds\{sensor="1",field="age"\} 1002$/m)
    expect(notices).toMatchObject([{ data: 3 }, { data: 1 }])
  })

  test('it is gone as soon as the sensor is detached, though its last report is under way', async () => {
    const metrics = new Metrics()
    const own = new Taps()
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<readonly number[]>()
    let isFirst = true
    own.distant('field.age', () => ({
      collect() {
        if (isFirst) {
          isFirst = false
          return Promise.resolve([5])
        }
        asked.resolve()
        return answer.promise
      },
      stop: () => undefined,
    }))
    const { sensors, clock } = await opened({ taps: own, metrics, labelsOf })
    await sensors.attach(age)
    await clock.pass(1)
    expect(valuesOf(metrics)).toHaveLength(1)
    await clock.pass(1)
    await asked.promise
    const detached = sensors.detach(1)
    expect(valuesOf(metrics)).toEqual([])
    answer.resolve([6])
    await detached
    expect(valuesOf(metrics)).toEqual([])
  })

  test('nothing is kept of taps that have metrics of their own', async () => {
    const metrics = new Metrics()
    const { sensors, clock } = await opened({ metrics, labelsOf })
    await sensors.attach({ Tap: 'sys.test.int', Report: { Interval: 1 }, Aggregate: 'count' })
    await clock.pass(2)
    expect(metrics.text()).toContain('\npitot_sensor_reports_total 2\n')
    expect(valuesOf(metrics)).toEqual([])
  })

  test('a service all of whose taps have metrics of their own has no such families', async () => {
    const metrics = new Metrics()
    await opened({ metrics })
    expect(metrics.text()).not.toContain('pitot_sensor_values')
  })
})
