import { describe, expect, it } from 'vitest'
import type { PfaType } from '../../../src/library/library.ts'
import { statistics } from '../../../src/library/statistics.ts'
import {
  array,
  BOOLEAN,
  call,
  DOUBLE,
  entries,
  fails,
  fcn,
  INT,
  map,
  type Row,
  record,
  STRING,
  testTable,
} from '../table.ts'

const NAN = Number.NaN
const INF = Number.POSITIVE_INFINITY
const VECTOR = array(DOUBLE)
const ROWS = array(VECTOR)
const MAP = map(DOUBLE)
const MAPS = map(MAP)
const maps = (rows: Record<string, Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, row]) => [key, entries(row)]))

const COUNT = record({ count: DOUBLE, name: STRING })
const MEAN = record({ mean: DOUBLE, count: DOUBLE })
const VARIANCE = record({ count: DOUBLE, mean: DOUBLE, variance: DOUBLE })
const COVARIANCE = record({ count: DOUBLE, mean: VECTOR, covariance: ROWS })
const SPARSE = record({ count: MAPS, mean: MAP, covariance: MAPS })

const moments: Row[] = [
  ['stat.sample.update', [DOUBLE, DOUBLE, COUNT], [7, 2, { count: 3, name: 'n' }], { count: 5, name: 'n' }],
  ['stat.sample.update', [DOUBLE, DOUBLE, MEAN], [7, 1, { mean: 3, count: 3 }], { mean: 4, count: 4 }],
  [
    'stat.sample.update',
    [DOUBLE, DOUBLE, VARIANCE],
    [7, 1, { count: 3, mean: 3, variance: 4 }],
    { count: 4, mean: 4, variance: 6 },
  ],
  [
    'stat.sample.updateCovariance',
    [VECTOR, DOUBLE, COVARIANCE],
    [
      [3, 5],
      1,
      {
        count: 1,
        mean: [1, 1],
        covariance: [
          [0, 0],
          [0, 0],
        ],
      },
    ],
    {
      count: 2,
      mean: [2, 3],
      covariance: [
        [1, 2],
        [2, 4],
      ],
    },
  ],
  [
    'stat.sample.updateCovariance',
    [VECTOR, DOUBLE, COVARIANCE],
    [[3], 1, { count: 1, mean: [1], covariance: [[0]] }],
    fails(14011),
  ],
  [
    'stat.sample.updateCovariance',
    [VECTOR, DOUBLE, COVARIANCE],
    [[3, 5], 1, { count: 1, mean: [1, 1], covariance: [[0, 0], [0]] }],
    fails(14012),
  ],
  [
    'stat.sample.updateCovariance',
    [MAP, DOUBLE, SPARSE],
    [
      entries({ a: 3, b: 5 }),
      1,
      { count: maps({ a: { a: 1 } }), mean: entries({ a: 1 }), covariance: maps({ a: { a: 0 }, z: { z: 9 } }) },
    ],
    {
      count: maps({ a: { a: 2, b: 1, z: 0 }, b: { a: 1, b: 1, z: 0 }, z: { a: 0, b: 0, z: 0 } }),
      mean: entries({ a: 2, b: 5, z: 0 }),
      covariance: maps({ a: { a: 1, b: 0, z: 0 }, b: { a: 0, b: 0, z: 0 }, z: { a: 0, b: 0, z: 9 } }),
    },
  ],
  [
    'stat.sample.updateCovariance',
    [MAP, DOUBLE, SPARSE],
    [entries({ a: 3 }), 1, { count: new Map(), mean: new Map(), covariance: new Map() }],
    fails(14011),
  ],
]

const WINDOW_COUNT = record({ x: DOUBLE, w: DOUBLE, count: DOUBLE })
const WINDOW_MEAN = record({ x: DOUBLE, w: DOUBLE, count: DOUBLE, mean: DOUBLE })
const WINDOW = record({ x: DOUBLE, w: DOUBLE, count: DOUBLE, mean: DOUBLE, variance: DOUBLE })
const WINDOW_NAMED = record({ x: DOUBLE, w: DOUBLE, count: DOUBLE, name: STRING })
const windowed = (type: PfaType & { kind: 'record' }): PfaType[] => [DOUBLE, DOUBLE, array(type), INT]
type RecordType = PfaType & { kind: 'record' }

