// The rows of the functions that `stat.test` and `model.reg` both have.
import type { PfaType } from '../../../src/library/library.ts'
import { about, array, DOUBLE, entries, fails, INT, map, type Row, record } from '../table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const VECTOR = array(DOUBLE)
const MAP = map(DOUBLE)
const maps = (rows: Record<string, Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, row]) => [key, entries(row)]))

/** Both modules have error codes and a field name of their own. */
export function comparisons(prefix: string, codes: readonly [number, number, number, number], dof: string): Row[] {
  const [residual, pull, mahalanobis, chi2Prob] = codes
  const state: PfaType = record({ chi2: DOUBLE, [dof]: INT })
  const three = (type: PfaType): PfaType[] => [type, type, type]
  return [
    [`${prefix}residual`, [DOUBLE, DOUBLE], [3, 1], 2],
    [
      `${prefix}residual`,
      [VECTOR, VECTOR],
      [
        [3, 5],
        [1, 1],
      ],
      [2, 4],
    ],
    [`${prefix}residual`, [VECTOR, VECTOR], [[3, 5], [1]], fails(residual)],
    [`${prefix}residual`, [MAP, MAP], [entries({ a: 3 }), entries({ a: 1 })], entries({ a: 2 })],
    [`${prefix}residual`, [MAP, MAP], [entries({ a: 3 }), entries({ b: 1 })], fails(residual)],
    [`${prefix}pull`, three(DOUBLE), [3, 1, 4], 0.5],
    [`${prefix}pull`, three(VECTOR), [[3], [1], [0]], [INF]],
    [`${prefix}pull`, three(VECTOR), [[3], [], [4]], fails(pull)],
    [`${prefix}pull`, three(VECTOR), [[3], [1], []], fails(pull + 1)],
    [`${prefix}pull`, three(MAP), [entries({ a: 3 }), entries({ a: 1 }), entries({ a: 4 })], entries({ a: 0.5 })],
    [`${prefix}pull`, three(MAP), [entries({ a: 3 }), entries({}), entries({ a: 4 })], fails(pull)],
    [`${prefix}pull`, three(MAP), [entries({ a: 3 }), entries({ a: 1 }), entries({ b: 4 })], fails(pull + 1)],
    [
      `${prefix}mahalanobis`,
      [VECTOR, VECTOR, array(VECTOR)],
      [
        [3, 1],
        [1, 1],
        [
          [4, 0],
          [0, 1],
        ],
      ],
      1,
    ],
    [
      `${prefix}mahalanobis`,
      [VECTOR, VECTOR, array(VECTOR)],
      [
        [3, 1],
        [1, 1],
        [
          [1, 1],
          [1, 1],
        ],
      ],
      NAN,
    ],
    [`${prefix}mahalanobis`, [VECTOR, VECTOR, array(VECTOR)], [[], [], []], fails(mahalanobis)],
    [`${prefix}mahalanobis`, [VECTOR, VECTOR, array(VECTOR)], [[3], [1, 1], [[1]]], fails(mahalanobis + 1)],
    [`${prefix}mahalanobis`, [VECTOR, VECTOR, array(VECTOR)], [[3], [1], [[1, 2]]], fails(mahalanobis + 2)],
    [`${prefix}mahalanobis`, [MAP, MAP, map(MAP)], [entries({ a: 3 }), entries({ a: 1 }), maps({ a: { a: 4 } })], 1],
    [`${prefix}mahalanobis`, [MAP, MAP, map(MAP)], [new Map(), new Map(), new Map()], fails(mahalanobis)],
    [
      `${prefix}mahalanobis`,
      [MAP, MAP, map(MAP)],
      [entries({ a: 3 }), entries({ b: 1 }), maps({ a: { a: 4 } })],
      fails(mahalanobis + 1),
    ],
    [
      `${prefix}mahalanobis`,
      [MAP, MAP, map(MAP)],
      [entries({ a: 3 }), entries({ a: 1 }), maps({ a: { b: 4 } })],
      fails(mahalanobis + 2),
    ],
    [`${prefix}updateChi2`, [DOUBLE, state], [3, { chi2: 1, [dof]: 2 }], { chi2: 10, [dof]: 3 }],
    [`${prefix}updateChi2`, [VECTOR, state], [[3, 2], { chi2: 1, [dof]: 2 }], { chi2: 14, [dof]: 3 }],
    [`${prefix}updateChi2`, [MAP, state], [entries({ a: 3 }), { chi2: 1, [dof]: 2 }], { chi2: 10, [dof]: 3 }],
    [`${prefix}reducedChi2`, [state], [{ chi2: 9, [dof]: 2 }], 4.5],
    [`${prefix}chi2Prob`, [state], [{ chi2: 2.5, [dof]: 4 }], about(0.3553642070645723)],
    [`${prefix}chi2Prob`, [state], [{ chi2: 2.5, [dof]: 0 }], 1],
    [`${prefix}chi2Prob`, [state], [{ chi2: 0, [dof]: 0 }], 0],
    [`${prefix}chi2Prob`, [state], [{ chi2: INF, [dof]: 4 }], 1],
    [`${prefix}chi2Prob`, [state], [{ chi2: -INF, [dof]: 4 }], 0],
    [`${prefix}chi2Prob`, [state], [{ chi2: NAN, [dof]: 4 }], NAN],
    [`${prefix}chi2Prob`, [state], [{ chi2: 2.5, [dof]: -1 }], fails(chi2Prob)],
  ]
}
