// biome-ignore-all lint/suspicious/noThenProperty: `then` is a word of the language
// One running copy of a program: what comes in and goes out, its state, and what it shares with others.
import { describe, expect, test } from 'vitest'
import { PfaError } from '../src/errors.ts'
import { compile, Instance, NumberLexeme, parse } from '../src/index.ts'

describe.each([
  ['generated', true],
  ['interpreted', false],
])('instance, %s', (_, generate) => {
  const start = (document: object, options = {}) => compile(document, { generate }).start(options)

  test('a program tells what it takes and gives', () => {
    const fields = [{ name: 'x', type: 'double' }]
    const program = compile(
      {
        name: 'Scorer',
        version: 7,
        method: 'emit',
        metadata: { author: 'me', __proto__x: 'y' },
        input: { type: 'record', name: 'Point', namespace: 'geo', fields },
        output: ['null', 'string'],
        action: { emit: null },
      },
      { generate },
    )
    expect(program).toMatchObject({ name: 'Scorer', version: 7, method: 'emit', output: ['null', 'string'] })
    expect(program.metadata).toEqual({ author: 'me', __proto__x: 'y' })
    expect(program.input).toMatchObject({ type: 'record', fields })
    expect(program.source === '').toBe(!generate)
  })

  test('only actions roll back: what begin and end have done stays, though they fail', () => {
    const instance = start({
      input: 'int',
      output: 'int',
      cells: { c: { type: 'int', init: 1, rollback: true } },
      pools: { p: { type: 'int', rollback: true } },
      begin: [{ cell: 'c', to: 2 }, { pool: 'p', path: [['k']], to: 2, init: 0 }, { error: 'no' }],
      action: [{ cell: 'c', to: 3 }, { pool: 'p', path: [['k']], to: 3, init: 0 }, { error: 'no' }, 'input'],
    })
    expect(() => instance.begin()).toThrow(PfaError)
    expect(() => instance.action(1)).toThrow(PfaError)
    expect(instance.snapshot()).toMatchObject({ cells: { c: 2 }, pools: { p: { k: 2 } } })
  })

  test('a result beyond its type is an error of the document', () => {
    const fields = [
      { name: 'chi2', type: 'double' },
      { name: 'dof', type: 'int' },
    ]
    const instance = start({
      input: { type: 'record', name: 'State', fields },
      output: 'State',
      action: { 'stat.test.updateChi2': [1.0, 'input'] },
    })
    expect(instance.actionJson('{"chi2": 1, "dof": 1}')).toBe('{"chi2":2,"dof":2}')
    expect(() => instance.actionJson('{"chi2": 1, "dof": 2147483647}')).toThrow(PfaError)
  })

  test('emitted values go to emit and emitJson, also from begin and end', () => {
    const emitted: unknown[] = []
    const texts: string[] = []
    const instance = start(
      {
        method: 'emit',
        input: 'int',
        output: ['int', 'double'],
        begin: { emit: 1 },
        action: [{ emit: 'input' }, { emit: { '/': ['input', 2] } }],
        end: { emit: -1 },
      },
      { emit: (value: unknown) => emitted.push(value), emitJson: (text: string) => texts.push(text) },
    )
    instance.begin()
    expect(instance.action(3)).toBeUndefined()
    expect(instance.actionJson('4')).toBeUndefined()
    instance.end()
    expect(texts).toEqual(['{"int":1}', '{"int":3}', '{"double":1.5}', '{"int":4}', '{"double":2}', '{"int":-1}'])
    expect(emitted).toHaveLength(6)
  })

  test('an emit document without anybody to emit to runs all the same', () => {
    expect(start({ method: 'emit', input: 'int', output: 'int', action: { emit: 'input' } }).action(1)).toBeUndefined()
  })

  test('text in and out keeps all digits, tags and special numbers', () => {
    const echo = (type: unknown) => start({ input: type, output: type, action: 'input' })
    expect(echo('long').actionJson('9007199254740993')).toBe('9007199254740993')
    expect(echo('long').actionJson('-9223372036854775808')).toBe('-9223372036854775808')
    expect(echo('double').actionJson('"NaN"')).toBe('"NaN"')
    expect(echo('double').actionJson('"-Infinity"')).toBe('"-Infinity"')
    expect(echo(['int', 'string', 'null']).actionJson('{"string":"a"}')).toBe('{"string":"a"}')
    expect(echo(['int', 'string', 'null']).actionJson('null')).toBe('null')
    expect(echo('bytes').actionJson('"\\u00ff"')).toBe('"ÿ"')
  })

  test.each([
    ['int', '"x"'],
    ['int', '2147483648'],
    ['long', '9223372036854775808'],
    [{ type: 'enum', name: 'E', symbols: ['A'] }, '"B"'],
    [{ type: 'fixed', name: 'F', size: 2 }, '"a"'],
    [{ type: 'record', name: 'R', fields: [{ name: 'x', type: 'int' }] }, '{}'],
    ['int', '{'],
  ])('an input that is no %j is an error, and no action', (input, text) => {
    const instance = start({ input, output: 'long', action: 'actionsStarted' })
    expect(() => instance.actionJson(text)).toThrow(PfaError)
    expect(instance.snapshot().actionsStarted).toBe(0)
  })

  test('defaults stand in for missing fields, unknown fields are left out', () => {
    const fields = [
      { name: 'x', type: 'int' },
      { name: 'y', type: 'int', default: 5 },
    ]
    const type = { type: 'record', name: 'R', fields }
    const instance = start({ input: type, output: type, action: 'input' })
    expect(instance.action({ x: 1, other: 2 })).toEqual({ x: 1, y: 5 })
  })

  test('counts start at 1 and 0, and failed actions are started, not finished', () => {
    const pair = { type: 'array', items: 'long' }
    const action = [
      { if: { '<': ['input', 0] }, then: { error: 'negative' } },
      { type: pair, new: ['actionsStarted', 'actionsFinished'] },
    ]
    const instance = start({ input: 'int', output: pair, action })
    expect(instance.action(1)).toEqual([1, 0])
    expect(() => instance.action(-1)).toThrow('negative')
    expect(instance.action(1)).toEqual([3, 1])
  })

  const counter = {
    input: 'string',
    output: 'long',
    cells: { total: { type: 'long', init: 0 }, constant: { type: 'long', init: 100 } },
    pools: { seen: { type: 'int', init: { a: 1 } } },
    action: [
      { cell: 'total', to: { params: [{ old: 'long' }], ret: 'long', do: { '+': ['old', 1] } } },
      { pool: 'seen', path: ['input'], to: { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } }, init: 0 },
      { '+': [{ '+': [{ cell: 'total' }, { cell: 'constant' }] }, { pool: 'seen', path: ['input'] }] },
    ],
  }

  test('a snapshot is plain, is not changed by what follows, and can be gone on from in another instance', () => {
    const program = compile(counter, { generate })
    const one = program.start()
    one.action('a')
    const state = one.snapshot()
    expect(state).toEqual({
      cells: { total: 1, constant: 100 },
      pools: { seen: { a: 2 } },
      actionsStarted: 1,
      actionsFinished: 1,
    })
    expect(one.action('a')).toBe(105)
    expect(state.pools).toEqual({ seen: { a: 2 } })
    const other = program.start()
    other.restore(JSON.parse(JSON.stringify(state)))
    expect(other.action('a')).toBe(105)
    expect(other.snapshot()).toEqual(one.snapshot())
  })

  test('longs of a snapshot are exact', () => {
    const instance = start({
      input: 'long',
      output: 'long',
      cells: { c: { type: 'long', init: 0 } },
      action: { cell: 'c', to: 'input' },
    })
    instance.actionJson('9007199254740993')
    const state = instance.snapshot()
    expect(state.cells).toEqual({ c: 9007199254740993n })
    instance.restore(state)
    expect(instance.snapshot()).toEqual(state)
  })

  test('first values of cells and pools can be given', () => {
    const instance = start(counter, { cells: { total: 10, constant: 0 }, pools: { seen: { b: 5 } } })
    expect(instance.action('b')).toBe(17)
    expect(() => start(counter, { cells: { total: 'x' } })).toThrow(PfaError)
  })

  test('instances have a state of their own, except what is shared', () => {
    const add = { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } }
    const program = compile(
      {
        input: 'null',
        output: { type: 'array', items: 'int' },
        cells: { own: { type: 'int', init: 0 }, common: { type: 'int', init: 0, shared: true } },
        pools: { pool: { type: 'int', shared: true } },
        action: [
          { cell: 'own', to: add },
          { cell: 'common', to: add },
          { pool: 'pool', path: [['k']], to: add, init: 0 },
          {
            type: { type: 'array', items: 'int' },
            new: [{ cell: 'own' }, { cell: 'common' }, { pool: 'pool', path: [['k']] }, 'instance'],
          },
        ],
      },
      { generate },
    )
    const [one, two] = [program.start(), program.start()]
    expect(one.action(null)).toEqual([1, 1, 1, 0])
    expect(two.action(null)).toEqual([1, 2, 2, 1])
    expect(one.action(null)).toEqual([2, 3, 3, 0])
    expect(compile(counter, { generate }).start().action('a')).toBe(103)
  })

  test('what rolls back is as before after a failure, the rest is not', () => {
    const add = { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } }
    const stores = { type: 'int', init: 0 }
    const instance = start({
      input: 'boolean',
      output: 'null',
      cells: { kept: { ...stores, rollback: true }, changed: stores },
      pools: { kept: { type: 'int', init: { old: 1 }, rollback: true }, changed: { type: 'int' } },
      action: [
        { cell: 'kept', to: add },
        { cell: 'changed', to: add },
        { pool: 'kept', path: [['new']], to: add, init: 0 },
        { pool: 'kept', path: [['old']], to: add, init: 0 },
        { pool: 'changed', path: [['new']], to: add, init: 0 },
        { if: 'input', then: { error: 'no' } },
        null,
      ],
    })
    expect(() => instance.action(true)).toThrow('no')
    expect(instance.snapshot()).toMatchObject({
      cells: { kept: 0, changed: 1 },
      pools: { kept: { old: 1 }, changed: { new: 1 } },
    })
    instance.action(false)
    expect(instance.snapshot()).toMatchObject({ cells: { kept: 1, changed: 2 }, pools: { kept: { old: 2, new: 1 } } })
  })

  const sum = {
    method: 'fold',
    input: 'int',
    output: 'long',
    zero: 0,
    action: { '+': ['input', 'tally'] },
    merge: { '+': ['tallyOne', 'tallyTwo'] },
  }

  test('a fold keeps its tally, and two of them merge', () => {
    const program = compile(sum, { generate })
    const [one, two] = [program.start(), program.start()]
    expect([one.action(1), one.action(2), two.action(10)]).toEqual([1, 3, 10])
    expect(one.tally).toBe(3)
    expect(Instance.merge(one, two)).toBe(13)
    expect(one.tally).toBe(13)
    two.tally = 100
    expect(two.action(1)).toBe(101)
    const state = two.snapshot()
    one.restore(state)
    expect(one.tally).toBe(101)
    expect(one.merge(1, 2)).toBe(3)
    expect(() => start(counter).merge(1, 2)).toThrow(PfaError)
  })

  test('logs go to the host as plain JSON values', () => {
    const lines: unknown[] = []
    const type = { type: 'map', values: ['int', 'double', 'bytes'] }
    const instance = start(
      { input: type, output: 'null', action: [{ log: ['input', ['text']], namespace: 'space' }, { log: 1 }, null] },
      { log: (values: unknown, namespace: unknown) => lines.push([values, namespace]) },
    )
    instance.action({ a: { int: 1 }, b: { bytes: 'x' } })
    expect(lines).toEqual([
      [[{ a: { int: 1 }, b: { bytes: 'x' } }, 'text'], 'space'],
      [[1], undefined],
    ])
  })

  test('the same seed gives the same numbers', () => {
    const document = { input: 'null', output: 'double', randseed: 12345, action: { 'rand.double': [0, 1] } }
    const draw = (options = {}) => {
      const instance = start(document, options)
      return [instance.action(null), instance.action(null)]
    }
    expect(draw()).toEqual(draw())
    expect(draw({ randseed: 1 })).toEqual(draw({ randseed: 1 }))
    expect(draw({ randseed: 1 })).not.toEqual(draw())
    // Several instances of one program are a battery: each has numbers of its own, unless the host says otherwise.
    const program = compile(document, { generate })
    const [one, two] = [program.start(), program.start()]
    expect(one.action(null)).not.toBe(two.action(null))
    expect(program.start({ randseed: 5 }).action(null)).toBe(program.start({ randseed: 5 }).action(null))
  })
})

