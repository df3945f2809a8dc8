import { neural } from '../../../src/library/model/neural.ts'
import { array, DOUBLE, fails, fcn, record, testTable } from '../table.ts'

const VECTOR = array(DOUBLE)
const LAYERS = array(record({ weights: array(VECTOR), bias: VECTOR }))
const ACTIVATION = fcn(DOUBLE, DOUBLE)
const step = (x: number) => (x > 0 ? 1 : 0)
const layer = {
  weights: [
    [1, 2],
    [-1, 0],
  ],
  bias: [1, 0],
}

testTable('model.neural.', neural, [
  ['model.neural.simpleLayers', [VECTOR, LAYERS, ACTIVATION], [[1, 2], [layer], step], [6, -1]],
  ['model.neural.simpleLayers', [VECTOR, LAYERS, ACTIVATION], [[1, 2], [layer, layer], step], [2, -1]],
  ['model.neural.simpleLayers', [VECTOR, LAYERS, ACTIVATION], [[1, 2], [], step], fails(11000)],
  ['model.neural.simpleLayers', [VECTOR, LAYERS, ACTIVATION], [[1], [layer], step], fails(11001)],
  ['model.neural.simpleLayers', [VECTOR, LAYERS, ACTIVATION], [[1, 2], [{ ...layer, bias: [1] }], step], fails(11001)],
])
