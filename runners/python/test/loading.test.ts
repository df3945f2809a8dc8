// Sources that are no models: each is refused with one sentence that says why and where.
import { describe, expect, test } from 'vitest'
import { PythonJet, slots } from './python-jet.ts'

const cases: readonly {
  readonly name: string
  readonly source: string
  readonly sentence: RegExp
  readonly language?: string
  readonly trace?: RegExp
  readonly slots?: ReturnType<typeof slots>
}[] = [
  { name: 'nothing', source: '', sentence: /^the model model\.py has no function action\(datum\), .* slot 0$/ },
  {
    name: 'a syntax error',
    source: 'def action(x):\n    return x +\n',
    sentence: /^the model does not compile as Python 3: model\.py, line 2: invalid syntax$/,
  },
  {
    name: 'a print statement of Python 2',
    source: 'def action(x):\n    print "hello"\n    yield x\n',
    language: 'python',
    sentence: /model\.py, line 2: Missing parentheses in call to 'print'.* Python 2 has to be converted to Python 3/,
  },
  {
    name: 'an except clause of Python 2',
    source: 'def action(x):\n    try:\n        yield x\n    except ValueError, e:\n        pass\n',
    language: 'python',
    sentence: /model\.py, line 4: .*Python 2 has to be converted/,
  },
  {
    name: 'a NUL byte',
    source: 'x = 1\0\ndef action(x): yield x\n',
    sentence: /^the model does not compile/,
  },
  {
    name: 'a module that is not there',
    source: 'import nowhere_to_be_found\ndef action(x): yield x\n',
    sentence:
      /^the model imports the module nowhere_to_be_found, which Python 3\.\d+\.\d+ at \S+ does not have: install it/,
    trace: /File "model\.py", line 1/,
  },
  {
    name: 'a name that a module does not have',
    source: 'from json import nothing\ndef action(x): yield x\n',
    sentence: /^the model cannot be imported: ImportError: cannot import name 'nothing'/,
  },
  {
    name: 'an exception while it is imported',
    source: 'def prepare():\n    raise ValueError("no weights")\n\nprepare()\ndef action(x): yield x\n',
    sentence: /^the model cannot be imported: ValueError: no weights \(model\.py, line 2\)$/,
    trace: /^Traceback \(most recent call last\):\n {2}File "model\.py", line 4, in <module>\n/,
  },
  {
    name: 'an exit while it is imported',
    source: 'import sys\nsys.exit("enough")\n',
    sentence: /^the model cannot be imported: SystemExit: enough \(model\.py, line 2\)$/,
  },
  { name: 'an action that is no function', source: 'action = 3\n', sentence: /something else than a function/ },
  {
    name: 'an action without arguments',
    source: 'def action(): yield 1\n',
    sentence: /^the function action of model\.py needs 0 arguments: it can take the record, its slot and its number$/,
  },
  { name: 'an action of four arguments', source: 'def action(a, b, c, d): yield 1\n', sentence: /needs 4 arguments/ },
  { name: 'an async action', source: 'async def action(x): return x\n', sentence: /is async: write it with def/ },
  { name: 'an async begin', source: 'async def begin(): pass\ndef action(x): return x\n', sentence: /begin .* async/ },
  {
    name: 'a slot whose function is not there',
    source: 'def action(x): return x\n',
    slots: slots({ slot: 2, action: 'other' }),
    sentence: /has no function other\(datum\), which takes the records of slot 2$/,
  },
  {
    name: 'no slot in use',
    source: 'def action(x): return x\n',
    slots: slots({ slot: 0, action: null }),
    sentence: /uses none of its input slots/,
  },
]

describe('a source that is refused', () => {
  test.each(cases)('$name', async ({ source, sentence, language, trace, slots }) => {
    const jet = new PythonJet(source, { ...(language && { language }), ...(slots && { slots }) })
    const answer = await jet.load()
    expect(answer).toMatchObject({ kind: 'failed', sentence: expect.stringMatching(sentence) })
    if (answer?.kind === 'failed') {
      expect(answer.sentence).not.toContain('\n')
      if (trace) expect(answer.trace).toMatch(trace)
      expect(answer.trace ?? '').not.toContain('pitot_runner')
    }
  })

  test('a file that is not there', async () => {
    const jet = new PythonJet('')
    await jet.process.receive()
    const load = {
      language: 'python',
      name: '',
      file: 'other.py',
      sandbox: '1',
      timeout: 1,
      slots: slots(),
      attached: [],
    }
    const answer = await jet.ask({ kind: 'load', load })
    expect(answer).toMatchObject({ kind: 'failed', sentence: expect.stringContaining('other.py') })
  })
})

describe('a source that is taken', () => {
  test.each([
    [
      'in another encoding',
      Buffer.from('# coding: latin-1\nname = "\xe9"\ndef action(x): return name\n', 'latin1'),
      '"é"',
    ],
    ['with a byte order mark', '\ufeffdef action(x): return x\n', '1'],
    ['that looks at its own file', 'import os\ndef action(x): return os.path.basename(__file__)\n', '"model.py"'],
    ['with a main part, which is not run', 'if __name__ == "__main__": 1 / 0\ndef action(x): return x\n', '1'],
    ['with a callable object', 'class Twice:\n    def __call__(self, x): return 2 * x\naction = Twice()\n', '2'],
    ['with a built-in function', 'action = abs\n', '1'],
    ['with defaults of its own', 'def action(x, factor=3, *, more=1): return factor * x + more\n', '4'],
  ])('%s', async (_, source, expected) => {
    const jet = await PythonJet.start('', { files: { 'model.py': source } })
    expect((await jet.score(['1'])).texts).toEqual([expected])
  })
})
