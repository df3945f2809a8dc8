import { cluster } from '../../../src/library/model/cluster.ts'
import { array, DOUBLE, fails, fcn, INT, type Row, record, STRING, satisfies, testTable } from '../table.ts'

const VECTOR = array(DOUBLE)
const ROWS = array(VECTOR)
const CLUSTER = record({ center: VECTOR, id: STRING })
const CLUSTERS = array(CLUSTER)
const METRIC = fcn(VECTOR, VECTOR, DOUBLE)
const taxicab = (x: number[], y: number[]) => x.reduce((sum, xi, i) => sum + Math.abs(xi - y[i]!), 0)
const one = { center: [1, 1], id: 'one' }
const two = { center: [3, 3], id: 'two' }
const three = { center: [9, 1], id: 'three' }
const clusters = [one, two, three]
const UPDATE = fcn(ROWS, CLUSTER, CLUSTER)
const NEW = fcn(INT, VECTOR, CLUSTER)
const counted = (data: unknown[], old: object) => ({ ...old, id: String(data.length) })
const made = (i: number, center: number[]) => ({ center, id: String(i) })

const closest: Row[] = [
  ['model.cluster.closest', [VECTOR, CLUSTERS], [[1.5, 2], clusters], one],
  ['model.cluster.closest', [VECTOR, CLUSTERS], [[2, 2], clusters], one],
  ['model.cluster.closest', [VECTOR, CLUSTERS], [[8], clusters], three],
  ['model.cluster.closest', [VECTOR, CLUSTERS], [[2, 2], []], fails(29000)],
  ['model.cluster.closest', [VECTOR, CLUSTERS, METRIC], [[6, 2], clusters, taxicab], two],
  ['model.cluster.closest', [VECTOR, CLUSTERS, METRIC], [[6, 2], [], taxicab], fails(29000)],
  ['model.cluster.closestN', [INT, VECTOR, CLUSTERS], [2, [8, 1], clusters], [three, two]],
  ['model.cluster.closestN', [INT, VECTOR, CLUSTERS], [9, [2, 2], clusters], [one, two, three]],
  ['model.cluster.closestN', [INT, VECTOR, CLUSTERS], [0, [2, 2], clusters], []],
  ['model.cluster.closestN', [INT, VECTOR, CLUSTERS], [-1, [2, 2], clusters], fails(29010)],
  ['model.cluster.closestN', [INT, VECTOR, CLUSTERS, METRIC], [1, [6, 2], clusters, taxicab], [two]],
]

const data = [
  [1, 2],
  [1, 2],
  [3, 4],
  [5, 6],
]

const steps: Row[] = [
  [
    'model.cluster.randomSeeds',
    [ROWS, INT, NEW],
    [data, 3, made],
    satisfies(
      (result: { center: number[]; id: string }[]) =>
        result.map(({ id }) => id).join() === '0,1,2' && new Set(result.map(({ center }) => center[0])).size === 3,
    ),
  ],
  ['model.cluster.randomSeeds', [ROWS, INT, NEW], [data, 0, made], fails(29020)],
  ['model.cluster.randomSeeds', [ROWS, INT, NEW], [data, 4, made], fails(29021)],
  ['model.cluster.randomSeeds', [ROWS, INT, NEW], [[[1], [1, 2]], 1, made], fails(29022)],
  [
    'model.cluster.kmeansIteration',
    [ROWS, CLUSTERS, METRIC, UPDATE],
    [
      [
        [0, 0],
        [2, 1],
        [4, 4],
      ],
      clusters,
      taxicab,
      counted,
    ],
    [{ ...one, id: '2' }, { ...two, id: '1' }, three],
  ],
  ['model.cluster.kmeansIteration', [ROWS, CLUSTERS, METRIC, UPDATE], [[], clusters, taxicab, counted], fails(29030)],
  ['model.cluster.kmeansIteration', [ROWS, CLUSTERS, METRIC, UPDATE], [data, [], taxicab, counted], fails(29031)],
  [
    'model.cluster.updateMean',
    [ROWS, CLUSTER, DOUBLE],
    [
      [
        [2, 4],
        [4, 8],
      ],
      one,
      0,
    ],
    { center: [3, 6], id: 'one' },
  ],
  [
    'model.cluster.updateMean',
    [ROWS, CLUSTER, DOUBLE],
    [
      [
        [2, 4],
        [4, 8],
      ],
      one,
      2,
    ],
    { center: [2, 3.5], id: 'one' },
  ],
  ['model.cluster.updateMean', [ROWS, CLUSTER, DOUBLE], [[], one, 0], fails(29040)],
  ['model.cluster.updateMean', [ROWS, CLUSTER, DOUBLE], [[[1]], one, 0], fails(29041)],
  ['model.cluster.updateMean', [ROWS, CLUSTER, DOUBLE], [[[1, 2], [1]], one, 0], fails(29041)],
]

testTable('model.cluster.', cluster, [...closest, ...steps])
