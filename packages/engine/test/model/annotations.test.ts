// What a model's comments tell the engine.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Annotations, readAnnotations } from '../../src/model/annotations.ts'

/** A short form: `0 int sets action`. */
function shown({ slots }: Annotations): string[] {
  return slots.map(({ slot, schema, recordsets, action }) => {
    const words = [slot, schema === undefined ? '-' : typeof schema === 'string' ? schema : JSON.stringify(schema)]
    return [...words, recordsets ? 'sets' : 'records', action ?? 'unused'].join(' ')
  })
}

const plain = ['0 - records action', '1 - records action']

describe('slots', () => {
  test.each<[string, string, string[]]>([
    ['nothing', 'x = 1', plain],
    ['schemas', '# pitot.input: a\n# pitot.output: b', ['0 a records action', '1 b records action']],
    ['no space after the mark', '#pitot.input: a', ['0 a records action', plain[1]!]],
    ['no colon', '# fastscore.input a', ['0 a records action', plain[1]!]],
    ['another vendor', '# ModelOp.input: a', ['0 a records action', plain[1]!]],
    ['an unknown vendor', '# acme.input: a', ['0 a records action', plain[1]!]],
    ['an unknown vendor without a colon is a comment', '# self.input a', plain],
    ['an unknown vendor with many words is a comment', '# model.output: the score of a car', plain],
    [
      'a known vendor may have names with spaces',
      '# pitot.input: my schema',
      ['0 my schema records action', plain[1]!],
    ],
    ['indented, carriage returns', '\t# pitot.input: a\r\n', ['0 a records action', plain[1]!]],
    ['code', 'pitot.input = "# pitot.input: x"', plain],
    ['at the end of a line', 'x = 1 # pitot.input: a', plain],
    ['no value', '# pitot.input:', plain],
    [
      'a schema written out',
      '# pitot.input: {"type": "array", "items": "int"}',
      ['0 {"type":"array","items":"int"} records action', plain[1]!],
    ],
    ['a name in quotes', '# pitot.input: "a"', ['0 a records action', plain[1]!]],
    ['a union', '# pitot.input: ["null", "int"]', ['0 ["null","int"] records action', plain[1]!]],
    ['the last one wins', '# pitot.input: a\n# pitot.input: b', ['0 b records action', plain[1]!]],
    ['recordsets both', '# pitot.recordsets: both', ['0 - sets action', '1 - sets action']],
    ['recordsets input', '# pitot.recordsets: input', ['0 - sets action', plain[1]!]],
    ['recordsets output', '# pitot.recordsets: output', [plain[0]!, '1 - sets action']],
    ['recordsets none', '# pitot.recordsets: both\n# pitot.recordsets: none', plain],
    ['recordsets yes', '# pitot.recordsets: Yes', ['0 - sets action', '1 - sets action']],
    ['recordsets of a slot', '# pitot.recordsets.1: true', [plain[0]!, '1 - sets action']],
    ['recordsets of the inputs', '# pitot.recordsets.$in: yes', ['0 - sets action', plain[1]!]],
    ['all but one', '# pitot.recordsets.0: no\n# pitot.recordsets.$all: yes', [plain[0]!, '1 - sets action']],
    ['schema of all', '# pitot.schema: a', ['0 a records action', '1 a records action']],
    [
      'schema of the outputs, one of them exactly',
      '# pitot.schema.3: c\n# pitot.schema.$out: b\n# pitot.schema.$all: a',
      ['0 a records action', '1 b records action', '3 c records action'],
    ],
    [
      'schema by the name of the slot',
      '# pitot.schema.in: a\n# pitot.schema.out: b',
      ['0 a records action', '1 b records action'],
    ],
    ['input is slot 0', '# pitot.schema.0: a\n# pitot.input: b', ['0 b records action', plain[1]!]],
    ['an action', '# pitot.action: score', ['0 - records score', plain[1]!]],
    ['an action with dots', '# pitot.action: score.cars', ['0 - records score.cars', plain[1]!]],
    ['an action of one slot', '# pitot.action.2: other', [...plain, '2 - records other']],
    [
      'an action of none',
      '# pitot.action.0: unused\n# pitot.slot.2: in-use',
      ['0 - records unused', plain[1]!, '2 - records action'],
    ],
    [
      'none is unused',
      '# pitot.action.0: none\n# pitot.slot.2: in-use',
      ['0 - records unused', plain[1]!, '2 - records action'],
    ],
    [
      'slots',
      '# pitot.slot.1: unused\n# pitot.slot.3: in-use',
      [plain[0]!, '1 - records unused', '3 - records action'],
    ],
    ['a slot that is called unused', '# pitot.action.2: f\n# pitot.slot.2: unused', [...plain, '2 - records unused']],
    ['a slot that is named after that', '# pitot.slot.2: unused\n# pitot.action.2: f', [...plain, '2 - records f']],
    [
      'no outputs',
      '# pitot.schema.3: a\n# pitot.slot.$output: unused',
      [plain[0]!, '1 - records unused', '3 a records unused'],
    ],
    [
      'one output after all',
      '# pitot.slot.$out: unused\n# pitot.schema.3: a',
      [plain[0]!, '1 - records unused', '3 a records action'],
    ],
    [
      'other slots than the usual',
      '# pitot.slot.$all: unused\n# pitot.slot.2: in-use\n# pitot.slot.3: in-use',
      ['0 - records unused', '1 - records unused', '2 - records action', '3 - records action'],
    ],
  ])('%s', (_title, source, expected) => {
    expect(shown(readAnnotations('python3', source))).toEqual(expected)
  })

  test('where a schema stands is known', () => {
    expect(readAnnotations('r', 'x\n\n# pitot.output: a').slots[1]).toMatchObject({ schema: 'a', schemaLine: 3 })
  })
})

