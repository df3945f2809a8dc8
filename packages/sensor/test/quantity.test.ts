import { describe, expect, test } from 'vitest'
import { readQuantity } from '../src/quantity.ts'

describe('quantities', () => {
  test.each<[unknown, number | undefined]>([
    [0, 0],
    [-1.5, -1.5],
    ['12', 12],
    ['1K', 1024],
    ['1k', 1024],
    ['1M', 1048576],
    ['1G', 1073741824],
    ['1.5G', 1610612736],
    ['-2K', -2048],
    [' 3 ', 3],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1T', undefined],
    ['1 G', undefined],
    ['G', undefined],
    ['', undefined],
    ['1e999', undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [null, undefined],
    [true, undefined],
    [[1], undefined],
  ])('%j is %s', (given, expected) => {
    expect(readQuantity(given)).toBe(expected)
  })
})
