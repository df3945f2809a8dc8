import { supportVectors } from '../../../src/library/model/support-vectors.ts'
import { array, DOUBLE, fails, fcn, record, testTable } from '../table.ts'

const VECTOR = array(DOUBLE)
const CLASS = array(record({ supVec: VECTOR, coeff: DOUBLE }))
const MODEL = record({ const: DOUBLE, posClass: CLASS, negClass: CLASS })
const KERNEL = fcn(VECTOR, VECTOR, DOUBLE)
const dot = (x: number[], y: number[]) => x.reduce((sum, xi, i) => sum + xi * y[i]!, 0)
const model = {
  const: 0.5,
  posClass: [{ supVec: [1, 2], coeff: 2 }],
  negClass: [
    { supVec: [0, 1], coeff: -1 },
    { supVec: [1, 0], coeff: -3 },
  ],
}

testTable('model.svm.', supportVectors, [
  ['model.svm.score', [VECTOR, MODEL, KERNEL], [[2, 1], model, dot], 1.5],
  ['model.svm.score', [VECTOR, MODEL, KERNEL], [[2, 1], { const: 1, posClass: [], negClass: [] }, dot], fails(12000)],
  ['model.svm.score', [VECTOR, MODEL, KERNEL], [[2], model, dot], fails(12001)],
])
