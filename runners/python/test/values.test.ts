// Records in and out: what models see of a frame, and what is written of the values that they give.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPython } from '../../../test/servers/python.ts'
import { JSON_STREAM, PythonJet } from './python-jet.ts'

/** Calculates what the records say. */
const EVALUATE = `
import math
def action(text): yield eval(text)
`

describe('what is written of a value', () => {
  const cases = [
    ['None', 'null'],
    ['True', 'true'],
    ['7', '7'],
    ['-0.0', '-0.0'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['1e300', '1e+300'],
    ['3.0', '3.0'],
    ['2 ** 63 - 1', '9223372036854775807'],
    ['-2 ** 63', '-9223372036854775808'],
    ['float("nan")', '"NaN"'],
    ['math.inf', '"Infinity"'],
    ['-math.inf', '"-Infinity"'],
    ['{"a": [1, {"b": float("nan")}], "c": -math.inf}', '{"a":[1,{"b":"NaN"}],"c":"-Infinity"}'],
    ['"é \\u2028 \\" \\\\ \\n"', '"é \u2028 \\" \\\\ \\n"'],
    ['"\\ud800"', '"\\ud800"'],
    ['b"\\x00a\\xff"', '"\\u0000aÿ"'],
    ['bytearray(b"ab")', '"ab"'],
    ['{"z": 1, "a": 2, "10": 3, "9": 4}', '{"z":1,"a":2,"10":3,"9":4}'],
    ['{1: 2, True: 3, None: 4, 1.5: 5}', '{"1":3,"null":4,"1.5":5}'],
    ['{b"k": 1, (1, 2): 2}', '{"k":1,"(1, 2)":2}'],
    ['(1, "a", None)', '[1,"a",null]'],
    ['{5}', '[5]'],
    ['frozenset()', '[]'],
    ['[[], {}, ""]', '[[],{},""]'],
    ['dict(a=set([math.inf]))', '{"a":["Infinity"]}'],
    ['type("Number", (int,), {})(5)', '5'],
    ['type("Text", (str,), {})("t")', '"t"'],
  ] as const

  test('in all these cases', async () => {
    const jet = await PythonJet.start(EVALUATE)
    const { texts, rejects } = await jet.score(cases.map(([expression]) => JSON.stringify(expression)))
    expect(rejects).toEqual([])
    expect(cases.map(([expression], at) => [expression, texts[at]])).toEqual(cases)
  })

  test('what cannot be written rejects the record', async () => {
    const refused = ['object()', '3j', 'lambda: 1', 'range', '[1, object()]', '{"a": {1: object}}']
    const jet = await PythonJet.start(EVALUATE)
    const { texts, rejects } = await jet.score(refused.map((expression) => JSON.stringify(expression)))
    expect(texts).toEqual([])
    expect(rejects.map(({ index, reason }) => [index, reason.includes('convert it in the model')])).toEqual(
      refused.map((_, index) => [index, true]),
    )
  })
})

describe('what a model sees of a frame', () => {
  test('any JSON comes back as it was', async () => {
    const jet = await PythonJet.start('def action(x): yield x')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 20 }), async (values) => {
        const { texts, rejects } = await jet.score(values.map((value) => JSON.stringify(value)))
        expect(rejects).toEqual([])
        expect(texts.map((text) => JSON.parse(text))).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))))
      }),
      { numRuns: 60 },
    )
  })

  test('frames without a byte between them are told apart', async () => {
    const jet = await PythonJet.start('def action(x): yield x')
    expect((await jet.score(['1', '2', '"a"', '3', '4.5', 'null'], { gap: '' })).texts).toEqual([
      '1',
      '2',
      '"a"',
      '3',
      '4.5',
      'null',
    ])
    expect((await jet.score(['12', '34', '"é"'], { gap: '' })).texts).toEqual(['12', '34', '"é"'])
  })

  test('what is no JSON is rejected by encoding, what is blank is passed over', async () => {
    const jet = await PythonJet.start('def action(x, slot, number): yield [x, number]')
    const bad = ['foo', '1,2', '[1', '2]', '"a', 'b"', '{"a":1}}', "'a'", '01', '+1', '\u00a0']
    const { texts, rejects, scored } = await jet.score(['1', ...bad, '', ' \t', ' 2 \r', '\ufeff3'])
    expect(texts).toEqual(['[1,1]', `[2,${bad.length + 4}]`, `[3,${bad.length + 5}]`])
    expect(rejects.map(({ index, step }) => [index, step])).toEqual(bad.map((_, at) => [at + 1, 'encoding']))
    expect(rejects[0]?.reason).toBe('expected JSON, found other text: Expecting value at character 1')
    expect(scored.consumed).toBe(3)
  })

  test('what is no UTF-8 is rejected by encoding', async () => {
    const jet = await PythonJet.start('def action(x): yield x')
    const { texts, rejects } = await jet.score(['"é"', Buffer.from([0x22, 0xff, 0x22]), '"b"'])
    expect(texts).toEqual(['"é"', '"b"'])
    expect(rejects).toEqual([{ index: 1, step: 'encoding', reason: 'expected UTF-8, found other bytes' }])
  })

  test('more nesting than Python can hold is rejected by encoding', async () => {
    const jet = await PythonJet.start('def action(x): yield 1')
    const { texts, rejects } = await jet.score(['1', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, '2'])
    expect(texts).toEqual(['1', '1'])
    expect(rejects).toMatchObject([{ index: 1, step: 'encoding' }])
  })

  test('numbers that JSON does not have', async () => {
    const jet = await PythonJet.start('def action(x): yield type(x).__name__')
    const frames = ['NaN', ' -Infinity ', '[Infinity]', '{"a": NaN}', '"NaN"', '1e999', '1', '1.0']
    const words = ['NaN', '-Infinity', 'Infinity', 'NaN']
    // Without a type the frames are as they came, and such words are no JSON.
    expect(await jet.score(frames)).toMatchObject({
      texts: ['"str"', '"float"', '"int"', '"float"'],
      rejects: words.map((word, index) => ({
        index,
        step: 'encoding',
        reason: `expected JSON, found other text: ${word} is no number of JSON`,
      })),
    })
    // Else the host has written them.
    for (const stream of [
      { ...JSON_STREAM, schema: 'double' },
      { ...JSON_STREAM, encoding: 'msgpack' },
    ]) {
      await jet.attach(0, stream)
      expect(await jet.score(['NaN', '-Infinity', '1.5'])).toMatchObject({ texts: ['"float"', '"float"', '"float"'] })
    }
  })
})

