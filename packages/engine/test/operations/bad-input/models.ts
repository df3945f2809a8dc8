// Models that are refused, and why.
import type { Sentence } from './sentence.ts'

/** All are answered with 400. A type without a slash is a language. */
export const models: readonly (readonly [type: string, body: string | undefined, sentence: Sentence])[] = [
  [
    'text/x-python',
    'x',
    "content type 'text/x-python' does not name a model language; use application/vnd.pitot.model-LANGUAGE with one of: pfa+json, pfa-json, pfa-yaml, pfa-pretty, javascript, typescript, python, python2, python3, r, c, java, scala, erlang, h2o-java, m, octave, jupyter, sas",
  ],
  [
    'pyton3',
    'x',
    "content type 'application/vnd.pitot.model-pyton3' does not name a model language; did you mean 'python3'?; use application/vnd.pitot.model-LANGUAGE with one of: pfa+json, pfa-json, pfa-yaml, pfa-pretty, javascript, typescript, python, python2, python3, r, c, java, scala, erlang, h2o-java, m, octave, jupyter, sas",
  ],
  [
    'java',
    'x',
    'models in java are stored but cannot be run; languages that run: javascript, typescript, pfa-json, pfa-yaml, pfa-pretty, python, python3, r',
  ],
  ['python3', undefined, 'the request has no body; it must hold the source of the model'],
  [
    'python3',
    'def action(x:\n  yield x\n',
    /^the model cannot be used: the model does not compile as Python 3: model\.py, line 1: ./,
  ],
  [
    'python3',
    'def act(x):\n  yield x\n',
    'the model cannot be used: the model model.py has no function action(datum), which takes the records of slot 0',
  ],
  [
    'python2',
    'print "x"\ndef action(x):\n  yield x\n',
    /^the model cannot be used: the model does not compile as Python 3: model\.py, line 1: .*\. Models run with Python 3\.\d+\.\d+: one written for Python 2 has to be converted to Python 3 first$/,
  ],
  [
    'python3',
    'import no_such_library\ndef action(x):\n  yield x\n',
    /^the model cannot be used: the model imports the module no_such_library, which Python 3\.\d+\.\d+ at \S+ does not have: install it there, or attach it to the model$/,
  ],
  [
    'python3',
    '# pitot.recordsets: perhaps\ndef action(x):\n  yield x\n',
    "line 1 of the model: pitot.recordsets: 'perhaps' is not one of none, input, output, both, true, yes, false, no",
  ],
  [
    'python3',
    '# pitot.snapshots: often\ndef action(x):\n  yield x\n',
    "line 1 of the model: pitot.snapshots: 'often' is not one of none, eof",
  ],
  [
    'python3',
    '# pitot.input: {"type":\ndef action(x):\n  yield x\n',
    'line 1 of the model: pitot.input: the schema is not valid JSON: Unexpected end of JSON input',
  ],
  [
    'javascript',
    'export function action(x { }',
    "the model cannot be used: model.mjs:1: SyntaxError: Unexpected token '{'",
  ],
  [
    'javascript',
    'export const act = 1',
    'the model cannot be used: model.mjs has no function action for the records of slot 0: it exports act',
  ],
  [
    'javascript',
    "import 'no-such-library'",
    "the model cannot be used: model.mjs imports what cannot be found: 'no-such-library'",
  ],
  [
    'typescript',
    'enum A { b }\nexport const action = (x: number) => x',
    'the model cannot be used: model.ts:1: SyntaxError: TypeScript enum is not supported in strip-only mode',
  ],
  [
    'pfa+json',
    '{"input":"int"',
    "the model cannot be used: model.pfa.json is no PFA document that can be run: Line 1, column 15: expected ',' or '}' in the object opened at line 1, column 1, found the end of the text",
  ],
  [
    'pfa+json',
    '{"input":"int","output":"int"}',
    'the model cannot be used: model.pfa.json is no PFA document that can be run: a PFA document needs the field "action" (line 1, column 1)',
  ],
  [
    'pfa+json',
    '{"input":"string","output":"int","action":"input"}',
    'the model cannot be used: model.pfa.json is no PFA document that can be run: action gives string but the declared output is int (line 1, column 43)',
  ],
  [
    'pfa+json',
    '{"input":"int","output":"int","action":{"m.nothing":["input"]}}',
    'the model cannot be used: model.pfa.json is no PFA document that can be run: unknown function "m.nothing" (line 1, column 40)',
  ],
  [
    'pfa-yaml',
    'input: [int',
    'the model cannot be used: model.pfa.yaml is no PFA document that can be run: Line 1, column 12: flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  [
    'pfa-pretty',
    'input: int\noutput: int\naction: input +\n',
    'the model cannot be used: model.ppfa is no PFA document that can be run: Line 4, column 1: expected an expression, found the end of the text',
  ],
  ['multipart/mixed', 'x', 'the multipart body cannot be read: the Content-Type has no boundary parameter'],
  [
    'multipart/form-data; boundary=b',
    'x',
    "the multipart body cannot be read: the boundary 'b' of the Content-Type is nowhere in it",
  ],
  [
    'multipart/form-data; boundary=b',
    '--b--\r\n',
    'the multipart body cannot be read: no part of it is the model; mark one with Content-Disposition: x-model; name="NAME"',
  ],
  [
    'multipart/mixed; boundary=b',
    '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n',
    'part 1: nothing tells what it is; mark it with Content-Disposition: x-model, x-schema or attachment, or with a content type',
  ],
  [
    'multipart/mixed; boundary=b',
    '--b\r\nContent-Disposition: attachment; filename="../a.zip"\r\nContent-Type: application/zip\r\n\r\nPK\r\n--b--\r\n',
    'the multipart body cannot be read: no part of it is the model; mark one with Content-Disposition: x-model; name="NAME"',
  ],
]
