// What sensors see of the records of a jet.
import { Branch } from '@pitot/avro'
import { describe, expect, test } from 'vitest'
import type { Watch } from '../../src/index.ts'
import { FieldWatches } from '../../src/slot/field-watches.ts'

const watching = (watch: number, path: string, more: Partial<Watch> = {}): Watch => ({
  watch,
  slot: 0,
  path,
  program: { filter: null, aggregate: { type: 'accumulate', sampleSize: 100 }, maxReads: null },
  ...more,
})
const readingsIn = (partial: unknown) => (partial as { readings: unknown[] }).readings

describe('watches', () => {
  test('a slot that nobody watches has nobody to see it', () => {
    const watches = new FieldWatches()
    expect(watches.of(0)).toBeUndefined()
    watches.set(watching(1, 'a'))
    expect(watches.of(0)).toBeDefined()
    expect(watches.of(1)).toBeUndefined()
    watches.set(watching(1, 'a', { program: null }))
    expect(watches.of(0)).toBeUndefined()
  })

  test('see their own field of their own slot', () => {
    const watches = new FieldWatches()
    watches.set(watching(1, 'a'))
    watches.set(watching(2, 'b.c'))
    watches.set(watching(3, 'a', { slot: 1 }))
    watches.of(0)!([{ a: 1, b: { c: 'x' } }, { a: 2n, b: null }, 7])
    watches.of(1)!([{ a: 9 }])
    const partials = watches.take([1, 2, 3])
    expect(Object.values(partials).map(readingsIn)).toEqual([[1, 2, null], ['x', null, null], [9]])
  })

  test('see through the tags of unions', () => {
    const watches = new FieldWatches()
    watches.set(watching(1, 'a.b'))
    watches.of(0)!([{ a: new Branch('record', { b: new Branch('double', 0.5) }) }])
    expect(readingsIn(watches.take([1])[1])).toEqual([0.5])
  })

  test('give what they have seen since the last time, and nothing of those that are no more', () => {
    const watches = new FieldWatches()
    watches.set(watching(1, 'a'))
    watches.of(0)!([{ a: 1 }])
    expect(readingsIn(watches.take([1, 2])[1])).toEqual([1])
    watches.of(0)!([{ a: 2 }])
    expect(readingsIn(watches.take([1])[1])).toEqual([2])
    watches.set(watching(1, 'a', { program: null }))
    expect(watches.take([1])).toEqual({})
  })
})
