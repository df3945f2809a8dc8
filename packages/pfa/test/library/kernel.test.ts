import { kernel } from '../../src/library/kernel.ts'
import { about, array, DOUBLE, fails, testTable } from './table.ts'

const VECTOR = array(DOUBLE)
const x = [1, 2, 3]
const y = [4, 5, 7]

testTable('m.kernel.', kernel, [
  ['m.kernel.linear', [VECTOR, VECTOR], [x, y], 35],
  ['m.kernel.linear', [VECTOR, VECTOR], [[], []], 0],
  ['m.kernel.linear', [VECTOR, VECTOR], [x, [1]], fails(23000)],
  ['m.kernel.rbf', [VECTOR, VECTOR, DOUBLE], [x, y, 0.5], about(Math.exp(-17))],
  ['m.kernel.rbf', [VECTOR, VECTOR, DOUBLE], [x, [1], 0.5], fails(23010)],
  ['m.kernel.poly', [VECTOR, VECTOR, DOUBLE, DOUBLE, DOUBLE], [x, y, 0.2, 1, 2], about(64)],
  ['m.kernel.poly', [VECTOR, VECTOR, DOUBLE, DOUBLE, DOUBLE], [x, [1], 0.2, 1, 2], fails(23020)],
  ['m.kernel.sigmoid', [VECTOR, VECTOR, DOUBLE, DOUBLE], [x, y, 0.02, -0.5], about(Math.tanh(0.2))],
  ['m.kernel.sigmoid', [VECTOR, VECTOR, DOUBLE, DOUBLE], [x, [1], 0.02, -0.5], fails(23030)],
])
