import { statistics } from '../../../src/library/statistics.ts'
import { about, array, DOUBLE, type Row, testTable } from '../table.ts'
import { comparisons } from './comparisons.ts'

const NAN = Number.NaN
const VECTOR = array(DOUBLE)

const kolmogorov: Row[] = [
  [
    'stat.test.kolmogorov',
    [VECTOR, VECTOR],
    [
      [3, 1, NAN, 2],
      [1, 2, 3],
    ],
    1,
  ],
  ['stat.test.kolmogorov', [VECTOR, VECTOR], [[], []], 1],
  ['stat.test.kolmogorov', [VECTOR, VECTOR], [[], [1]], 0],
  // With D = 1/2, n = 4, m = 4: 1 minus the Kolmogorov distribution at (sqrt 2 + 0.12 + 0.11 / sqrt 2) / 2.
  [
    'stat.test.kolmogorov',
    [VECTOR, VECTOR],
    [
      [1, 2, 3, 4],
      [3, 4, 5, 6],
    ],
    about(0.5344157192165071),
  ],
]

const only = Object.fromEntries(Object.entries(statistics).filter(([name]) => name.startsWith('stat.test.')))
testTable('stat.test.', only, [...kolmogorov, ...comparisons('stat.test.', [38010, 38020, 38030, 38060], 'dof')])
