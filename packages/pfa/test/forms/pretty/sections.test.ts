import { describe, expect, test } from 'vitest'
import type { PfaError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/forms/json.ts'
import { parsePretty } from '../../../src/forms/pretty/sections.ts'
import { printJson } from '../../../src/print/json.ts'

describe('documents', () => {
  test('every section', () => {
    const { root } = parsePretty(`// a comment before everything
name: All
doc: "every section"
version: 3
randseed: -12
metadata: {author: me, "two words": 'x'}
options: {timeout: 1000}
method: fold
types:
  Label = string;
  record(Point, x: double, label: Label);
  Points = array(Point)
input: Points
output: double
zero: 0.0
cells:
  last(type: Point, shared: true) = {x: 0, label: none};
  other(int, rollback: true, source: json) = "other.json";
pools:
  seen(Points) = {}
begin: null
action:
  last.x;
  tally
end: log("done")
merge: tallyOne + tallyTwo
fcns:
  zero = fcn(-> double) 0.0;
  one = fcn(p: Point -> double) p.x;
`)
    expect(printJson(root)).toBe(
      printJson(
        parseJson(`{"name": "All", "input": {"type": "array", "items":
          {"type": "record", "name": "Point", "fields": [{"name": "x", "type": "double"}, {"name": "label", "type": "string"}]}},
          "output": "double", "method": "fold", "begin": [null],
          "action": [{"cell": "last", "path": [{"string": "x"}]}, "tally"], "end": [{"log": [{"string": "done"}]}],
          "fcns": {"zero": {"params": [], "ret": "double", "do": [0.0]},
                   "one": {"params": [{"p": "Point"}], "ret": "double", "do": [{"attr": "p", "path": [{"string": "x"}]}]}},
          "cells": {"last": {"type": "Point", "init": {"x": 0, "label": "none"}, "shared": true, "rollback": false},
                    "other": {"type": "int", "init": "other.json", "shared": false, "rollback": true, "source": "json"}},
          "pools": {"seen": {"type": {"type": "array", "items": "Point"}, "init": {}, "shared": false, "rollback": false}},
          "zero": 0.0, "merge": [{"+": ["tallyOne", "tallyTwo"]}], "randseed": -12, "doc": "every section", "version": 3,
          "metadata": {"author": "me", "two words": "x"}, "options": {"timeout": 1000}}`).root,
      ),
    )
  })

  const types: [pretty: string, avro: string][] = [
    ['union(null, map(bytes))', '["null", {"type": "map", "values": "bytes"}]'],
    ['fixed(4)', '{"type": "fixed", "name": "Fixed_1", "size": 4}'],
    ['fixed(4, a.b.C)', '{"type": "fixed", "namespace": "a.b", "name": "C", "size": 4}'],
    ['enum([if, "two words"], E)', '{"type": "enum", "name": "E", "symbols": ["if", "two words"]}'],
    [
      'record(to: int, "x y": A, T)',
      '{"type": "record", "name": "T", "fields": [{"name": "to", "type": "int"}, {"name": "x y", "type": "A"}]}',
    ],
    [
      'record(a: record(b: int))',
      '{"type": "record", "name": "Record_2", "fields": [{"name": "a", "type": {"type": "record", "name": "Record_1", "fields": [{"name": "b", "type": "int"}]}}]}',
    ],
    [
      'record(Record_1, a: record(b: int))',
      '{"type": "record", "name": "Record_1", "fields": [{"name": "a", "type": {"type": "record", "name": "Record_2", "fields": [{"name": "b", "type": "int"}]}}]}',
    ],
    [
      'record(Tree, next: union(null, Tree))',
      '{"type": "record", "name": "Tree", "fields": [{"name": "next", "type": ["null", "Tree"]}]}',
    ],
    [
      '{type: record, name: R, fields: [{name: a, type: int, default: 3}]}',
      '{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int", "default": 3}]}',
    ],
  ]
  test.each(types)('type %s', (pretty, avro) => {
    const { root } = parsePretty(`input: ${pretty}\noutput: null\naction: null`)
    expect(printJson((root as { input: never }).input)).toBe(printJson(parseJson(avro).root))
  })

  test('types may be used before they are defined', () => {
    const { root } = parsePretty('input: A\noutput: B\naction: null\ntypes: A = array(B); B = record(R, c: C); C = int')
    expect(printJson((root as { input: never }).input)).toContain('"name": "c", "type": "int"')
    expect((root as { output: unknown }).output).toBe('R')
  })
})

test.each([
  'input: A\noutput: B;\naction: null;\ntypes: {A = array(B); B = int}',
  'types:\n  {\n    A = array(B);\n    B = int;\n  }\ninput: A;\noutput: B\naction: {null}',
])('sequences may stand in braces and end with a semicolon: %j', (text) => {
  expect(printJson(parsePretty(text).root)).toBe(
    '{"input": {"type": "array", "items": "int"}, "output": "int", "method": "map", "action": [null]}\n',
  )
})

describe('messages', () => {
  const head = 'input: int\noutput: int\n'
  const cases: [text: string, line: number, column: number, message: string][] = [
    ['', 1, 1, "expected a section such as 'input:' at the beginning of a line, found the end of the text"],
    ['x + 1', 1, 1, "expected a section such as 'input:' at the beginning of a line, found 'x'"],
    ['input: int\naction: 3', 1, 1, "the document has no section 'output:'"],
    [`${head}acton: 3`, 3, 1, 'no section is called "acton"'],
    [`${head}input: int`, 3, 1, "the section 'input:' stands twice"],
    [`${head}action: 1 +`, 3, 12, 'expected an expression, found the end of the text'],
    [
      `${head}action: f(1, 2\nfcns: g = fcn(-> int) 1`,
      4,
      1,
      "expected ',' or ')' in the arguments of f, found the section 'fcns:'",
    ],
    [`${head}action: f(1 2)`, 3, 13, "expected ',' or ')' in the arguments of f, found '2'"],
    [`${head}action: 1 2`, 3, 11, "found '2'"],
    [`${head}action: else`, 3, 9, "expected an expression, found the keyword 'else'"],
    [`${head}action: "abc`, 3, 9, 'no closing double quote'],
    [`${head}action: $`, 3, 9, 'expected a name, a value or an operator, found "$"'],
    [`${head}action: if x 1`, 3, 12, "expected '(' after 'if', found 'x'"],
    [`${head}action: foreach (x) 1`, 3, 18, "expected 'name: array' or 'key, value: map', found 'x'"],
    [`${head}action: {}`, 3, 10, 'a block holds at least one'],
    [`${head}action: fcn(x: int) x`, 3, 19, "expected ',' or '->' and the type of the result, found ')'"],
    [
      `${head}action: json(arra(int), [])`,
      3,
      14,
      "expected array, map, union, record, enum or fixed before the parenthesis, found 'arra'",
    ],
    [`${head}action: json(map(int), {a: 1, a: 2})`, 3, 31, 'the key "a" stands twice'],
    [`${head}action: 1\nmethod: mop`, 4, 9, "expected map, emit or fold, found 'mop'"],
    [`${head}action: 1\nversion: x`, 4, 10, "expected a whole number, found 'x'"],
    [`${head}action: 1\ncells: a(int)`, 4, 14, "expected '=' and the first value after the declaration of a"],
    [`${head}action: 1\ncells: a(int) = 1 b(int) = 2`, 4, 19, "expected ';' between"],
    [`${head}action: 1\ntypes: a = int; a = int`, 4, 21, 'the type a is defined twice'],
    [`${head}action: 1\npools: a(int) = []`, 4, 8, 'the pool a needs an object'],
  ]
  test.each(cases)('%j', (text, line, column, message) => {
    const error = thrown(() => parsePretty(text))
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ kind: 'syntax', at: { line, column } })
  })
})

test('places are those of the expressions', () => {
  const document = parsePretty('input: int\noutput: int\naction:\n  var x = 1;\n  f(x,\n    y + z)\n')
  expect(document.place('/action/0')).toMatchObject({ line: 4, column: 3 })
  expect(document.place('/action/0/let/x')).toMatchObject({ line: 4, column: 11 })
  expect(document.place('/action/1/f/0')).toMatchObject({ line: 5, column: 5 })
  expect(document.place('/action/1/f/1/+/1')).toMatchObject({ line: 6, column: 9 })
  expect(document.place('/nowhere')).toBeUndefined()
})

function thrown(action: () => unknown): PfaError {
  try {
    action()
  } catch (error) {
    return error as PfaError
  }
  throw new Error('expected an error, got none')
}
