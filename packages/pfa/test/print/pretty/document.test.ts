import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/forms/json.ts'
import { parsePretty } from '../../../src/forms/pretty/sections.ts'
import { printPretty } from '../../../src/print/pretty/document.ts'
import { meaning } from '../meaning.ts'

/** The text of one expression, in a document with the cell `some`, the pool `other` and the function u.f. */
function printed(expression: string): string {
  const text = `{"input": "int", "output": "int", "action": [${expression}],
    "cells": {"some": {"type": "int", "init": 0}}, "pools": {"other": {"type": "int", "init": {}}},
    "fcns": {"f": {"params": [{"x": "int"}], "ret": "int", "do": "x"}}}`
  const { root } = parseJson(text)
  const pretty = printPretty(root)
  expect(meaning(parsePretty(pretty).root)).toEqual(meaning(root))
  return /action:\n([\s\S]*)fcns:/.exec(pretty)![1]!.replaceAll(/^ {2}/gm, '').trimEnd()
}

describe('expressions', () => {
  const cases: [pfa: string, pretty: string][] = [
    ['{"string": "a\\"b\\n"}', '"a\\"b\\n"'],
    ['["x"]', '"x"'],
    ['"input.a.b"', 'input.a.b'],
    ['"some.a"', '`some`["a"]'],
    ['"m.sqrt"', 'm["sqrt"]'],
    ['"if"', '`if`'],
    ['{"int": 3}', 'int(3)'],
    ['{"long": 3}', 'long(3)'],
    ['{"double": 3}', 'double(3)'],
    ['{"type": "int", "value": 3}', 'json(int, 3)'],
    ['{"type": {"type": "string"}, "value": "x"}', 'json(string, "x")'],
    ['{"type": "bytes", "value": "x"}', 'pfa({type: "bytes", value: "x"})'],
    ['{"base64": "aGk="}', 'bytes("aGk=")'],
    ['{"+": [{"*": [1, 2]}, {"+": [3, 4]}]}', '1 * 2 + (3 + 4)'],
    ['{"-": [{"-": ["a", "b"]}, {"-": ["c", "d"]}]}', 'a - b - (c - d)'],
    ['{"==": [{"==": ["a", "b"]}, "c"]}', '(a == b) == c'],
    ['{"**": [-2, {"**": ["a", 2]}]}', '(-2)**(a**2)'],
    ['{"u-": [3]}', '-(3)'],
    ['{"u-": "x"}', '-x'],
    ['{"!": [{"&&": ["a", "b"]}]}', '!(a && b)'],
    ['{"//": ["a", "b"]}', 'a idiv b'],
    ['{"m.sqrt": "x", "@": "line 3"}', 'm.sqrt(x)'],
    ['{"a.map": ["x", {"fcn": "u.f"}]}', 'a.map(x, u.f)'],
    ['{"a.map": ["x", {"fcn": "+", "fill": {"y": 1}}]}', 'a.map(x, pfa({fcn: "+", fill: {y: 1}}))'],
    ['{"f": [{"set": {"x": 1}}, {"set": {"y": 2}}]}', 'f((x = 1), (y = 2))'],
    ['{"let": {"x": 1, "if": "x"}}', 'var x = 1, `if` = x'],
    ['{"attr": {"cell": "some"}, "path": [["a"], "i"]}', '(some)["a", i]'],
    ['{"attr": "x", "path": [["a"], ["b c"], ["d"]]}', 'x.a["b c", "d"]'],
    ['{"attr": {"f": ["x"]}, "path": [0], "to": 3}', 'f(x)[0] = 3'],
    ['{"cell": "some", "to": {"fcn": "u.f"}}', 'some to u.f'],
    ['{"pool": "other", "path": [["k"]], "to": 3, "init": 3}', 'other.k = 3'],
    ['{"pool": "other", "path": [["k"]], "to": {"fcn": "u.f"}, "init": 0}', 'other.k to u.f init 0'],
    ['{"pool": "other", "del": "k"}', 'pfa({pool: "other", del: "k"})'],
    ['{"if": "a", "then": 1, "else": 2}', 'if (a) 1 else 2'],
    ['{"if": "a", "then": {"if": "b", "then": 1}, "else": 2}', 'if (a) {\n  if (b) 1\n} else 2'],
    [
      '{"cond": [{"if": "a", "then": 1}, {"if": "b", "then": 2}], "else": 3}',
      'if (a) {\n  1\n} else if (b) {\n  2\n} else {\n  3\n}',
    ],
    ['{"while": "a", "do": [{"set": {"x": 1}}, "y"]}', 'while (a) {\n  x = 1;\n  y\n}'],
    ['{"do": "a", "until": "b"}', 'do {\n  a\n} until (b)'],
    ['{"foreach": "x", "in": "y", "do": "x", "seq": true}', 'foreach (x: y, seq: true) x'],
    ['{"foreach": "x", "in": "y", "do": "x"}', 'foreach (x: y, seq: true) x'],
    ['{"foreach": "x", "in": "y", "do": "x", "seq": false}', 'foreach (x: y) x'],
    ['{"try": {"*": [{"+": ["a", "b"]}, "c"]}}', 'try {\n  (a + b) * c\n}'],
    ['{"try": "a", "filter": ["x", 3]}', 'try ("x", 3) a'],
    ['{"log": "x"}', 'log(x)'],
    ['{"error": "no", "code": -3}', 'error("no", code: -3)'],
  ]
  test.each(cases)('%s', (pfa, pretty) => {
    expect(printed(pfa)).toBe(pretty)
  })
})

