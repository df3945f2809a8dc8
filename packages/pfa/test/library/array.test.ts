import { Branch } from '@pitot/avro'
import { describe, expect, it } from 'vitest'
import { array as module } from '../../src/library/array.ts'
import {
  about,
  array,
  BOOLEAN,
  BYTES,
  bytes,
  call,
  DOUBLE,
  entries,
  FLOAT,
  fails,
  fcn,
  INT,
  LONG,
  map,
  NULL,
  type Row,
  record,
  STRING,
  satisfies,
  testTable,
  union,
} from './table.ts'

const INTS = array(INT)
const LONGS = array(LONG)
const DOUBLES = array(DOUBLE)
const STRINGS = array(STRING)
const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const BIG = 9223372036854775807n
const POINT = record({ x: INT, y: INT })
const points = [
  { x: 3, y: 0 },
  { x: 1, y: 1 },
  { x: 3, y: 2 },
]

const TEST = fcn(INT, BOOLEAN)
const LESS = fcn(INT, INT, BOOLEAN)
const isOdd = (x: number) => Math.abs(x) % 2 === 1
/** The reverse of the natural order. */
const greater = (x: number, y: number) => x > y

const access: Row[] = [
  ['a.len', [INTS], [[]], 0],
  ['a.len', [INTS], [[1, 2]], 2],
  ['a.subseq', [INTS, INT, INT], [[0, 1, 2, 3], 1, 3], [1, 2]],
  ['a.subseq', [INTS, INT, INT], [[0, 1, 2, 3], -3, -1], [1, 2]],
  ['a.subseq', [INTS, INT, INT], [[0, 1, 2, 3], -100, 100], [0, 1, 2, 3]],
  ['a.subseq', [INTS, INT, INT], [[0, 1, 2, 3], 3, 1], []],
  ['a.head', [INTS], [[7, 8]], 7],
  ['a.head', [INTS], [[]], fails(15020)],
  ['a.tail', [INTS], [[7, 8, 9]], [8, 9]],
  ['a.tail', [INTS], [[]], fails(15030)],
  ['a.last', [INTS], [[7, 8]], 8],
  ['a.last', [INTS], [[]], fails(15040)],
  ['a.init', [INTS], [[7, 8, 9]], [7, 8]],
  ['a.init', [INTS], [[]], fails(15050)],
  ['a.subseqto', [INTS, INT, INT, INTS], [[0, 1, 2, 3], 1, 3, [9]], [0, 9, 3]],
  ['a.subseqto', [INTS, INT, INT, INTS], [[0, 1, 2, 3], 3, 1, [9]], [0, 1, 2, 9, 3]],
  ['a.subseqto', [INTS, INT, INT, INTS], [[0, 1, 2, 3], -1, 100, []], [0, 1, 2]],
  ['a.concat', [INTS, INTS], [[1], [2, 3]], [1, 2, 3]],
  ['a.append', [INTS, INT], [[1], 2], [1, 2]],
  ['a.append', [array(INTS), INTS], [[[1]], [2]], [[1], [2]]],
  ['a.concat', [array(INTS), array(INTS)], [[[1]], [[2]]], [[1], [2]]],
  ['a.cycle', [INTS, INT, INT], [[1, 2, 3], 4, 3], [2, 3, 4]],
  ['a.cycle', [INTS, INT, INT], [[1], 2, 5], [1, 2]],
  ['a.cycle', [INTS, INT, INT], [[1, 2, 3], 4, 1], [4]],
  ['a.cycle', [INTS, INT, INT], [[1, 2, 3], 4, 0], []],
  ['a.cycle', [INTS, INT, INT], [[1], 2, -1], fails(15150)],
  ['a.insert', [INTS, INT, INT], [[1, 2], 1, 9], [1, 9, 2]],
  ['a.insert', [INTS, INT, INT], [[1, 2], -2, 9], [9, 1, 2]],
  ['a.insert', [INTS, INT, INT], [[1, 2], 2, 9], fails(15160)],
  ['a.insert', [INTS, INT, INT], [[1, 2], -3, 9], fails(15160)],
  ['a.replace', [INTS, INT, INT], [[1, 2], -1, 9], [1, 9]],
  ['a.replace', [INTS, INT, INT], [[1, 2], 2, 9], fails(15170)],
  ['a.remove', [INTS, INT, INT], [[0, 1, 2, 3], 1, 3], [0, 3]],
  ['a.remove', [INTS, INT, INT], [[0, 1, 2, 3], -1, 100], [0, 1, 2]],
  ['a.remove', [INTS, INT], [[0, 1, 2], -1], [0, 1]],
  ['a.remove', [INTS, INT], [[0, 1, 2], 3], fails(15180)],
  ['a.rotate', [INTS, INT], [[0, 1, 2, 3], 1], [1, 2, 3, 0]],
  ['a.rotate', [INTS, INT], [[0, 1, 2, 3], 6], [2, 3, 0, 1]],
  ['a.rotate', [INTS, INT], [[], 6], []],
  ['a.rotate', [INTS, INT], [[1], -1], fails(15190)],
]

