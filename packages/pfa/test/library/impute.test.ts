import { Branch } from '@pitot/avro'
import { impute } from '../../src/library/impute.ts'
import { DOUBLE, FLOAT, fails, INT, LONG, NULL, type Row, STRING, testTable, union } from './table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const MAYBE_INT = union(INT, NULL)
const TAGGED = union(INT, LONG, NULL)

const onNumbers = (type: typeof DOUBLE): Row[] => [
  ['impute.isnan', [type], [NAN], true],
  ['impute.isnan', [type], [1], false],
  ['impute.isinf', [type], [-INF], true],
  ['impute.isinf', [type], [NAN], false],
  ['impute.isnum', [type], [1], true],
  ['impute.isnum', [type], [INF], false],
  ['impute.errorOnNonNum', [type], [-0.5], -0.5],
  ['impute.errorOnNonNum', [type], [NAN], fails(21050)],
  ['impute.errorOnNonNum', [type], [INF], fails(21051)],
  ['impute.errorOnNonNum', [type], [-INF], fails(21052)],
  ['impute.defaultOnNonNum', [type, type], [3, 9], 3],
  ['impute.defaultOnNonNum', [type, type], [NAN, 9], 9],
]

testTable('impute.', impute, [
  ['impute.errorOnNull', [MAYBE_INT], [3], 3],
  ['impute.errorOnNull', [MAYBE_INT], [null], fails(21000)],
  ['impute.errorOnNull', [union(STRING, INT, NULL)], ['x'], 'x'],
  ['impute.errorOnNull', [TAGGED], [new Branch('null', null)], fails(21000)],
  ['impute.errorOnNull', [TAGGED], [new Branch('long', 5)], new Branch('long', 5)],
  ['impute.defaultOnNull', [MAYBE_INT, INT], [null, 7], 7],
  ['impute.defaultOnNull', [MAYBE_INT, INT], [0, 7], 0],
  ...onNumbers(FLOAT),
  ...onNumbers(DOUBLE),
])
