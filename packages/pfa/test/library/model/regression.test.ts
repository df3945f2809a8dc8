import { describe, expect, it } from 'vitest'
import type { PfaType } from '../../../src/library/library.ts'
import { model } from '../../../src/library/model.ts'
import { statistics } from '../../../src/library/statistics.ts'
import { comparisons } from '../statistics/comparisons.ts'
import {
  about,
  array,
  call,
  DOUBLE,
  entries,
  fails,
  fcn,
  map,
  NULL,
  type Row,
  record,
  testTable,
  union,
} from '../table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const VECTOR = array(DOUBLE)
const ROWS = array(VECTOR)
const MAP = map(DOUBLE)
const MAPS = map(MAP)
const maps = (rows: Record<string, Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, row]) => [key, entries(row)]))

const LINE = record({ coeff: VECTOR, const: DOUBLE })
const LINES = record({ coeff: ROWS, const: VECTOR })
const LINE_MAP = record({ coeff: MAP, const: DOUBLE })
const LINES_MAP = record({ coeff: MAPS, const: MAP })

const linear: Row[] = [
  ['model.reg.linear', [VECTOR, LINE], [[1, 2], { coeff: [3, 4], const: 5 }], 16],
  ['model.reg.linear', [VECTOR, LINE], [[1], { coeff: [3, 4], const: 5 }], fails(31000)],
  [
    'model.reg.linear',
    [VECTOR, LINES],
    [
      [1, 2],
      {
        coeff: [
          [3, 4],
          [5, 6],
        ],
        const: [1, 2],
      },
    ],
    [12, 19],
  ],
  ['model.reg.linear', [VECTOR, LINES], [[], { coeff: [[], []], const: [1, 2] }], [1, 2]],
  ['model.reg.linear', [VECTOR, LINES], [[1, 2], { coeff: [[3, 4], [5]], const: [1, 2] }], fails(31000)],
  ['model.reg.linear', [VECTOR, LINES], [[1, 2], { coeff: [[3, 4]], const: [1, 2] }], fails(31001)],
  ['model.reg.linear', [MAP, LINE_MAP], [entries({ a: 1, c: 9 }), { coeff: entries({ a: 3, b: 4 }), const: 5 }], 8],
  ['model.reg.linear', [MAP, LINE_MAP], [entries({ a: 1 }), { coeff: entries({ a: 3, b: INF }), const: 5 }], NAN],
  [
    'model.reg.linear',
    [MAP, LINES_MAP],
    [entries({ a: 2 }), { coeff: maps({ y: { a: 3 } }), const: entries({ y: 1, z: 7 }) }],
    entries({ y: 7, z: 7 }),
  ],
]

const COVARIANCE = record({ covar: ROWS })
const COVARIANCES = record({ covar: array(ROWS) })
const COVARIANCE_MAP = record({ covar: MAPS })
const COVARIANCES_MAP = record({ covar: map(MAPS) })
const matrix = [
  [1, 2],
  [2, 5],
]
const sparse = maps({ a: { a: 1, '': 2 }, '': { a: 2, '': 5 } })

const variances: Row[] = [
  ['model.reg.linearVariance', [VECTOR, COVARIANCE], [[3], { covar: matrix }], 26],
  ['model.reg.linearVariance', [VECTOR, COVARIANCE], [[3, 4], { covar: matrix }], fails(31010)],
  ['model.reg.linearVariance', [VECTOR, COVARIANCE], [[3], { covar: [[1, 2], [2]] }], fails(31010)],
  [
    'model.reg.linearVariance',
    [VECTOR, COVARIANCES],
    [
      [3],
      {
        covar: [
          matrix,
          [
            [0, 0],
            [0, 1],
          ],
        ],
      },
    ],
    [26, 1],
  ],
  ['model.reg.linearVariance', [VECTOR, COVARIANCES], [[3, 4], { covar: [matrix] }], fails(31010)],
  ['model.reg.linearVariance', [MAP, COVARIANCE_MAP], [entries({ a: 3 }), { covar: sparse }], 26],
  [
    'model.reg.linearVariance',
    [MAP, COVARIANCES_MAP],
    [entries({ a: 3 }), { covar: new Map([['y', sparse]]) }],
    entries({ y: 26 }),
  ],
]