const search: Row[] = [
  [
    'a.contains',
    [INTS, INTS],
    [
      [1, 2, 3],
      [2, 3],
    ],
    true,
  ],
  [
    'a.contains',
    [INTS, INTS],
    [
      [1, 2, 3],
      [1, 3],
    ],
    false,
  ],
  ['a.contains', [INTS, INTS], [[], []], true],
  ['a.contains', [INTS, INT], [[1, 2], 2], true],
  ['a.contains', [INTS, TEST], [[2, 4], isOdd], false],
  ['a.contains', [DOUBLES, DOUBLE], [[NAN], NAN], false],
  ['a.contains', [DOUBLES, DOUBLE], [[-0], 0], true],
  ['a.contains', [LONGS, LONG], [[BIG], 9223372036854775807n], true],
  ['a.contains', [array(POINT), POINT], [points, { x: 1, y: 1 }], true],
  ['a.contains', [array(BYTES), BYTES], [[bytes(1, 2)], bytes(1, 2)], true],
  [
    'a.count',
    [INTS, INTS],
    [
      [1, 1, 1],
      [1, 1],
    ],
    2,
  ],
  ['a.count', [INTS, INTS], [[1, 1], []], 0],
  ['a.count', [INTS, INT], [[1, 2, 1], 1], 2],
  ['a.count', [INTS, TEST], [[1, 2, 3], isOdd], 2],
  [
    'a.index',
    [INTS, INTS],
    [
      [1, 2, 1, 2],
      [1, 2],
    ],
    0,
  ],
  ['a.index', [INTS, INTS], [[1, 2], []], 0],
  ['a.index', [INTS, INT], [[1, 2, 1], 3], -1],
  ['a.index', [INTS, TEST], [[2, 1, 3], isOdd], 1],
  ['a.index', [array(INTS), INTS], [[[1], [2]], [2]], -1], // an array is taken for a run of items
  ['a.index', [array(INTS), array(INTS)], [[[1], [2]], [[2]]], 1],
  [
    'a.rindex',
    [INTS, INTS],
    [
      [1, 2, 1, 2],
      [1, 2],
    ],
    2,
  ],
  ['a.rindex', [INTS, INTS], [[1, 2], []], 2],
  ['a.rindex', [INTS, INT], [[1, 2, 1], 1], 2],
  ['a.rindex', [INTS, TEST], [[2, 1, 3, 4], isOdd], 2],
  ['a.rindex', [INTS, TEST], [[2], isOdd], -1],
  [
    'a.startswith',
    [INTS, INTS],
    [
      [1, 2, 3],
      [1, 2],
    ],
    true,
  ],
  ['a.startswith', [INTS, INTS], [[1], [1, 2]], false],
  ['a.startswith', [INTS, INT], [[1, 2], 2], false],
  ['a.startswith', [INTS, INT], [[], 2], false],
  [
    'a.endswith',
    [INTS, INTS],
    [
      [1, 2, 3],
      [2, 3],
    ],
    true,
  ],
  ['a.endswith', [INTS, INTS], [[1, 2, 3], []], true],
  ['a.endswith', [INTS, INTS], [[1], [0, 1]], false],
  ['a.endswith', [INTS, INT], [[1, 2], 2], true],
  ['a.endswith', [INTS, INT], [[], 2], false],
]

