import { distributions } from '../../src/library/distributions.ts'
import type { PfaType } from '../../src/library/library.ts'
import { about, DOUBLE, fails, INT, type Row, record, testTable } from './table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY

type Kind = 'LL' | 'PDF' | 'CDF' | 'QF'
const WHOLE = new Set([
  'poissonPDF',
  'poissonCDF',
  'binomialPDF',
  'geometricPDF',
  'hypergeometricPDF',
  'hypergeometricCDF',
  'negativeBinomialPDF',
])

interface Cases extends Partial<Record<Kind, readonly [x: number, value: number]>> {
  readonly good: readonly number[]
  readonly bad: readonly (readonly number[])[]
}

/** The three functions of a distribution: a value computed by R, invalid parameters, invalid points or probabilities. */
function family(name: string, code: number, types: readonly PfaType[], cases: Cases): Row[] {
  const kinds = (['LL', 'PDF', 'CDF', 'QF'] as const).filter((kind) => cases[kind] !== undefined)
  return kinds.flatMap((kind, i): Row[] => {
    const full = `prob.dist.${name}${kind}`
    const params = [WHOLE.has(`${name}${kind}`) ? INT : DOUBLE, ...types]
    const [x, value] = cases[kind]!
    const invalid = kind === 'QF' ? [-0.1, 1.1, NAN] : [NAN, INF, -INF]
    return [
      [full, params, [x, ...cases.good], about(value)],
      ...cases.bad.map((bad): Row => [full, params, [x, ...bad], fails(code + 10 * i)]),
      ...invalid.map((point): Row => [full, params, [point, ...cases.good], fails(code + 10 * i + 1)]),
    ]
  })
}

const MOMENTS = record({ mean: DOUBLE, variance: DOUBLE })
const MOMENTS_ROWS = (['LL', 'CDF', 'QF'] as const).flatMap((kind, i): Row[] => {
  const name = `prob.dist.gaussian${kind}`
  const values = { LL: [3, -2.112085713764618], CDF: [3, 0.8413447460685429], QF: [0.2, -0.6832424671458284] } as const
  const [x, value] = values[kind]
  return [
    [name, [DOUBLE, MOMENTS], [x, { mean: 1, variance: 4 }], about(value)],
    [name, [DOUBLE, MOMENTS], [x, { mean: 1, variance: -4 }], fails(13000 + 10 * i)],
  ]
})

/** What is defined at the edge of the parameters, and there alone. */
const EDGES: Row[] = [
  ['prob.dist.gammaPDF', [DOUBLE, DOUBLE, DOUBLE], [1, 0, 1], 0],
  ['prob.dist.gammaCDF', [DOUBLE, DOUBLE, DOUBLE], [-1, 0, 1], 1],
  ['prob.dist.gammaCDF', [DOUBLE, DOUBLE, DOUBLE], [0, 0, 1], 0],
  ['prob.dist.gammaQF', [DOUBLE, DOUBLE, DOUBLE], [0.5, 0, 1], fails(13140)],
  ['prob.dist.negativeBinomialPDF', [INT, INT, DOUBLE], [0, 0, 0.5], 1],
  ['prob.dist.negativeBinomialQF', [DOUBLE, INT, DOUBLE], [0.5, 0, 0.5], fails(13470)],
  ['prob.dist.chi2PDF', [DOUBLE, INT], [0, 2], 0.5],
]

