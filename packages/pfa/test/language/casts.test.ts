import { describe } from 'vitest'
import { doc, row, testRows } from './table.ts'

const int = '"int"'
const union = '["int", "string", "null"]'
const whole =
  '{"cast": "input", "cases": [{"as": "int", "named": "i", "do": {"+": ["i", 1]}}, {"as": "string", "named": "s", "do": {"s.len": "s"}}, {"as": "null", "named": "n", "do": -1}]}'

describe('cast', () => {
  testRows([
    ['one case per member', doc(union, int, whole), ['{"int": 3}', '{"string": "abcd"}', 'null'], ['4', '4', '-1']],
    [
      'a member without a case',
      doc(
        union,
        int,
        '{"cast": "input", "cases": [{"as": "int", "named": "i", "do": "i"}, {"as": "null", "named": "n", "do": -1}]}',
      ),
      [],
      'semantic',
    ],
    [
      'partial gives null',
      doc(union, '"null"', '{"cast": "input", "cases": [{"as": "int", "named": "i", "do": "i"}], "partial": true}'),
      ['{"int": 3}', 'null'],
      ['null', 'null'],
    ],
    [
      'a case that cannot be',
      doc(
        union,
        int,
        '{"cast": "input", "cases": [{"as": "int", "named": "i", "do": "i"}, {"as": "string", "named": "s", "do": 1}, {"as": "null", "named": "n", "do": 2}, {"as": "boolean", "named": "b", "do": 3}]}',
      ),
      [],
      'semantic',
    ],
    [
      'results of several types',
      doc(
        '["int", "null"]',
        '["int", "string"]',
        '{"cast": "input", "cases": [{"as": "int", "named": "i", "do": "i"}, {"as": "null", "named": "n", "do": {"string": "none"}}]}',
      ),
      ['{"int": 3}', 'null'],
      ['{"int": 3}', '{"string": "none"}'],
    ],
    [
      'members told apart by their type only',
      doc(
        '["int", "double"]',
        '"string"',
        '{"cast": "input", "cases": [{"as": "int", "named": "i", "do": {"string": "int"}}, {"as": "double", "named": "d", "do": {"string": "double"}}]}',
      ),
      ['{"int": 3}', '{"double": 3.0}'],
      ['"int"', '"double"'],
    ],
    [
      'records in a union',
      doc(
        '[{"type": "record", "name": "A", "fields": [{"name": "x", "type": "int"}]}, {"type": "record", "name": "B", "namespace": "n", "fields": [{"name": "x", "type": "int"}]}]',
        int,
        '{"cast": "input", "cases": [{"as": "A", "named": "a", "do": "a.x"}, {"as": "n.B", "named": "b", "do": {"u-": "b.x"}}]}',
      ),
      ['{"A": {"x": 3}}', '{"n.B": {"x": 3}}'],
      ['3', '-3'],
    ],
    ['an empty list of cases', doc(union, int, '{"cast": "input", "cases": []}'), [], 'semantic'],
    [
      'the first case that takes a value is followed',
      doc(
        '["int", "double", "null"]',
        '["double", "string"]',
        '{"cast": "input", "cases": [{"as": "double", "named": "d", "do": {"/": ["d", 2]}}, {"as": "int", "named": "i", "do": {"string": "int"}}, {"as": "null", "named": "n", "do": {"string": "null"}}]}',
      ),
      ['{"int": 3}', '{"double": 3.0}', 'null'],
      ['{"double": 1.5}', '{"double": 1.5}', '{"string": "null"}'],
    ],
    [
      'a wider case does not stand for a member',
      doc('["int", "double"]', '"double"', '{"cast": "input", "cases": [{"as": "double", "named": "d", "do": "d"}]}'),
      [],
      'semantic',
    ],
  ])
})

describe('upcast', () => {
  testRows([
    row('to a wider number', '"double"', '{"upcast": 3, "as": "double"}', '3.0'),
    row(
      'to a union',
      '["int", "null"]',
      '[{"let": {"x": {"upcast": 3, "as": ["int", "null"]}}}, {"set": {"x": null}}, "x"]',
      'null',
    ),
    row('to a narrower type', int, '{"upcast": 3.5, "as": "int"}', 'semantic'),
  ])
})

describe('ifnotnull', () => {
  const two =
    '{"type": "record", "name": "R", "fields": [{"name": "x", "type": ["int", "null"]}, {"name": "y", "type": ["null", "double"]}]}'
  testRows([
    [
      'all are there',
      doc(
        two,
        '["double", "string"]',
        '{"ifnotnull": {"x": "input.x", "y": "input.y"}, "then": {"+": ["x", "y"]}, "else": {"string": "none"}}',
      ),
      ['{"x": {"int": 1}, "y": {"double": 0.5}}', '{"x": null, "y": {"double": 0.5}}', '{"x": {"int": 1}, "y": null}'],
      ['{"double": 1.5}', '{"string": "none"}', '{"string": "none"}'],
    ],
    [
      'without else it gives null',
      doc('["int", "null"]', '"null"', '{"ifnotnull": {"x": "input"}, "then": "x"}'),
      ['{"int": 1}', 'null'],
      ['null', 'null'],
    ],
    ['what cannot be null', doc(int, int, '{"ifnotnull": {"x": "input"}, "then": "x", "else": 1}'), [], 'semantic'],
    ['nothing to test', doc(int, int, '{"ifnotnull": {}, "then": 1, "else": 1}'), [], 'syntax'],
  ])
})

