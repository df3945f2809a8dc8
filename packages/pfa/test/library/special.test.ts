import { special } from '../../src/library/special.ts'
import { about, DOUBLE, fails, INT, testTable } from './table.ts'

testTable('m.special.', special, [
  ['m.special.nChooseK', [INT, INT], [10, 3], 120],
  ['m.special.nChooseK', [INT, INT], [20, 0], 1],
  ['m.special.nChooseK', [INT, INT], [33, 16], 1166803110],
  ['m.special.nChooseK', [INT, INT], [2147483647, 1], 2147483647],
  ['m.special.nChooseK', [INT, INT], [34, 17], fails(36000)],
  ['m.special.nChooseK', [INT, INT], [5, 5], fails(36000)],
  ['m.special.nChooseK', [INT, INT], [5, -1], fails(36000)],
  ['m.special.lnBeta', [DOUBLE, DOUBLE], [2, 3], about(-2.4849066497880004)],
  ['m.special.lnBeta', [DOUBLE, DOUBLE], [Number.POSITIVE_INFINITY, 3], Number.NaN],
  ['m.special.lnBeta', [DOUBLE, DOUBLE], [0, 3], fails(36010)],
  ['m.special.lnBeta', [DOUBLE, DOUBLE], [3, -1], fails(36010)],
  ['m.special.erf', [DOUBLE], [0.5], about(0.5204998778130465)],
  ['m.special.erfc', [DOUBLE], [5], about(1.5374597944280349e-12)],
  ['m.special.lnGamma', [DOUBLE], [0.5], about(0.5723649429247001)],
  ['m.special.lnGamma', [DOUBLE], [1], 0],
  ['m.special.lnGamma', [DOUBLE], [Number.NaN], Number.NaN],
  ['m.special.lnGamma', [DOUBLE], [0], fails(36050)],
])
