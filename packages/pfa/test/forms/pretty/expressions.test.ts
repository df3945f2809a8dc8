import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/forms/json.ts'
import { parsePretty, parsePrettyExpressions } from '../../../src/forms/pretty/sections.ts'
import { printJson } from '../../../src/print/json.ts'

const json = (text: string) => printJson(parseJson(text).root)

/** In this document `some` is a cell, `other` a pool and `u.square` a function. */
function action(expression: string): string {
  const { root } = parsePretty(`input: double
output: double
action: ${expression}
cells: some(double) = 3
pools: other(double) = {}
fcns: square = fcn(x: double -> double) x**2
`)
  return printJson((root as { action: never }).action)
}

describe('expressions', () => {
  const cases: [pretty: string, pfa: string][] = [
    // literals
    ['1', '[1]'],
    ['-1', '[-1]'],
    ['- 1', '[{"u-": [1]}]'],
    ['2.', '[2.0]'],
    ['9223372036854775807', '[9223372036854775807]'],
    ['"a\\"b\\n\\u0041\\x42\\q"', '[{"string": "a\\"b\\nAB\\\\q"}]'],
    [`'a"b\\n'`, '[{"string": "a\\"b\\\\n"}]'],
    ['int(3)', '[3]'],
    ['int(3000000000)', '[{"int": 3000000000}]'],
    ['long(3)', '[{"long": 3}]'],
    ['float(3.5)', '[{"float": 3.5}]'],
    ['double(3)', '[3.0]'],
    ['bytes("aGk=")', '[{"base64": "aGk="}]'],
    ['json(null, null)', '[null]'],
    ['json(boolean, true)', '[{"type": "boolean", "value": true}]'],
    ['json(map(int), {a: 1, "b c": -2})', '[{"type": {"type": "map", "values": "int"}, "value": {"a": 1, "b c": -2}}]'],
    ['json(string, null)', 'expected a text for string'],
    ['Color@red', '[{"type": "Color", "value": "red"}]'],
    // precedence
    ['1 - 2 - 3', '[{"-": [{"-": [1, 2]}, 3]}]'],
    ['x-5', '[{"-": ["x", 5]}]'],
    ['x -5', '[{"-": ["x", 5]}]'],
    ['if (x) -1', '[{"if": "x", "then": [-1]}]'],
    ['-x**2', '[{"u-": [{"**": ["x", 2]}]}]'],
    ['-2**2', '[{"**": [-2, 2]}]'],
    ['2**3**4', '[{"**": [{"**": [2, 3]}, 4]}]'],
    ['2 * -x', '[{"*": [2, {"u-": ["x"]}]}]'],
    ['a | b ^ c & d', '[{"|": ["a", {"^": ["b", {"&": ["c", "d"]}]}]}]'],
    ['a || b ^^ c && !d == e', '[{"||": ["a", {"^^": ["b", {"&&": ["c", {"!": [{"==": ["d", "e"]}]}]}]}]}]'],
    ['a + !b', '[{"+": ["a", {"!": ["b"]}]}]'],
    ['a idiv b %% c', '[{"%%": [{"//": ["a", "b"]}, "c"]}]'],
    ['a < b < c', 'expected the end of the comparison'],
    // names, cells, pools, functions
    ['x', '["x"]'],
    ['x.y.z', '[{"attr": "x", "path": [{"string": "y"}, {"string": "z"}]}]'],
    ['x[1, "a"].b', '[{"attr": {"attr": "x", "path": [1, {"string": "a"}]}, "path": [{"string": "b"}]}]'],
    ['f(x)["id"]', '[{"attr": {"f": ["x"]}, "path": [{"string": "id"}]}]'],
    ['some', '[{"cell": "some"}]'],
    ['some.a[i]', '[{"cell": "some", "path": [{"string": "a"}, "i"]}]'],
    ['other["k"]', '[{"pool": "other", "path": [{"string": "k"}]}]'],
    ['`some` + `if`', '[{"+": ["some", "if"]}]'],
    ['f(m.sqrt, u.square)', '[{"f": [{"fcn": "m.sqrt"}, {"fcn": "u.square"}]}]'],
    ['f(u.square(x: 1))', '[{"f": [{"fcn": "u.square", "fill": {"x": 1}}]}]'],
    ['f(u.square(x: 1, 2))', 'expected only named arguments'],
    ['apply(input, 1, x)', '[{"call": "input", "args": [1, "x"]}]'],
    // assignment
    ['x = 1, y = x', '[{"set": {"x": 1, "y": "x"}}]'],
    ['var x = 1, y = 2; x', '[{"let": {"x": 1, "y": 2}}, "x"]'],
    ['var x = 1, x = 2', 'the name "x" stands twice'],
    ['some = 3', '[{"cell": "some", "to": 3}]'],
    ['some to u.square', '[{"cell": "some", "to": {"fcn": "u.square"}}]'],
    ['some.a to 3', "expected a function after 'to'"],
    ['some.a = u.square', "applied with 'to'"],
    ['other["a"] = 3', '[{"pool": "other", "path": [{"string": "a"}], "init": 3, "to": 3}]'],
    ['other["a"] to u.square', "expected 'init' and a value"],
    ['x.a = 3 init 4', "'init' belongs to pools only"],
    ['var y = (x["a"] = 3)', '[{"let": {"y": {"attr": "x", "path": [{"string": "a"}], "to": 3}}}]'],
    ['update(x, a: 3)', '[{"attr": "x", "path": [{"string": "a"}], "to": 3}]'],
    // control
    ['{a; b}', '["a", "b"]'],
    ['{a; b}; c', '[{"do": ["a", "b"]}, "c"]'],
    [
      'if (a) b else if (c) d else {e; f}',
      '[{"cond": [{"if": "a", "then": ["b"]}, {"if": "c", "then": ["d"]}], "else": ["e", "f"]}]',
    ],
    ['if (a) b else {if (c) d}', '[{"if": "a", "then": ["b"], "else": [{"if": "c", "then": ["d"]}]}]'],
    ['while (a) {b; c}', '[{"while": "a", "do": ["b", "c"]}]'],
    ['do a until (b)', '[{"do": ["a"], "until": "b"}]'],
    [
      'for (i = 0, j = 1; i < 3; i = i + 1) i',
      '[{"for": {"i": 0, "j": 1}, "while": {"<": ["i", 3]}, "step": {"i": {"+": ["i", 1]}}, "do": ["i"]}]',
    ],
    ['foreach (x: y, seq: true) x', '[{"foreach": "x", "in": "y", "do": ["x"], "seq": true}]'],
    ['foreach (k, v: y) k', '[{"forkey": "k", "forval": "v", "in": "y", "do": ["k"]}]'],
    [
      'cast (x, partial: true) { as (y: int) y as (z: string) {1; z} }',
      '[{"cast": "x", "cases": [{"as": "int", "named": "y", "do": ["y"]}, {"as": "string", "named": "z", "do": [1, "z"]}], "partial": true}]',
    ],
    ['upcast(union(int, null), x)', '[{"upcast": "x", "as": ["int", "null"]}]'],
    ['ifnotnull (a: x, b: y) a else b', '[{"ifnotnull": {"a": "x", "b": "y"}, "then": ["a"], "else": ["b"]}]'],
    ['pack("little int": x, double: y)', '[{"pack": [{"little int": "x"}, {"double": "y"}]}]'],
    [
      'unpack(x, a: "little int", b: raw) a else 3',
      '[{"unpack": "x", "format": [{"a": "little int"}, {"b": "raw"}], "then": ["a"], "else": [3]}]',
    ],
    ['try x', '[{"try": ["x"]}]'],
    ['try (x + 1)', '[{"try": [{"+": ["x", 1]}]}]'],
    ['try ("a", b, -3) x', '[{"try": ["x"], "filter": ["a", "b", -3]}]'],
    ['try (x + 1) y', "expected ',' or"],
    ['error("no", code: -3)', '[{"error": "no", "code": -3}]'],
    ['log(x, "y", namespace: here)', '[{"log": ["x", {"string": "y"}], "namespace": "here"}]'],
    ['doc("why")', '[{"doc": "why"}]'],
    ['new(array(int))', '[{"type": {"type": "array", "items": "int"}, "new": []}]'],
    ['new(map(int), a: 1)', '[{"type": {"type": "map", "values": "int"}, "new": {"a": 1}}]'],
    ['new(map(int), 1)', "expected a key and ':'"],
    ['f(fcn(-> int) 3)', '[{"f": [{"params": [], "ret": "int", "do": [3]}]}]'],
    ['pfa({"int": 3})', '[{"int": 3}]'],
    ['x // comment\n  + # another\n  y', '[{"+": ["x", "y"]}]'],
  ]
  test.each(cases)('%s', (pretty, pfa) => {
    if (pfa.startsWith('[')) expect(action(pretty)).toBe(json(pfa))
    else expect(() => action(pretty)).toThrow(pfa)
  })

  test('replacements stand for expressions, types and data', () => {
    const text = 'json(<<type>>, <<data>>) + <<pretty>> + <<pfa>>'
    const replacements = { type: { type: 'array', items: 'int' }, data: [1], pretty: 'x * y', pfa: { f: ['x'] } }
    expect(printJson(parsePrettyExpressions(text, { replacements }).root)).toBe(
      json(
        '[{"+": [{"+": [{"type": {"type": "array", "items": "int"}, "value": [1]}, {"*": ["x", "y"]}]}, {"f": ["x"]}]}]',
      ),
    )
    expect(() => parsePrettyExpressions('<<x>>')).toThrow('the replacement <<x>> has no value')
    const circle = { replacements: { x: '1 + <<x>>' } }
    expect(() => parsePrettyExpressions('<<x>>', circle)).toThrow(/nested more than 500 deep/)
  })

  test('deep nesting is refused before the stack overflows', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['-', ''],
      ['f(', ')'],
      ['{', '}'],
      ['if (a) ', ''],
    ] as const) {
      const text = `${open.repeat(100_000)}x${close.repeat(100_000)}`
      expect(() => parsePrettyExpressions(text)).toThrow(/nested more than 500 deep/)
    }
    expect(() => parsePrettyExpressions(`x${' + x'.repeat(10_000)}`)).toThrow(/nested too deep/)
    expect(() => parsePrettyExpressions(`json(array(int), ${'['.repeat(100_000)}`)).toThrow(/nested more than/)
    expect(() => parsePrettyExpressions(`json(${'array('.repeat(100_000)}`)).toThrow(/nested more than/)
  })
})
