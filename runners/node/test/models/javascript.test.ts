// Models in JavaScript and TypeScript in a jet: what an action may give, slots, record sets, promises, state, and errors.
import { ModelFailure, NO_FRAME, SharedStateTable } from '@pitot/jet'
import { expect, test } from 'vitest'
import { indexes, jetWith, outputs, plainSlots, score, scoreSet } from '../jets.ts'

const actions: Record<string, [string, string[]]> = {
  'a value': ['export const action = (x) => x * x', ['1', '4', '9']],
  nothing: ['export function action(x) {}', []],
  'null, which is a value': ['export const action = () => null', ['null', 'null', 'null']],
  'a generator': ['export function* action(x) { for (let i = 0; i < x; i++) yield i }', ['0', '0', '1', '0', '1', '2']],
  'a promise': [
    'export async function action(x) { await new Promise((done) => setTimeout(done, 1)); return x * x }',
    ['1', '4', '9'],
  ],
  'an asynchronous generator': [
    'export async function* action(x) { await null; yield x; yield -x }',
    ['1', '-1', '2', '-2', '3', '-3'],
  ],
  'what it emits': ['export function action(x) { emit(x); emit(-x) }', ['1', '-1', '2', '-2', '3', '-3']],
  'an array, which is one value': ['export const action = (x) => [x]', ['[1]', '[2]', '[3]']],
  'the slot and the number of the record': [
    'export const action = (x, slot, n) => [x, slot, n]',
    ['[1,0,1]', '[2,0,2]', '[3,0,3]'],
  ],
}

test.each(Object.entries(actions))('an action may give %s', async (_name, [source, expected]) => {
  const { jet } = await jetWith({ language: 'javascript', source })
  await jet.begin()
  expect(outputs(await score(jet, '1', '2', '3'))).toEqual(expected)
})

test.each<[schema: unknown, expected: string[]]>([
  [null, ['"1970-01-01T00:00:00.000Z"', '"1970-01-02T00:00:00.000Z"']],
  ['string', ['"1970-01-01T00:00:00.000Z"', '"1970-01-02T00:00:00.000Z"']],
  [{ type: 'int', logicalType: 'date' }, ['0', '1']],
  [{ type: 'long', logicalType: 'timestamp-micros' }, ['0', '86400000000']],
])('a Date is what the schema %j means', async (schema, expected) => {
  const source = 'export const action = (day) => new Date(day * 86_400_000)'
  const { jet } = await jetWith({ language: 'javascript', source, output: { schema } })
  expect(outputs(await score(jet, '0', '1'))).toEqual(expected)
})

test.each<[schema: unknown, source: string, expected: string[]]>([
  [{ type: 'array', items: 'int' }, 'new Set([x, 2 * x])', ['[1,2]']],
  [null, '({ seen: new Set([x]) })', ['{"seen":[1]}']],
  [{ type: 'map', values: 'int' }, 'new Set([x])', []],
  [{ type: 'map', values: 'int' }, '/x/', []],
  [{ type: 'map', values: 'int' }, '({})', ['{}']],
])('as %j, %s is what it looks like or nothing', async (schema, source, expected) => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `export const action = (x) => ${source}`,
    output: { schema },
  })
  const emissions = await score(jet, '1')
  expect(outputs(emissions)).toEqual(expected)
  expect(emissions.rejects).toHaveLength(1 - expected.length)
})

test('TypeScript, with types that are left out', async () => {
  const { jet } = await jetWith({
    language: 'typescript',
    source:
      'interface Row { readonly x: number }\nexport function action(row: Row): number { return row.x satisfies number }',
  })
  expect(outputs(await score(jet, '{"x":3}'))).toEqual(['3'])
})

test('begin and end emit too, and globals last', async () => {
  const { jet, console } = await jetWith({
    language: 'javascript',
    source: `let sum = 0
      export function* begin() { yield 'first'; console.log('begun') }
      export function action(x) { sum += x }
      export const end = async () => sum`,
  })
  const begun = await jet.begin()
  expect([outputs(begun), indexes(begun)]).toEqual([['"first"'], [NO_FRAME]])
  await score(jet, '1', '2')
  expect(outputs(await score(jet, '3'))).toEqual([])
  expect(outputs(await jet.end())).toEqual(['6'])
  await expect.poll(console).toContain('begun')
})