describe('raw streams', () => {
  const DESCRIBE = 'def action(x): yield [type(x).__name__, len(x)]'
  const raw = (encoding: string, schema: unknown = null) => ({ ...JSON_STREAM, encoding, schema })

  test.each([
    ['null', null, '["str",1]'],
    ['null', 'string', '["str",1]'],
    ['null', 'bytes', '["bytes",2]'],
    ['null', { type: 'bytes' }, '["bytes",2]'],
    ['utf-8', null, '["str",1]'],
  ])('a frame of %s, schema %j', async (encoding, schema, text) => {
    const jet = await PythonJet.start(DESCRIBE)
    await jet.attach(0, raw(encoding, schema))
    expect((await jet.score(['é'])).texts).toEqual([text])
    expect((await jet.score([''])).texts).toEqual([text.replace(/\d/, '0')])
  })

  test('text that is no UTF-8', async () => {
    const jet = await PythonJet.start(DESCRIBE)
    await jet.attach(0, raw('null'))
    expect(await jet.score(['a', Buffer.from([0xff])])).toMatchObject({
      texts: ['["str",1]'],
      rejects: [{ index: 1, step: 'encoding' }],
    })
    await jet.attach(0, raw('null', 'bytes'))
    expect((await jet.score([Buffer.from([0xff])])).texts).toEqual(['["bytes",1]'])
  })

  test('outputs are text or bytes as they are; others are refused alone', async () => {
    const jet = await PythonJet.start(
      'def action(x):\n    yield "é"\n    yield {"a": x}\n    yield b"\\xff\\n"\n    yield bytearray(b"z")',
    )
    await jet.attach(1, raw('null'))
    const { scored, indexes } = await jet.score(['1'])
    expect([...scored.bytes]).toEqual([0xc3, 0xa9, 0x0a, 0xff, 0x0a, 0x0a, 0x7a, 0x0a])
    expect(indexes).toEqual([0, 0, 0])
    expect(scored.rejects).toEqual([
      {
        index: 0,
        slot: 1,
        step: 'encoding',
        reason: 'expected a string or bytes for this stream, found dict',
        bytes: btoa('{"a":1}'),
      },
    ])
  })

  test('utf-8 outputs are text alone', async () => {
    const jet = await PythonJet.start('def action(x):\n    yield x\n    yield b"x"')
    await jet.attach(0, raw('utf-8'))
    await jet.attach(1, raw('utf-8'))
    const { texts, rejects } = await jet.score(['plain "text"'])
    expect(texts).toEqual(['plain "text"'])
    expect(rejects).toMatchObject([{ slot: 1, reason: 'expected a string for this stream, found bytes' }])
  })
})

const found = findPython(['numpy', 'pandas', 'scikit-learn'])
const reason = 'missing' in found ? ` (${found.missing})` : ''

describe.skipIf('missing' in found)(`values of numpy and pandas${reason}`, () => {
  const python = 'python' in found ? found.python : ''

  const cases = [
    ['np.float64(1.5)', '1.5'],
    ['np.float32(0.5)', '0.5'],
    ['np.int64(2) ** 40', '1099511627776'],
    ['np.uint8(7)', '7'],
    ['np.bool_(True)', 'true'],
    ['np.str_("s")', '"s"'],
    ['np.bytes_(b"\\xff")', '"ÿ"'],
    ['np.float64("nan")', '"NaN"'],
    ['np.float32("-inf")', '"-Infinity"'],
    ['np.array([[1, 2], [3, 4]])', '[[1,2],[3,4]]'],
    ['np.array([1.0, np.nan])', '[1.0,"NaN"]'],
    ['np.array(5)', '5'],
    ['np.matrix([[1, 2]])', '[[1,2]]'],
    ['{"a": np.int32(1), "b": [np.float64(2.5)], np.int64(3): 4}', '{"a":1,"b":[2.5],"3":4}'],
    ['pd.Series([1, 2])', '[1,2]'],
    ['pd.Series(["a", None])', '["a",null]'],
    ['pd.DataFrame({"x": [1, 2], "y": ["a", "b"]})', '[{"x":1,"y":"a"},{"x":2,"y":"b"}]'],
    ['pd.DataFrame({"x": [1.5, np.nan]})', '[{"x":1.5},{"x":"NaN"}]'],
    ['{"missing": pd.NA, "never": pd.NaT}', '{"missing":null,"never":null}'],
    ['pd.Index([1, 2])', '[1,2]'],
  ] as const

  test('in all these cases', async () => {
    const jet = await PythonJet.start(`import numpy as np\nimport pandas as pd\n${EVALUATE}`, { python })
    const { texts, rejects } = await jet.score(cases.map(([expression]) => JSON.stringify(expression)))
    expect(rejects).toEqual([])
    expect(cases.map(([expression], at) => [expression, texts[at]])).toEqual(cases)
  })
})
