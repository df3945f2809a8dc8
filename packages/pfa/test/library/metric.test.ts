import type { PfaType } from '../../src/library/library.ts'
import { metric } from '../../src/library/metric.ts'
import { about, array, BOOLEAN, DOUBLE, fails, fcn, NULL, type Row, STRING, testTable, union } from './table.ts'

const VECTOR = array(DOUBLE)
const GAPPED = array(union(NULL, DOUBLE))
const BITS = array(BOOLEAN)
const SIMILARITY = fcn(DOUBLE, DOUBLE, DOUBLE)
const absDiff = (x: number, y: number) => Math.abs(x - y)
const x = [1, null, 3, 5]
const y = [4, 5, 7, null]
const t = true
const f = false

/** A norm without missing components, with some, with weights, and with nothing but missing ones. */
function norm(name: string, code: number, whole: number, gapped: number, weighted: number, ...more: number[]): Row[] {
  const types: PfaType[] = [SIMILARITY, GAPPED, GAPPED, ...more.map(() => DOUBLE)]
  const all = more
  return [
    [name, types, [absDiff, [0, 3], [4, 0], ...all], about(whole)],
    [name, types, [absDiff, x, y, ...all], about(gapped)],
    [name, [...types, VECTOR], [absDiff, x, y, ...all, [1, 2, 3, 4]], about(weighted)],
    [name, types, [absDiff, [null], [1], ...all], Number.NaN],
    [name, types, [absDiff, [], [], ...all], Number.NaN],
    [name, types, [absDiff, [1], [1, 2], ...all], fails(code)],
    [name, [...types, VECTOR], [absDiff, [1], [1], ...all, [1, 2]], fails(code)],
  ]
}

testTable('metric.', metric, [
  [
    'metric.simpleEuclidean',
    [VECTOR, VECTOR],
    [
      [1, 2],
      [4, 6],
    ],
    5,
  ],
  ['metric.simpleEuclidean', [VECTOR, VECTOR], [[1, 2], [4]], fails(28000)],
  ['metric.absDiff', [DOUBLE, DOUBLE], [3, 5], 2],
  ['metric.gaussianSimilarity', [DOUBLE, DOUBLE, DOUBLE], [1, 3, 2], about(0.5)],
  ...norm('metric.euclidean', 28030, 5, Math.sqrt(50), Math.sqrt(25 * 2.5)),
  ...norm('metric.squaredEuclidean', 28040, 25, 50, 62.5),
  ...norm('metric.chebyshev', 28050, 4, 8, 10),
  ...norm('metric.taxicab', 28060, 7, 14, 17.5),
  ...norm('metric.minkowski', 28070, 91 ** (1 / 3), 182 ** (1 / 3), (91 * 2.5) ** (1 / 3), 3),
  ['metric.minkowski', [SIMILARITY, GAPPED, GAPPED, DOUBLE], [absDiff, x, y, Number.POSITIVE_INFINITY], 8],
  ['metric.minkowski', [SIMILARITY, GAPPED, GAPPED, DOUBLE], [absDiff, x, y, 0], fails(28071)],
  ['metric.minkowski', [SIMILARITY, GAPPED, GAPPED, DOUBLE], [absDiff, x, y, Number.NaN], fails(28071)],
  [
    'metric.euclidean',
    [fcn(STRING, STRING, DOUBLE), array(union(NULL, STRING)), array(union(NULL, STRING))],
    [(one: string, two: string) => Math.abs(one.length - two.length), ['aaa', 'b', null], ['', 'bbbbb', 'c']],
    about(Math.sqrt(37.5)),
  ],
  [
    'metric.simpleMatching',
    [BITS, BITS],
    [
      [t, t, f, f],
      [t, f, t, f],
    ],
    0.5,
  ],
  ['metric.simpleMatching', [BITS, BITS], [[], []], Number.NaN],
  ['metric.simpleMatching', [BITS, BITS], [[t], []], fails(28080)],
  [
    'metric.jaccard',
    [BITS, BITS],
    [
      [t, t, f, f, f],
      [t, f, t, f, t],
    ],
    0.25,
  ],
  ['metric.jaccard', [BITS, BITS], [[t], []], fails(28090)],
  [
    'metric.tanimoto',
    [BITS, BITS],
    [
      [t, t, f, f, f],
      [t, f, t, f, f],
    ],
    about(3 / 7),
  ],
  ['metric.tanimoto', [BITS, BITS], [[t], []], fails(28100)],
  [
    'metric.binarySimilarity',
    [BITS, BITS, ...Array(8).fill(DOUBLE)],
    [[t, t, f, f, f, t], [t, f, t, f, f, t], 1, 2, 3, 4, 5, 6, 7, 8],
    about((4 * 2 + 3 + 2 + 1 * 2) / (8 * 2 + 7 + 6 + 5 * 2)),
  ],
  ['metric.binarySimilarity', [BITS, BITS, ...Array(8).fill(DOUBLE)], [[t], [], 1, 1, 1, 1, 1, 1, 1, 1], fails(28110)],
])
