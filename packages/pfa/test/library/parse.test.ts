import { enumeration as enumModule } from '../../src/library/enum.ts'
import { fixed as fixedModule } from '../../src/library/fixed.ts'
import { parse } from '../../src/library/parse.ts'
import { BYTES, bytes, enumeration, fails, fixed, INT, STRING, testTable } from './table.ts'

const BASED = [STRING, INT]
const INF = Number.POSITIVE_INFINITY

testTable('parse.', parse, [
  ['parse.int', BASED, [' -12\n', 10], -12],
  ['parse.int', BASED, ['fF', 16], 255],
  ['parse.int', BASED, ['١٢', 10], 12],
  ['parse.int', BASED, ['-2147483648', 10], -2147483648],
  ['parse.int', BASED, ['2147483648', 10], fails(33000)],
  ['parse.int', BASED, ['12', 2], fails(33000)],
  ['parse.int', BASED, ['1.5', 10], fails(33000)],
  ['parse.int', BASED, ['', 10], fails(33000)],
  ['parse.int', BASED, ['1_000', 10], fails(33000)],
  ['parse.int', BASED, ['0x1f', 16], fails(33000)],
  ['parse.int', BASED, ['1', 1], fails(33001)],
  ['parse.int', BASED, ['1', 37], fails(33001)],
  ['parse.long', BASED, ['9223372036854775807', 10], 9223372036854775807n],
  ['parse.long', BASED, ['+zz', 36], 1295],
  ['parse.long', BASED, ['9223372036854775808', 10], fails(33010)],
  ['parse.long', BASED, ['x', 10], fails(33010)],
  ['parse.long', BASED, ['1', 0], fails(33011)],
  ['parse.float', [STRING], [' 1.5e-3 '], Math.fround(0.0015)],
  ['parse.float', [STRING], ['1e39'], INF],
  ['parse.float', [STRING], ['1e-50'], 0],
  ['parse.float', [STRING], ['1f'], fails(33020)],
  ['parse.double', [STRING], ['.5'], 0.5],
  ['parse.double', [STRING], ['1.'], 1],
  ['parse.double', [STRING], ['-1E3'], -1000],
  ['parse.double', [STRING], ['NaN'], Number.NaN],
  ['parse.double', [STRING], ['+inf'], INF],
  ['parse.double', [STRING], ['-Infinity'], -INF],
  ['parse.double', [STRING], ['1e400'], INF],
  ['parse.double', [STRING], ['.'], fails(33030)],
  ['parse.double', [STRING], ['0x10'], fails(33030)],
  ['parse.double', [STRING], ['1 2'], fails(33030)],
])

const COLOUR = enumeration('red', 'green')

testTable('enum.', enumModule, [
  ['enum.toString', [COLOUR], ['green'], 'green'],
  ['enum.toInt', [COLOUR], ['green'], 1],
  ['enum.numSymbols', [COLOUR], ['green'], 2],
])

testTable('fixed.', fixedModule, [
  ['fixed.toBytes', [fixed(2)], [bytes(1, 2)], bytes(1, 2)],
  ['fixed.fromBytes', [fixed(3), BYTES], [bytes(1, 2, 3), bytes(9)], bytes(9, 2, 3)],
  ['fixed.fromBytes', [fixed(2), BYTES], [bytes(1, 2), bytes(7, 8, 9)], bytes(7, 8)],
])