const windows: Row[] = [
  ['stat.sample.updateWindow', windowed(WINDOW_COUNT as RecordType), [5, 2, [], 3], [{ x: 5, w: 2, count: 2 }]],
  [
    'stat.sample.updateWindow',
    windowed(WINDOW as RecordType),
    [5, 2, [], 3],
    [{ x: 5, w: 2, count: 2, mean: 5, variance: 0 }],
  ],
  [
    'stat.sample.updateWindow',
    windowed(WINDOW_COUNT as RecordType),
    [
      5,
      2,
      [
        { x: 1, w: 1, count: 1 },
        { x: 2, w: 1, count: 2 },
      ],
      2,
    ],
    [
      { x: 2, w: 1, count: 2 },
      { x: 5, w: 2, count: 3 },
    ],
  ],
  [
    'stat.sample.updateWindow',
    windowed(WINDOW_MEAN as RecordType),
    [5, 1, [{ x: 1, w: 1, count: 1, mean: 1 }], 3],
    [
      { x: 1, w: 1, count: 1, mean: 1 },
      { x: 5, w: 1, count: 2, mean: 3 },
    ],
  ],
  ['stat.sample.updateWindow', windowed(WINDOW as RecordType), [5, 2, [], 1], fails(14020)],
  ['stat.sample.updateWindow', windowed(WINDOW_NAMED as RecordType), [5, 2, [], 3], fails(14021)],
]

const EWMA = record({ mean: DOUBLE })
const EWMA_VARIANCE = record({ mean: DOUBLE, variance: DOUBLE })
const SERIES = record({ level: DOUBLE, trend: DOUBLE })
const PERIODIC = record({ level: DOUBLE, trend: DOUBLE, cycle: VECTOR, multiplicative: BOOLEAN })
const additive = { level: 10, trend: 2, cycle: [1, 2, 3], multiplicative: false }
const multiplicative = { ...additive, multiplicative: true }
const PERIODIC_UPDATE: PfaType[] = [DOUBLE, DOUBLE, DOUBLE, DOUBLE, PERIODIC]

const series: Row[] = [
  ['stat.sample.updateEWMA', [DOUBLE, DOUBLE, EWMA], [8, 0.25, { mean: 4 }], { mean: 5 }],
  [
    'stat.sample.updateEWMA',
    [DOUBLE, DOUBLE, EWMA_VARIANCE],
    [8, 0.25, { mean: 4, variance: 4 }],
    { mean: 5, variance: 6 },
  ],
  ['stat.sample.updateEWMA', [DOUBLE, DOUBLE, EWMA], [8, 1.1, { mean: 4 }], fails(14030)],
  [
    'stat.sample.updateHoltWinters',
    [DOUBLE, DOUBLE, DOUBLE, SERIES],
    [8, 0.5, 0.25, { level: 2, trend: 4 }],
    { level: 7, trend: 4.25 },
  ],
  [
    'stat.sample.updateHoltWinters',
    [DOUBLE, DOUBLE, DOUBLE, SERIES],
    [8, -0.5, 0.25, { level: 2, trend: 4 }],
    fails(14040),
  ],
  [
    'stat.sample.updateHoltWinters',
    [DOUBLE, DOUBLE, DOUBLE, SERIES],
    [8, 0.5, 1.25, { level: 2, trend: 4 }],
    fails(14041),
  ],
  [
    'stat.sample.updateHoltWintersPeriodic',
    PERIODIC_UPDATE,
    [16, 0.5, 0.5, 0.5, additive],
    { level: 13, trend: 2.5, cycle: [2.5, 3, 1], multiplicative: false },
  ],
  [
    'stat.sample.updateHoltWintersPeriodic',
    PERIODIC_UPDATE,
    [16, 0.5, 0.5, 0.5, multiplicative],
    { level: 10, trend: 1, cycle: [1.8, 3, 1], multiplicative: true },
  ],
  ['stat.sample.updateHoltWintersPeriodic', PERIODIC_UPDATE, [1, 2, 0.5, 0.5, additive], fails(14050)],
  ['stat.sample.updateHoltWintersPeriodic', PERIODIC_UPDATE, [1, 0.5, -1, 0.5, additive], fails(14051)],
  ['stat.sample.updateHoltWintersPeriodic', PERIODIC_UPDATE, [1, 0.5, 0.5, 2, additive], fails(14052)],
  [
    'stat.sample.updateHoltWintersPeriodic',
    PERIODIC_UPDATE,
    [1, 0.5, 0.5, 0.5, { ...additive, cycle: [] }],
    fails(14053),
  ],
  ['stat.sample.forecast1HoltWinters', [SERIES], [{ level: 10, trend: 2 }], 12],
  ['stat.sample.forecast1HoltWinters', [PERIODIC], [additive], 14],
  ['stat.sample.forecast1HoltWinters', [PERIODIC], [multiplicative], 24],
  ['stat.sample.forecast1HoltWinters', [PERIODIC], [{ ...additive, cycle: [] }], fails(14060)],
  ['stat.sample.forecastHoltWinters', [INT, SERIES], [3, { level: 10, trend: 2 }], [12, 14, 16]],
  ['stat.sample.forecastHoltWinters', [INT, PERIODIC], [4, additive], [14, 17, 17, 20]],
  ['stat.sample.forecastHoltWinters', [INT, PERIODIC], [3, multiplicative], [24, 42, 16]],
  ['stat.sample.forecastHoltWinters', [INT, PERIODIC], [3, { ...additive, cycle: [] }], fails(14070)],
]

