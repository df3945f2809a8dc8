import { describe } from 'vitest'
import { doc, type Row, row, testRows } from './table.ts'

const int = '"int"'
const inner =
  '{"type": "record", "name": "Inner", "fields": [{"name": "list", "type": {"type": "array", "items": "int"}}, {"name": "map", "type": {"type": "map", "values": "int"}}]}'
const record = `{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}, {"name": "inner", "type": ${inner}}]}`
const sample = '{"a": 7, "inner": {"list": [10, 20], "map": {"k": 5, "__proto__": 6}}}'

function onRecord(title: string, output: string, action: string, expected: string): Row {
  return [
    title,
    doc(record, output, action),
    [sample],
    expected === 'semantic' || expected === 'syntax' ? expected : [expected],
  ]
}

describe('attr', () => {
  testRows([
    onRecord('a field', int, '{"attr": "input", "path": [["a"]]}', '7'),
    onRecord('by dots', int, '"input.a"', '7'),
    onRecord('several steps', int, '{"attr": "input", "path": [["inner"], ["list"], 1]}', '20'),
    onRecord('dots and an index', int, '{"attr": "input.inner.list", "path": [0]}', '10'),
    onRecord('a key of a map', int, '{"attr": "input", "path": [["inner"], ["map"], {"string": "__proto__"}]}', '6'),
    onRecord('a computed index', int, '{"attr": "input.inner.list", "path": [{"-": [2, 1]}]}', '20'),
    onRecord(
      'of an expression',
      int,
      '{"attr": {"type": {"type": "array", "items": "int"}, "value": [1, 2]}, "path": [1]}',
      '2',
    ),
    onRecord('an index out of range', int, '{"attr": "input.inner.list", "path": [2]}', 'runtime 2000'),
    onRecord('a negative index', int, '{"attr": "input.inner.list", "path": [-1]}', 'runtime 2000'),
    onRecord('a key that is missing', int, '{"attr": "input.inner.map", "path": [["none"]]}', 'runtime 2001'),
    onRecord('a field that is missing', int, '"input.b"', 'semantic'),
    onRecord(
      'a computed field of a record',
      int,
      '[{"let": {"f": ["a"]}}, {"attr": "input", "path": ["f"]}]',
      'semantic',
    ),
    onRecord('a string as an index', int, '{"attr": "input.inner.list", "path": [["a"]]}', 'semantic'),
    onRecord('a number as a key', int, '{"attr": "input.inner.map", "path": [1]}', 'semantic'),
    onRecord('a step too many', int, '"input.a.b"', 'semantic'),
    onRecord('an empty path', record, '{"attr": "input", "path": []}', 'syntax'),
  ])
})

describe('attr-to', () => {
  const list = '{"type": "array", "items": "int"}'
  testRows([
    onRecord(
      'gives a new record',
      record,
      '{"attr": "input", "path": [["a"]], "to": 8}',
      '{"a": 8, "inner": {"list": [10, 20], "map": {"k": 5, "__proto__": 6}}}',
    ),
    onRecord(
      'leaves the old one alone',
      int,
      '[{"let": {"new": {"attr": "input", "path": [["inner"], ["list"], 0], "to": 99}}}, {"attr": "input", "path": [["inner"], ["list"], 0]}]',
      '10',
    ),
    onRecord(
      'by a function',
      record,
      '{"attr": "input", "path": [["inner"], ["list"], 1], "to": {"params": [{"x": "int"}], "ret": "int", "do": {"+": ["x", "x"]}}}',
      '{"a": 7, "inner": {"list": [10, 40], "map": {"k": 5, "__proto__": 6}}}',
    ),
    onRecord(
      'a key of a map',
      record,
      '{"attr": "input", "path": [["inner"], ["map"], ["k"]], "to": 1}',
      '{"a": 7, "inner": {"list": [10, 20], "map": {"k": 1, "__proto__": 6}}}',
    ),
    onRecord(
      'an index out of range',
      record,
      '{"attr": "input", "path": [["inner"], ["list"], 2], "to": 1}',
      'runtime 2002',
    ),
    onRecord(
      'a key that is missing',
      record,
      '{"attr": "input", "path": [["inner"], ["map"], ["none"]], "to": 1}',
      'runtime 2003',
    ),
    onRecord('another type', record, '{"attr": "input", "path": [["a"]], "to": ["x"]}', 'semantic'),
    onRecord(
      'a function of another type',
      record,
      '{"attr": "input", "path": [["a"]], "to": {"params": [{"x": "string"}], "ret": "string", "do": "x"}}',
      'semantic',
    ),
    onRecord('of an array', list, '{"attr": "input.inner.list", "path": [0], "to": 1}', '[1, 20]'),
  ])
})

