import { change } from '../../../src/library/statistics/change.ts'
import { about, BOOLEAN, DOUBLE, fails, INT, record, testTable } from '../table.ts'

const TRIGGER = record({ numEvents: INT, numRuns: INT, currentRun: INT, longestRun: INT })
const MOMENTS = record({ mean: DOUBLE, variance: DOUBLE })
const COUNTED = record({ count: DOUBLE, mean: DOUBLE, variance: DOUBLE })
const history = { numEvents: 3, numRuns: 1, currentRun: 0, longestRun: 2 }

testTable('stat.change.', change, [
  [
    'stat.change.updateTrigger',
    [BOOLEAN, TRIGGER],
    [true, history],
    { numEvents: 4, numRuns: 2, currentRun: 1, longestRun: 2 },
  ],
  [
    'stat.change.updateTrigger',
    [BOOLEAN, TRIGGER],
    [true, { ...history, currentRun: 2 }],
    { numEvents: 4, numRuns: 1, currentRun: 3, longestRun: 3 },
  ],
  ['stat.change.updateTrigger', [BOOLEAN, TRIGGER], [false, { ...history, currentRun: 2 }], history],
  ['stat.change.updateTrigger', [BOOLEAN, TRIGGER], [true, { ...history, numRuns: -1 }], fails(37000)],
  ['stat.change.zValue', [DOUBLE, MOMENTS], [7, { mean: 3, variance: 4 }], 2],
  ['stat.change.zValue', [DOUBLE, MOMENTS], [7, { mean: 3, variance: -4 }], Number.NaN],
  ['stat.change.zValue', [DOUBLE, COUNTED, BOOLEAN], [7, { count: 5, mean: 3, variance: 4 }, false], 2],
  [
    'stat.change.zValue',
    [DOUBLE, COUNTED, BOOLEAN],
    [7, { count: 5, mean: 3, variance: 4 }, true],
    about(2 * Math.sqrt(5 / 4)),
  ],
  ['stat.change.updateCUSUM', [DOUBLE, DOUBLE, DOUBLE], [1, 2, 0], 3],
  ['stat.change.updateCUSUM', [DOUBLE, DOUBLE, DOUBLE], [-5, 2, 0], 0],
  ['stat.change.updateCUSUM', [DOUBLE, DOUBLE, DOUBLE], [Number.NaN, 2, 0], 0],
])
