// Documents and records for every place where the package runs: scored, they give the same list everywhere.
import { type CompileOptions, compile, PfaError } from '@pitot/pfa'

interface Case {
  readonly format: NonNullable<CompileOptions['format']>
  readonly document: string
  readonly records: readonly string[]
}

const roots: Case = {
  format: 'pretty',
  document: 'input: array(double)\noutput: double\naction: a.mean(a.map(input, fcn(x: double -> double) m.sqrt(x)))',
  records: ['[4, 9]', '[]', '["inf", -1]', '{"not": "an array"}'],
}

/** Longs beyond the safe integers, names that are special in JavaScript, an overflow that rolls the cell back. */
const sums: Case = {
  format: 'json',
  document: JSON.stringify({
    input: {
      type: 'record',
      name: 'Reading',
      fields: [
        { name: 'sensor', type: 'string' },
        { name: 'count', type: 'long' },
        { name: 'value', type: ['null', 'double'] },
      ],
    },
    output: { type: 'array', items: ['Reading', 'long'] },
    pools: { sums: { type: 'long', init: {}, rollback: true } },
    action: [
      {
        pool: 'sums',
        path: ['input.sensor'],
        to: { params: [{ old: 'long' }], ret: 'long', do: { '+': ['old', 'input.count'] } },
        init: 'input.count',
      },
      {
        type: { type: 'array', items: ['Reading', 'long'] },
        new: ['input', { pool: 'sums', path: ['input.sensor'] }],
      },
    ],
  }),
  records: [
    '{"sensor": "\\ud83d\\ude80", "count": 9007199254740993, "value": {"double": 0.1}}',
    '{"sensor": "__proto__", "count": 9223372036854775807, "value": null}',
    '{"sensor": "__proto__", "count": 1, "value": {"double": "-inf"}}',
    '{"sensor": "__proto__", "count": -7, "value": null}',
  ],
}

/** Regular expressions and time zones. */
const words: Case = {
  format: 'yaml',
  document: `
input: string
output: string
method: emit
action:
  foreach: word
  in: {re.split: [input, [" +"]]}
  do:
    emit: {s.concat: [word, {s.int: {time.hourOfDay: [{parse.double: [word]}, ["Asia/Kolkata"]]}}]}
`,
  records: ['"0 1800  3600"', '"0 noon"'],
}

/** Whether the code was generated, what became of every record, and the state in the end. */
export function score(options: CompileOptions = {}): unknown[] {
  return [roots, sums, words].map(({ format, document, records }) => {
    const program = compile(document, { ...options, format })
    const emitted: string[] = []
    const instance = program.start({ emitJson: (text) => emitted.push(text) })
    const scored = records.map((record) => {
      try {
        return instance.actionJson(record) ?? emitted.splice(0)
      } catch (error) {
        if (!(error instanceof PfaError)) throw error
        return { kind: error.kind, code: error.code ?? null }
      }
    })
    // As text, because a long beyond the safe integers is a bigint, which JSON does not have.
    const state = JSON.stringify(instance.snapshot(), (_key, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    return { generated: program.source !== '', scored, state }
  })
}
