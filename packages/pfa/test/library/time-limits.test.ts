// Functions whose work grows faster than their arguments, or that call a function of the document for each item, look at the
// clock on the way.
import { expect, it } from 'vitest'
import type { PfaType } from '../../src/library/library.ts'
import { linearAlgebra } from '../../src/library/linear-algebra.ts'
import { model } from '../../src/library/model.ts'
import { statistics } from '../../src/library/statistics.ts'
import { array, callSite, DOUBLE, fcn, INT, map, NULL, record, union } from './table.ts'

const VECTOR = array(DOUBLE)
const ROWS = array(VECTOR)
const MAPS = map(map(DOUBLE))
const CLUSTER = record({ center: VECTOR })
const METRIC = fcn(VECTOR, VECTOR, DOUBLE)
const square = [
  [1, 2],
  [3, 4],
]
const sparse = new Map([['a', new Map([['a', 1]])]])
const one = () => 1

const cases: [string, PfaType[], unknown[]][] = [
  ['la.dot', [ROWS, ROWS], [square, square]],
  ['la.dot', [MAPS, MAPS], [sparse, sparse]],
  ['la.inverse', [ROWS], [square]],
  ['la.inverse', [ROWS], [[[1, 2]]]],
  ['la.inverse', [MAPS], [sparse]],
  ['la.det', [ROWS], [square]],
  ['la.eigenBasis', [ROWS], [square]],
  ['stat.test.mahalanobis', [VECTOR, VECTOR, ROWS], [[1, 2], [3, 4], square]],
  [
    'model.reg.gaussianProcess',
    [DOUBLE, array(record({ x: DOUBLE, to: DOUBLE })), union(NULL, DOUBLE), METRIC],
    [1, [{ x: 1, to: 1 }], null, one],
  ],
  [
    'model.cluster.kmeansIteration',
    [ROWS, array(CLUSTER), METRIC, fcn(ROWS, CLUSTER, CLUSTER)],
    [square, [{ center: [1, 2] }], one, one],
  ],
  ['model.neighbor.nearestK', [INT, VECTOR, ROWS, METRIC], [1, [1, 2], square, one]],
  ['model.neighbor.ballR', [DOUBLE, VECTOR, ROWS, METRIC], [1, [1, 2], square, one]],
]

it.each(cases)('%s(%j)', (name, params, args) => {
  const implementation = { ...linearAlgebra, ...statistics, ...model }[name]!
  const tick = () => {
    throw new Error('time is up')
  }
  expect(() => implementation(callSite(name, params, { tick }))(...args)).toThrow('time is up')
})
