// What comes of records: yield and return, begin and end, slots, numbers, rejects and their tracebacks.
import { describe, expect, test } from 'vitest'
import { JSON_STREAM, PythonJet, slots } from './python-jet.ts'

describe('emissions', () => {
  test.each([
    ['one by return', 'def action(x): return x * x', ['1', '4', '9'], [0, 1, 2]],
    ['one by yield', 'def action(x): yield x * x', ['1', '4', '9'], [0, 1, 2]],
    ['none by None', 'def action(x): return None', [], []],
    ['none by an empty generator', 'def action(x):\n    if False: yield', [], []],
    ['null by yield', 'def action(x): yield None', ['null', 'null', 'null'], [0, 1, 2]],
    ['several', 'def action(x):\n    for i in range(x - 1): yield i', ['0', '0', '1'], [1, 2, 2]],
    ['a generator by return', 'def action(x): return (y for y in range(x - 1))', ['0', '0', '1'], [1, 2, 2]],
    ['falsy values', 'def action(x): return [False, 0, ""][x - 1]', ['false', '0', '""'], [0, 1, 2]],
    [
      'by emit',
      'import pitot\ndef action(x): pitot.emit(x); pitot.emit(-x); return 0',
      ['1', '-1', '0', '2', '-2', '0', '3', '-3', '0'],
      [0, 0, 0, 1, 1, 1, 2, 2, 2],
    ],
    ['the slot as well', 'def action(x, slot): return [x, slot]', ['[1,0]', '[2,0]', '[3,0]'], [0, 1, 2]],
    [
      'the number as well',
      'def action(x, slot, number): return [x, number]',
      ['[1,41]', '[2,42]', '[3,43]'],
      [0, 1, 2],
    ],
    [
      'a value that is changed later',
      'd = {}\ndef action(x):\n    d["x"] = x\n    yield d\n    d["x"] = -x\n    yield d',
      ['{"x":1}', '{"x":-1}', '{"x":2}', '{"x":-2}', '{"x":3}', '{"x":-3}'],
      [0, 0, 1, 1, 2, 2],
    ],
    [
      'a pair is a list where there is one output',
      'def action(x): yield (1, x)',
      ['[1,1]', '[1,2]', '[1,3]'],
      [0, 1, 2],
    ],
  ])('%s', async (_, source, texts, indexes) => {
    const jet = await PythonJet.start(source)
    const outcome = await jet.score(['1', '2', '3'], { first: 41 })
    expect(outcome.rejects).toEqual([])
    expect(outcome.texts).toEqual(texts)
    expect(outcome.indexes).toEqual(indexes)
    expect(outcome.scored.consumed).toBe(3)
  })

  test('begin and end may emit; globals live as long as the jet', async () => {
    const jet = await PythonJet.start(`
count = 0
def begin():
    for i in range(3): yield i
def action(x):
    global count
    count += 1
def end():
    return {'count': count}
`)
    expect(await jet.begin()).toMatchObject({ texts: ['0', '1', '2'], indexes: [-1, -1, -1] })
    expect(await jet.score(['1', '2'])).toMatchObject({ texts: [] })
    expect(await jet.score(['1'])).toMatchObject({ texts: [] })
    expect(await jet.end()).toMatchObject({ texts: ['{"count":3}'], indexes: [-1] })
  })

  test('without begin and end nothing comes of them', async () => {
    const jet = await PythonJet.start('def action(x): return x')
    expect(await jet.begin()).toMatchObject({ texts: [], rejects: [] })
    expect(await jet.end()).toMatchObject({ texts: [], rejects: [] })
  })

  test('several slots have functions and outputs of their own', async () => {
    const jet = await PythonJet.start(
      `
import pitot
def action(x):
    yield (3, x)
    yield (1, -x)
    yield x
    yield [3, x]
def other(x, slot):
    pitot.emit(x, 3)
    pitot.emit(x)
    pitot.emit(slot, slot=5)
`,
      { slots: slots({ slot: 2, action: 'other' }, { slot: 3 }, { slot: 5 }) },
    )
    expect((await jet.score(['7'])).texts).toEqual(['3 7', '-7', '7', '[3,7]'])
    expect((await jet.score(['8'], { slot: 2 })).texts).toEqual(['3 8', '8', '5 2'])
  })

  test('an output slot that only has a stream can be emitted to', async () => {
    const jet = await PythonJet.start('def action(x): yield (3, x)')
    await jet.attach(3, JSON_STREAM)
    expect((await jet.score(['7'])).texts).toEqual(['3 7'])
    await jet.attach(3, null)
    expect((await jet.score(['7'])).texts).toEqual(['[3,7]'])
  })

  test('room is left behind each emission', async () => {
    const jet = await PythonJet.start('def action(x): return x')
    await jet.attach(1, { ...JSON_STREAM, room: 2 })
    const { scored } = await jet.score(['"a"', '"é"', '{}'])
    expect(Buffer.from(scored.bytes).toString()).toBe('"a"\n\n"é"\n\n{}\n\n')
    expect([...scored.bounds]).toEqual([0, 3, 5, 9, 11, 13])
  })
})

