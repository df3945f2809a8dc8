// Drift in a whole fleet: a stream shifts halfway, and the sensors on its fields say so after the shift and not before,
// whatever the model is written in and however many jets share the records.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Notification } from '@pitot/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fleet, type Heard, restLines, startFleet } from './scenarios/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())

const record = {
  type: 'record',
  name: 'Order',
  fields: [
    { name: 'amount', type: 'double' },
    { name: 'payment', type: { type: 'record', name: 'Payment', fields: [{ name: 'kind', type: 'string' }] } },
  ],
}
const score = { type: 'record', name: 'Score', fields: [{ name: 'doubled', type: 'double' }] }
const models = {
  'pfa+json': JSON.stringify({
    input: record,
    output: score,
    action: [{ new: { doubled: { '*': ['input.amount', 2] } }, type: 'Score' }],
  }),
  python3: 'def action(order):\n    yield {"doubled": order["amount"] * 2}\n',
}

const size = 4000
const kinds = ['card', 'cash', 'transfer']
const calm = orders((at) => ({ amount: (at * 7) % 100, kind: kinds[(at * at) % 3]! }))
const shifted = orders((at) => ({ amount: ((at * 7) % 100) + 15, kind: at % 5 === 0 ? 'voucher' : 'card' }))

function orders(order: (at: number) => { amount: number; kind: string }): string[] {
  return Array.from({ length: size }, (_, at) => {
    const { amount, kind } = order(at)
    return JSON.stringify({ amount, payment: { kind } })
  })
}

/** A window is one half of the stream: nothing else is judged. Everything in it is looked at. */
const drift = { Type: 'drift', Reference: 'calm', MinCount: size, MaxRate: 1e6 }
const fields = { amount: 0, 'payment.kind': 0, doubled: 1 } as const

type Field = keyof typeof fields
interface Judged {
  readonly count: number
  readonly missing: number
  readonly psi: number
  readonly ks?: number
  readonly new_categories?: number
  readonly alarm: boolean
}

/** The figures of a report at /metrics. */
function gaugesOf({ count, missing, psi, ks, new_categories, alarm }: Judged): Record<string, number> {
  return {
    values: count,
    missing,
    drift_psi: psi,
    ...(ks !== undefined && { drift_ks: ks }),
    ...(new_categories !== undefined && { drift_new_categories: new_categories }),
    alarm: Number(alarm),
  }
}

/** What /metrics says of a sensor. */
async function shownOf(id: number, field: Field): Promise<Record<string, number>> {
  const { text } = await fleet.engine.ok('GET /metrics')
  const labels = `sensor="${id}",slot="${fields[field]}",field="${field}"`
  const lines = text.split('\n').filter((line) => line.includes(`{${labels}}`) && !line.includes('timestamp'))
  return Object.fromEntries(
    lines.map((line) => [/^pitot_sensor_(\w+)/.exec(line)![1]!, Number(line.slice(line.indexOf(' ')))]),
  )
}

/** What the sensors of all fields say of both halves, in order, and the alarms. */
async function watchStream(language: keyof typeof models, jets: number, heard: Heard) {
  const { engine } = fleet
  await engine.ok('DELETE /1/job')
  await engine.ok(`POST /1/job/scale?n=${jets}`)
  const sensors = new Map<Field, number>()
  for (const [field, slot] of Object.entries(fields) as [Field, number][]) {
    const Aggregate = field === 'doubled' ? { ...drift, Reference: 'doubled' } : drift
    const descriptor = { Tap: `manifold.${slot}.field.${field}`, Report: { Interval: 0.2 }, Aggregate }
    sensors.set(field, (await engine.json('POST /1/control/sensor', descriptor)).id)
  }
  await engine.input({ ...restLines, Schema: record })
  await engine.output({ Transport: 'discard', Encoding: 'json', Schema: score })
  await engine.model(language, models[language])
  await engine.until((status) => status.jets.length === jets, `${jets} jets`)
  const reports = (field: Field): Judged[] => reportsOf(heard.all, sensors.get(field)!) as Judged[]
  for (const [index, half] of [calm, shifted].entries()) {
    // In many requests, so that there is something for every jet.
    for (let at = 0; at < size; at += 200)
      await engine.ok('POST /1/job/input', `${half.slice(at, at + 200).join('\n')}\n`)
    for (const [field, id] of sensors) {
      await expect.poll(() => reports(field).length, { timeout: 20_000, message: field }).toBe(index + 1)
      expect(await shownOf(id, field)).toEqual(gaugesOf(reports(field)[index]!))
    }
  }
  const alarms = heard
    .of('log')
    .flatMap((notice) =>
      notice.type === 'log' && notice.level === 16 ? [notice.text.replace(/^sensor \d+ at /, '')] : [],
    )
  for (const [field, id] of sensors) {
    await engine.ok(`DELETE /1/control/sensor/${id}`)
    expect(await shownOf(id, field)).toEqual({})
  }
  return { reports: Object.fromEntries(Array.from(sensors.keys(), (field) => [field, reports(field)])), alarms }
}

