// Bytes in records: where the schema says bytes, a model gets bytes and not the string that stands for them in JSON.
import { expect, test } from 'vitest'
import { JSON_STREAM, PythonJet, slots } from './python-jet.ts'

const record = (...fields: (readonly [string, unknown])[]) => ({
  type: 'record',
  name: 'r',
  fields: fields.map(([name, type]) => ({ name, type })),
})

const cases: readonly (readonly [string, unknown, string, string])[] = [
  ['bytes', 'bytes', '"a\\u00ff"', "b'a\\xff'"],
  ['bytes in full', { type: 'bytes' }, '"a"', "b'a'"],
  ['fixed', { type: 'fixed', name: 'f', size: 2 }, '"ab"', "b'ab'"],
  ['a string', 'string', '"a"', "'a'"],
  ['a field', record(['b', 'bytes'], ['s', 'string']), '{"b":"x","s":"y"}', "{'b': b'x', 's': 'y'}"],
  [
    'a field of a record without a name',
    { type: 'record', fields: [{ name: 'b', type: 'bytes' }] },
    '{"b":"x"}',
    "{'b': b'x'}",
  ],
  ['an array', { type: 'array', items: 'bytes' }, '["a","b"]', "[b'a', b'b']"],
  ['a map', { type: 'map', values: 'bytes' }, '{"k":"v"}', "{'k': b'v'}"],
  ['bytes or null', ['null', 'bytes'], '"a"', "b'a'"],
  ['null', ['null', 'bytes'], 'null', 'None'],
  ['bytes or text, which look the same', ['string', 'bytes'], '"a"', "'a'"],
  ['tagged bytes', ['int', 'double', 'bytes'], '{"bytes":"a"}', "{'bytes': b'a'}"],
  ['a list of bytes or a number', ['int', { type: 'array', items: 'bytes' }], '["a"]', "[b'a']"],
  ['a record of bytes or nothing', ['null', record(['b', 'bytes'])], '{"b":"x"}', "{'b': b'x'}"],
  [
    'a named type that is referred to',
    record(
      ['a', { type: 'fixed', name: 'f', namespace: 'n', size: 1 }],
      ['b', 'n.f'],
      ['e', { type: 'enum', name: 'e', symbols: ['x'] }],
      ['g', 'e'],
    ),
    '{"a":"1","b":"2","e":"x","g":"x"}',
    "{'a': b'1', 'b': b'2', 'e': 'x', 'g': 'x'}",
  ],
  [
    'a named fixed in a union',
    record(['a', { type: 'fixed', name: 'f', size: 1 }], ['b', ['null', 'f']]),
    '{"a":"1","b":"2"}',
    "{'a': b'1', 'b': b'2'}",
  ],
  [
    'a record that contains itself',
    record(['b', 'bytes'], ['next', ['null', 'r']]),
    '{"b":"1","next":{"b":"2","next":null}}',
    "{'b': b'1', 'next': {'b': b'2', 'next': None}}",
  ],
]

test('what a model sees', async () => {
  const jet = await PythonJet.start('def action(x): yield repr(x)')
  for (const [name, schema, text, expected] of cases) {
    await jet.attach(0, { ...JSON_STREAM, schema })
    const { texts, rejects } = await jet.score([text])
    expect([name, rejects, ...texts.map((shown) => JSON.parse(shown))]).toEqual([name, [], expected])
  }
})

test('the schema of the model comes before that of the stream; sets of records are converted too', async () => {
  const set = slots({ slot: 0, schema: 'bytes', recordsets: true })
  const files = { 'pandas.py': 'raise ImportError' }
  const jet = await PythonJet.start('def action(x): yield repr(x)', { slots: set, files })
  await jet.attach(0, { ...JSON_STREAM, schema: 'string' })
  expect((await jet.score(['"a"', '"b"'], { isRecordset: true })).texts).toEqual([`"[b'a', b'b']"`])
})
