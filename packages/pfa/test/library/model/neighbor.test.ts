import { neighbor } from '../../../src/library/model/neighbor.ts'
import { array, DOUBLE, fails, fcn, INT, STRING, testTable } from '../table.ts'

const VECTOR = array(DOUBLE)
const ROWS = array(VECTOR)
const METRIC = fcn(STRING, STRING, DOUBLE)
const byLength = (x: string, y: string) => Math.abs(x.length - y.length)
const codebook = [
  [1, 1],
  [2, 2],
  [5, 5],
  [1, 1],
]

testTable('model.neighbor.', neighbor, [
  [
    'model.neighbor.mean',
    [ROWS],
    [
      [
        [1, 2],
        [3, 6],
      ],
    ],
    [2, 4],
  ],
  [
    'model.neighbor.mean',
    [ROWS, fcn(VECTOR, DOUBLE)],
    [
      [
        [1, 2],
        [3, 6],
      ],
      (x: number[]) => x[0]!,
    ],
    [2.5, 5],
  ],
  ['model.neighbor.mean', [ROWS], [[]], fails(30000)],
  ['model.neighbor.mean', [ROWS], [[[1], [1, 2]]], fails(30001)],
  [
    'model.neighbor.nearestK',
    [INT, VECTOR, ROWS],
    [3, [2, 1], codebook],
    [
      [1, 1],
      [2, 2],
      [1, 1],
    ],
  ],
  ['model.neighbor.nearestK', [INT, VECTOR, ROWS], [9, [2, 1], []], []],
  ['model.neighbor.nearestK', [INT, VECTOR, ROWS], [-1, [2, 1], codebook], fails(30010)],
  ['model.neighbor.nearestK', [INT, VECTOR, ROWS], [1, [2], codebook], fails(30011)],
  ['model.neighbor.nearestK', [INT, STRING, array(STRING), METRIC], [1, 'abc', ['a', 'abcd'], byLength], ['abcd']],
  ['model.neighbor.nearestK', [INT, STRING, array(STRING), METRIC], [-1, 'abc', ['a'], byLength], fails(30010)],
  [
    'model.neighbor.ballR',
    [DOUBLE, VECTOR, ROWS],
    [2, [1, 1], codebook],
    [
      [1, 1],
      [2, 2],
      [1, 1],
    ],
  ],
  ['model.neighbor.ballR', [DOUBLE, VECTOR, ROWS], [1, [1, 2], codebook], []],
  ['model.neighbor.ballR', [DOUBLE, STRING, array(STRING), METRIC], [2, 'abc', ['a', 'abcd'], byLength], ['abcd']],
])