const order: Row[] = [
  ['a.sort', [DOUBLES], [[3, NAN, -INF, 1, INF]], [-INF, 1, 3, INF, NAN]],
  ['a.sort', [STRINGS], [['b', '😀', '\uffff', 'a']], ['a', 'b', '\uffff', '😀']],
  ['a.sort', [LONGS], [[BIG, 1, -BIG]], [-BIG, 1, BIG]],
  ['a.sort', [array(union(NULL, INT))], [[2, null, 1]], [null, 1, 2]],
  ['a.sortLT', [INTS, LESS], [[1, 3, 2], greater], [3, 2, 1]],
  [
    'a.sortLT',
    [array(POINT), fcn(POINT, POINT, BOOLEAN)],
    [points, (p: { x: number }, q: { x: number }) => p.x < q.x],
    [points[1], points[0], points[2]],
  ],
  ['a.shuffle', [INTS], [[1, 2, 3]], satisfies((a: number[]) => a.toSorted().join() === '1,2,3')],
  ['a.reverse', [INTS], [[1, 2, 3]], [3, 2, 1]],
  ['a.max', [DOUBLES], [[1, NAN, INF]], NAN],
  ['a.max', [INTS], [[1, 3, 2]], 3],
  ['a.max', [INTS], [[]], fails(15240)],
  ['a.min', [STRINGS], [['b', 'a']], 'a'],
  ['a.min', [INTS], [[]], fails(15250)],
  ['a.maxLT', [INTS, LESS], [[2, 1, 3], greater], 1],
  ['a.maxLT', [INTS, LESS], [[], greater], fails(15260)],
  ['a.minLT', [INTS, LESS], [[2, 1, 3], greater], 3],
  ['a.minLT', [INTS, LESS], [[], greater], fails(15270)],
  ['a.maxN', [INTS, INT], [[5, 1, 5, 3], 3], [5, 5, 3]],
  ['a.maxN', [INTS, INT], [[5, 1], 9], [5, 1]],
  ['a.maxN', [INTS, INT], [[5, 1], 0], []],
  ['a.maxN', [INTS, INT], [[], 1], fails(15280)],
  ['a.maxN', [INTS, INT], [[1], -1], fails(15281)],
  ['a.minN', [INTS, INT], [[5, 1, 5, 3], 2], [1, 3]],
  ['a.minN', [INTS, INT], [[], 1], fails(15290)],
  ['a.minN', [INTS, INT], [[1], -1], fails(15291)],
  ['a.maxNLT', [INTS, INT, LESS], [[5, 1, 3], 2, greater], [1, 3]],
  ['a.maxNLT', [INTS, INT, LESS], [[], 2, greater], fails(15300)],
  ['a.maxNLT', [INTS, INT, LESS], [[1], -2, greater], fails(15301)],
  ['a.minNLT', [INTS, INT, LESS], [[5, 1, 3], 2, greater], [5, 3]],
  ['a.minNLT', [INTS, INT, LESS], [[], 2, greater], fails(15310)],
  ['a.minNLT', [INTS, INT, LESS], [[1], -2, greater], fails(15311)],
  ['a.argmax', [INTS], [[1, 3, 3]], 1],
  ['a.argmax', [INTS], [[]], fails(15320)],
  ['a.argmin', [INTS], [[2, 1, 1]], 1],
  ['a.argmin', [INTS], [[]], fails(15330)],
  ['a.argmaxLT', [INTS, LESS], [[2, 1, 1], greater], 1],
  ['a.argmaxLT', [INTS, LESS], [[], greater], fails(15340)],
  ['a.argminLT', [INTS, LESS], [[2, 3, 3], greater], 1],
  ['a.argminLT', [INTS, LESS], [[], greater], fails(15350)],
  ['a.argmaxN', [INTS, INT], [[1, 3, 2, 3], 3], [1, 3, 2]],
  ['a.argmaxN', [INTS, INT], [[], 3], fails(15360)],
  ['a.argmaxN', [INTS, INT], [[1], -3], fails(15361)],
  ['a.argminN', [INTS, INT], [[1, 3, 1, 2], 3], [0, 2, 3]],
  ['a.argminN', [INTS, INT], [[], 3], fails(15370)],
  ['a.argminN', [INTS, INT], [[1], -3], fails(15371)],
  ['a.argmaxNLT', [INTS, INT, LESS], [[1, 3, 1, 2], 3, greater], [0, 2, 3]],
  ['a.argmaxNLT', [INTS, INT, LESS], [[], 3, greater], fails(15380)],
  ['a.argmaxNLT', [INTS, INT, LESS], [[1], -3, greater], fails(15381)],
  ['a.argminNLT', [INTS, INT, LESS], [[1, 3, 2, 3], 3, greater], [1, 3, 2]],
  ['a.argminNLT', [INTS, INT, LESS], [[], 3, greater], fails(15390)],
  ['a.argminNLT', [INTS, INT, LESS], [[1], -3, greater], fails(15391)],
]