test.each([
  ['python', '# pitot.input: a', 'a'],
  ['python3', '# pitot.input: a', 'a'],
  ['r', '# pitot.input: a', 'a'],
  ['javascript', '// pitot.input: a', 'a'],
  ['typescript', '//pitot.input: a', 'a'],
  ['javascript', '# pitot.input: a', undefined],
  ['python', '// pitot.input: a', undefined],
])('%s: %s', (language, source, schema) => {
  expect(readAnnotations(language, source).slots[0]?.schema).toBe(schema)
})

test('PFA documents have no annotations', () => {
  const nothing = { slots: [], snapshots: 'none', attached: [], warnings: [] }
  for (const language of ['pfa-json', 'pfa-yaml', 'pfa-pretty', 'constructor']) {
    expect(readAnnotations(language, '# pitot.input: a')).toEqual(nothing)
  }
})

test('snapshots and attached libraries', () => {
  const source = '# pitot.snapshots: eof\n# pitot.module-attached: one\n# fastscore.module-attached: two, three\n'
  expect(readAnnotations('python3', source)).toMatchObject({ snapshots: 'eof', attached: ['one', 'two', 'three'] })
  expect(readAnnotations('python3', '')).toMatchObject({ snapshots: 'none', attached: [] })
})

test.each([
  ['# pitot.inptu: a', ["line 1: 'pitot.inptu' is not known; did you mean 'input'?"]],
  ['\n# fastscore.recordset: both', ["line 2: 'fastscore.recordset' is not known; did you mean 'recordsets'?"]],
  ['# pitot.colour: red', ["line 1: 'pitot.colour' is not known"]],
  [
    '# pitot.schema.inn: a',
    [expect.stringMatching(/^line 1: 'inn' is no slot; did you mean 'in'\?; slots are numbers/)],
  ],
  ['# fastscore.schema.err: a', [expect.stringMatching(/^line 1: 'err' is no slot/)]],
  ['# pitot.schema.constructor: a', [expect.stringMatching(/is no slot/)]],
  ['# pitot.action.1: f', ['line 1: slot 1 is an output; only inputs have an action']],
  ['# see foo.bar: it matters', []],
  ['# numpy.array: fast', []],
])('%j gives the warnings %j', (source, warnings) => {
  expect(readAnnotations('python3', source).warnings).toEqual(warnings)
})

test.each([
  [
    '# pitot.recordsets: bth',
    /line 1 of the model: pitot.recordsets: 'bth' is not one of none, input, output, both.*did you mean 'both'\?/,
  ],
  ['x\n# pitot.recordsets.0: both', /line 2 of the model: .*'both' is not one of true, yes, false, no/],
  ['# pitot.snapshots: always', /'always' is not one of none, eof/],
  ['# pitot.slot.0: used', /'used' is not one of in-use, unused/],
  ['# pitot.schema.1024: a', /'1024' is no slot/],
  ['# pitot.schema.-1: a', /'-1' is no slot/],
  ['# pitot.input.0: a', /it is not for a slot; leave out '.0'/],
  ['# pitot.snapshots.0: eof', /it is not for a slot/],
  [
    '\n# fastscore.action: unused',
    /line 2 of the model: no input is left with an action; models that read their streams themselves/,
  ],
  ['# pitot.action.0: none', /no input is left with an action/],
  ['# pitot.action: not a function', /'not a function' is not the name of a function/],
  ['# pitot.input: {"type": int}', /the schema is not valid JSON/],
])('%j is refused', (source, sentence) => {
  expect(() => readAnnotations('python3', source)).toThrow(sentence)
  expect(() => readAnnotations('python3', source)).toThrow(
    expect.objectContaining({ code: 'bad-annotation', status: 400 }),
  )
})

test('any source gives annotations or one of the errors', () => {
  const word = fc.constantFrom(
    '#',
    ' ',
    'pitot',
    '.',
    'input',
    'schema',
    'slot',
    ':',
    '$in',
    '0',
    '\n',
    '{',
    '"',
    'unused',
    '\r',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      try {
        const { slots } = readAnnotations('python3', words.join(''))
        expect(slots.map(({ slot }) => slot)).toEqual([...new Set(slots.map(({ slot }) => slot))].sort((a, b) => a - b))
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-annotation' })
      }
    }),
  )
})
