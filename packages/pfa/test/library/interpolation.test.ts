import { interpolation } from '../../src/library/interpolation.ts'
import { array, DOUBLE, fails, fcn, INT, type Row, record, STRING, testTable } from './table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const VECTOR = array(DOUBLE)
const ENTRIES = array(record({ x: DOUBLE, to: STRING }))
const entries = [
  { x: 0, to: 'zero' },
  { x: 4, to: 'four' },
  { x: -4, to: 'minus' },
]
const POINTS = array(record({ x: VECTOR, to: STRING }))
const points = [
  { x: [0, 0], to: 'origin' },
  { x: [3, 4], to: 'far' },
]
const SCALARS = array(record({ x: DOUBLE, to: DOUBLE }))
const scalars = [
  { x: 2, to: 20 },
  { x: 0, to: 10 },
  { x: 4, to: 100 },
  { x: 2, to: 999 },
]
const VECTORS = array(record({ x: DOUBLE, to: VECTOR }))
const vectors = [
  { x: 0, to: [0, 10] },
  { x: 4, to: [4, 0] },
  { x: 8, to: [0] },
]

function linear(name: string, code: number, beyond: unknown, beyondVector: unknown): Row[] {
  return [
    [name, [DOUBLE, SCALARS], [1, scalars], 15],
    [name, [DOUBLE, SCALARS], [2, scalars], 20],
    [name, [DOUBLE, SCALARS], [3, scalars], 60],
    [name, [DOUBLE, SCALARS], [4, scalars], 100],
    [name, [DOUBLE, SCALARS], [5, scalars], beyond],
    [
      name,
      [DOUBLE, SCALARS],
      [
        1,
        [
          { x: 0, to: 1 },
          { x: 0, to: 2 },
        ],
      ],
      fails(code),
    ],
    [name, [DOUBLE, SCALARS], [1, []], fails(code)],
    [name, [DOUBLE, VECTORS], [1, vectors], [1, 7.5]],
    [name, [DOUBLE, VECTORS], [5, vectors], fails(code + 1)],
    [name, [DOUBLE, VECTORS], [-4, vectors], beyondVector],
  ]
}

testTable('interp.', interpolation, [
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [0, 10, 0, 1], 0],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [0.99, 10, 0, 1], 9],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [0.5, 10, 1, 1], fails(22000)],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [0.5, 10, NAN, 1], fails(22000)],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [0.5, 0, 0, 1], fails(22001)],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [1, 10, 0, 1], fails(22002)],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [-0.1, 10, 0, 1], fails(22002)],
  ['interp.bin', [DOUBLE, INT, DOUBLE, DOUBLE], [NAN, 10, 0, 1], fails(22002)],
  ['interp.bin', [DOUBLE, DOUBLE, DOUBLE], [-0.1, 0, 0.5], -1],
  ['interp.bin', [DOUBLE, DOUBLE, DOUBLE], [1, NAN, 0.5], fails(22000)],
  ['interp.bin', [DOUBLE, DOUBLE, DOUBLE], [1, 0, 0], fails(22001)],
  ['interp.bin', [DOUBLE, DOUBLE, DOUBLE], [INF, 0, 0.5], fails(22002)],
  ['interp.bin', [DOUBLE, DOUBLE, DOUBLE], [1e300, 0, 0.5], fails(22002)],
  ['interp.nearest', [DOUBLE, ENTRIES], [1.9, entries], 'zero'],
  ['interp.nearest', [DOUBLE, ENTRIES], [2, entries], 'zero'],
  ['interp.nearest', [DOUBLE, ENTRIES], [-3, entries], 'minus'],
  ['interp.nearest', [DOUBLE, ENTRIES], [1, []], fails(22010)],
  ['interp.nearest', [VECTOR, POINTS], [[1, 1], points], 'origin'],
  ['interp.nearest', [VECTOR, POINTS], [[2, 3], points], 'far'],
  ['interp.nearest', [VECTOR, POINTS], [[2], points], fails(22011)],
  [
    'interp.nearest',
    [STRING, array(record({ x: INT, to: STRING })), fcn(STRING, INT, DOUBLE)],
    [
      'abc',
      [
        { x: 1, to: 'one' },
        { x: 4, to: 'four' },
      ],
      (x: string, y: number) => Math.abs(x.length - y),
    ],
    'four',
  ],
  ...linear('interp.linear', 22020, 140, [-4, 20]),
  ...linear('interp.linearFlat', 22030, 100, [0, 10]),
  ...linear('interp.linearMissing', 22040, null, null),
])
