import { link } from '../../src/library/link.ts'
import { math } from '../../src/library/math.ts'
import { about, array, DOUBLE, entries, FLOAT, fails, INT, LONG, map, type Row, testTable } from './table.ts'

const INF = Number.POSITIVE_INFINITY
const NAN = Number.NaN
const MIN_LONG = -9223372036854775808n

/** Functions from double to double: a place, and the value there. */
const UNARY: [string, number, unknown][] = [
  ['acos', 0.5, about(Math.PI / 3)],
  ['acos', 2, NAN],
  ['asin', 0.5, about(Math.PI / 6)],
  ['asin', -2, NAN],
  ['atan', INF, about(Math.PI / 2)],
  ['ceil', -1.5, -1],
  ['ceil', 1.2, 2],
  ['cos', Math.PI, about(-1)],
  ['cos', INF, NAN],
  ['cosh', 0, 1],
  ['cosh', 1000, INF],
  ['exp', 1, about(Math.E)],
  ['exp', 1000, INF],
  ['exp', -1000, 0],
  ['expm1', 1e-10, about(1.00000000005e-10)],
  ['expm1', 0, 0],
  ['floor', -1.5, -2],
  ['ln', Math.E, about(1)],
  ['ln', 0, -INF],
  ['ln', -1, NAN],
  ['log10', 1000, about(3)],
  ['log10', 0, -INF],
  ['ln1p', 1e-10, about(9.9999999995e-11)],
  ['ln1p', -1, -INF],
  ['ln1p', -2, NAN],
  ['rint', 2.5, 2],
  ['rint', 3.5, 4],
  ['rint', -2.5, -2],
  ['rint', 2.6, 3],
  ['rint', -INF, -INF],
  ['rint', NAN, NAN],
  ['signum', -0.1, -1],
  ['signum', 0, 0],
  ['signum', INF, 1],
  ['signum', NAN, 0],
  ['sin', Math.PI / 2, about(1)],
  ['sinh', 1, about(1.1752011936438014)],
  ['sqrt', 9, 3],
  ['sqrt', -1, NAN],
  ['tan', Math.PI / 4, about(1)],
  ['tanh', 1000, 1],
]

const rows: Row[] = [
  ...UNARY.map(([name, x, expected]): Row => [`m.${name}`, [DOUBLE], [x], expected]),
  ['m.pi', [], [], Math.PI],
  ['m.e', [], [], Math.E],
  ['m.abs', [INT], [-5], 5],
  ['m.abs', [INT], [-2147483648], fails(27020)],
  ['m.abs', [LONG], [-9223372036854775807n], 9223372036854775807n],
  ['m.abs', [LONG], [-2147483648], 2147483648],
  ['m.abs', [LONG], [MIN_LONG], fails(27021)],
  ['m.abs', [FLOAT], [-1.5], 1.5],
  ['m.abs', [DOUBLE], [-INF], INF],
  ['m.atan2', [DOUBLE, DOUBLE], [-1, -1], about(-2.356194490192345)],
  ['m.copysign', [INT, INT], [5, -1], -5],
  ['m.copysign', [INT, INT], [-5, 0], 5],
  ['m.copysign', [INT, INT], [0, -1], 0],
  ['m.copysign', [INT, INT], [-2147483648, 1], -2147483648],
  ['m.copysign', [LONG, LONG], [9223372036854775807n, -1], -9223372036854775807n],
  ['m.copysign', [LONG, LONG], [-9007199254740993n, 7], 9007199254740993n],
  ['m.copysign', [LONG, LONG], [MIN_LONG, 1], MIN_LONG],
  ['m.copysign', [FLOAT, FLOAT], [1.5, -0.5], -1.5],
  ['m.copysign', [DOUBLE, DOUBLE], [-1.5, 0], 1.5],
  ['m.hypot', [DOUBLE, DOUBLE], [3e200, 4e200], about(5e200)],
  ['m.hypot', [DOUBLE, DOUBLE], [-INF, NAN], INF],
  ['m.log', [DOUBLE, INT], [8, 2], 3],
  ['m.log', [DOUBLE, INT], [1000, 10], about(3)],
  ['m.log', [DOUBLE, INT], [9, 3], about(2)],
  ['m.log', [DOUBLE, INT], [0, 3], -INF],
  ['m.log', [DOUBLE, INT], [-1, 3], NAN],
  ['m.log', [DOUBLE, INT], [2, 1], INF],
  ['m.log', [DOUBLE, INT], [0.5, 1], -INF],
  ['m.log', [DOUBLE, INT], [1, 1], NAN],
  ['m.log', [DOUBLE, INT], [NAN, 1], NAN],
  ['m.log', [DOUBLE, INT], [8, 0], fails(27170)],
  ['m.round', [FLOAT], [2.5], 3],
  ['m.round', [FLOAT], [-2.5], -2],
  ['m.round', [FLOAT], [2147483648], fails(27190)],
  ['m.round', [FLOAT], [NAN], fails(27190)],
  ['m.round', [DOUBLE], [4294967295.5], 4294967296],
  ['m.round', [DOUBLE], [2 ** 62], 2n ** 62n],
  ['m.round', [DOUBLE], [-0.2], 0],
  ['m.round', [DOUBLE], [2 ** 63], fails(27191)],
  ['m.round', [DOUBLE], [NAN], fails(27191)],
]

testTable('m.', math, rows)

const DOUBLES = array(DOUBLE)
const SCORES = map(DOUBLE)

/** Each link at zero, where all are known by heart, and far out. */
const AT_ZERO: [string, number][] = [
  ['logit', 0.5],
  ['probit', 0.5],
  ['cloglog', 1 - 1 / Math.E],
  ['loglog', 1 / Math.E],
  ['cauchit', 0.5],
  ['softplus', Math.LN2],
  ['relu', 0],
  ['tanh', 0],
]

testTable('m.link.', link, [
  ['m.link.softmax', [DOUBLES], [[1000, 1000]], [0.5, 0.5]],
  ['m.link.softmax', [DOUBLES], [[-1000, -1000, -1000, -1000]], [0.25, 0.25, 0.25, 0.25]],
  ['m.link.softmax', [SCORES], [entries({ a: 3, b: 3 })], entries({ a: 0.5, b: 0.5 })],
  ['m.link.softmax', [DOUBLES], [[]], fails(25000)],
  ['m.link.softmax', [SCORES], [new Map()], fails(25000)],
  ...AT_ZERO.flatMap(([name, value]): Row[] => [
    [`m.link.${name}`, [DOUBLE], [0], value],
    [`m.link.${name}`, [DOUBLES], [[0, 0]], [value, value]],
    [`m.link.${name}`, [SCORES], [entries({ a: 0 })], entries({ a: value })],
  ]),
  ['m.link.logit', [DOUBLE], [-INF], 0],
  ['m.link.probit', [DOUBLE], [1], about(0.8413447460685429)],
  ['m.link.relu', [DOUBLE], [-3], 0],
  ['m.link.relu', [DOUBLE], [3], 3],
  ['m.link.relu', [DOUBLE], [NAN], NAN],
])
