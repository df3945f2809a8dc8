import { describe } from 'vitest'
import { doc, row, testRows } from './table.ts'

const int = '"int"'

describe('if and cond', () => {
  testRows([
    ['if and else', doc(int, int, '{"if": {">": ["input", 0]}, "then": 1, "else": -1}'), ['5', '-5'], ['1', '-1']],
    ['without else it gives null', doc(int, '"null"', '{"if": {">": ["input", 0]}, "then": 1}'), ['5'], ['null']],
    [
      'branches of several types make a union',
      doc(int, '["int", "string"]', '{"if": {">": ["input", 0]}, "then": 1, "else": {"string": "no"}}'),
      ['5', '-5'],
      ['{"int": 1}', '{"string": "no"}'],
    ],
    [
      'int and double make double',
      doc(int, '"double"', '{"if": {">": ["input", 0]}, "then": 1, "else": 2.5}'),
      ['5', '-5'],
      ['1.0', '2.5'],
    ],
    ['the condition is boolean', doc(int, int, '{"if": "input", "then": 1, "else": 2}'), [], 'semantic'],
    [
      'several expressions',
      doc(int, int, '{"if": true, "then": [{"let": {"x": "input"}}, {"+": ["x", 1]}], "else": 2}'),
      ['5'],
      ['6'],
    ],
    [
      'a symbol of a branch ends with it',
      doc(int, int, '[{"if": true, "then": {"let": {"x": 1}}}, "x"]'),
      [],
      'semantic',
    ],
    [
      'cond',
      doc(
        int,
        '"string"',
        '{"cond": [{"if": {"<": ["input", 0]}, "then": {"string": "minus"}}, {"if": {"==": ["input", 0]}, "then": {"string": "zero"}}], "else": {"string": "plus"}}',
      ),
      ['-1', '0', '1'],
      ['"minus"', '"zero"', '"plus"'],
    ],
    [
      'cond without else',
      doc(int, '"null"', '{"cond": [{"if": {"<": ["input", 0]}, "then": 1}, {"if": true, "then": 2}]}'),
      ['-1'],
      ['null'],
    ],
    [
      'cond with an else in a part',
      doc(int, int, '{"cond": [{"if": true, "then": 1, "else": 2}], "else": 3}'),
      [],
      'syntax',
    ],
    [
      'two unions of the same numbers',
      doc('["int", "double"]', '["int", "double"]', '{"if": true, "then": "input", "else": "input"}'),
      ['{"int": 4}', '{"double": 4.0}'],
      ['{"int": 4}', '{"double": 4.0}'],
    ],
    ['an empty cond', doc(int, int, '{"cond": [], "else": 3}'), [], 'syntax'],
    [
      '&& and || stop early',
      doc(
        int,
        '"boolean"',
        '{"||": [{"&&": [{"!=": ["input", 0]}, {"==": [{"//": [10, "input"]}, 5]}]}, {"==": ["input", 0]}]}',
      ),
      ['2', '0', '3'],
      ['true', 'true', 'false'],
    ],
  ])
})