const statistics: Row[] = [
  ['a.sum', [INTS], [[]], 0],
  ['a.sum', [INTS], [[2147483647, 1, -1]], 2147483647], // only the final sum counts
  ['a.sum', [INTS], [[2147483647, 1]], fails(15400)],
  ['a.sum', [LONGS], [[BIG, 1, -1]], BIG],
  ['a.sum', [LONGS], [[9007199254740991, 1]], 9007199254740992n],
  ['a.sum', [LONGS], [[BIG, 1]], fails(15401)],
  ['a.sum', [array(FLOAT)], [[Math.fround(0.1), Math.fround(0.2)]], Math.fround(Math.fround(0.1) + Math.fround(0.2))],
  ['a.sum', [DOUBLES], [[1e308, 1e308]], INF],
  ['a.product', [INTS], [[]], 1],
  ['a.product', [INTS], [[65536, 65536, 0]], 0],
  ['a.product', [INTS], [[65536, 65536]], fails(15410)],
  ['a.product', [LONGS], [[BIG, -1]], -BIG],
  ['a.product', [LONGS], [[BIG, 2, BIG, 0]], 0],
  ['a.product', [LONGS], [[BIG, 2]], fails(15411)],
  ['a.product', [DOUBLES], [[0.5, 4]], 2],
  ['a.lnsum', [DOUBLES], [[]], 0],
  ['a.lnsum', [DOUBLES], [[2, 3]], about(Math.log(6))],
  ['a.lnsum', [DOUBLES], [[2, -1]], NAN],
  ['a.mean', [DOUBLES], [[1, 2]], 1.5],
  ['a.mean', [DOUBLES], [[]], NAN],
  ['a.geomean', [DOUBLES], [[2, 8]], about(4)],
  ['a.geomean', [DOUBLES], [[]], NAN],
  ['a.median', [DOUBLES], [[4, 1, 3, 2]], 2.5],
  ['a.median', [array(FLOAT)], [[1, 2]], 1.5],
  ['a.median', [INTS], [[4, 1, 3, 2]], 2],
  ['a.median', [STRINGS], [['c', 'a', 'b']], 'b'],
  ['a.median', [INTS], [[]], fails(15450)],
  ['a.ntile', [DOUBLES, DOUBLE], [[1, 2, 3, 4], 0.5], 2.5],
  ['a.ntile', [DOUBLES, DOUBLE], [[1, 2, 3, 4, 5], 0.25], 2],
  ['a.ntile', [INTS, DOUBLE], [[1, 2, 3, 4], 0.5], 2],
  ['a.ntile', [INTS, DOUBLE], [[3, 1, 2], 0], 1],
  ['a.ntile', [INTS, DOUBLE], [[3, 1, 2], 1.5], 3],
  ['a.ntile', [INTS, DOUBLE], [[], 0.5], fails(15460)],
  ['a.ntile', [INTS, DOUBLE], [[1], NAN], fails(15461)],
  ['a.mode', [INTS], [[1, 2, 2, 3]], 2],
  ['a.mode', [INTS], [[3, 3, 1, 1, 2]], 1],
  ['a.mode', [DOUBLES], [[1, 2]], 1.5],
  ['a.mode', [array(POINT)], [[...points, { x: 3, y: 0 }]], { x: 3, y: 0 }],
  ['a.mode', [INTS], [[]], fails(15470)],
  ['a.logsumexp', [DOUBLES], [[1000, 1000]], about(1000 + Math.LN2)],
  ['a.logsumexp', [DOUBLES], [[]], NAN],
]