test('all that is printed arrives, also when nothing else happens after it', async () => {
  const { jet, console } = await jetWith({
    language: 'javascript',
    source: "export const action = (x) => { for (let line = 0; line < x; line++) console.log('x'.repeat(999)) }",
  })
  await score(jet, '250')
  await expect.poll(() => console().length, { timeout: 10_000 }).toBe(250_000)
})

test('keys that mean something else to JavaScript are keys', async () => {
  const { jet } = await jetWith({ language: 'javascript', source: 'export const action = (x) => x' })
  const text = '{"__proto__":{"a":1},"constructor":[2]}'
  expect(outputs(await score(jet, text))).toEqual([text])
})

test('an output is what it was when it was given, though the model changes it later', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `const counts = { list: [], when: new Date(0) }
      export function action(x) { counts[x] = (counts[x] ?? 0) + 1; counts.list.push(x); return counts }`,
  })
  expect(outputs(await score(jet, '"a"', '"b"', '"a"'))).toEqual([
    '{"list":["a"],"when":"1970-01-01T00:00:00.000Z","a":1}',
    '{"list":["a","b"],"when":"1970-01-01T00:00:00.000Z","a":1,"b":1}',
    '{"list":["a","b","a"],"when":"1970-01-01T00:00:00.000Z","a":2,"b":1}',
  ])
})

test('outputs of several slots, and actions by slot', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `export function action(x) { emit(x); emit('three', 3) }
      export function other(x) { emit(-x, 3) }`,
    slots: [
      ...plainSlots,
      { slot: 2, recordsets: false, action: 'other' },
      { slot: 3, recordsets: false, action: null },
    ],
  })
  const first = await score(jet, '1', '2')
  expect([outputs(first), outputs(first, 3)]).toEqual([
    ['1', '2'],
    ['"three"', '"three"'],
  ])
  const frames = { bytes: Buffer.from('5'), bounds: [0, 1], position: 0 }
  const second = await jet.score({ slot: 2, frames, first: 1, isRecordset: false })
  expect([outputs(second), outputs(second, 3)]).toEqual([[], ['-5']])
})

test('record sets come and go as arrays', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `export function action(set) {
        if (set.includes(0)) throw new Error('a zero')
        return set.map((x) => 10 * x)
      }`,
    slots: plainSlots.map((slot) => ({ ...slot, recordsets: true })),
  })
  const set = await scoreSet(jet, '1', '2', '3')
  expect([outputs(set), indexes(set), set.outputs[0]!.endsOfSets]).toEqual([['10', '20', '30'], [2, 2, 2], [3]])
  expect(indexes(await scoreSet(jet, '1', '2', 'no JSON'))).toEqual([2, 2])
  const failed = await scoreSet(jet, '1', '0')
  expect(failed.outputs).toEqual([])
  expect(failed.rejects.map(({ index, step }) => [index, step])).toEqual([
    [0, 'model'],
    [1, 'model'],
  ])
  expect((await score(jet, '4', '5')).outputs[0]!.endsOfSets).toEqual([1, 2])
})

test('a set that becomes one record', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: 'export const action = (set) => set.length',
    slots: [{ ...plainSlots[0]!, recordsets: true }, plainSlots[1]!],
  })
  expect(outputs(await scoreSet(jet, '7', '8'))).toEqual(['2'])
})

test('every 97th record raises: exactly those are rejected, with the line of the model, and their emissions are dropped', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `export function action(x) {
  emit(x)
  if (x % 97 === 0) throw new TypeError('97 again')
}`,
  })
  const records = Array.from({ length: 300 }, (_, index) => String(index + 1))
  const emissions = await score(jet, ...records)
  expect(outputs(emissions)).toEqual(records.filter((text) => Number(text) % 97 !== 0))
  expect(emissions.rejects.map(({ index }) => index)).toEqual([96, 193, 290])
  expect(emissions.rejects[0]).toMatchObject({ step: 'model', reason: 'TypeError: 97 again' })
  expect(emissions.rejects[0]!.trace).toMatch(/at action \(model\.mjs:3:\d+\)/)
})