const FIXED = record({ numbins: INT, low: DOUBLE, high: DOUBLE, values: VECTOR })
const FLOWS = { underflow: DOUBLE, overflow: DOUBLE, nanflow: DOUBLE, infflow: DOUBLE }
const FIXED_FLOWS = record({ numbins: INT, low: DOUBLE, high: DOUBLE, values: VECTOR, ...FLOWS })
const GROWING = record({ low: DOUBLE, binsize: DOUBLE, values: VECTOR })
const GROWING_FLOWS = record({ low: DOUBLE, binsize: DOUBLE, values: VECTOR, overflow: DOUBLE, underflow: DOUBLE })
const RANGES = record({ ranges: ROWS, values: VECTOR, underflow: DOUBLE })
const empty = { numbins: 2, low: 0, high: 10, values: [0, 0] }
const flows = { ...empty, underflow: 0, overflow: 0, nanflow: 0, infflow: 0 }
const ranges = {
  ranges: [
    [0, 1],
    [0.5, 2],
  ],
  values: [0, 0],
  underflow: 0,
}

const fill = (type: PfaType, x: number, histogram: object, expected: unknown): Row => [
  'stat.sample.fillHistogram',
  [DOUBLE, DOUBLE, type],
  [x, 0.5, histogram],
  expected,
]

const histograms: Row[] = [
  fill(FIXED, 5, empty, { ...empty, values: [0, 0.5] }),
  fill(FIXED, 10, empty, empty),
  fill(FIXED, 1, { ...empty, values: [0] }, fails(14080)),
  fill(FIXED, 1, { ...empty, low: 10 }, fails(14081)),
  fill(FIXED, 1, { ...empty, numbins: 0 }, fails(14082)),
  fill(FIXED_FLOWS, -1, flows, { ...flows, underflow: 0.5 }),
  fill(FIXED_FLOWS, 10, flows, { ...flows, overflow: 0.5 }),
  fill(FIXED_FLOWS, NAN, flows, { ...flows, nanflow: 0.5 }),
  fill(FIXED_FLOWS, -INF, flows, { ...flows, infflow: 0.5 }),
  fill(GROWING, 5, { low: 1, binsize: 2, values: [7] }, { low: 1, binsize: 2, values: [7, 0, 0.5] }),
  fill(GROWING, 2, { low: 1, binsize: 2, values: [7] }, { low: 1, binsize: 2, values: [7.5] }),
  fill(GROWING, 2, { low: 1, binsize: 0, values: [7] }, fails(14082)),
  fill(
    GROWING_FLOWS,
    INF,
    { low: 1, binsize: 2, values: [7], overflow: 0, underflow: 0 },
    { low: 1, binsize: 2, values: [7], overflow: 0.5, underflow: 0 },
  ),
  fill(
    GROWING_FLOWS,
    0,
    { low: 1, binsize: 2, values: [7], overflow: 0, underflow: 0 },
    { low: 1, binsize: 2, values: [7], overflow: 0, underflow: 0.5 },
  ),
  fill(RANGES, 0.7, ranges, { ...ranges, values: [0.5, 0.5] }),
  fill(RANGES, 2, ranges, { ...ranges, underflow: 0.5 }),
  fill(RANGES, NAN, ranges, ranges),
  fill(RANGES, 1, { ...ranges, values: [] }, fails(14080)),
  fill(RANGES, 1, { ...ranges, ranges: [[0, 1], [1]] }, fails(14083)),
  fill(
    RANGES,
    1,
    {
      ...ranges,
      ranges: [
        [0, 1],
        [2, 1],
      ],
    },
    fails(14083),
  ),
]

