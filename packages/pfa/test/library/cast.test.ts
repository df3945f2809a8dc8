import { Branch } from '@pitot/avro'
import { cast } from '../../src/library/cast.ts'
import {
  array,
  BOOLEAN,
  BYTES,
  bytes,
  DOUBLE,
  entries,
  enumeration,
  FLOAT,
  fails,
  fixed,
  INT,
  LONG,
  map,
  NULL,
  type Row,
  record,
  STRING,
  testTable,
  union,
} from './table.ts'

const MIN_LONG = -9223372036854775808n
const MAX_LONG = 9223372036854775807n
const INF = Number.POSITIVE_INFINITY
const NAN = Number.NaN
const COLOUR = enumeration('red', 'green', 'blue')
const WORDS = [STRING, array(STRING), BOOLEAN]
const RANGE = [INT, INT, INT, BOOLEAN]

/** The five functions of a kind, with what stands for yes and for no. */
const FANOUTS: [string, number, unknown, unknown][] = [
  ['cast.fanoutBoolean', 17060, true, false],
  ['cast.fanoutInt', 17070, 1, 0],
  ['cast.fanoutLong', 17080, 1, 0],
  ['cast.fanoutFloat', 17090, 1, 0],
  ['cast.fanoutDouble', 17100, 1, 0],
]

const fanouts = FANOUTS.flatMap(([name, code, yes, no]): Row[] => [
  [name, [COLOUR], ['green'], [no, yes, no]],
  [name, WORDS, ['b', ['a', 'b'], false], [no, yes]],
  [name, WORDS, ['b', ['a', 'b'], true], [no, yes, no]],
  [name, WORDS, ['c', ['a', 'b'], false], [no, no]],
  [name, WORDS, ['c', ['a', 'b'], true], [no, no, yes]],
  [name, WORDS, ['c', ['a', 'a'], true], fails(code)],
  [name, RANGE, [5, 5, 7, false], [yes, no]],
  [name, RANGE, [7, 5, 7, true], [no, no, yes]],
  [name, RANGE, [4, 5, 7, false], [no, no]],
  [name, RANGE, [4, 7, 5, true], [yes]],
])

const POINT = record({ x: INT, y: union(NULL, STRING) })

const rows: Row[] = [
  ['cast.signed', [LONG, INT], [255, 8], -1],
  ['cast.signed', [LONG, INT], [127, 8], 127],
  ['cast.signed', [LONG, INT], [MAX_LONG, 64], MAX_LONG],
  ['cast.signed', [LONG, INT], [MAX_LONG, 32], -1],
  ['cast.signed', [LONG, INT], [1, 1], fails(17000)],
  ['cast.signed', [LONG, INT], [1, 65], fails(17000)],
  ['cast.unsigned', [LONG, INT], [-1, 8], 255],
  ['cast.unsigned', [LONG, INT], [-1, 63], MAX_LONG],
  ['cast.unsigned', [LONG, INT], [MIN_LONG, 63], 0],
  ['cast.unsigned', [LONG, INT], [1, 0], fails(17010)],
  ['cast.unsigned', [LONG, INT], [1, 64], fails(17010)],
  ['cast.int', [INT], [5], 5],
  ['cast.int', [LONG], [-2147483648], -2147483648],
  ['cast.int', [LONG], [MAX_LONG], fails(17020)],
  ['cast.int', [FLOAT], [2.5], 3],
  ['cast.int', [DOUBLE], [-2.5], -2],
  ['cast.int', [DOUBLE], [-0.1], 0],
  ['cast.int', [DOUBLE], [2147483647.5], fails(17020)],
  ['cast.int', [DOUBLE], [NAN], fails(17020)],
  ['cast.long', [INT], [5], 5],
  ['cast.long', [LONG], [MAX_LONG], MAX_LONG],
  ['cast.long', [FLOAT], [-1.5], -1],
  ['cast.long', [DOUBLE], [2 ** 62], 2n ** 62n],
  ['cast.long', [DOUBLE], [-(2 ** 63)], MIN_LONG],
  ['cast.long', [DOUBLE], [2 ** 63], fails(17030)],
  ['cast.long', [DOUBLE], [INF], fails(17030)],
  ['cast.float', [INT], [16777217], 16777216],
  ['cast.float', [LONG], [MAX_LONG], 2 ** 63],
  ['cast.float', [FLOAT], [0.5], 0.5],
  ['cast.float', [DOUBLE], [0.1], Math.fround(0.1)],
  ['cast.float', [DOUBLE], [1e300], INF],
  ['cast.double', [INT], [5], 5],
  ['cast.double', [LONG], [MAX_LONG], 2 ** 63],
  ['cast.double', [FLOAT], [0.5], 0.5],
  ['cast.double', [DOUBLE], [NAN], NAN],
  ...fanouts,
  ['cast.avro', [INT], [-2], bytes(3)],
  ['cast.avro', [STRING], ['a'], bytes(2, 97)],
  ['cast.avro', [POINT], [{ x: 1, y: 'b' }], bytes(2, 2, 2, 98)],
  ['cast.json', [NULL], [null], 'null'],
  ['cast.json', [LONG], [MAX_LONG], '9223372036854775807'],
  ['cast.json', [DOUBLE], [7], '7.0'],
  ['cast.json', [DOUBLE], [-0], '-0.0'],
  ['cast.json', [DOUBLE], [1e16], '1e+16'],
  ['cast.json', [DOUBLE], [1e15], '1000000000000000.0'],
  ['cast.json', [DOUBLE], [0.0001], '0.0001'],
  ['cast.json', [DOUBLE], [1.5e-7], '1.5e-07'],
  ['cast.json', [DOUBLE], [-INF], '-Infinity'],
  ['cast.json', [FLOAT], [Math.fround(0.1)], '0.1'],
  ['cast.json', [FLOAT], [NAN], 'NaN'],
  ['cast.json', [STRING], ['"\\\né😀'], '"\\"\\\\\\n\\u00e9\\ud83d\\ude00"'],
  ['cast.json', [BYTES], [bytes(0, 255)], '"\\u0000\\u00ff"'],
  ['cast.json', [fixed(1)], [bytes(97)], '"a"'],
  ['cast.json', [COLOUR], ['red'], '"red"'],
  ['cast.json', [array(BOOLEAN)], [[true, false]], '[true,false]'],
  ['cast.json', [map(INT)], [entries({ a: 1, b: 2 })], '{"a":1,"b":2}'],
  ['cast.json', [POINT], [{ x: 1, y: 'b' }], '{"x":1,"y":{"string":"b"}}'],
  ['cast.json', [POINT], [{ x: 1, y: null }], '{"x":1,"y":null}'],
  ['cast.json', [union(INT, DOUBLE)], [new Branch('double', 1)], '{"double":1.0}'],
]

testTable('cast.', cast, rows)
