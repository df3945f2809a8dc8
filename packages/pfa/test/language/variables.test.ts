import { describe } from 'vitest'
import { row, testRows } from './table.ts'

const int = '"int"'

describe('let', () => {
  testRows([
    row('declares a symbol', int, '[{"let": {"x": 1}}, "x"]', '1'),
    row('gives null', '"null"', '[{"let": {"x": 1}}]', 'null'),
    row('evaluates in parallel', int, '[{"let": {"x": 1, "y": "x"}}, "y"]', 'semantic'),
    row('twice in one scope', int, '[{"let": {"x": 1}}, {"let": {"x": 2}}, "x"]', 'semantic'),
    row('shadowing in an inner scope', int, '[{"let": {"x": 1}}, {"do": [{"let": {"x": 2}}, "x"]}]', 'semantic'),
    row('the name of the input', int, '[{"let": {"input": 1}}, "input"]', 'semantic'),
    row('a symbol ends with its scope', int, '[{"do": [{"let": {"x": 1}}]}, "x"]', 'semantic'),
    row('the same name in two scopes', int, '[{"do": [{"let": {"x": 1}}]}, {"do": [{"let": {"x": 2}}, "x"]}]', '2'),
    row('as an argument', int, '{"+": [{"let": {"x": 1}}, 1]}', 'semantic'),
    row('a name that is none', int, '[{"let": {"x y": 1}}, 2]', 'semantic'),
    row(
      'hostile names',
      int,
      '[{"let": {"__proto__": 1, "constructor": 2, "arguments": 3}}, {"+": [{"+": ["__proto__", "constructor"]}, "arguments"]}]',
      '6',
    ),
    row(
      'words of JavaScript',
      int,
      '[{"let": {"function": 1, "await": 2, "this": 3, "null": 4}}, {"+": [{"+": ["function", "await"]}, {"+": ["this", "null"]}]}]',
      '10',
    ),
  ])
})

describe('set', () => {
  testRows([
    row('changes a symbol', int, '[{"let": {"x": 1}}, {"set": {"x": 2}}, "x"]', '2'),
    row('gives null', '"null"', '[{"let": {"x": 1}}, {"set": {"x": 2}}]', 'null'),
    row(
      'evaluates in parallel',
      int,
      '[{"let": {"x": 1, "y": 2}}, {"set": {"x": "y", "y": "x"}}, {"-": ["x", "y"]}]',
      '1',
    ),
    row('an unknown symbol', int, '[{"set": {"x": 2}}, 1]', 'semantic'),
    row('another type', int, '[{"let": {"x": 1}}, {"set": {"x": ["a"]}}, "x"]', 'semantic'),
    row('a wider type', int, '[{"let": {"x": 1}}, {"set": {"x": 1.5}}, 1]', 'semantic'),
    row('a narrower type', '"double"', '[{"let": {"x": 1.5}}, {"set": {"x": 1}}, "x"]', '1.0'),
    row('from an inner scope', int, '[{"let": {"x": 1}}, {"do": [{"set": {"x": 2}}]}, "x"]', '2'),
    row('the input', int, '[{"set": {"input": null}}, 1]', 'semantic'),
  ])
})

describe('symbols', () => {
  testRows([
    row('unknown', int, '"x"', 'semantic'),
    row('do gives its last value', int, '{"do": [1, 2, {"+": [1, 2]}]}', '3'),
    row('an empty do', int, '{"do": []}', 'syntax'),
    row('an action of several expressions gives the last', int, '[1, 2]', '2'),
    row('an empty action', int, '[]', 'syntax'),
    row('name', '"string"', '"name"', '"Named"', '"name": "Named"'),
    row('version', int, '"version"', '3', '"version": 3'),
    row('version of a document that has none', int, '"version"', 'semantic'),
    row('instance', int, '"instance"', '0'),
    row('actionsStarted counts this action', '"long"', '"actionsStarted"', '1'),
    row('actionsFinished does not', '"long"', '"actionsFinished"', '0'),
    row('tally belongs to fold', int, '"tally"', 'semantic'),
  ])
})
