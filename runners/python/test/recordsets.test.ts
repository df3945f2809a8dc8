// Record sets: many records as one argument, and one value as many records, with the libraries and without.
import { describe, expect, test } from 'vitest'
import { findPython } from '../../../test/servers/python.ts'
import { PythonJet, slots } from './python-jet.ts'

const BOTH = slots({ slot: 0, recordsets: true }, { slot: 1, recordsets: true })
const INPUT = slots({ slot: 0, recordsets: true })
const OUTPUT = slots({ slot: 1, recordsets: true })
const asSet = { isRecordset: true }

const found = findPython(['numpy', 'pandas', 'scikit-learn'])
const reason = 'missing' in found ? ` (${found.missing})` : ''

describe.skipIf('missing' in found)(`with pandas${reason}`, () => {
  const python = 'python' in found ? found.python : ''
  const start = (source: string, slots: typeof BOTH) => PythonJet.start(source, { python, slots })

  test('records are a DataFrame, and a DataFrame is records', async () => {
    const jet = await start("def action(df):\n    df['sum'] = df['x'] + df['y']\n    yield df", BOTH)
    const { texts, indexes, rejects } = await jet.score(
      ['{"x":3.0,"y":2.0}', '{"x":2.5,"y":2.5}', '{"x":-3.25,"y":-1.0}'],
      asSet,
    )
    expect(rejects).toEqual([])
    expect(texts).toEqual([
      '{"x":3.0,"y":2.0,"sum":5.0}',
      '{"x":2.5,"y":2.5,"sum":5.0}',
      '{"x":-3.25,"y":-1.0,"sum":-4.25}',
      'set',
    ])
    expect(indexes).toEqual([2, 2, 2, 2])
  })

  const seen = [
    ['records', ['{"a":1}', '{"a":2}'], '"DataFrame (2, 1)"'],
    ['one record', ['{"a":1}'], '"DataFrame (1, 1)"'],
    ['no record', [], '"DataFrame (0, 0)"'],
    ['numbers', ['1', '2.5'], '"Series (2,)"'],
    ['one string', ['"a"'], '"Series (1,)"'],
    ['arrays', ['[1,2,3]', '[4,5,6]'], '"matrix (2, 3)"'],
  ] as const

  test('what a model sees', async () => {
    const jet = await start('def action(s): yield "%s %s" % (type(s).__name__, s.shape)', INPUT)
    for (const [name, records, expected] of seen) {
      expect([name, ...(await jet.score(records, asSet)).texts]).toEqual([name, expected])
    }
  })

  test('records that come one by one are sets of one', async () => {
    const jet = await start('def action(df, slot, number): yield [len(df), int(df["a"][0]), number]', INPUT)
    expect((await jet.score(['{"a":7}', '{"a":8}'], { first: 5 })).texts).toEqual(['[1,7,5]', '[1,8,6]'])
  })

  const given = [
    ['a Series', 'pd.Series([1.5, 2.5])', ['1.5', '2.5', 'set']],
    ['a matrix', 'np.matrix([[1, 2], [3, 4]])', ['[1,2]', '[3,4]', 'set']],
    ['an array', 'np.array([1, 2])', ['1', '2', 'set']],
    ['a list', '[{"a": 1}, 2]', ['{"a":1}', '2', 'set']],
    ['a single record', '{"a": 1}', ['{"a":1}', 'set']],
    ['an empty DataFrame', 'pd.DataFrame()', ['set']],
    ['missing text', 'pd.DataFrame({"s": ["a", None], "n": [1, 2]})', ['{"s":"a","n":1}', '{"s":null,"n":2}', 'set']],
    ['missing whole numbers', 'pd.Series([1, None], dtype="Int64")', ['1', 'null', 'set']],
  ] as const

  test('what a model gives', async () => {
    const jet = await start('import numpy as np\nimport pandas as pd\ndef action(x): yield eval(x)', OUTPUT)
    for (const [name, expression, texts] of given) {
      expect([name, ...(await jet.score([JSON.stringify(expression)])).texts]).toEqual([name, ...texts])
    }
  })
})

describe('without pandas', () => {
  test.each([
    ['records', ['{"a":1}', '{"a":2}'], '[{"a":1},{"a":2}]'],
    ['numbers', ['1', '2'], '[1,2]'],
    ['arrays', ['[1]', '[2]'], '[[1],[2]]'],
    ['nothing', [], '[]'],
  ])('%s are a list', async (_, records, expected) => {
    // As if it were not installed, wherever this runs.
    const files = { 'pandas.py': 'raise ImportError', 'numpy.py': 'raise ImportError' }
    const jet = await PythonJet.start('def action(s): yield s', { slots: INPUT, files })
    expect((await jet.score(records, asSet)).texts).toEqual([expected])
  })

  test('each yield is a set of its own', async () => {
    const jet = await PythonJet.start('def action(x):\n    yield [x, x]\n    yield ()\n    yield -x', { slots: OUTPUT })
    const { texts, indexes } = await jet.score(['1', '2'])
    expect(texts).toEqual(['1', '1', 'set', 'set', '-1', 'set', '2', '2', 'set', 'set', '-2', 'set'])
    expect(indexes).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
  })

  test('what is no record is left out of the set', async () => {
    const jet = await PythonJet.start('def action(s): yield len(s)', { slots: INPUT })
    expect(await jet.score(['1', 'x', '', '2'], asSet)).toMatchObject({
      texts: ['2'],
      indexes: [3],
      rejects: [{ index: 1, step: 'encoding' }],
    })
  })

  test('when the model raises every record of the set is rejected', async () => {
    const jet = await PythonJet.start('def action(s):\n    yield 1\n    1 / 0', { slots: INPUT })
    const { texts, rejects } = await jet.score(['1', 'x', '2'], asSet)
    expect(texts).toEqual([])
    expect(rejects.map(({ index, step }) => [index, step])).toEqual([
      [1, 'encoding'],
      [0, 'model'],
      [2, 'model'],
    ])
  })
})
