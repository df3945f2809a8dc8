import { describe, expect, it } from 'vitest'
import { array as arrays } from '../../src/library/array.ts'
import { cast } from '../../src/library/cast.ts'
import type { LibraryModule, PfaType } from '../../src/library/library.ts'
import { random } from '../../src/library/random.ts'
import { string } from '../../src/library/string.ts'
import { array, BOOLEAN, BYTES, call, DOUBLE, fcn, INT, LONG, NULL, STRING, union } from './table.ts'

const INTS = array(INT)
const MAYBE = union(INT, NULL)
const HUGE = 2_000_000_000
const many = Array.from({ length: 20_000 }, (_, i) => i)

/** Calls whose results would not fit in any memory, though their arguments are small. */
const CALLS: [string, LibraryModule, PfaType[], unknown[]][] = [
  ['a.slidingWindow', arrays, [INTS, INT, INT], [many, 10_000, 1]],
  ['a.combinations', arrays, [INTS, INT], [many, 10_000]],
  ['a.permutations', arrays, [INTS], [many]],
  ['a.flatten', arrays, [array(INTS)], [many.map(() => many)]],
  ['a.flatMap', arrays, [INTS, fcn(INT, INTS)], [many, () => many]],
  ['cast.fanoutInt', cast, [INT, INT, INT, BOOLEAN], [0, -HUGE, HUGE, false]],
  ['rand.choices', random, [INT, INTS], [HUGE, many]],
  ['rand.string', random, [INT], [HUGE]],
  ['rand.string', random, [INT, STRING], [HUGE, 'a']],
  ['rand.bytes', random, [INT, BYTES], [HUGE, new Uint8Array(1)]],
  ['s.int', string, [LONG, INT, BOOLEAN], [1, HUGE, true]],
  ['s.hex', string, [LONG, INT, BOOLEAN], [1, -HUGE, false]],
  ['s.number', string, [DOUBLE, MAYBE, MAYBE], [1, HUGE, null]],
  ['s.number', string, [DOUBLE, MAYBE, MAYBE], [1, null, HUGE]],
]

describe('results that would not end', () => {
  it.each(CALLS)('%s', (name, module, params, args) => {
    expect(() => call(module, name, params, args)).toThrow(/too large/)
  })
})