describe('pack and unpack', () => {
  testRows([
    row(
      'big-endian is the rule',
      '"bytes"',
      '{"pack": [{"int": 1}, {"little int": 1}]}',
      '"\\u0000\\u0000\\u0000\\u0001\\u0001\\u0000\\u0000\\u0000"',
    ),
    row(
      'bytes of several formats',
      '"bytes"',
      '{"pack": [{"byte": 65}, {"unsigned short": 65535}, {"pad": null}]}',
      '"A\\u00ff\\u00ff\\u0000"',
    ),
    [
      'unpack',
      doc(
        '"bytes"',
        int,
        '{"unpack": "input", "format": [{"x": "byte"}, {"y": "little short"}], "then": {"+": ["x", "y"]}, "else": -1}',
      ),
      ['"\\u0001\\u0002\\u0000"', '"\\u0001"'],
      ['3', '-1'],
    ],
    [
      'unpack without else',
      doc('"bytes"', '"null"', '{"unpack": "input", "format": [{"x": "byte"}], "then": "x"}'),
      ['"a"'],
      ['null'],
    ],
    [
      'an unknown format',
      doc('"bytes"', int, '{"unpack": "input", "format": [{"x": "bite"}], "then": 1, "else": 2}'),
      [],
      'semantic',
    ],
    ['nothing to pack', doc(int, '"bytes"', '{"pack": []}'), [], 'syntax'],
    ['nothing to unpack', doc('"bytes"', int, '{"unpack": "input", "format": [], "then": 1, "else": 2}'), [], 'syntax'],
    [
      'a name that is none',
      doc('"bytes"', int, '{"unpack": "input", "format": [{"x y": "byte"}], "then": 1, "else": 2}'),
      [],
      'semantic',
    ],
  ])
})

describe('types', () => {
  testRows([
    ['an int where a double is wanted', doc(int, '"double"', '"input"'), ['3'], ['3.0']],
    ['a double where an int is wanted', doc('"double"', int, '"input"'), [], 'semantic'],
    ['a member where the union is wanted', doc(int, '["string", "int"]', '"input"'), ['3'], ['{"int": 3}']],
    ['a union where a member is wanted', doc('["string", "int"]', int, '"input"'), [], 'semantic'],
    [
      'unions in another order',
      doc('["string", "int"]', '["int", "string"]', '"input"'),
      ['{"int": 3}'],
      ['{"int": 3}'],
    ],
    [
      'arrays follow their items',
      doc('{"type": "array", "items": "int"}', '{"type": "array", "items": "double"}', '"input"'),
      ['[1]'],
      ['[1.0]'],
    ],
    [
      'a type used before it is defined',
      doc(
        '"R"',
        int,
        '"input.x"',
        '"cells": {"c": {"type": {"type": "record", "name": "R", "fields": [{"name": "x", "type": "int"}]}, "init": {"x": 1}}}',
      ),
      ['{"x": 3}'],
      ['3'],
    ],
    [
      'the same definition twice',
      doc(
        '{"type": "enum", "name": "E", "symbols": ["A"]}',
        '{"type": "enum", "name": "E", "symbols": ["A"]}',
        '"input"',
      ),
      ['"A"'],
      ['"A"'],
    ],
    [
      'two definitions of one name',
      doc(
        '{"type": "enum", "name": "E", "symbols": ["A"]}',
        '{"type": "enum", "name": "E", "symbols": ["B"]}',
        '"input"',
      ),
      [],
      'semantic',
    ],
    ['an unknown type', doc('"R"', int, '1'), [], 'semantic'],
    [
      'a recursive type',
      doc(
        '{"type": "record", "name": "Tree", "fields": [{"name": "v", "type": "int"}, {"name": "next", "type": ["Tree", "null"]}]}',
        int,
        '{"ifnotnull": {"n": "input.next"}, "then": "n.v", "else": "input.v"}',
      ),
      ['{"v": 1, "next": {"Tree": {"v": 2, "next": null}}}', '{"v": 1, "next": null}'],
      ['2', '1'],
    ],
    [
      'a record default on input',
      doc('{"type": "record", "name": "R", "fields": [{"name": "x", "type": "int", "default": 9}]}', int, '"input.x"'),
      ['{}', '{"x": 1}'],
      ['9', '1'],
    ],
    [
      'a symbol the enum does not have',
      doc('{"type": "enum", "name": "E", "symbols": ["A"]}', '"string"', '["x"]'),
      ['"Z"'],
      'semantic',
    ],
  ])
})
