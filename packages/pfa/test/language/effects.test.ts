import { describe, expect, test } from 'vitest'
import { compile } from '../../src/index.ts'
import { doc, kindOf, row, testRows } from './table.ts'

const int = '"int"'

describe('error', () => {
  testRows([
    row('ends the action', int, '[{"error": "no"}, 1]', 'user'),
    row('with a code', int, '[{"error": "no", "code": -3}, 1]', 'user -3'),
    row('with a code that is not negative', int, '[{"error": "no", "code": 3}, 1]', 'syntax'),
    [
      'fits every type',
      doc(int, int, '{"if": {">": ["input", 0]}, "then": "input", "else": {"error": "no"}}'),
      ['3', '-3'],
      ['3', 'user'],
    ],
    row('its text is no expression', int, '[{"error": ["x"]}, 1]', 'syntax'),
  ])
})

describe('try', () => {
  const caught = '["int", "null"]'
  testRows([
    [
      'gives null after an error',
      doc(int, caught, '{"try": {"//": [6, "input"]}}'),
      ['2', '0'],
      ['{"int": 3}', 'null'],
    ],
    [
      'catches user errors',
      doc(int, caught, '{"try": [{"if": {"==": ["input", 0]}, "then": {"error": "no"}}, "input"]}'),
      ['2', '0'],
      ['{"int": 2}', 'null'],
    ],
    [
      'a filter by text',
      doc(
        int,
        caught,
        '{"try": [{"if": {"==": ["input", 0]}, "then": {"error": "no"}}, {"//": [6, "input"]}], "filter": ["no"]}',
      ),
      ['2', '0'],
      ['{"int": 3}', 'null'],
    ],
    [
      'a filter lets other errors through',
      doc(int, caught, '{"try": {"//": [6, "input"]}, "filter": ["no", 18060]}'),
      ['2', '0'],
      ['{"int": 3}', 'runtime 18040'],
    ],
    ['a filter by code', doc(int, caught, '{"try": {"//": [6, "input"]}, "filter": [18040]}'), ['0'], ['null']],
    [
      'a filter by a user code',
      doc(int, caught, '{"try": [{"error": "no", "code": -7}, 1], "filter": [-7]}'),
      ['0'],
      ['null'],
    ],
    [
      'does not catch the timeout',
      doc(int, caught, '{"try": [{"while": true, "do": 1}, 1]}', '"options": {"timeout": 50}'),
      ['0'],
      ['timeout'],
    ],
    ['symbols end with it', doc(int, int, '[{"try": {"let": {"x": 1}}}, "x"]'), [], 'semantic'],
    ['of null is null', doc(int, '"null"', '{"try": null}'), ['0'], ['null']],
  ])
})

describe('doc', () => {
  testRows([
    row('gives null', '"null"', '{"doc": "why"}', 'null'),
    row('its text is no expression', '"null"', '{"doc": ["x"]}', 'syntax'),
    row('a line of the log without values', '"null"', '{"log": []}', 'null'),
  ])
})

describe('log', () => {
  test('gives the values and the namespace to whoever listens, and null to the document', () => {
    const logged: unknown[] = []
    const program = compile(
      doc(int, '"null"', '[{"log": ["input", ["text"]], "namespace": "here"}, {"log": {"+": ["input", 1]}}]'),
    )
    const instance = program.start({ log: (values, namespace) => logged.push([...values, namespace]) })
    expect(instance.actionJson('3')).toBe('null')
    expect(logged).toEqual([
      [3, 'text', 'here'],
      [4, undefined],
    ])
  })
})