const cell = (init: string, type = int, flags = '') => `"cells": {"c": {"type": ${type}, "init": ${init}${flags}}}`
const add = '{"params": [{"old": "int"}], "ret": "int", "do": {"+": ["old", "input"]}}'

describe('cell', () => {
  const array = '{"type": "array", "items": "int"}'
  const map = '{"type": "map", "values": "int"}'
  testRows([
    row('read', int, '{"cell": "c"}', '5', cell('5')),
    row('path', int, '{"cell": "c", "path": [1]}', '2', cell('[1, 2]', array)),
    row('index out of range', int, '{"cell": "c", "path": [2]}', 'runtime 2004', cell('[1, 2]', array)),
    row('negative index', int, '{"cell": "c", "path": [-1]}', 'runtime 2004', cell('[1, 2]', array)),
    row('missing key', int, '{"cell": "c", "path": [["x"]]}', 'runtime 2005', cell('{}', map)),
    row('unknown', int, '{"cell": "d"}', 'semantic', cell('5')),
    row('first value of another type', int, '{"cell": "c"}', 'semantic', cell('"x"')),
    [
      'to a value keeps it',
      doc(int, int, '[{"cell": "c", "to": {"+": [{"cell": "c"}, "input"]}}, {"cell": "c"}]', cell('0')),
      ['1', '2', '3'],
      ['1', '3', '6'],
    ],
    [
      'to by a function gives the new value',
      doc(int, int, `{"cell": "c", "to": ${add}}`, cell('0')),
      ['1', '2'],
      ['1', '3'],
    ],
    [
      'to by a named function',
      doc(
        int,
        int,
        '{"cell": "c", "to": {"fcn": "u.twice"}}',
        `${cell('1')}, "fcns": {"twice": {"params": [{"x": "int"}], "ret": "int", "do": {"*": ["x", 2]}}}`,
      ),
      ['0', '0'],
      ['2', '4'],
    ],
    [
      'to a part of it gives the whole',
      doc(int, array, '{"cell": "c", "path": ["input"], "to": 9}', cell('[1, 2]', array)),
      ['0', '1', '2'],
      ['[9, 2]', '[9, 9]', 'runtime 2006'],
    ],
    [
      'to a key that is missing',
      doc('"string"', map, '{"cell": "c", "path": ["input"], "to": 9}', cell('{"a": 1}', map)),
      ['"a"', '"b"'],
      ['{"a": 9}', 'runtime 2007'],
    ],
    ['to another type', doc(int, int, '{"cell": "c", "to": ["x"]}', cell('0')), [], 'semantic'],
    [
      'to inside to',
      doc(
        int,
        int,
        '{"cell": "c", "to": {"params": [{"x": "int"}], "ret": "int", "do": [{"cell": "c", "to": 3}, "x"]}}',
        cell('0'),
      ),
      [],
      'initialization',
    ],
    [
      'to inside to through a function',
      doc(
        int,
        int,
        '{"cell": "c", "to": {"fcn": "u.f"}}',
        `${cell('0')}, "fcns": {"f": {"params": [{"x": "int"}], "ret": "int", "do": [{"u.g": []}, "x"]}, "g": {"params": [], "ret": "int", "do": {"cell": "c", "to": 3}}}`,
      ),
      [],
      'initialization',
    ],
    [
      'rollback after an error',
      doc(
        int,
        int,
        '[{"cell": "c", "to": "input"}, {"if": {"==": ["input", 3]}, "then": {"error": "no"}}, {"cell": "c"}]',
        cell('0', int, ', "rollback": true'),
      ),
      ['1', '3', '1'],
      ['1', 'user', '1'],
    ],
    [
      'rollback gives back what was there',
      doc(
        int,
        int,
        '[{"let": {"was": {"cell": "c"}}}, {"cell": "c", "to": "input"}, {"if": {"==": ["input", 3]}, "then": {"error": "no"}}, "was"]',
        cell('0', int, ', "rollback": true'),
      ),
      ['1', '3', '2'],
      ['0', 'user', '1'],
    ],
    [
      'without rollback it stays',
      doc(
        int,
        int,
        '[{"let": {"was": {"cell": "c"}}}, {"cell": "c", "to": "input"}, {"if": {"==": ["input", 3]}, "then": {"error": "no"}}, "was"]',
        cell('0'),
      ),
      ['1', '3', '2'],
      ['0', 'user', '3'],
    ],
    [
      'shared and rollback together',
      doc(int, int, '1', cell('0', int, ', "shared": true, "rollback": true')),
      [],
      'syntax',
    ],
    ['without a first value', doc(int, int, '1', '"cells": {"c": {"type": "int"}}'), [], 'syntax'],
  ])
})