describe('rejects', () => {
  test('a record that the model raises on emits nothing, and the next ones go on', async () => {
    const jet = await PythonJet.start(
      `
def check(x):
    if x < 0: raise ValueError('negative:\\n' + str(x))

def action(x):
    yield (3, 'before')
    check(x)
    yield x
`,
      { slots: slots({ slot: 3 }) },
    )
    const outcome = await jet.score(['1', '-1', '2', '-2'])
    expect(outcome.texts).toEqual(['3 "before"', '1', '3 "before"', '2'])
    expect(outcome.indexes).toEqual([0, 0, 2, 2])
    expect(outcome.rejects).toEqual([
      {
        index: 1,
        step: 'model',
        reason: 'ValueError: negative: (model.py, line 3)',
        trace: expect.stringMatching(
          /^Traceback \(most recent call last\):\n {2}File "model\.py", line 7, in action\n/,
        ),
      },
      expect.objectContaining({ index: 3, step: 'model' }),
    ])
    expect(outcome.rejects[0]?.trace).toContain('ValueError: negative:\n-1\n')
    expect(outcome.rejects[0]?.trace).not.toContain('pitot_runner')
  })

  test.each([
    ['an exit', 'import sys\ndef action(x): sys.exit(3)', 'SystemExit: 3 (model.py, line 2)'],
    ['an exit without a word', 'def action(x): raise SystemExit', 'SystemExit (model.py, line 1)'],
    ['an interrupt', 'def action(x): raise KeyboardInterrupt', 'KeyboardInterrupt (model.py, line 1)'],
    [
      'an endless recursion',
      'def action(x): return action(x)',
      'RecursionError: maximum recursion depth exceeded (model.py, line 1)',
    ],
    [
      'a value that JSON lacks',
      'def action(x): return object()',
      'TypeError: a value of type object cannot be written as JSON: convert it in the model',
    ],
    [
      'a value that contains itself',
      'def action(x):\n    l = []\n    l.append(l)\n    return l',
      expect.stringMatching(/^RecursionError/),
    ],
    [
      'a slot that is not there',
      'import pitot\ndef action(x): pitot.emit(x, 7)',
      'ValueError: the model has no output slot 7, only 1 (model.py, line 2)',
    ],
    [
      'an exception that cannot be shown',
      'class Bad(Exception):\n    def __str__(self): raise ValueError\ndef action(x): raise Bad',
      'Bad (model.py, line 3)',
    ],
    [
      'an exception in a library',
      'import json\ndef action(x): json.loads("{")',
      expect.stringMatching(/^JSONDecodeError: .*\(model\.py, line 2\)$/),
    ],
    ['StopIteration', 'def action(x): next(iter([]))', 'StopIteration (model.py, line 1)'],
  ])('%s', async (_, source, reason) => {
    const jet = await PythonJet.start(source)
    const outcome = await jet.score(['1', '2'])
    expect(outcome.texts).toEqual([])
    expect(outcome.rejects.map(({ index, step, reason }) => ({ index, step, reason }))).toEqual([
      { index: 0, step: 'model', reason },
      { index: 1, step: 'model', reason },
    ])
  })

  test('begin and end that raise are one reject without a frame', async () => {
    const jet = await PythonJet.start('def begin():\n    yield 1\n    1 / 0\ndef action(x): pass\ndef end(): [][0]')
    const reason = 'ZeroDivisionError: division by zero (model.py, line 3)'
    expect(await jet.begin()).toMatchObject({ texts: [], rejects: [{ index: 0xffffffff, step: 'model', reason }] })
    expect(await jet.end()).toMatchObject({
      rejects: [{ reason: 'IndexError: list index out of range (model.py, line 5)' }],
    })
  })

  test('records of a slot without a function', async () => {
    const jet = await PythonJet.start('def action(x): return x')
    expect((await jet.score(['1'], { slot: 2 })).rejects).toMatchObject([{ index: 0, step: 'model' }])
  })

  test('emit outside of any function of the model', async () => {
    const jet = new PythonJet('import pitot\npitot.emit(1)\ndef action(x): pass')
    expect(await jet.load()).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('emit can be called only while'),
    })
  })
})

test('a long batch tells how far it is', async () => {
  const jet = await PythonJet.start('import time\ndef action(x): time.sleep(0.06)')
  await jet.score(['1', '2', '3', '4', '5', '6'])
  expect(jet.progress.length).toBeGreaterThan(0)
  expect(jet.progress).toEqual([...jet.progress].sort((a, b) => a - b))
  expect(jet.progress.every((done) => done >= 1 && done < 6)).toBe(true)
})

test('seconds are those of the steps', async () => {
  const jet = await PythonJet.start('import time\ndef action(x): time.sleep(0.05); return x')
  const { decode, model, encode, checkInput, checkOutput } = (await jet.score(['1'])).scored.seconds
  expect(model).toBeGreaterThan(0.04)
  expect(decode).toBeLessThan(model)
  expect(encode).toBeLessThan(model)
  expect([checkInput, checkOutput]).toEqual([0, 0])
})