test('a document is laid out for a reader', () => {
  const text = `{"name": "Example", "version": 3, "method": "map", "options": {"timeout": 100},
    "input": {"type": "record", "name": "Input", "fields": [
      {"name": "x", "type": "double"}, {"name": "label", "type": ["null", "string"], "default": null}]},
    "output": {"type": "array", "items": "double"},
    "cells": {"model": {"type": {"type": "array", "items": {"type": "record", "name": "Node", "namespace": "tree",
      "fields": [{"name": "next", "type": ["null", "Node"]}]}}, "init": [{"next": null}], "shared": true}},
    "action": [{"let": {"sum": 0.0}},
      {"a.map": [{"cell": "model"}, {"params": [{"node": "tree.Node"}], "ret": "double", "do": [
        {"set": {"sum": {"+": ["sum", 1]}}}, "sum"]}]}],
    "fcns": {"half": {"params": [{"x": "double"}], "ret": "double", "do": {"/": ["x", 2]}}}}`
  const pretty = printPretty(parseJson(text).root)
  expect(pretty).toBe(`name: Example
version: 3
options: {timeout: 100}
types:
  {
    type: "record",
    name: "Input",
    fields: [{name: "x", type: "double"}, {name: "label", type: ["null", "string"], default: null}]
  };
  record(tree.Node, next: union(null, tree.Node))
input: Input
output: array(double)
cells:
  model(array(tree.Node), shared: true) = [{next: null}]
action:
  var sum = 0.0;
  a.map(model, fcn(node: tree.Node -> double) {
    sum = sum + 1;
    sum
  })
fcns:
  half = fcn(x: double -> double) x / 2
`)
  expect(meaning(parsePretty(pretty).root)).toEqual(meaning(parseJson(text).root))
})

describe('refuses what is no document', () => {
  const cases: [json: string, message: RegExp][] = [
    ['[1]', /expected an object, found \[1\]/],
    ['{"input": "int", "output": "int", "action": 1, "wrong": 2}', /expected a field that PFA has, found "wrong"/],
    ['{"input": 3, "output": "int", "action": 1}', /expected a type, found 3/],
    ['{"input": "int", "output": "int", "action": 1, "cells": {"a b": {"type": "int", "init": 1}}}', /expected a name/],
    ['{"input": "int", "output": "int", "action": 1, "cells": {"a": {"init": 1}}}', /the type of a/],
  ]
  test.each(cases)('%s', (json, message) => {
    expect(() => printPretty(parseJson(json).root)).toThrow(message)
  })
})
