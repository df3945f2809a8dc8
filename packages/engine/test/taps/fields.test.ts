import type { SensorProgram } from '@pitot/sensor'
import { Taps } from '@pitot/service'
import { describe, expect, test } from 'vitest'
import { FieldTaps } from '../../src/taps/fields.ts'

const program: SensorProgram = { filter: null, aggregate: { type: 'count' }, maxReads: null }
const record = (...names: string[]) => ({
  type: 'record',
  name: 'R',
  fields: names.map((name) => ({ name, type: 'double' })),
})

function fieldTaps() {
  const taps = new Taps()
  const watched: [number, string][] = []
  const fields = new FieldTaps(taps, (slot, path) => {
    watched.push([slot, path])
    return { collect: async () => [], stop: () => undefined }
  })
  const start = (name: string) => {
    const tap = taps.find(name)
    if (tap?.kind === 'distant') tap.start(program)
  }
  return { taps, fields, watched, start }
}

describe('taps of fields', () => {
  test('are there for the fields of each slot that has a type', () => {
    const { taps, fields, watched, start } = fieldTaps()
    fields.update([
      { slot: 0, schema: record('a', 'b') },
      { slot: 1, schema: 'double' },
      { slot: 3, schema: record('c') },
    ])
    expect(taps.names()).toEqual(['manifold.0.field.a', 'manifold.0.field.b', 'manifold.3.field.c'])
    start('manifold.3.field.c')
    expect(watched).toEqual([[3, 'c']])
  })

  test('are expected before there is a job', () => {
    const { taps } = fieldTaps()
    expect(taps.isExpected('manifold.0.field.a.b')).toBe(true)
    expect(taps.isExpected('manifold.0.fields.a')).toBe(false)
  })

  test.each([
    ['manifold.0.field.age', { slot: '0', field: 'age' }],
    ['manifold.3.field.customer.field.age', { slot: '3', field: 'customer.field.age' }],
    ['manifold.input.field.age', { slot: '0', field: 'age' }],
    ['manifold.0.field.', undefined],
    ['manifold.0.records.count', undefined],
    ['manifold.x.field.age', undefined],
    ['jet.manifold.0.field.age', undefined],
  ])('%s is %j in the metrics', (tap, labels) => {
    const { taps, fields } = fieldTaps()
    taps.alias('manifold.input', 'manifold.0')
    expect(fields.labelsOf(tap)).toEqual(labels)
  })

  test('are any of those of records without a type', () => {
    const { taps, fields, watched, start } = fieldTaps()
    fields.update([{ slot: 0, schema: null }, { slot: 1 }])
    expect(taps.names()).toEqual([])
    start('manifold.0.field.a.b')
    start('manifold.1.field.c')
    expect(watched).toEqual([
      [0, 'a.b'],
      [1, 'c'],
    ])
  })

  test('stay where nothing changes, and go where something does', () => {
    const { taps, fields } = fieldTaps()
    const seen: string[] = []
    const follow = (name: string) =>
      taps.follow(name, (tap) => seen.push(`${name} ${tap === undefined ? 'off' : 'on'}`))
    fields.update([{ slot: 0, schema: record('a') }, { slot: 1 }])
    follow('manifold.0.field.a')
    follow('manifold.1.field.x')
    fields.update([
      { slot: 0, schema: record('a') },
      { slot: 1, schema: record('y') },
    ])
    fields.update([{ slot: 0, schema: record('a', 'b') }])
    fields.update([{ slot: 0, schema: record('b') }, { slot: 1 }])
    expect(seen).toEqual([
      'manifold.0.field.a on',
      'manifold.1.field.x on',
      'manifold.1.field.x off',
      'manifold.0.field.a off',
      'manifold.0.field.a on',
      'manifold.0.field.a off',
      'manifold.1.field.x on',
    ])
    fields.update([])
    expect(taps.names()).toEqual([])
  })
})
