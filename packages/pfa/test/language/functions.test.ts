import { describe } from 'vitest'
import { doc, row, testRows } from './table.ts'

const int = '"int"'
const ints = '{"type": "array", "items": "int"}'
const fcns = (text: string) => `"fcns": {${text}}`
const add = '"add": {"params": [{"x": "int"}, {"y": "int"}], "ret": "int", "do": {"+": ["x", "y"]}}'

describe('user functions', () => {
  testRows([
    row('call', int, '{"u.add": [1, 2]}', '3', fcns(add)),
    row('without parameters', int, '{"u.one": []}', '1', fcns('"one": {"params": [], "ret": "int", "do": 1}')),
    row(
      'arguments are promoted',
      '"double"',
      '{"u.half": [3]}',
      '1.5',
      fcns('"half": {"params": [{"x": "double"}], "ret": "double", "do": {"/": ["x", 2]}}'),
    ),
    row('too few arguments', int, '{"u.add": [1]}', 'semantic', fcns(add)),
    row('an argument of another type', int, '{"u.add": [1, ["x"]]}', 'semantic', fcns(add)),
    row('a result of another type', int, '1', 'semantic', fcns('"f": {"params": [], "ret": "int", "do": ["x"]}')),
    row(
      'recursion',
      int,
      '{"u.fact": [5]}',
      '120',
      fcns(
        '"fact": {"params": [{"n": "int"}], "ret": "int", "do": {"if": {"<": ["n", 2]}, "then": 1, "else": {"*": ["n", {"u.fact": [{"-": ["n", 1]}]}]}}}',
      ),
    ),
    row(
      'endless recursion is an error',
      int,
      '{"u.f": [1]}',
      'runtime',
      fcns('"f": {"params": [{"n": "int"}], "ret": "int", "do": {"u.f": ["n"]}}'),
    ),
    row(
      'sees only its parameters',
      int,
      '[{"let": {"z": 1}}, {"u.f": []}]',
      'semantic',
      fcns('"f": {"params": [], "ret": "int", "do": "z"}'),
    ),
    row(
      'does not see the input',
      int,
      '{"u.f": []}',
      'semantic',
      fcns('"f": {"params": [], "ret": "null", "do": "input"}'),
    ),
    row(
      'a parameter twice',
      int,
      '1',
      'syntax',
      fcns('"f": {"params": [{"x": "int"}, {"x": "int"}], "ret": "int", "do": 1}'),
    ),
    row('unknown', int, '{"u.g": [1]}', 'semantic', fcns(add)),
    row(
      'a hostile name',
      int,
      '{"u.constructor": [1]}',
      '1',
      fcns('"constructor": {"params": [{"x": "int"}], "ret": "int", "do": "x"}'),
    ),
  ])
})

describe('labels of a signature', () => {
  testRows([
    row('hold for all that they name', '["int", "string"]', '{"+": [1, ["x"]]}', 'semantic'),
    row('hold after promotion', '"double"', '{"//": [1, 2.0]}', 'semantic'),
    row('are no unions', '"double"', '{"m.abs": {"type": ["int", "double"], "value": {"int": 1}}}', 'semantic'),
  ])
})