testTable('prob.dist.', distributions, [
  ...family('gaussian', 13000, [DOUBLE, DOUBLE], {
    LL: [3, -2.112085713764618],
    CDF: [3, 0.8413447460685429],
    QF: [0.2, -0.6832424671458284],
    good: [1, 2],
    bad: [
      [NAN, 2],
      [1, -1],
      [1, INF],
    ],
  }),
  ...family('exponential', 13030, [DOUBLE], {
    PDF: [0.7, 0.493193927883213],
    CDF: [0.7, 0.7534030360583935],
    QF: [0.3, 0.17833747196936617],
    good: [2],
    bad: [[-1], [INF]],
  }),
  ...family('chi2', 13060, [INT], {
    PDF: [2.5, 0.17906549803761881],
    CDF: [2.5, 0.3553642070645723],
    QF: [0.3, 2.1946984214069833],
    good: [4],
    bad: [[-1]],
  }),
  ...family('poisson', 13090, [DOUBLE], {
    PDF: [3, 0.21376301724973648],
    CDF: [3, 0.7575761331330659],
    QF: [0.9, 5],
    good: [2.5],
    bad: [[-1], [NAN]],
  }),
  ...family('gamma', 13120, [DOUBLE, DOUBLE], {
    PDF: [2, 0.15620571147598625],
    CDF: [2, 0.1506314438493249],
    QF: [0.3, 2.8706636911905945],
    good: [3, 1.5],
    bad: [
      [-1, 1],
      [1, -1],
      [INF, 1],
    ],
  }),
  ...family('beta', 13150, [DOUBLE, DOUBLE], {
    PDF: [0.3, 2.1609],
    CDF: [0.3, 0.5798250000000001],
    QF: [0.3, 0.1818034713189491],
    good: [2, 5],
    bad: [
      [0, 1],
      [1, 0],
      [NAN, 1],
    ],
  }),
  ...family('cauchy', 13180, [DOUBLE, DOUBLE], {
    PDF: [3, 0.07957747154594767],
    CDF: [3, 0.75],
    QF: [0.2, -1.7527638409423472],
    good: [1, 2],
    bad: [
      [1, 0],
      [NAN, 1],
    ],
  }),
  ...family('f', 13210, [INT, INT], {
    PDF: [1.5, 0.2562397501548388],
    CDF: [1.5, 0.7003757418824373],
    QF: [0.3, 0.559250821141595],
    good: [4, 7],
    bad: [
      [0, 1],
      [1, 0],
    ],
  }),
  ...family('lognormal', 13240, [DOUBLE, DOUBLE], {
    PDF: [3, 0.06640960692450677],
    CDF: [3, 0.5196623384975168],
    QF: [0.2, 0.5049769637187113],
    good: [1, 2],
    bad: [
      [1, 0],
      [1, NAN],
    ],
  }),
  ...family('t', 13270, [INT], {
    PDF: [1.5, 0.12287999999999999],
    CDF: [1.5, 0.8960000000000001],
    QF: [0.3, -0.5686490630497055],
    good: [4],
    bad: [[0]],
  }),
  ...family('binomial', 13300, [INT, DOUBLE], {
    PDF: [3, 0.26682793199999993],
    CDF: [3.7, 0.6496107184000002],
    QF: [0.9, 5],
    good: [10, 0.3],
    bad: [
      [0, 0.3],
      [10, -0.1],
      [10, 1.1],
    ],
  }),
  ...family('uniform', 13330, [DOUBLE, DOUBLE], {
    PDF: [3, 0.25],
    CDF: [2, 0.25],
    QF: [0.25, 2],
    good: [1, 5],
    bad: [
      [5, 1],
      [1, INF],
    ],
  }),
  ...family('geometric', 13360, [DOUBLE], {
    PDF: [3, 0.10289999999999998],
    CDF: [3.5, 0.7599],
    QF: [0.9, 6],
    good: [0.3],
    bad: [[0], [1.1]],
  }),
  ...family('hypergeometric', 13390, [INT, INT, INT], {
    PDF: [2, 0.42424242424242425],
    CDF: [2, 0.8484848484848486],
    QF: [0.9, 3],
    good: [5, 7, 4],
    bad: [
      [5, 7, 13],
      [-1, 7, 4],
      [5, -1, 4],
      [0, 0, 0],
      [5, 7, -1],
    ],
  }),
  ...family('weibull', 13420, [DOUBLE, DOUBLE], {
    PDF: [2, 0.23687782228285617],
    CDF: [2, 0.41977020402532716],
    QF: [0.3, 1.508816144747155],
    good: [1.5, 3],
    bad: [
      [0, 1],
      [1, 0],
      [NAN, 1],
    ],
  }),
  ...family('negativeBinomial', 13450, [INT, DOUBLE], {
    PDF: [3, 0.055566000000000074],
    CDF: [3.5, 0.12603599999999995],
    QF: [0.9, 17],
    good: [4, 0.3],
    bad: [
      [-1, 0.3],
      [4, 0],
      [4, 1.1],
    ],
  }),
  ...MOMENTS_ROWS,
  ...EDGES,
])
