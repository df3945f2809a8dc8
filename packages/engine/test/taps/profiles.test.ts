import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Profile } from '@pitot/sensor'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/service-options.ts'
import { readSlot } from '../../src/slots/read.ts'
import { findProfile, profileStream, storeProfiles } from '../../src/taps/profiles.ts'

const options = { log: () => undefined, signal: new AbortController().signal, allowExec: [] }

async function profiled(descriptor: object, count: number, field?: string) {
  const { read } = await readSlot(0, descriptor, undefined, { schema: async () => undefined })
  return profileStream(read, { type: read.type, context: options }, count, field)
}

const union = { type: 'record', name: 'U', fields: [{ name: 'x', type: ['null', 'float', 'double'] }] }

describe('the profiles of a stream', () => {
  test('are those of the fields of its schema that have values', async () => {
    const Data = [1, 2, 3].map((x) => JSON.stringify({ x: x === 2 ? null : { double: x } }))
    const profiles = await profiled({ Transport: { Type: 'debug', Data }, Encoding: 'json', Schema: union }, 10)
    expect(Object.keys(profiles)).toEqual(['x'])
    expect(profiles.x).toMatchObject({ count: 3, missing: 1, distinct: 2, min: 1, max: 3 })
    expect(Profile.from(profiles.x!.sketch).count).toBe(3)
  })

  test('are made of so many records', async () => {
    const path = join(temporaryFolder(), 'table.csv')
    const rows = Array.from({ length: 50 }, (_, at) => `${at % 3},${at % 2 ? 'odd' : 'even'}`)
    writeFileSync(path, `${['a,b', ...rows].join('\n')}\n`)
    const Envelope = { Type: 'delimited-csv', SkipHeader: true }
    const table = { Transport: { Type: 'file', Path: path }, Envelope, Encoding: 'csv' }
    expect(await profiled(table, 20, 'b')).toMatchObject({ b: { count: 20, missing: 0, distinct: 2 } })
    expect(Object.keys(await profiled(table, 20))).toEqual(['a', 'b'])
  })
})

describe('stored profiles', () => {
  const stored: Record<string, unknown> = {}
  const registry = {
    sensor: async (name: string) => stored[name],
    storeSensor: async (name: string, document: unknown) => {
      stored[name] = document
    },
  }
  const profile = (count: number) => ({ count, missing: 0, distinct: 1, sketch: {} })

  test('are found by the name and the field of the sensor', async () => {
    await storeProfiles(registry, 'spring', { a: profile(1), 'b.c': profile(2) }, undefined)
    await storeProfiles(registry, 'age', { 'customer.age': profile(3) }, 'customer.age')
    expect(Object.keys(stored)).toEqual(['spring.a', 'spring.b.c', 'age'])
    expect(await findProfile(registry, 'spring', 'manifold.0.field.b.c')).toEqual(profile(2))
    expect(await findProfile(registry, 'age', 'manifold.0.field.anything')).toEqual(profile(3))
    expect(await findProfile(registry, 'age', 'sys.test.int')).toEqual(profile(3))
    expect(await findProfile(registry, 'spring', 'manifold.0.field.d')).toBeUndefined()
  })
})