const SIDES = ['under', 'mid', 'over']
const PLANE_FLOWS = SIDES.flatMap((x) => SIDES.map((y) => `${x}${y}flow`)).filter((name) => name !== 'midmidflow')
const PLANE_FIELDS = {
  xnumbins: INT,
  xlow: DOUBLE,
  xhigh: DOUBLE,
  ynumbins: INT,
  ylow: DOUBLE,
  yhigh: DOUBLE,
  values: ROWS,
}
const PLANE = record(PLANE_FIELDS)
const PLANE_ALL = record({
  ...PLANE_FIELDS,
  ...Object.fromEntries([...PLANE_FLOWS, 'nanflow', 'infflow'].map((name) => [name, DOUBLE])),
})
const plane = {
  xnumbins: 2,
  xlow: 0,
  xhigh: 10,
  ynumbins: 2,
  ylow: 0,
  yhigh: 10,
  values: [
    [0, 0],
    [0, 0],
  ],
}
const all = { ...plane, ...Object.fromEntries([...PLANE_FLOWS, 'nanflow', 'infflow'].map((name) => [name, 0])) }
const fill2d = (type: PfaType, x: number, y: number, histogram: object, expected: unknown): Row => [
  'stat.sample.fillHistogram2d',
  [DOUBLE, DOUBLE, DOUBLE, type],
  [x, y, 0.5, histogram],
  expected,
]
const places: Record<string, number> = { under: -1, mid: 5, over: 10 }

const planes: Row[] = [
  fill2d(PLANE, 7, 2, plane, {
    ...plane,
    values: [
      [0, 0],
      [0.5, 0],
    ],
  }),
  fill2d(PLANE, 11, 2, plane, plane),
  fill2d(PLANE, 1, 1, { ...plane, values: [[0, 0]] }, fails(14090)),
  fill2d(PLANE, 1, 1, { ...plane, values: [[0, 0], [0]] }, fails(14090)),
  fill2d(PLANE, 1, 1, { ...plane, xlow: 10 }, fails(14091)),
  fill2d(PLANE, 1, 1, { ...plane, yhigh: NAN }, fails(14091)),
  fill2d(PLANE, 1, 1, { ...plane, xnumbins: 0 }, fails(14092)),
  fill2d(PLANE_ALL, INF, NAN, all, { ...all, nanflow: 0.5 }),
  fill2d(PLANE_ALL, -INF, 5, all, { ...all, infflow: 0.5 }),
  ...PLANE_FLOWS.map((name) => {
    const [, x, y] = /^(under|mid|over)(under|mid|over)flow$/.exec(name)!
    return fill2d(PLANE_ALL, places[x!]!, places[y!]!, all, { ...all, [name]: 0.5 })
  }),
]

const COUNTER = record({ values: MAP })
const LESS = fcn(INT, INT, BOOLEAN)
const less = (x: number, y: number) => x < y