const sets: Row[] = [
  ['a.distinct', [INTS], [[2, 1, 2]], [2, 1]],
  ['a.distinct', [DOUBLES], [[NAN, NAN, 0, -0]], [NAN, NAN, 0]],
  ['a.distinct', [array(map(INT))], [[entries({ a: 1, b: 2 }), entries({ b: 2, a: 1 })]], [entries({ a: 1, b: 2 })]],
  [
    'a.seteq',
    [INTS, INTS],
    [
      [1, 2, 1],
      [2, 1],
    ],
    true,
  ],
  ['a.seteq', [INTS, INTS], [[1], [2, 1]], false],
  [
    'a.union',
    [INTS, INTS],
    [
      [1, 2, 1],
      [3, 2],
    ],
    [1, 2, 3],
  ],
  [
    'a.intersection',
    [INTS, INTS],
    [
      [1, 2],
      [2, 3],
    ],
    [2, 2],
  ],
  ['a.diff', [INTS, INTS], [[1, 2, 3], [2]], [1, 3]],
  [
    'a.symdiff',
    [INTS, INTS],
    [
      [1, 2],
      [2, 3],
    ],
    [1, 3],
  ],
  ['a.subset', [INTS, INTS], [[1], [2, 1]], true],
  [
    'a.subset',
    [INTS, INTS],
    [
      [1, 3],
      [2, 1],
    ],
    false,
  ],
  ['a.disjoint', [INTS, INTS], [[1], [2]], true],
  ['a.disjoint', [array(POINT), array(POINT)], [points, [{ x: 3, y: 0 }]], false],
]

const PLUS = fcn(INT, INT, INT)
const plus = (x: number, y: number) => x + y
const sum = (...values: number[]) => values.reduce(plus)
const digits = (x: string, y: string) => x + y
const JOIN = fcn(STRING, STRING, STRING)
const MAYBE = union(INT, NULL)
const MAYBE_NUMBER = union(INT, DOUBLE, NULL)

const functional: Row[] = [
  ['a.map', [INTS, fcn(INT, INT)], [[1, 2], (x: number) => x * 10], [10, 20]],
  ['a.mapWithIndex', [INTS, PLUS], [[5, 5], plus], [5, 6]],
  ['a.filter', [INTS, TEST], [[1, 2, 3], isOdd], [1, 3]],
  ['a.filterWithIndex', [INTS, LESS], [[0, 5, 1], greater], [1]],
  ['a.filterMap', [INTS, fcn(INT, MAYBE)], [[1, 2, 3], (x: number) => (isOdd(x) ? x * 2 : null)], [2, 6]],
  [
    'a.filterMap',
    [INTS, fcn(INT, MAYBE_NUMBER)],
    [[1, 2], (x: number) => (isOdd(x) ? new Branch('int', x) : new Branch('null', null))],
    [new Branch('int', 1)],
  ],
  ['a.filterMapWithIndex', [INTS, fcn(INT, INT, MAYBE)], [[4, 5], (i: number, x: number) => (i > 0 ? x : null)], [5]],
  ['a.flatMap', [INTS, fcn(INT, INTS)], [[1, 2], (x: number) => [x, x]], [1, 1, 2, 2]],
  ['a.flatMapWithIndex', [INTS, fcn(INT, INT, INTS)], [[7, 8], (i: number, x: number) => [i, x]], [0, 7, 1, 8]],
  ['a.zipmap', [INTS, INTS, PLUS], [[1, 2], [10, 20], sum], [11, 22]],
  ['a.zipmap', [INTS, INTS, INTS, fcn(INT, INT, INT, INT)], [[1], [2], [3], sum], [6]],
  ['a.zipmap', [INTS, INTS, INTS, INTS, fcn(INT, INT, INT, INT, INT)], [[1], [2], [3], [4], sum], [10]],
  ['a.zipmap', [INTS, INTS, PLUS], [[1, 2], [1], sum], fails(15650)],
  ['a.zipmap', [INTS, INTS, INTS, INTS, fcn(INT, INT, INT, INT, INT)], [[1], [2], [3], [], sum], fails(15650)],
  ['a.zipmapWithIndex', [INTS, INTS, fcn(INT, INT, INT, INT)], [[1, 2], [10, 20], sum], [11, 23]],
  ['a.zipmapWithIndex', [INTS, INTS, INTS, fcn(INT, INT, INT, INT, INT)], [[1], [2], [3], sum], [6]],
  ['a.zipmapWithIndex', [INTS, INTS, INTS, INTS, fcn(INT, INT, INT, INT, INT, INT)], [[1], [2], [3], [4], sum], [10]],
  ['a.zipmapWithIndex', [INTS, INTS, fcn(INT, INT, INT, INT)], [[1], [], sum], fails(15660)],
  ['a.reduce', [STRINGS, JOIN], [['a', 'b', 'c'], digits], 'abc'],
  ['a.reduce', [STRINGS, JOIN], [[], digits], fails(15670)],
  ['a.reduceRight', [STRINGS, JOIN], [['a', 'b', 'c'], digits], 'abc'],
  ['a.reduceRight', [STRINGS, JOIN], [[], digits], fails(15680)],
  ['a.fold', [STRINGS, STRING, JOIN], [['a', 'b'], '>', digits], '>ab'],
  ['a.fold', [STRINGS, STRING, JOIN], [[], '>', digits], '>'],
  ['a.foldRight', [STRINGS, STRING, JOIN], [['a', 'b'], '<', digits], 'ab<'],
  ['a.takeWhile', [INTS, TEST], [[1, 3, 2, 5], isOdd], [1, 3]],
  ['a.dropWhile', [INTS, TEST], [[1, 3, 2, 5], isOdd], [2, 5]],
  ['a.any', [INTS, TEST], [[2, 3], isOdd], true],
  ['a.any', [INTS, TEST], [[], isOdd], false],
  ['a.all', [INTS, TEST], [[2, 3], isOdd], false],
  ['a.all', [INTS, TEST], [[], isOdd], true],
  ['a.corresponds', [INTS, INTS, LESS], [[2, 3], [1, 2], greater], true],
  ['a.corresponds', [INTS, INTS, LESS], [[2], [1, 2], greater], false],
  [
    'a.correspondsWithIndex',
    [INTS, INTS, fcn(INT, INT, INT, BOOLEAN)],
    [[2, 3], [2, 4], (i: number, x: number, y: number) => x + i === y],
    true,
  ],
  ['a.correspondsWithIndex', [INTS, INTS, fcn(INT, INT, INT, BOOLEAN)], [[2], [], () => true], false],
]