const WEIGHT = union(NULL, DOUBLE)
const KERNEL = fcn(VECTOR, VECTOR, DOUBLE)
const kernel = (x: number[], y: number[]) => Math.exp(-2 * x.reduce((sum, xi, i) => sum + (xi - y[i]!) ** 2, 0))
const POINTS = array(record({ x: DOUBLE, to: DOUBLE }))
const UNCERTAIN = array(record({ x: DOUBLE, to: DOUBLE, sigma: DOUBLE }))
const points = [
  { x: 0, to: 1 },
  { x: 1, to: 3 },
  { x: 2, to: 2 },
]
const VECTOR_TO = array(record({ x: DOUBLE, to: VECTOR }))
const VECTOR_X = array(record({ x: VECTOR, to: DOUBLE }))
const VECTORS = array(record({ x: VECTOR, to: VECTOR }))
const gaussian = (x: PfaType, table: PfaType, args: unknown[], expected: unknown): Row => [
  'model.reg.gaussianProcess',
  [x, table, WEIGHT, KERNEL],
  [...args, kernel],
  expected,
]

/** A process without uncertainties goes through its points. */
const processes: Row[] = [
  gaussian(DOUBLE, POINTS, [1, points, null], about(3)),
  gaussian(DOUBLE, POINTS, [1, points, 0.5], about(3)),
  gaussian(DOUBLE, POINTS, [1e9, points, null], about(1.9822265439901303)),
  gaussian(DOUBLE, POINTS, [1e9, points, 0.5], about(2 + Math.sqrt(2 / 3) * 0.5)),
  gaussian(DOUBLE, POINTS, [1, [], null], fails(31080)),
  gaussian(DOUBLE, POINTS, [NAN, points, null], fails(31085)),
  gaussian(DOUBLE, POINTS, [1, [...points, { x: INF, to: 1 }], null], fails(31086)),
  gaussian(DOUBLE, POINTS, [1, points, INF], fails(31087)),
  gaussian(VECTOR, VECTOR_X, [[], [{ x: [], to: 1 }], null], fails(31081)),
  gaussian(VECTOR, VECTOR_X, [[1, 2], [{ x: [1], to: 1 }], null], fails(31082)),
  gaussian(VECTOR, VECTOR_X, [[1], points.map(({ x, to }) => ({ x: [x], to })), null], about(3)),
  gaussian(DOUBLE, VECTOR_TO, [1, [{ x: 1, to: [] }], null], fails(31083)),
  gaussian(
    DOUBLE,
    VECTOR_TO,
    [
      1,
      [
        { x: 1, to: [1] },
        { x: 2, to: [1, 2] },
      ],
      null,
    ],
    fails(31084),
  ),
  ['model.reg.gaussianProcess', [DOUBLE, POINTS, WEIGHT, KERNEL], [1, points, null, () => 2], fails(31088)],
]

const only = Object.fromEntries(
  Object.entries({ ...statistics, ...model }).filter(([name]) => name.startsWith('model.reg.')),
)
const COVERED_BELOW: Row[] = [
  // With two outputs results are arrays of numbers that are only nearly exact: see the tests below.
  gaussian(VECTOR, VECTORS, [[1], [{ x: [1], to: [] }], null], fails(31083)),
]
testTable('model.reg.', only, [
  ...linear,
  ...variances,
  ...processes,
  ...COVERED_BELOW,
  ...comparisons('model.reg.', [31020, 31030, 31040, 31070], 'DOF'),
])

describe('model.reg.gaussianProcess', () => {
  const run = (types: PfaType[], args: unknown[]) =>
    call(only, 'model.reg.gaussianProcess', [...types, WEIGHT, KERNEL], [...args, null, kernel])

  it('goes through the points of each output', () => {
    const table = points.map(({ x, to }) => ({ x, to: [to, -to] }))
    const [up, down] = run([DOUBLE, VECTOR_TO], [2, table]) as [number, number]
    expect(up).toBeCloseTo(2, 10)
    expect(down).toBeCloseTo(-2, 10)
    const vectors = table.map(({ x, to }) => ({ x: [x, -x], to }))
    expect((run([VECTOR, VECTORS], [[2, -2], vectors]) as number[])[0]).toBeCloseTo(2, 10)
  })

  it('stays away from uncertain points', () => {
    const uncertain = points.map((point) => ({ ...point, sigma: 1 }))
    const value = run([DOUBLE, UNCERTAIN], [1, uncertain]) as number
    expect(value).toBeGreaterThan(2)
    expect(value).toBeLessThan(3)
  })
})
