// What sensors see in a jet of the node runner: records as the model is given them, and outputs that passed their checks.
import { createAggregate, type SensorProgram } from '@pitot/sensor'
import { describe, expect, test } from 'vitest'
import { jetWith, score } from './jets.ts'

const all: SensorProgram = { filter: null, aggregate: { type: 'accumulate', sampleSize: 100 }, maxReads: null }
const profile: SensorProgram = {
  filter: null,
  aggregate: { type: 'profile', sketch: false, maxRate: 1e6 },
  maxReads: null,
}
const javascript = (source: string) => ({ language: 'javascript', source })
const readingsOf = (partial: unknown) => (partial as { readings: unknown[] }).readings

describe('a jet', () => {
  test('collects what is watched, from where the watch was set until it is ended', async () => {
    const { jet } = await jetWith(javascript('export const action = ({ a }) => ({ b: { c: a + 1 } })'))
    await score(jet, '{"a":1}')
    jet.watch({ watch: 7, slot: 0, path: 'a', program: all })
    jet.watch({ watch: 8, slot: 1, path: 'b.c', program: all })
    await score(jet, '{"a":2}', 'no record', '{"a":null}')
    expect(Object.values(await jet.collect([7, 8])).map(readingsOf)).toEqual([
      [2, null],
      [3, 1],
    ])
    jet.watch({ watch: 7, slot: 0, path: 'a', program: null })
    await score(jet, '{"a":5}')
    expect(await jet.collect([7, 8, 9])).toEqual({ 8: { seen: 1, readings: [6] } })
  })

  test('shows inputs before the model changes them, and no outputs that are refused', async () => {
    const source = 'export function action(record) { record.a = -1; return record.good ? { x: 1 } : { x: "one" } }'
    const output = { schema: { type: 'record', name: 'X', fields: [{ name: 'x', type: 'int' }] } }
    const { jet } = await jetWith({ ...javascript(source), output })
    jet.watch({ watch: 1, slot: 0, path: 'a', program: all })
    jet.watch({ watch: 2, slot: 1, path: 'x', program: all })
    await score(jet, '{"a":1,"good":true}', '{"a":2,"good":false}')
    expect(Object.values(await jet.collect([1, 2])).map(readingsOf)).toEqual([[1, 2], [1]])
  })

  test('tells numbers of any size', async () => {
    const { jet } = await jetWith({
      language: 'pfa-json',
      source: {
        input: { type: 'record', name: 'R', fields: [{ name: 'x', type: 'double' }] },
        output: 'null',
        action: null,
      },
    })
    jet.watch({ watch: 1, slot: 0, path: 'x', program: profile })
    const values = [1e19, -3e18, 2 ** 60, 1e-300]
    await score(jet, ...values.map((x) => `{"x":${x}}`))
    const whole = createAggregate(profile.aggregate)
    whole.merge((await jet.collect([1]))[1])
    expect(whole.takeResult()).toMatchObject({ count: 4, numbers: 4, min: -3e18, max: 1e19 })
  })

  test('that is dead has nothing to tell, and nothing to be told', async () => {
    const { jet } = await jetWith(javascript('export const action = (record) => record'))
    jet.watch({ watch: 1, slot: 0, path: 'a', program: all })
    await jet.kill()
    jet.watch({ watch: 2, slot: 0, path: 'a', program: all })
    await expect(jet.collect([1])).rejects.toThrow('was asked to end')
  })
})
