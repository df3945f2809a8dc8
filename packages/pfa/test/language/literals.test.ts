import { describe, expect, test } from 'vitest'
import { compile } from '../../src/index.ts'
import { doc, row, testRows } from './table.ts'

const int = '"int"'
const long = '"long"'
const double = '"double"'

describe('numbers are typed by how they are written', () => {
  testRows([
    row('a whole number is an int', int, '1', '1'),
    row('the largest int', int, '2147483647', '2147483647'),
    row('the smallest int', int, '-2147483648', '-2147483648'),
    row('beyond int it is a long', long, '2147483648', '2147483648'),
    row('a long is no int', int, '2147483648', 'semantic'),
    row('the largest long', long, '9223372036854775807', '9223372036854775807'),
    row('the smallest long', long, '-9223372036854775808', '-9223372036854775808'),
    row('beyond long there is nothing', double, '9223372036854775808', 'syntax'),
    row('a point makes a double', int, '1.0', 'semantic'),
    row('an exponent makes a double', int, '1e3', 'semantic'),
    row('double', double, '1.5', '1.5'),
    row('an int becomes a double', double, '3', '3.0'),
    row('a long becomes a float', '"float"', '{"long": 3}', '3.0'),
  ])
})

describe('literals', () => {
  testRows([
    row('null', '"null"', 'null', 'null'),
    row('true', '"boolean"', 'true', 'true'),
    row('int', int, '{"int": 3}', '3'),
    row('int out of range', int, '{"int": 3000000000}', 'syntax'),
    row('int with a fraction', int, '{"int": 3.5}', 'syntax'),
    row('long', long, '{"long": 3}', '3'),
    row('float is rounded to 32 bits', '"float"', '{"float": 0.1}', '0.10000000149011612'),
    row('float as double shows it', double, '{"+": [{"float": 0.1}, 0.0]}', '0.10000000149011612'),
    row('double', double, '{"double": 3}', '3.0'),
    row('string', '"string"', '{"string": "a\\u2028😀"}', '"a\\u2028😀"'),
    row('a list of one string is a string', '"string"', '[["x"]]', '"x"'),
    row('a list of two strings is nothing', '"string"', '[["x", "y"]]', 'syntax'),
    row('where expressions are listed, a list of one string is one symbol', '"string"', '["x"]', 'semantic'),
    row('bytes in base64', '"bytes"', '{"base64": "aGk="}', '"hi"'),
    row('base64 that is none', '"bytes"', '{"base64": "a?"}', 'syntax'),
    row(
      'a typed value',
      '{"type": "array", "items": "int"}',
      '{"type": {"type": "array", "items": "int"}, "value": [1, 2]}',
      '[1, 2]',
    ),
    row(
      'a typed value that does not fit',
      '{"type": "array", "items": "int"}',
      '{"type": {"type": "array", "items": "int"}, "value": ["x"]}',
      'semantic',
    ),
    row(
      'a typed union value is tagged',
      '["int", "null"]',
      '{"type": ["int", "null"], "value": {"int": 3}}',
      '{"int": 3}',
    ),
    row('a typed enum', '{"type": "enum", "name": "E", "symbols": ["A", "B"]}', '{"type": "E", "value": "B"}', '"B"'),
    row(
      'a symbol the enum does not have',
      '{"type": "enum", "name": "E", "symbols": ["A", "B"]}',
      '{"type": "E", "value": "C"}',
      'semantic',
    ),
    row('an unknown form', int, '{"int": 1, "and": 2}', 'syntax'),
    row('an empty object', int, '{}', 'syntax'),
    row('an unknown function', int, '{"no.such": [1]}', 'semantic'),
  ])
})

describe('new', () => {
  const record =
    '{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}, {"name": "b", "type": "string"}]}'
  testRows([
    row(
      'array',
      '{"type": "array", "items": "double"}',
      '{"type": {"type": "array", "items": "double"}, "new": [1, {"+": [1, 1.5]}]}',
      '[1.0, 2.5]',
    ),
    row(
      'empty array',
      '{"type": "array", "items": "int"}',
      '{"type": {"type": "array", "items": "int"}, "new": []}',
      '[]',
    ),
    row(
      'an item of another type',
      '{"type": "array", "items": "int"}',
      '{"type": {"type": "array", "items": "int"}, "new": [1.5]}',
      'semantic',
    ),
    row(
      'map',
      '{"type": "map", "values": "int"}',
      '{"type": {"type": "map", "values": "int"}, "new": {"a": 1, "__proto__": 2}}',
      '{"a": 1, "__proto__": 2}',
    ),
    row('record', record, '{"type": "R", "new": {"b": ["x"], "a": 1}}', '{"a": 1, "b": "x"}'),
    row('a field is missing', record, '{"type": "R", "new": {"a": 1}}', 'semantic'),
    row('a field too many', record, '{"type": "R", "new": {"a": 1, "b": ["x"], "c": 2}}', 'semantic'),
    row('a field of another type', record, '{"type": "R", "new": {"a": 1, "b": 2}}', 'semantic'),
    row(
      'an object for an array',
      '{"type": "array", "items": "int"}',
      '{"type": {"type": "array", "items": "int"}, "new": {"a": 1}}',
      'semantic',
    ),
    row('an unknown type', record, '{"type": "S", "new": {"a": 1}}', 'semantic'),
  ])
})

test('locators are allowed everywhere', () => {
  const action = '[{"@": "here", "let": {"x": 1}}, {"@": "there", "+": ["x", {"@": "", "int": 2}]}]'
  const located = doc(
    '"null"',
    '{"@": "type", "type": "int"}',
    action,
    '"@": "top", "cells": {"@": "", "c": {"@": "", "type": "int", "init": 0}}',
  )
  expect(compile(located).start().actionJson('null')).toBe('3')
})
