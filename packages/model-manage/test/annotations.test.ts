// What a model's comments say of it.
import { expect, test } from 'vitest'
import { readAnnotations } from '../src/annotations.ts'

test.each([
  ['the usual form', '# fastscore.input: in-schema\n', { input: 'in-schema' }],
  ['no space after the mark', '#pitot.output: double', { output: 'double' }],
  ['no colon', '# pitot.input int', { input: 'int' }],
  ['another vendor', '# ModelOp.recordsets: both', { recordsets: 'both' }],
  ['indented', 'def f():\n    # pitot.snapshots: eof\n    pass', { snapshots: 'eof' }],
  ['JavaScript', '// pitot.schema.0: { "type": "int" }', { 'schema.0': '{ "type": "int" }' }],
  ['Octave', '% pitot.action.$in: score', { 'action.$in': 'score' }],
  ['a tag that may repeat', '# p.module-attached: a\n# p.module-attached: b', { 'module-attached': ['a', 'b'] }],
  ['the last one wins', '# p.input: a\n# p.input: b', { input: 'b' }],
  ['carriage returns', '# p.input: a\r\n# p.output: b\r\n', { input: 'a', output: 'b' }],
  ['an ordinary comment', '# see foo.bar: it matters', {}],
  ['an unknown tag', '# pitot.colour: red', {}],
  ['code', 'pitot.input = "# pitot.input: x"', {}],
  ['no value', '# pitot.input:', {}],
])('%s', (_title, source, expected) => {
  expect(readAnnotations(source)).toEqual(expected)
})