describe('map, emit and fold', () => {
  testRows([
    [
      'emit',
      `{"method": "emit", ${doc(int, int, '[{"emit": "input"}, {"if": {">": ["input", 1]}, "then": {"emit": {"u-": "input"}}}]').slice(1)}`,
      ['1', '2'],
      ['[1]', '[2, -2]'],
    ],
    [
      'emit in a user function',
      `{"method": "emit", ${doc(int, int, '{"u.f": "input"}', '"fcns": {"f": {"params": [{"x": "int"}], "ret": "null", "do": {"emit": "x"}}}').slice(1)}`,
      ['1'],
      ['[1]'],
    ],
    [
      'emit as an argument',
      `{"method": "emit", ${doc('{"type": "array", "items": "int"}', int, '{"a.map": ["input", {"fcn": "emit"}]}').slice(1)}`,
      ['[1, 2]'],
      ['[1, 2]'],
    ],
    ['emit of another type', `{"method": "emit", ${doc(int, int, '{"emit": ["x"]}').slice(1)}`, [], 'semantic'],
    ['emit belongs to emit documents', doc(int, int, '[{"emit": "input"}, 1]'), [], 'semantic'],
    [
      'the result of an emit document is not emitted',
      `{"method": "emit", ${doc(int, int, '["x"]').slice(1)}`,
      ['1'],
      'semantic',
    ],
    [
      'fold',
      `{"method": "fold", "zero": 0, "merge": {"+": ["tallyOne", "tallyTwo"]}, ${doc(int, int, '{"+": ["input", "tally"]}').slice(1)}`,
      ['1', '2', '3'],
      ['1', '3', '6'],
    ],
    [
      'fold needs zero',
      `{"method": "fold", "merge": {"+": ["tallyOne", "tallyTwo"]}, ${doc(int, int, '1').slice(1)}`,
      [],
      'syntax',
    ],
    ['fold needs merge', `{"method": "fold", "zero": 0, ${doc(int, int, '1').slice(1)}`, [], 'syntax'],
    ['map has no merge', `{"zero": 0, "merge": 1, ${doc(int, int, '1').slice(1)}`, [], 'syntax'],
    [
      'zero of another type',
      `{"method": "fold", "zero": "x", "merge": "tallyOne", ${doc(int, int, '1').slice(1)}`,
      [],
      'semantic',
    ],
    [
      'any text is a name',
      `{"name": "iris-2 (old)", ${doc(int, '"string"', '"name"').slice(1)}`,
      ['1'],
      ['"iris-2 (old)"'],
    ],
    ['an unknown method', `{"method": "mop", ${doc(int, int, '1').slice(1)}`, [], 'syntax'],
    ['an unknown field', `{"mehtod": "map", ${doc(int, int, '1').slice(1)}`, [], 'syntax'],
    ['a result of another type', doc(int, int, '["x"]'), [], 'semantic'],
    ['no action', '{"input": "int", "output": "int"}', [], 'syntax'],
  ])

  test('begin and end run around the actions and share cells with them', () => {
    const program = compile(
      doc(
        int,
        int,
        '{"cell": "c", "to": {"params": [{"x": "int"}], "ret": "int", "do": {"+": ["x", 1]}}}',
        '"cells": {"c": {"type": "int", "init": 0}}, "begin": {"cell": "c", "to": 100}, "end": {"cell": "c", "to": -1}',
      ),
    )
    const instance = program.start()
    instance.begin()
    expect([instance.action(0), instance.action(0)]).toEqual([101, 102])
    instance.end()
    expect(instance.snapshot().cells).toEqual({ c: -1 })
  })

  test('merge joins two tallies', () => {
    const program = compile(
      `{"method": "fold", "zero": 0, "merge": {"*": ["tallyOne", "tallyTwo"]}, ${doc(int, int, '{"+": ["input", "tally"]}').slice(1)}`,
    )
    const instance = program.start()
    expect(instance.merge(6, 7)).toBe(42)
    expect(instance.tally).toBe(42)
  })

  test('instances have state of their own, and a snapshot brings it back', () => {
    const program = compile(
      doc(
        int,
        int,
        '{"cell": "c", "to": {"params": [{"x": "int"}], "ret": "int", "do": {"+": ["x", "input"]}}}',
        '"cells": {"c": {"type": "int", "init": 0}}',
      ),
    )
    const [one, two] = [program.start(), program.start()]
    one.action(5)
    expect(two.action(1)).toBe(1)
    const snapshot = one.snapshot()
    one.action(5)
    one.restore(snapshot)
    expect(one.action(1)).toBe(6)
  })

  test('the same seed gives the same random numbers', () => {
    const program = () => compile(doc('"null"', '"double"', '{"rand.double": [0, 1]}', '"randseed": 12345'))
    const numbers = () => {
      const instance = program().start()
      return [instance.action(null), instance.action(null)]
    }
    const first = numbers()
    expect(numbers()).toEqual(first)
    expect(first[0]).not.toBe(first[1])
  })

  test('an error says where it happened', () => {
    const text = '{"input": "int",\n "output": "int",\n "action": [\n  {"let": {"x": 1}},\n  {"+": ["y", 1]}]}'
    try {
      compile(text)
      expect.unreachable()
    } catch (error) {
      expect(kindOf(error)).toBe('semantic')
      expect(error).toMatchObject({ at: { line: 5, pointer: expect.stringContaining('/action/1') } })
    }
  })

  test.each(['json', 'yaml', 'pretty'] as const)('a document is compiled from %s', (format) => {
    const texts = {
      json: doc(int, int, '{"+": ["input", 1]}'),
      yaml: 'input: int\noutput: int\naction: {+: [input, 1]}',
      pretty: 'input: int\noutput: int\naction: input + 1',
    }
    expect(compile(texts[format], { format }).start().action(1)).toBe(2)
  })
})