function reportsOf(notifications: readonly Notification[], id: number): unknown[] {
  return notifications.flatMap((each) => (each.type === 'sensor-report' && each.id === id ? [each.data] : []))
}

beforeAll(async () => {
  const path = join(fleet.data, 'calm.jsonl')
  writeFileSync(path, `${calm.join('\n')}\n`)
  const stream = { Transport: { Type: 'file', Path: path }, Envelope: 'delimited', Encoding: 'json', Schema: record }
  const profiles = await fleet.engine.json('POST /1/stream/profile?store=calm', stream)
  expect(profiles).toMatchObject({
    amount: { count: size, missing: 0, numbers: size, min: 0, max: 99 },
    'payment.kind': { count: size, missing: 0, distinct: 2, numbers: 0 },
  })
  expect(await fleet.modelManage.json('GET /1/sensor')).toEqual(['calm.amount', 'calm.payment.kind'])
  const doubled = calm.map((text) => JSON.stringify({ doubled: JSON.parse(text).amount * 2 }))
  writeFileSync(path, `${doubled.join('\n')}\n`)
  await fleet.engine.ok('POST /1/stream/profile?store=doubled&field=doubled', { ...stream, Schema: score })
})

describe.each(['pfa+json', 'python3'] as const)('a model in %s', (language) => {
  test('with one jet and with four: the alarm is raised after the shift, and the reports agree', async () => {
    const one = await watchStream(language, 1, await fleet.listen())
    expect(one.reports).toEqual({
      amount: [
        {
          kind: 'numbers',
          count: size,
          missing: 0,
          psi: expect.any(Number),
          ks: expect.any(Number),
          alarm: false,
          reasons: [],
        },
        expect.objectContaining({
          count: size,
          alarm: true,
          reasons: expect.arrayContaining([expect.stringMatching(/^PSI/)]),
        }),
      ],
      'payment.kind': [
        {
          kind: 'categories',
          count: size,
          missing: 0,
          psi: expect.any(Number),
          new_categories: 0,
          alarm: false,
          reasons: [],
        },
        expect.objectContaining({ count: size, new_categories: 0.2, alarm: true }),
      ],
      doubled: [
        expect.objectContaining({ count: size, alarm: false }),
        expect.objectContaining({ count: size, alarm: true }),
      ],
    })
    expect(one.alarms.toSorted()).toEqual([
      expect.stringMatching(/^manifold\.0\.field\.amount: PSI is /),
      expect.stringMatching(
        /^manifold\.0\.field\.payment\.kind: .*the share of new categories is 0\.200, above 0\.05$/,
      ),
      expect.stringMatching(/^manifold\.1\.field\.doubled: PSI is /),
    ])
    const four = await watchStream(language, 4, await fleet.listen())
    expect(four.reports).toEqual(one.reports)
    expect(four.alarms.toSorted()).toEqual(one.alarms.toSorted())
  })
})

test('a sensor without its reference is refused', async () => {
  const Aggregate = { ...drift, Reference: 'winter' }
  const answer = await fleet.engine.send('POST /1/control/sensor', { Tap: 'manifold.0.field.amount', Aggregate })
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringMatching(/\/Aggregate\/Reference: there is no stored profile "winter"/),
  ])
})