test('outputs are checked against the schemas of the model and the stream', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `const answers = [1, 'two', 2.5, 4n, { a: 1 }]
      export const action = (x) => answers[x]`,
    slots: [plainSlots[0]!, { ...plainSlots[1]!, schema: 'long' }],
    output: { schema: 'double' },
  })
  const emissions = await score(jet, '0', '1', '2', '3', '4')
  expect(outputs(emissions)).toEqual(['1', '4'])
  expect(emissions.rejects.map(({ index, step, slot }) => [index, step, slot])).toEqual([
    [1, 'schema', 1],
    [2, 'schema', 1],
    [4, 'schema', 1],
  ])
  expect(Buffer.from(emissions.rejects[2]!.bytes!, 'base64').toString()).toBe('{"a":1}')
})

test('cells and pools are shared by jets', async () => {
  const store = new SharedStateTable()
  const source = `export function action(x) {
    pools('words').update(x, (count = 0) => count + 1)
    return cells('total').update((total = 0) => total + 1)
  }`
  const jets = await Promise.all([1, 2].map(() => jetWith({ language: 'javascript', source, store })))
  await Promise.all(jets.map(({ jet }) => score(jet, ...Array(50).fill('"a"'))))
  expect(store.snapshot()).toEqual({ cells: { total: 100 }, pools: { words: { a: 100 } } })
})

test('a batch that comes while the jet waits for an answer is scored after it', async () => {
  const store = new SharedStateTable()
  const { jet } = await jetWith({
    language: 'javascript',
    source: "export const action = (x) => { cells('c').set(x); return cells('c').get() }",
    store,
  })
  const batches = await Promise.all([score(jet, '1', '2'), score(jet, '3'), score(jet, '4', '5')])
  expect(batches.map((batch) => outputs(batch))).toEqual([['1', '2'], ['3'], ['4', '5']])
})

test('timers of a model go on while the jet has nothing to do', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `let ticks = 0
      export function begin() { setInterval(() => ticks++, 5) }
      export const action = () => ticks`,
  })
  await jet.begin()
  await expect.poll(async () => Number(outputs(await score(jet, '1'))[0]), { interval: 50 }).toBeGreaterThan(3)
})

test('files beside the model can be imported and read', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `import { readFileSync, writeFileSync } from 'node:fs'
      import { twice } from './library.mjs'
      const table = JSON.parse(readFileSync('table.json', 'utf8'))
      export function action(x) { writeFileSync('seen', String(x)); return twice(x) + table.offset }`,
    files: { 'library.mjs': 'export const twice = (x) => 2 * x', 'table.json': '{"offset": 100}' },
  })
  expect(outputs(await score(jet, '5'))).toEqual(['110'])
})

const refused: Record<string, [string, RegExp]> = {
  'a syntax error': ['export function action(x) {\n  return x +\n}', /model\.mjs:3: SyntaxError/],
  'no action': ['export const predict = (x) => x', /no function action .*predict/],
  'an action that is no function': ['export const action = 1', /no function action/],
  'an unknown import': ["import x from 'no-such-package'\nexport const action = x", /'no-such-package'/],
  'an unknown file': ["import x from './missing.mjs'\nexport const action = x", /missing\.mjs/],
  'a begin that is no function': ['export const begin = 1\nexport const action = (x) => x', /begin/],
  'an error while it is imported': ["\nthrow new RangeError('not today')", /model\.mjs:2: RangeError: not today/],
}

test.each(Object.entries(refused))('a model with %s is refused with a sentence', async (_name, [source, sentence]) => {
  const failure = await jetWith({ language: 'javascript', source }).then(
    () => undefined,
    (error: Error) => error,
  )
  expect(failure).toBeInstanceOf(ModelFailure)
  expect(failure!.message).toMatch(sentence)
})
