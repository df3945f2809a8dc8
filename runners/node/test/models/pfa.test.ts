// biome-ignore-all lint/suspicious/noThenProperty: `then` is a word of the language
// PFA documents in a jet: methods, forms, state, record sets, and what becomes of errors.
import { ModelFailure, NO_FRAME, SharedStateTable } from '@pitot/jet'
import { expect, test } from 'vitest'
import { indexes, jetWith, outputs, score, scoreSet } from '../jets.ts'

const square = { input: 'int', output: 'int', action: { '*': ['input', 'input'] } }

test.each([
  ['pfa-json', JSON.stringify(square)],
  ['pfa-yaml', 'input: int\noutput: int\naction:\n  - "*": [input, input]\n'],
  ['pfa-pretty', 'input: int\noutput: int\naction:\n  input * input\n'],
])('a document as %s', async (language, source) => {
  const { jet, loaded } = await jetWith({ language, source })
  expect(loaded).toEqual({
    slots: [
      { slot: 0, schema: 'int', recordsets: false, action: 'action' },
      { slot: 1, schema: 'int', recordsets: false, action: 'action' },
    ],
    snapshots: 'none',
    warnings: [],
  })
  const emissions = await score(jet, '2', 'foo', '1.5', '5')
  expect(outputs(emissions)).toEqual(['4', '25'])
  expect(indexes(emissions)).toEqual([0, 3])
  expect(emissions.consumed).toBe(2)
  expect(emissions.rejects.map(({ index, step }) => [index, step])).toEqual([
    [1, 'encoding'],
    [2, 'schema'],
  ])
})

test('emit gives any number of records, also from begin and end', async () => {
  const { jet } = await jetWith({
    language: 'pfa-json',
    source: {
      method: 'emit',
      input: 'int',
      output: 'int',
      begin: [{ emit: -1 }, { emit: -2 }],
      action: [
        { if: { '>': ['input', 1] }, then: [{ emit: 'input' }, { emit: { '*': ['input', 10] } }] },
        { log: ['input'] },
      ],
      end: { emit: -3 },
    },
  })
  const begun = await jet.begin()
  expect([outputs(begun), indexes(begun)]).toEqual([
    ['-1', '-2'],
    [NO_FRAME, NO_FRAME],
  ])
  const scored = await score(jet, '1', '2', '3')
  expect([outputs(scored), indexes(scored)]).toEqual([
    ['2', '20', '3', '30'],
    [1, 1, 2, 2],
  ])
  expect(outputs(await jet.end())).toEqual(['-3'])
})

test('fold gives the tally, keeps it in its state, and goes on from one', async () => {
  const source = {
    method: 'fold',
    input: 'int',
    output: 'long',
    zero: 0,
    action: { '+': ['input', 'tally'] },
    merge: { '+': ['tallyOne', 'tallyTwo'] },
  }
  const first = await jetWith({ language: 'pfa-json', source })
  expect(outputs(await score(first.jet, '1', '2', '3'))).toEqual(['1', '3', '6'])
  const state = await first.jet.snapshot()
  const second = await jetWith({ language: 'pfa-json', source, state })
  expect(outputs(await score(second.jet, '10'))).toEqual(['16'])
})

test('a record that raises is rejected with its reason, what it emitted is dropped, the others go on', async () => {
  const { jet } = await jetWith({
    language: 'pfa-json',
    source: {
      method: 'emit',
      input: 'int',
      output: 'int',
      action: [
        { emit: 'input' },
        { if: { '==': ['input', 2] }, then: { error: 'two is bad', code: -12 } },
        { emit: 0 },
      ],
    },
  })
  const emissions = await score(jet, '1', '2', '3')
  expect(outputs(emissions)).toEqual(['1', '0', '3', '0'])
  expect(indexes(emissions)).toEqual([0, 0, 2, 2])
  expect(emissions.rejects).toMatchObject([{ index: 1, step: 'model', reason: 'two is bad' }])
})

test('begin and end that raise are one reject of no frame', async () => {
  const { jet } = await jetWith({
    language: 'pfa-json',
    source: { ...square, begin: { error: 'no' } },
  })
  expect((await jet.begin()).rejects).toMatchObject([
    { index: NO_FRAME, step: 'model', reason: expect.stringMatching(/no/) },
  ])
})