describe('compile', () => {
  test('takes text in every form, JSON values and parsed documents', () => {
    const documents = [
      compile('{"input": "int", "output": "double", "action": {"+": ["input", 1.0]}}'),
      compile('input: int\noutput: double\naction: {+: [input, 1.0]}\n', { format: 'yaml' }),
      compile('input: int\noutput: double\naction: input + 1.0\n', { format: 'pretty' }),
      compile({ input: 'int', output: 'double', action: { '+': ['input', new NumberLexeme('1.0')] } }),
      compile(parse('{"input": "int", "output": "double", "action": {"+": ["input", 1.0]}}', 'json')),
    ]
    for (const program of documents) expect(program.start().action(2)).toBe(3)
  })

  test.each([
    ['input: int\noutput: int\naction: {+: [input, inptu]}\n', 'semantic', '/action/+/1', 3, /did you mean "input"/],
    ['input: int\noutput: int\nacton: 1\naction: 1\n', 'syntax', '/acton', undefined, /did you mean "action"/],
    ['input: int\noutput: int\naction: {forech: x, in: y, do: 1}\n', 'syntax', '/action', 3, /did you mean "foreach"/],
    ['input: int\noutput: itn\naction: 1\n', 'semantic', '/output', 2, /itn/],
    ['input: int\noutput: int\naction: {m.sinn: input}\n', 'semantic', '/action', 3, /did you mean "m.sin"/],
    ['input: int\noutput: string\naction: input\n', 'semantic', '/action', 3, /gives int .* is string/],
  ])('says what is wrong, where, and what was probably meant: %j', (text, kind, pointer, line, message) => {
    try {
      compile(text, { format: 'yaml' })
    } catch (error) {
      expect(error).toBeInstanceOf(PfaError)
      const { at, ...rest } = error as PfaError
      expect(rest).toMatchObject({ kind })
      expect(at?.pointer).toBe(pointer)
      if (line !== undefined) expect(at?.line).toBe(line)
      expect((error as PfaError).message).toMatch(message)
      return
    }
    throw new Error('no error')
  })
})