describe('functions as arguments', () => {
  testRows([
    row(
      'cannot be given what they do not take',
      '{"type": "array", "items": ["string", "int"]}',
      '{"a.filter": [{"type": {"type": "array", "items": "string"}, "value": []}, {"params": [{"x": "int"}], "ret": "boolean", "do": true}]}',
      'semantic',
    ),
    row(
      'nor wider numbers',
      '"double"',
      '{"a.fold": [{"type": {"type": "array", "items": "int"}, "value": [1]}, 0.5, {"params": [{"t": "int"}, {"x": "int"}], "ret": "int", "do": "t"}]}',
      'semantic',
    ),
    [
      'inline',
      doc(ints, ints, '{"a.map": ["input", {"params": [{"x": "int"}], "ret": "int", "do": {"*": ["x", 2]}}]}'),
      ['[1, 2]'],
      ['[2, 4]'],
    ],
    [
      'an inline function reads what is around it',
      doc(
        ints,
        ints,
        '[{"let": {"f": 10}}, {"a.map": ["input", {"params": [{"x": "int"}], "ret": "int", "do": {"*": ["x", "f"]}}]}]',
      ),
      ['[1, 2]'],
      ['[10, 20]'],
    ],
    [
      'an inline function may not set what is around it',
      doc(
        ints,
        ints,
        '[{"let": {"f": 10}}, {"a.map": ["input", {"params": [{"x": "int"}], "ret": "int", "do": [{"set": {"f": 1}}, "x"]}]}]',
      ),
      [],
      'semantic',
    ],
    [
      'an inline function has symbols of its own',
      doc(
        ints,
        ints,
        '{"a.map": ["input", {"params": [{"x": "int"}], "ret": "int", "do": [{"let": {"y": "x"}}, {"set": {"y": {"+": ["y", 1]}}}, "y"]}]}',
      ),
      ['[1, 2]'],
      ['[2, 3]'],
    ],
    [
      'a reference to a user function',
      doc(
        ints,
        ints,
        '{"a.map": ["input", {"fcn": "u.neg"}]}',
        fcns('"neg": {"params": [{"x": "int"}], "ret": "int", "do": {"u-": "x"}}'),
      ),
      ['[1, 2]'],
      ['[-1, -2]'],
    ],
    [
      'a reference to a library function',
      doc(ints, '{"type": "array", "items": "double"}', '{"a.map": ["input", {"fcn": "m.sqrt"}]}'),
      ['[4, 9]'],
      ['[2.0, 3.0]'],
    ],
    ['a reference to an unknown function', doc(ints, ints, '{"a.map": ["input", {"fcn": "u.none"}]}'), [], 'semantic'],
    [
      'a partial application',
      doc(ints, ints, '{"a.map": ["input", {"fcn": "u.add", "fill": {"y": 100}}]}', fcns(add)),
      ['[1, 2]'],
      ['[101, 102]'],
    ],
    [
      'filled in with what is there now',
      doc(ints, ints, '[{"let": {"n": 5}}, {"a.map": ["input", {"fcn": "u.add", "fill": {"x": "n"}}]}]', fcns(add)),
      ['[1, 2]'],
      ['[6, 7]'],
    ],
    [
      'filling in an unknown parameter',
      doc(ints, ints, '{"a.map": ["input", {"fcn": "u.add", "fill": {"z": 100}}]}', fcns(add)),
      [],
      'semantic',
    ],
    [
      'filling in nothing',
      doc(ints, ints, '{"a.map": ["input", {"fcn": "u.add", "fill": {}}]}', fcns(add)),
      [],
      'syntax',
    ],
    ['a function where a value is wanted', doc(ints, ints, '{"+": [{"fcn": "u.add"}, 1]}', fcns(add)), [], 'semantic'],
    [
      'a wrong number of parameters',
      doc(ints, ints, '{"a.map": ["input", {"fcn": "u.add"}]}', fcns(add)),
      [],
      'semantic',
    ],
    [
      'sort by an inline order',
      doc(
        ints,
        ints,
        '{"a.sortLT": ["input", {"params": [{"x": "int"}, {"y": "int"}], "ret": "boolean", "do": {">": ["x", "y"]}}]}',
      ),
      ['[1, 3, 2]'],
      ['[3, 2, 1]'],
    ],
  ])
})

describe('call by name', () => {
  const choice = '{"type": "enum", "name": "Choice", "symbols": ["one", "twice"]}'
  const named = fcns(
    '"one": {"params": [{"x": "int"}], "ret": "int", "do": "x"}, "twice": {"params": [{"x": "int"}], "ret": "int", "do": {"*": ["x", 2]}}',
  )
  testRows([
    ['by an enum', doc(choice, int, '{"call": "input", "args": [21]}', named), ['"one"', '"twice"'], ['21', '42']],
    [
      'a symbol without a function',
      doc(
        '{"type": "enum", "name": "Choice", "symbols": ["one", "none"]}',
        int,
        '{"call": "input", "args": [21]}',
        named,
      ),
      [],
      'semantic',
    ],
    ['by a string', doc('"string"', int, '{"call": "input", "args": [21]}', named), [], 'semantic'],
    ['wrong arguments', doc(choice, int, '{"call": "input", "args": []}', named), [], 'semantic'],
  ])
})