test('state that is not shared stays in the jet, with all its digits', async () => {
  const source = {
    input: 'long',
    output: 'long',
    metadata: { snapshots: 'eof' },
    cells: { last: { type: 'long', init: 0 }, common: { type: 'long', init: 5, shared: true } },
    pools: { seen: { type: 'int', init: { a: 1 } } },
    action: [
      { cell: 'common', to: { params: [{ old: 'long' }], ret: 'long', do: { '+': ['old', 1] } } },
      { cell: 'last', to: 'input' },
    ],
  }
  const store = new SharedStateTable()
  const one = await jetWith({ language: 'pfa-json', source, store })
  const two = await jetWith({ language: 'pfa-json', source, store })
  expect(one.loaded.snapshots).toBe('eof')
  await Promise.all([score(one.jet, '9007199254740993', '9007199254740995'), score(two.jet, '7')])
  expect(await one.jet.snapshot()).toEqual({ cells: { last: 9007199254740995n }, pools: { seen: { a: 1 } } })
  expect(store.snapshot()).toEqual({ cells: { common: 8 }, pools: {} })
  const three = await jetWith({ language: 'pfa-json', source, state: await one.jet.snapshot() })
  expect(await three.jet.snapshot()).toEqual(await one.jet.snapshot())
})

test('a shared cell that nothing writes to is asked for once, when the document is loaded', async () => {
  const store = new SharedStateTable()
  store.restore({ cells: { offset: 100 }, pools: {} })
  const source = {
    input: 'int',
    output: 'int',
    cells: { offset: { type: 'int', init: 5, shared: true } },
    action: { '+': ['input', { cell: 'offset' }] },
  }
  const { jet } = await jetWith({ language: 'pfa-json', source, store })
  expect(outputs(await score(jet, '1', '2'))).toEqual(['101', '102'])
  const other = await jetWith({ language: 'pfa-json', source })
  expect(outputs(await score(other.jet, '1'))).toEqual(['6'])
})

test('a shared pool is updated by several jets at once, and nothing is lost', async () => {
  const source = {
    input: 'string',
    output: 'int',
    pools: { seen: { type: 'int', shared: true } },
    action: {
      pool: 'seen',
      path: ['input'],
      to: { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } },
      init: 0,
    },
  }
  const store = new SharedStateTable()
  const jets = await Promise.all([1, 2].map(() => jetWith({ language: 'pfa-json', source, store })))
  const records = Array.from({ length: 200 }, (_, index) => `"k${index % 3}"`)
  await Promise.all(jets.flatMap(({ jet }) => [score(jet, ...records), score(jet, ...records)]))
  expect(store.snapshot().pools).toEqual({ seen: { k0: 268, k1: 268, k2: 264 } })
})

test('record sets are arrays; the stream carries their items', async () => {
  const ints = { type: 'array', items: 'int' }
  const { jet, loaded } = await jetWith({
    language: 'pfa-json',
    source: {
      input: ints,
      output: ints,
      metadata: { recordsets: 'both' },
      action: { 'a.map': ['input', { params: [{ x: 'int' }], ret: 'int', do: { '*': ['x', 'x'] } }] },
    },
  })
  expect(loaded.slots.map(({ schema, recordsets }) => [schema, recordsets])).toEqual([
    ['int', true],
    ['int', true],
  ])
  const emissions = await scoreSet(jet, '1', '2', '3')
  expect(outputs(emissions)).toEqual(['1', '4', '9'])
  expect(emissions.outputs[0]!.endsOfSets).toEqual([3])
  expect(indexes(emissions)).toEqual([2, 2, 2])
  expect((await score(jet, '4', '5')).outputs[0]!.endsOfSets).toEqual([1, 2])
})

test('log goes to the console', async () => {
  const { jet, console } = await jetWith({
    language: 'pfa-json',
    source: { input: 'int', output: 'int', action: [{ log: [['"in"'], 'input'], namespace: 'numbers' }, 'input'] },
  })
  await score(jet, '5')
  await expect.poll(console).toContain('numbers:')
})

test.each([
  ['text that is no JSON', '{', /line 1|end/i],
  ['a document of wrong types', { ...square, output: 'string' }, /string/],
  ['record sets of what is no array', { ...square, metadata: { recordsets: 'input' } }, /array/],
])('%s is refused with a sentence', async (_name, source, sentence) => {
  const failure = await jetWith({ language: 'pfa-json', source }).then(
    () => undefined,
    (error: Error) => error,
  )
  expect(failure).toBeInstanceOf(ModelFailure)
  expect(failure!.message).toMatch(sentence)
})

test('a stream that the document cannot take or fill is refused when it is attached', async () => {
  const { jet } = await jetWith({ language: 'pfa-json', source: square })
  const stream = (schema: unknown) => ({ encoding: 'json', options: {}, schema, room: 1 })
  await expect(jet.attach({ slot: 0, stream: stream('string') })).rejects.toThrow(ModelFailure)
  await expect(jet.attach({ slot: 1, stream: stream('string') })).rejects.toThrow(/int/)
  // What was attached before stays.
  expect(outputs(await score(jet, '3'))).toEqual(['9'])
  await jet.attach({ slot: 1, stream: stream('double') })
  expect(outputs(await score(jet, '3'))).toEqual(['9'])
  await jet.attach({ slot: 1, stream: null })
  expect((await score(jet, '3')).outputs).toEqual([])
})
