import { describe, expect, it } from 'vitest'
import { linearAlgebra } from '../../src/library/linear-algebra.ts'
import { about, array, call, DOUBLE, entries, fails, fcn, INT, map, type Row, STRING, testTable } from './table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const VECTOR = array(DOUBLE)
const ROWS = array(VECTOR)
const MAP = map(DOUBLE)
const MAPS = map(MAP)
const UNARY = fcn(DOUBLE, DOUBLE)
const BINARY = fcn(DOUBLE, DOUBLE, DOUBLE)
const maps = (rows: Record<string, Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, row]) => [key, entries(row)]))

const square = [
  [1, 2],
  [3, 4],
]
const sparse = maps({ r: { c: 2 }, s: { d: 3 } })

const itemByItem: Row[] = [
  [
    'la.map',
    [ROWS, UNARY],
    [square, (x: number) => x * 10],
    [
      [10, 20],
      [30, 40],
    ],
  ],
  ['la.map', [MAPS, UNARY], [sparse, (x: number) => x * 10], maps({ r: { c: 20 }, s: { d: 30 } })],
  ['la.scale', [VECTOR, DOUBLE], [[1, 2], 3], [3, 6]],
  [
    'la.scale',
    [ROWS, DOUBLE],
    [square, 2],
    [
      [2, 4],
      [6, 8],
    ],
  ],
  ['la.scale', [MAP, DOUBLE], [entries({ a: 1 }), 3], entries({ a: 3 })],
  ['la.scale', [MAPS, DOUBLE], [sparse, 2], maps({ r: { c: 4 }, s: { d: 6 } })],
  [
    'la.zipmap',
    [ROWS, ROWS, BINARY],
    [square, square, (x: number, y: number) => x * y],
    [
      [1, 4],
      [9, 16],
    ],
  ],
  ['la.zipmap', [ROWS, ROWS, BINARY], [square, [[1, 2], [3]], Math.min], fails(24020)],
  [
    'la.zipmap',
    [MAPS, MAPS, BINARY],
    [sparse, maps({ r: { c: 5 } }), (x: number, y: number) => x + y],
    maps({ r: { c: 7, d: 0 }, s: { c: 0, d: 3 } }),
  ],
  [
    'la.add',
    [VECTOR, VECTOR],
    [
      [1, 2],
      [3, 4],
    ],
    [4, 6],
  ],
  ['la.add', [VECTOR, VECTOR], [[1, 2], [3]], fails(24030)],
  [
    'la.add',
    [ROWS, ROWS],
    [square, square],
    [
      [2, 4],
      [6, 8],
    ],
  ],
  ['la.add', [ROWS, ROWS], [square, [[1, 2]]], fails(24030)],
  ['la.add', [MAP, MAP], [entries({ a: 1, b: 2 }), entries({ b: 3, c: 4 })], entries({ a: 1, b: 5, c: 4 })],
  ['la.add', [MAPS, MAPS], [sparse, sparse], maps({ r: { c: 4, d: 0 }, s: { c: 0, d: 6 } })],
  [
    'la.sub',
    [VECTOR, VECTOR],
    [
      [1, 2],
      [3, 5],
    ],
    [-2, -3],
  ],
  ['la.sub', [VECTOR, VECTOR], [[1, 2], [3]], fails(24040)],
  [
    'la.sub',
    [ROWS, ROWS],
    [
      square,
      [
        [1, 1],
        [1, 1],
      ],
    ],
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['la.sub', [MAP, MAP], [entries({ a: 1 }), entries({ b: 3 })], entries({ a: 1, b: -3 })],
  ['la.sub', [MAPS, MAPS], [sparse, maps({ r: { c: 5 } })], maps({ r: { c: -3, d: 0 }, s: { c: 0, d: 3 } })],
]

const products: Row[] = [
  ['la.dot', [ROWS, VECTOR], [square, [5, 6]], [17, 39]],
  ['la.dot', [ROWS, VECTOR], [square, [5]], fails(24050)],
  ['la.dot', [ROWS, VECTOR], [[], [5]], fails(24051)],
  ['la.dot', [ROWS, VECTOR], [square, [5, NAN]], fails(24052)],
  ['la.dot', [MAPS, MAP], [sparse, entries({ c: 5, e: 7 })], entries({ r: 10, s: 0 })],
  ['la.dot', [MAPS, MAP], [new Map(), entries({ c: 5 })], fails(24051)],
  ['la.dot', [MAPS, MAP], [sparse, entries({ c: INF })], fails(24052)],
  [
    'la.dot',
    [ROWS, ROWS],
    [
      square,
      [
        [0, 1, 2],
        [1, 0, 3],
      ],
    ],
    [
      [2, 1, 8],
      [4, 3, 18],
    ],
  ],
  ['la.dot', [ROWS, ROWS], [square, [[0, 1]]], fails(24050)],
  ['la.dot', [ROWS, ROWS], [square, [[]]], fails(24051)],
  ['la.dot', [ROWS, ROWS], [square, [[INF], [1]]], fails(24052)],
  [
    'la.dot',
    [MAPS, MAPS],
    [sparse, maps({ c: { z: 5 }, d: { y: 1 } })],
    maps({ r: { z: 10, y: 0 }, s: { z: 0, y: 3 } }),
  ],
  ['la.dot', [MAPS, MAPS], [sparse, new Map()], fails(24051)],
  ['la.dot', [MAPS, MAPS], [sparse, maps({ c: { z: NAN } })], fails(24052)],
]

const whole: Row[] = [
  [
    'la.transpose',
    [ROWS],
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  ],
  ['la.transpose', [ROWS], [[]], fails(24060)],
  ['la.transpose', [ROWS], [[[1, 2], [3]]], fails(24061)],
  ['la.transpose', [MAPS], [maps({ r: { c: 1, d: 2 } })], maps({ c: { r: 1 }, d: { r: 2 } })],
  ['la.transpose', [MAPS], [maps({ r: {} })], fails(24060)],
  ['la.transpose', [MAPS], [sparse], fails(24061)],
  [
    'la.inverse',
    [ROWS],
    [
      [
        [2, 0],
        [0, 4],
      ],
    ],
    [
      [0.5, 0],
      [0, 0.25],
    ],
  ],
  ['la.inverse', [ROWS], [[[]]], fails(24070)],
  ['la.inverse', [ROWS], [[[1, 2], [3]]], fails(24071)],
  ['la.inverse', [MAPS], [sparse], maps({ c: { r: 0.5, s: 0 }, d: { r: 0, s: 1 / 3 } })],
  ['la.inverse', [MAPS], [new Map()], fails(24070)],
  [
    'la.trace',
    [ROWS],
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    6,
  ],
  ['la.trace', [ROWS], [[]], 0],
  ['la.trace', [ROWS], [[[1, 2], [3]]], fails(24080)],
  ['la.trace', [MAPS], [maps({ a: { a: 1, b: 2 }, b: { a: 3 }, c: { c: 5 } })], 6],
  ['la.det', [ROWS], [square], about(-2)],
  ['la.det', [ROWS], [[[NAN]]], NAN],
  ['la.det', [ROWS], [[]], fails(24090)],
  ['la.det', [ROWS], [[[1, 2], [3]]], fails(24091)],
  ['la.det', [ROWS], [[[1, 2]]], fails(24092)],
  ['la.det', [MAPS], [maps({ a: { a: 2 }, b: { b: 3 } })], 6],
  ['la.det', [MAPS], [maps({ a: {} })], fails(24090)],
  [
    'la.symmetric',
    [ROWS, DOUBLE],
    [
      [
        [1, 2],
        [2.01, 4],
      ],
      0.1,
    ],
    true,
  ],
  [
    'la.symmetric',
    [ROWS, DOUBLE],
    [
      [
        [1, 2],
        [2.2, 4],
      ],
      0.1,
    ],
    false,
  ],
  [
    'la.symmetric',
    [ROWS, DOUBLE],
    [
      [
        [NAN, INF],
        [INF, 4],
      ],
      0.1,
    ],
    true,
  ],
  ['la.symmetric', [ROWS, DOUBLE], [[], 0.1], fails(24100)],
  ['la.symmetric', [ROWS, DOUBLE], [[[1, 2], [3]], 0.1], fails(24101)],
  ['la.symmetric', [ROWS, DOUBLE], [[[1, 2]], 0.1], fails(24102)],
  ['la.symmetric', [MAPS, DOUBLE], [maps({ a: { b: 1 }, b: { a: 1.05 } }), 0.1], true],
  ['la.symmetric', [MAPS, DOUBLE], [maps({ a: { b: 1 } }), 0.1], false],
  [
    'la.eigenBasis',
    [ROWS],
    [
      [
        [1, 0],
        [0, 4],
      ],
    ],
    [
      [0, 0.5],
      [1, 0],
    ],
  ],
  ['la.eigenBasis', [ROWS], [[]], fails(24110)],
  ['la.eigenBasis', [ROWS], [[[1, 2], [3]]], fails(24111)],
  ['la.eigenBasis', [ROWS], [[[1, 2]]], fails(24112)],
  ['la.eigenBasis', [ROWS], [[[INF]]], fails(24113)],
  ['la.eigenBasis', [MAPS], [maps({ a: { a: 1 }, b: { b: 4 } })], maps({ 0: { a: 0, b: 0.5 }, 1: { a: 1, b: 0 } })],
  ['la.eigenBasis', [MAPS], [maps({ a: { a: NAN } })], fails(24113)],
  ['la.truncate', [ROWS, INT], [square, 1], [[1, 2]]],
  ['la.truncate', [ROWS, INT], [square, 9], square],
  ['la.truncate', [ROWS, INT], [square, -1], []],
  ['la.truncate', [ROWS, INT], [[], 1], fails(24120)],
  ['la.truncate', [ROWS, INT], [[[1, 2], [3]], 1], fails(24121)],
  ['la.truncate', [MAPS, array(STRING)], [sparse, ['s', 'z']], maps({ s: { d: 3 } })],
  ['la.truncate', [MAPS, array(STRING)], [new Map(), ['s']], fails(24120)],
]

testTable('la.', linearAlgebra, [...itemByItem, ...products, ...whole])

describe('la.eigenBasis', () => {
  it('makes the covariance of what it transforms the identity', () => {
    const covariance = [
      [4, 1, 0.5],
      [1, 3, 0],
      [0.5, 0, 2],
    ]
    const basis = call(linearAlgebra, 'la.eigenBasis', [ROWS], [covariance]) as number[][]
    const transposed = call(linearAlgebra, 'la.transpose', [ROWS], [basis])
    const half = call(linearAlgebra, 'la.dot', [ROWS, ROWS], [basis, covariance])
    const whitened = call(linearAlgebra, 'la.dot', [ROWS, ROWS], [half, transposed]) as number[][]
    whitened.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(value).toBeCloseTo(i === j ? 1 : 0, 12)
      })
    })
  })
})