const restructure: Row[] = [
  [
    'a.slidingWindow',
    [INTS, INT, INT],
    [[1, 2, 3, 4, 5], 2, 2],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['a.slidingWindow', [INTS, INT, INT], [[1, 2], 3, 1], []],
  ['a.slidingWindow', [INTS, INT, INT], [[1, 2], 0, 1], fails(15770)],
  ['a.slidingWindow', [INTS, INT, INT], [[1, 2], 1, 0], fails(15771)],
  [
    'a.combinations',
    [INTS, INT],
    [[1, 2, 3], 2],
    [
      [1, 2],
      [1, 3],
      [2, 3],
    ],
  ],
  ['a.combinations', [INTS, INT], [[1], 2], []],
  ['a.combinations', [INTS, INT], [[1], 0], fails(15780)],
  [
    'a.permutations',
    [INTS],
    [[1, 2, 3]],
    [
      [1, 2, 3],
      [1, 3, 2],
      [2, 1, 3],
      [2, 3, 1],
      [3, 1, 2],
      [3, 2, 1],
    ],
  ],
  ['a.permutations', [INTS], [[]], [[]]],
  ['a.flatten', [array(INTS)], [[[1], [], [2, 3]]], [1, 2, 3]],
  ['a.flatten', [array(array(INTS))], [[[[1]], [[2]]]], [[1], [2]]],
  [
    'a.groupby',
    [INTS, fcn(INT, STRING)],
    [[1, 2, 3], (x: number) => (isOdd(x) ? 'odd' : 'even')],
    entries({ odd: [1, 3], even: [2] }),
  ],
]

testTable('a.', module, [...access, ...search, ...order, ...statistics, ...sets, ...functional, ...restructure])

describe('selecting many', () => {
  it('agrees with selecting few', () => {
    const values = Array.from({ length: 60 }, (_, i) => (i * 37) % 17)
    const few = call(module, 'a.argmaxN', [INTS, INT], [values, 16]) as number[]
    const many = call(module, 'a.argmaxN', [INTS, INT], [values, 40]) as number[]
    expect(many.slice(0, 16)).toEqual(few)
    expect(many.map((index) => values[index])).toEqual(values.toSorted((x, y) => y - x).slice(0, 40))
  })
})