const others: Row[] = [
  [
    'stat.sample.fillCounter',
    [STRING, DOUBLE, COUNTER],
    ['b', 2, { values: entries({ a: 1 }) }],
    { values: entries({ a: 1, b: 2 }) },
  ],
  [
    'stat.sample.fillCounter',
    [STRING, DOUBLE, COUNTER],
    ['a', 2, { values: entries({ a: 1 }) }],
    { values: entries({ a: 3 }) },
  ],
  ['stat.sample.topN', [INT, array(INT), INT, LESS], [4, [5, 3, 2], 3, less], [5, 4, 3]],
  ['stat.sample.topN', [INT, array(INT), INT, LESS], [1, [5, 3, 2], 3, less], [5, 3, 2]],
  ['stat.sample.topN', [INT, array(INT), INT, LESS], [1, [5], 3, less], [5, 1]],
  ['stat.sample.topN', [INT, array(INT), INT, LESS], [1, [5], 0, less], []],
]

const only = Object.fromEntries(Object.entries(statistics).filter(([name]) => name.startsWith('stat.sample.')))
testTable('stat.sample.', only, [...moments, ...windows, ...series, ...histograms, ...planes, ...others])

describe('a moving window', () => {
  it('has the moments of the samples in it', () => {
    const samples = [3, -1, 4, 1, -5, 9, 2, 6]
    let state: unknown[] = []
    for (const x of samples) {
      state = call(only, 'stat.sample.updateWindow', windowed(WINDOW as RecordType), [x, 1, state, 3]) as unknown[]
    }
    const inside = samples.slice(-3)
    const mean = inside.reduce((sum, x) => sum + x) / 3
    const variance = inside.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 3
    const last = state.at(-1) as Record<string, number>
    expect(state).toHaveLength(3)
    expect(last.count).toBe(3)
    expect(last.mean).toBeCloseTo(mean, 12)
    expect(last.variance).toBeCloseTo(variance, 12)
  })
})

describe('growth without bounds', () => {
  it('is an error', () => {
    const histogram = { low: 0, binsize: 1, values: [0] }
    const tooLarge = expect.objectContaining({ kind: 'runtime' })
    expect(() => call(only, 'stat.sample.fillHistogram', [DOUBLE, DOUBLE, GROWING], [1e300, 1, histogram])).toThrow(
      tooLarge,
    )
    const endless = [2147483647, { level: 1, trend: 1 }]
    expect(() => call(only, 'stat.sample.forecastHoltWinters', [INT, SERIES], endless)).toThrow(tooLarge)
  })
})

describe('record types that the functions cannot work with', () => {
  const cases: [string, PfaType[]][] = [
    ['stat.sample.update', [DOUBLE, DOUBLE, record({ count: DOUBLE, mean: STRING })]],
    ['stat.sample.update', [DOUBLE, DOUBLE, record({ count: DOUBLE, variance: DOUBLE })]],
    ['stat.sample.updateEWMA', [DOUBLE, DOUBLE, record({ mean: DOUBLE, variance: INT })]],
    ['stat.sample.forecast1HoltWinters', [record({ level: DOUBLE, trend: DOUBLE, cycle: VECTOR })]],
    ['stat.sample.forecastHoltWinters', [INT, record({ level: DOUBLE, trend: DOUBLE, multiplicative: BOOLEAN })]],
    ['stat.sample.forecastHoltWinters', [INT, record({ level: DOUBLE, trend: DOUBLE, cycle: array(STRING) })]],
    [
      'stat.sample.fillHistogram',
      [DOUBLE, DOUBLE, record({ low: DOUBLE, binsize: DOUBLE, values: VECTOR, ranges: ROWS })],
    ],
    ['stat.sample.fillHistogram', [DOUBLE, DOUBLE, record({ ranges: ROWS, values: VECTOR, nanflow: INT })]],
    ['stat.sample.fillHistogram2d', [DOUBLE, DOUBLE, DOUBLE, record({ ...PLANE_FIELDS, infflow: STRING })]],
  ]
  it.each(cases)('%s is a semantic error', (name, params) => {
    expect(() => call(only, name, params, [])).toThrow(expect.objectContaining({ kind: 'semantic' }))
  })
})