const pool = (init: string, flags = '') => `"pools": {"p": {"type": "int", "init": ${init}${flags}}}`

describe('pool', () => {
  testRows([
    [
      'read',
      doc('"string"', int, '{"pool": "p", "path": ["input"]}', pool('{"a": 1, "__proto__": 2}')),
      ['"a"', '"__proto__"', '"b"', '"constructor"'],
      ['1', '2', 'runtime 2009', 'runtime 2009'],
    ],
    ['a pool needs a path', doc('"string"', int, '{"pool": "p", "path": []}', pool('{}')), [], 'syntax'],
    [
      'to by a function, with a first value',
      doc(
        '"string"',
        int,
        '{"pool": "p", "path": ["input"], "to": {"params": [{"x": "int"}], "ret": "int", "do": {"+": ["x", 1]}}, "init": 10}',
        pool('{"a": 1}'),
      ),
      ['"a"', '"a"', '"b"', '"b"'],
      ['2', '3', '11', '12'],
    ],
    [
      'to a value',
      doc(
        '"string"',
        int,
        '[{"pool": "p", "path": ["input"], "to": 5, "init": 5}, {"pool": "p", "path": ["input"]}]',
        pool('{}'),
      ),
      ['"x"'],
      ['5'],
    ],
    [
      'a new item stays when its change fails',
      doc(
        '"string"',
        int,
        '[{"try": {"pool": "p", "path": ["input"], "to": {"params": [{"old": "int"}], "ret": "int", "do": {"error": "no"}}, "init": 7}}, {"pool": "p", "path": ["input"]}]',
        pool('{}'),
      ),
      ['"a"'],
      ['7'],
    ],
    ['first items that are no object', doc('"string"', int, '1', pool('5')), [], 'syntax'],
    ['to without init', doc('"string"', int, '{"pool": "p", "path": ["input"], "to": 5}', pool('{}')), [], 'syntax'],
    [
      'del',
      doc(
        '"string"',
        int,
        '[{"pool": "p", "del": "input"}, {"try": {"pool": "p", "path": ["input"]}}, 1]',
        pool('{"a": 1}'),
      ),
      ['"a"', '"b"'],
      ['1', '1'],
    ],
    [
      'del and read',
      doc('"string"', int, '[{"pool": "p", "del": "input"}, {"pool": "p", "path": [["a"]]}]', pool('{"a": 1}')),
      ['"b"', '"a"'],
      ['1', 'runtime 2009'],
    ],
    [
      'init may be left out',
      doc('"string"', int, '{"pool": "p", "path": ["input"]}', '"pools": {"p": {"type": "int"}}'),
      ['"a"'],
      ['runtime 2009'],
    ],
    [
      'rollback',
      doc(
        '"string"',
        int,
        '[{"pool": "p", "path": [["n"]], "to": {"params": [{"x": "int"}], "ret": "int", "do": {"+": ["x", 1]}}, "init": 1}, {"if": {"==": ["input", ["bad"]]}, "then": {"error": "no"}}, {"pool": "p", "path": [["n"]]}]',
        pool('{}', ', "rollback": true'),
      ),
      ['"a"', '"bad"', '"a"'],
      ['2', 'user', '3'],
    ],
    ['unknown', doc('"string"', int, '{"pool": "q", "path": ["input"]}', pool('{}')), [], 'semantic'],
  ])
})
