import { naive } from '../../../src/library/model/naive.ts'
import { about, array, DOUBLE, entries, fails, map, record, STRING, testTable } from '../table.ts'

const VECTOR = array(DOUBLE)
const MAP = map(DOUBLE)
const NORMAL = record({ mean: DOUBLE, variance: DOUBLE })
const normals = [
  { mean: 1, variance: 4 },
  { mean: 0, variance: 1 },
]
const likelihood = -Math.log(2 * Math.PI) - Math.log(2) - 0.5 - 0.5
const HISTOGRAM = record({ values: VECTOR })
const COUNTER = record({ values: MAP })

testTable('model.naive.', naive, [
  ['model.naive.gaussian', [VECTOR, array(NORMAL)], [[3, 1], normals], about(likelihood)],
  ['model.naive.gaussian', [VECTOR, array(NORMAL)], [[3], normals], fails(10000)],
  ['model.naive.gaussian', [VECTOR, array(NORMAL)], [[3], [{ mean: 1, variance: 0 }]], fails(10001)],
  [
    'model.naive.gaussian',
    [MAP, map(NORMAL)],
    [
      entries({ a: 3, b: 1 }),
      new Map([
        ['b', normals[1]],
        ['a', normals[0]],
      ]),
    ],
    about(likelihood),
  ],
  ['model.naive.gaussian', [MAP, map(NORMAL)], [entries({ a: 3 }), new Map([['b', normals[1]]])], fails(10000)],
  [
    'model.naive.multinomial',
    [VECTOR, VECTOR],
    [
      [2, 1],
      [1, 3],
    ],
    about(2 * Math.log(0.25) + Math.log(0.75)),
  ],
  ['model.naive.multinomial', [VECTOR, VECTOR], [[2], [1, 3]], fails(10010)],
  ['model.naive.multinomial', [VECTOR, VECTOR], [[], []], fails(10011)],
  [
    'model.naive.multinomial',
    [VECTOR, VECTOR],
    [
      [2, 1],
      [1, 0],
    ],
    fails(10011),
  ],
  ['model.naive.multinomial', [VECTOR, HISTOGRAM], [[2, 1], { values: [1, 1] }], about(3 * Math.log(0.5))],
  [
    'model.naive.multinomial',
    [MAP, MAP],
    [entries({ a: 2, b: 1 }), entries({ a: 0.25, b: 0.75 })],
    about(2 * Math.log(0.25) + Math.log(0.75)),
  ],
  ['model.naive.multinomial', [MAP, MAP], [entries({ a: 2 }), entries({ b: 0.5 })], fails(10010)],
  ['model.naive.multinomial', [MAP, MAP], [entries({ a: 2 }), entries({ a: -1 })], fails(10011)],
  [
    'model.naive.multinomial',
    [MAP, COUNTER],
    [entries({ a: 2 }), { values: entries({ a: 0.5 }) }],
    about(2 * Math.log(0.5)),
  ],
  [
    'model.naive.bernoulli',
    [array(STRING), MAP],
    [['a', 'z'], entries({ a: 0.25, b: 0.75 })],
    about(2 * Math.log(0.25)),
  ],
  ['model.naive.bernoulli', [array(STRING), MAP], [['a'], entries({ a: 1 })], fails(10020)],
  ['model.naive.bernoulli', [array(STRING), COUNTER], [['a'], { values: entries({ a: 0.25 }) }], about(Math.log(0.25))],
])
