import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFilter, type FilterSettings } from '../src/filter.ts'
import type { Reading } from '../src/reading.ts'

const within: FilterSettings = { type: 'within-range', minimum: 2, maximum: 4 }
const outside: FilterSettings = { type: 'outside-range', minimum: 2, maximum: 4 }

describe('a filter', () => {
  test.each<[FilterSettings, Reading[], Reading[]]>([
    [{ type: '>', threshold: 3 }, [2, 3, 4], [4]],
    [{ type: '>=', threshold: 3 }, [2, 3, 4], [3, 4]],
    [{ type: '<', threshold: 3 }, [2, 3, 4], [2]],
    [{ type: '<=', threshold: 3 }, [2, 3, 4], [2, 3]],
    [within, [1, 2, 3, 4, 5], [2, 3, 4]],
    [outside, [1, 2, 3, 4, 5], [1, 5]],
    [{ type: '>=', threshold: 0 }, ['7', true, null, [9], Number.NaN], []],
    [{ type: '>', threshold: 3 }, [{ a: 1, b: 5 }, { a: 1 }, {}], [{ b: 5 }]],
  ])('%j lets of %j pass %j', (settings, readings, passed) => {
    const filter = createFilter(settings)
    expect(readings.map(filter).filter((reading) => reading !== undefined)).toEqual(passed)
  })

  test('compares bigints too', () => {
    const filter = createFilter({ type: '>', threshold: 3 })
    expect([filter(5n), filter(2n)]).toEqual([5n, undefined])
  })

  test('of every number exactly one of a filter and its opposite is true', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -5, max: 5 }))
    fc.assert(
      fc.property(number, number, number, (value, a, b) => {
        const [minimum, maximum] = [Math.min(a, b), Math.max(a, b)]
        const pairs: [FilterSettings, FilterSettings][] = [
          [
            { type: '>', threshold: a },
            { type: '<=', threshold: a },
          ],
          [
            { type: '<', threshold: a },
            { type: '>=', threshold: a },
          ],
          [
            { type: 'within-range', minimum, maximum },
            { type: 'outside-range', minimum, maximum },
          ],
        ]
        for (const [one, other] of pairs) {
          const passes = (settings: FilterSettings) => createFilter(settings)(value) !== undefined
          expect(passes(one)).toBe(!passes(other))
        }
        expect(createFilter({ type: 'within-range', minimum, maximum })(value) !== undefined).toBe(
          value >= minimum && value <= maximum,
        )
      }),
    )
  })
})