describe('loops', () => {
  testRows([
    [
      'while',
      doc(
        int,
        int,
        '[{"let": {"i": 0, "s": 0}}, {"while": {"<": ["i", "input"]}, "do": [{"set": {"i": {"+": ["i", 1]}}}, {"set": {"s": {"+": ["s", "i"]}}}]}, "s"]',
      ),
      ['0', '4'],
      ['0', '10'],
    ],
    [
      'do until runs once at least',
      doc(
        int,
        int,
        '[{"let": {"i": 0}}, {"do": {"set": {"i": {"+": ["i", 1]}}}, "until": {">=": ["i", "input"]}}, "i"]',
      ),
      ['-5', '4'],
      ['1', '4'],
    ],
    [
      'for',
      doc(
        int,
        int,
        '[{"let": {"s": 0}}, {"for": {"i": 0, "j": 10}, "while": {"<": ["i", "input"]}, "step": {"i": {"+": ["i", 1]}, "j": {"-": ["j", 1]}}, "do": {"set": {"s": {"+": ["s", "j"]}}}}, "s"]',
      ),
      ['3'],
      ['27'],
    ],
    [
      'steps happen in parallel',
      doc(
        int,
        int,
        '[{"let": {"last": 0}}, {"for": {"a": 1, "b": 1, "n": 0}, "while": {"<": ["n", "input"]}, "step": {"a": "b", "b": {"+": ["a", "b"]}, "n": {"+": ["n", 1]}}, "do": {"set": {"last": "a"}}}, "last"]',
      ),
      ['7'],
      ['13'],
    ],
    [
      'the variable of for ends with it',
      doc(int, int, '[{"for": {"i": 0}, "while": {"<": ["i", 1]}, "step": {"i": {"+": ["i", 1]}}, "do": 1}, "i"]'),
      [],
      'semantic',
    ],
    [
      'foreach over an array',
      doc(
        '{"type": "array", "items": "int"}',
        int,
        '[{"let": {"s": 0}}, {"foreach": "x", "in": "input", "do": {"set": {"s": {"+": ["s", "x"]}}}, "seq": true}, "s"]',
      ),
      ['[]', '[1, 2, 3]'],
      ['0', '6'],
    ],
    [
      'a parallel foreach may not set what is outside',
      doc(
        '{"type": "array", "items": "int"}',
        int,
        '[{"let": {"s": 0}}, {"foreach": "x", "in": "input", "do": {"set": {"s": "x"}}, "seq": false}, "s"]',
      ),
      [],
      'semantic',
    ],
    ['foreach over a number', doc(int, int, '[{"foreach": "x", "in": "input", "do": "x"}, 1]'), [], 'semantic'],
    [
      'forkey and forval',
      doc(
        '{"type": "map", "values": "int"}',
        int,
        '[{"let": {"s": 0}}, {"forkey": "k", "forval": "v", "in": "input", "do": {"set": {"s": {"+": ["s", {"*": ["v", {"s.len": "k"}]}]}}}}, "s"]',
      ),
      ['{}', '{"a": 1, "bb": 2, "__proto__": 3}'],
      ['0', '32'],
    ],
    row('a loop gives null', '"null"', '{"while": false, "do": 1}', 'null'),
    row('the condition of while is boolean', int, '[{"while": 1, "do": 1}, 1]', 'semantic'),
    row(
      'an endless loop stops at the timeout',
      int,
      '[{"while": true, "do": null}, 1]',
      'timeout',
      '"options": {"timeout": 50}',
    ),
    row('an endless do until too', int, '[{"do": null, "until": false}, 1]', 'timeout', '"options": {"timeout": 50}'),
    row(
      'an endless for too',
      int,
      '[{"for": {"i": 0}, "while": true, "step": {"i": "i"}, "do": null}, 1]',
      'timeout',
      '"options": {"timeout": 50}',
    ),
  ])
})

describe('arithmetic fails where it must', () => {
  const max = '2147483647'
  testRows([
    ['+ of ints', doc(int, int, '{"+": ["input", 1]}'), ['1', max], ['2', 'runtime 18000']],
    [
      '+ of longs',
      doc('"long"', '"long"', '{"+": ["input", 1]}'),
      ['9007199254740993', '9223372036854775807'],
      ['9007199254740994', 'runtime 18001'],
    ],
    ['- of ints', doc(int, int, '{"-": ["input", 1]}'), ['-2147483648'], ['runtime 18010']],
    ['* of ints', doc(int, int, '{"*": ["input", "input"]}'), ['46340', '46341'], ['2147395600', 'runtime 18020']],
    [
      '* of longs',
      doc('"long"', '"long"', '{"*": ["input", "input"]}'),
      ['3037000499', '3037000500'],
      ['9223372030926249001', 'runtime 18021'],
    ],
    ['/ is double', doc(int, '"double"', '{"/": ["input", 2]}'), ['3'], ['1.5']],
    ['// truncates', doc(int, int, '{"//": ["input", 2]}'), ['-3', '3'], ['-1', '1']],
    ['// by zero', doc(int, int, '{"//": [1, "input"]}'), ['0'], ['runtime 18040']],
    ['% has the sign of the divisor', doc(int, int, '{"%": ["input", 3]}'), ['-5', '5'], ['1', '2']],
    ['%% has the sign of the dividend', doc(int, int, '{"%%": ["input", 3]}'), ['-5', '5'], ['-2', '2']],
    ['u- of the smallest int', doc(int, int, '{"u-": "input"}'), ['5', '-2147483648'], ['-5', 'runtime 18050']],
    ['** of ints', doc(int, int, '{"**": [2, "input"]}'), ['30', '31'], ['1073741824', 'runtime 18080']],
    ['a number beyond int is no int', doc(int, int, '"input"'), ['2147483648'], ['runtime']],
  ])
})
